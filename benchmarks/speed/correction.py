"""The off-policy correction beside TRL's: one gradient each, by the same weights, attempts and sampler's logprobs.

The sampler's logprobs are moved by drawn noise, so that weights are capped and dropped. TRL takes them for vLLM's: its
trainer is set as if vLLM had sampled, and `rollout_func` hands it the stored attempts. The gradient is taken before the
optimiser, which would hide its size. TRL's masks have the lower bound 1/C here, which by default they have not.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, cast

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from transformers.utils.logging import disable_progress_bar

from benchmarks.reports.markdown import markdown_table
from benchmarks.speed.training import PAD_ID, Batch, sample_batch, stored_attempts, trl_arguments
from conf.compose import compose_campaign
from evotrainer.algorithm.credit import assign_credit
from evotrainer.algorithm.filters import create_filter
from evotrainer.config import Config
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.training.torch.batch import sequences_in_loss
from evotrainer.training.torch.optimiser import create_optimiser
from evotrainer.training.torch.update import settings_of, update_policy

NOISE, CAP = 0.3, 1.5
"""Standard deviation of what is added to a logprob, nats, and the cap of weights."""
MODES = {
    "token_tis": ("token_truncate", None),
    "seq_tis": ("sequence_truncate", None),
    "token_mask": ("token_mask", 1 / CAP),
    "seq_mask": ("sequence_mask", 1 / CAP),
}
"""{our correction: TRL's mode and its lower bound}."""


@dataclass(frozen=True)
class Agreement:
    """Losses of both sides, and how far their gradients are apart."""

    correction: str
    loss: float
    peer_loss: float
    gradient_norm: float
    worst: float
    """Largest difference of an entry of the gradient."""
    uncorrected: float
    """Largest difference of an entry to the gradient without a correction: what the comparison could have shown."""


def compare_corrections(root: Path, policy: Path) -> Iterator[Agreement]:
    """Yield what both sides say of each correction, on one step's attempts at math."""
    prepare_torch(1)
    disable_progress_bar()
    config = compose_campaign(["domain=math", "algorithm.kl_coefficient=0"])
    batch = _with_noise(sample_batch(root, config, policy))
    _, plain = _our_gradient(batch, config, policy)
    for name in MODES:
        config.algorithm = replace(config.algorithm, correction=name, correction_cap=CAP)
        (loss, ours), (peer_loss, theirs) = (side(batch, config, policy) for side in (_our_gradient, _trl_gradient))
        worst, uncorrected = _apart(ours, theirs), _apart(ours, plain)
        yield Agreement(name, loss, peer_loss, float(torch.cat([g.flatten() for g in ours]).norm()), worst, uncorrected)


def correction_table(found: Iterator[Agreement]) -> str:
    """Return a Markdown table, one row a correction."""
    return markdown_table(
        "correction | TRL's mode | loss | TRL's loss | gradient's norm | largest difference | without a correction",
        [
            [
                one.correction,
                MODES[one.correction][0],
                f"{one.loss:.7f}",
                f"{one.peer_loss:.7f}",
                f"{one.gradient_norm:.4f}",
                f"{one.worst:.1e}",
                f"{one.uncorrected:.1e}",
            ]
            for one in found
        ],
    )


def _with_noise(batch: Batch) -> Batch:
    rng = Random(0)
    moved = [
        turn.model_copy(update={"logprobs": [value + rng.gauss(0, NOISE) for value in turn.logprobs]})
        for turn in batch.turns
    ]
    return Batch(batch.rows, moved)


def _our_gradient(batch: Batch, config: Config, policy: Path) -> tuple[float, list[torch.Tensor]]:
    trained, found = EmbeddedPolicy.load(policy), list[torch.Tensor]()
    optimiser = create_optimiser(trained, config.algorithm, config.engine)
    rows = assign_credit(batch.rows, config, create_filter(config.filter)).rows
    networks = (trained, EmbeddedPolicy.load(policy), optimiser)
    sequences, settings = sequences_in_loss(rows, batch.turns), settings_of(config)
    signals = update_policy(
        *networks, sequences, settings, 0, 0, watch=lambda _: found.extend(_gradient(trained.model))
    )
    return signals.loss, found


class _Reader(TrainerCallback):
    """Takes down the gradient before TRL's optimiser does."""

    def __init__(self, model: torch.nn.Module) -> None:
        self.model, self.found = model, list[torch.Tensor]()

    def on_pre_optimizer_step(self, *_: object, **__: object) -> None:
        """Copy the gradient."""
        self.found = _gradient(self.model)


def _trl_gradient(batch: Batch, config: Config, policy: Path) -> tuple[float, list[torch.Tensor]]:
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
    from trl import GRPOConfig, GRPOTrainer  # pyright: ignore[reportPrivateImportUsage]  # imported when asked for

    model = AutoModelForCausalLM.from_pretrained(policy)
    mode, lowest = MODES[config.algorithm.correction]
    bounds = {
        "vllm_importance_sampling_mode": mode,
        "vllm_importance_sampling_clip_max": config.algorithm.correction_cap,
        "vllm_importance_sampling_clip_min": lowest,
    }
    reader, kind = _Reader(model), cast(Any, GRPOTrainer)
    with TemporaryDirectory() as folder:
        arguments = trl_arguments(GRPOConfig, folder, config, len(batch.rows), max_steps=1, max_grad_norm=0.0, **bounds)
        trainer = kind(
            model=model,
            args=arguments,
            processing_class=AutoTokenizer.from_pretrained(policy),
            callbacks=[reader],
            **stored_attempts(batch, config.sampling.group_size),
        )
        trainer.use_vllm, trainer._last_loaded_step = True, 0  # no server is there to be synced
        loss = trainer.train().training_loss
    return loss, reader.found


def _gradient(model: torch.nn.Module) -> list[torch.Tensor]:
    """Return the gradients of all parameters, without the embedding of padding, which TRL's padding reaches."""
    found = [value.grad.detach().clone() for value in model.parameters() if value.grad is not None]
    found[0][PAD_ID] = 0.0
    return found


def _apart(one: list[torch.Tensor], other: list[torch.Tensor]) -> float:
    return max(float((mine - theirs).abs().max()) for mine, theirs in zip(one, other, strict=True))
