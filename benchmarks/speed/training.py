"""One GRPO step beside TRL's GRPOTrainer: the same weights, completions and rewards, and the same parameters after it.

Both sides compute advantages, the reference policy's logprobs, the loss, its gradient, the clipped AdamW step. Both
repeat the step on the same batch, since TRL cannot be set back; the parameters are compared after the first.
"""

import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from transformers.utils.logging import disable_progress_bar

from benchmarks.speed.measure import TURNS, Measure, cpu_seconds
from conf.compose import compose_campaign
from evotrainer.algorithm.credit import assign_credit
from evotrainer.algorithm.filters import create_filter
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.records import TokenTurn, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from evotrainer.training.torch.batch import sequences_in_loss
from evotrainer.training.torch.optimiser import create_optimiser
from evotrainer.training.torch.update import settings_of, update_policy

TOLERANCE = 1e-6
SHARE = 0.999
"""Adam's first step divides a gradient by its own size: where that is near its epsilon, rounding shows."""
PAD_ID = 0
"""Its embedding is left out: TRL's padding on the left moves it by Adam's step of a gradient that is rounding alone."""


@dataclass(frozen=True)
class Batch:
    """Graded attempts of one training step, by problem."""

    rows: list[Trajectory]
    turns: list[TokenTurn]


def measure_step(root: Path, policy: Path, domain: str = "math") -> Measure:
    """Return the measure of a step of this domain's recipe; its episodes must be of one turn."""
    prepare_torch(1)
    disable_progress_bar()
    config = compose_campaign([f"domain={domain}"])
    batch = sample_batch(root, config, policy)
    trained = EmbeddedPolicy.load(policy)
    ours = _Steps(trained.model)
    take_step = _our_step(trained, EmbeddedPolicy.load(policy), batch, config)
    theirs = _train_trl(policy, batch, config, lambda: ours.note(cpu_seconds(take_step)))
    gaps = torch.cat([(one - other).abs().flatten() for one, other in zip(ours.first, theirs.first, strict=True)])
    share, worst = float((gaps <= TOLERANCE).double().mean()), float(gaps.max())
    if share < SHARE or worst > config.algorithm.learning_rate / 10:
        raise RuntimeError(f"after a step {1 - share:.2g} of the parameters differ, the most by {worst:.2g}")
    name = f"GRPO step, {domain}, {len(batch.rows)} trajectories"
    seconds, peer_seconds = statistics.median(ours.seconds[1:]), statistics.median(theirs.seconds[1:])
    return Measure(
        name, "TRL GRPOTrainer", seconds, peer_seconds, f"{share:.4%} of parameters to 1e-6, all to {worst:.1g}"
    )


def sample_batch(root: Path, config: Config, policy: Path) -> Batch:
    """Return the attempts of one step of a recipe whose episodes are of one turn."""
    sampling = config.sampling
    rules = EpisodeRules(config.domain, SamplingParams(sampling.max_response_tokens), 1, config.reward)
    problems = load_problems(root, config.domain, "train")[: sampling.problems_per_step]
    engine = TorchRolloutEngine(EmbeddedPolicy.load(policy), is_compiled=True)
    identity = EpisodeIdentity("speed", "v000", "speed", 0)
    return Batch(*run_episodes(engine, problems, sampling.group_size, rules, identity))


def _our_step(trained: EmbeddedPolicy, reference: EmbeddedPolicy, batch: Batch, config: Config) -> Any:
    optimiser, settings = create_optimiser(trained, config.algorithm, config.engine), settings_of(config)

    def step() -> None:
        credit = assign_credit(batch.rows, config, create_filter(config.filter))
        update_policy(trained, reference, optimiser, sequences_in_loss(credit.rows, batch.turns), settings, 0, 0)

    return step


class _Steps:
    """CPU seconds of one side's steps, and its parameters after the first, which is a warm-up."""

    def __init__(self, model: torch.nn.Module) -> None:
        self.model, self.seconds, self.first = model, list[float](), list[torch.Tensor]()

    def note(self, seconds: float) -> None:
        """Take down a step."""
        self.seconds.append(seconds)
        if not self.first:
            self.first = [value.detach().clone() for value in self.model.parameters()]
            self.first[0][PAD_ID] = 0.0


class _Clock(TrainerCallback):
    """Times TRL's steps, and lets ours be taken between them."""

    def __init__(self, steps: _Steps, between: Callable[[], None]) -> None:
        self.steps, self.between, self.started = steps, between, 0.0

    def on_step_begin(self, *_: object, **__: object) -> None:
        """Take our step, then start the clock."""
        self.between()
        self.started = time.process_time()

    def on_step_end(self, *_: object, **__: object) -> None:
        """Stop the clock."""
        self.steps.note(time.process_time() - self.started)


def _train_trl(policy: Path, batch: Batch, config: Config, between: Callable[[], None]) -> _Steps:
    """Return TRL's steps; `between` is called before each."""
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
    from trl import GRPOConfig, GRPOTrainer  # pyright: ignore[reportPrivateImportUsage]  # imported when asked for

    model = AutoModelForCausalLM.from_pretrained(policy)
    steps = _Steps(model)

    with TemporaryDirectory() as folder:
        kind: Any = GRPOTrainer
        trainer = kind(
            model=model,
            args=trl_arguments(GRPOConfig, folder, config, len(batch.rows)),
            processing_class=AutoTokenizer.from_pretrained(policy),
            callbacks=[_Clock(steps, between)],
            **stored_attempts(batch, config.sampling.group_size),
        )
        trainer.train()
    return steps


def stored_attempts(batch: Batch, size: int) -> dict[str, Any]:
    """Return what makes TRL's trainer take stored attempts, in groups of `size`, with their rewards."""

    def rollouts(prompts: Sequence[str], trainer: object) -> dict[str, list]:
        places = [int(prompt) * size + place % size for place, prompt in enumerate(prompts)]
        return {
            "prompt_ids": [batch.turns[place].prompt_ids for place in places],
            "completion_ids": [batch.turns[place].token_ids for place in places],
            "logprobs": [batch.turns[place].logprobs for place in places],
            "stored": [batch.rows[place].reward for place in places],
        }

    def reward(completions: list, stored: list[float], **_: object) -> list[float]:
        return stored

    prompts = Dataset.from_list([{"prompt": str(index)} for index in range(len(batch.rows) // size)])
    return {"rollout_func": rollouts, "reward_funcs": reward, "train_dataset": prompts}


def trl_arguments(kind: Any, folder: str, config: Config, num_rows: int, **more: Any) -> Any:
    """Return TRL's settings of a recipe, for one batch of `num_rows` on a CPU; `more` goes before them."""
    algorithm = config.algorithm
    plain = {
        "output_dir": folder,
        "use_cpu": True,
        "bf16": False,
        "report_to": [],
        "save_strategy": "no",
        "logging_strategy": "no",
        "disable_tqdm": True,
        "gradient_checkpointing": False,
        "shuffle_dataset": False,
        "max_steps": 1 + TURNS,
        "per_device_train_batch_size": num_rows,
        "num_generations": config.sampling.group_size,
        "max_completion_length": config.sampling.max_response_tokens,
        "loss_type": algorithm.loss,
        "beta": algorithm.kl_coefficient,
        "use_bias_correction_kl": False,
        "epsilon": algorithm.clip_low,
        "epsilon_high": algorithm.clip_high,
        "learning_rate": algorithm.learning_rate,
        "lr_scheduler_type": "constant",
        "adam_beta2": algorithm.adam_beta2,
        "weight_decay": algorithm.weight_decay,
        "max_grad_norm": algorithm.max_grad_norm,
    }
    return kind(**plain | more)
