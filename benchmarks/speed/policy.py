"""Rollouts and a training step of a Hugging Face directory, beside transformers' generate and TRL, and the peak memory.

Work: 64 attempts, 8 at each of 8 short problems. Both sides run in one process on one thread, in turns. TRL is a
development dependency.
"""

import importlib
import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from benchmarks.model_steps.meter import ProcessMeter
from benchmarks.speed.measure import Measure, compare, cpu_seconds
from evotrainer.algorithm.advantages import advantages
from evotrainer.config import Config
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.memory import GB
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.records import Message
from evotrainer.training.torch.batch import MicroBatch, TokenSequence, padded_batches
from evotrainer.training.torch.optimiser import Optimiser, trained_parameters
from evotrainer.training.torch.sync import open_pair
from evotrainer.training.torch.update import policy_logprobs, settings_of, update_policy

PROBLEMS, GROUP, TURNS, RATE, PASS = 8, 8, 3, 1e-5, 256
SAME_LOGPROBS = 1e-4
"""Nats by which sampler and trainer may differ."""
MOVED_ALIKE = 0.999
"""Share of weights that end within a tenth of a step of each other."""
QUESTION = (
    "Ann has {} apples and buys {} more. How many has she now? Answer with <answer>NUMBER</answer> and nothing else."
)


def measure_policy(path: Path, tokens: int, precision: str) -> Iterator[Measure]:
    """Yield the measures of the policy in `path`; answers have at most `tokens` tokens.

    Raises:
        RuntimeError: greedy tokens, or the logprobs of sampler and trainer, differ.

    """
    config = _config(path, tokens, precision)
    policy, reference = open_pair(config, path, 0)
    engine = TorchRolloutEngine(policy, PROBLEMS * GROUP)
    prompts = _prompts(engine)
    yield _rollouts(engine, prompts, tokens)
    drawn = engine.generate(prompts, SamplingParams(tokens), range(len(prompts)))
    sequences = _sequences(prompts, drawn)
    if precision == "float32" and (gap := _largest_gap(policy, sequences)) > SAME_LOGPROBS:
        raise RuntimeError(f"sampler and trainer differ by {gap:.3g} nats in a logprob")
    yield _step(config, policy, reference, sequences)


def _config(path: Path, tokens: int, precision: str) -> Config:
    config = Config()
    config.policy.path, config.sampling.max_response_tokens = str(path), tokens
    config.sampling.problems_per_step, config.sampling.group_size = PROBLEMS, GROUP
    config.engine = replace(config.engine, device="cpu", precision=precision, micro_batch_tokens=PASS)
    config.algorithm = replace(config.algorithm, kl_coefficient=0.0, learning_rate=RATE)
    return config


def _prompts(engine: TorchRolloutEngine) -> list[list[int]]:
    """Return the prompt of each attempt."""
    return [
        engine.codec.encode([Message(role="user", content=QUESTION.format(number + 3, 2 * number + 5))])
        for number in range(PROBLEMS)
        for _ in range(GROUP)
    ]


def _rollouts(engine: TorchRolloutEngine, prompts: list[list[int]], tokens: int) -> Measure:
    """Measure CPU seconds a sampled token; the greedy ones are compared first."""
    policy: Any = engine.policy
    model, longest, stops = policy.model, max(map(len, prompts)), list(policy.codec.stop_ids)
    padded = torch.tensor([[stops[0]] * (longest - len(prompt)) + prompt for prompt in prompts])
    mask = torch.tensor([[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts])
    plain = {"max_new_tokens": tokens, "eos_token_id": stops, "pad_token_id": stops[0]}

    def ours(temperature: float = 1.0, chosen: Sequence[list[int]] = prompts) -> list[list[int]]:
        drawn = engine.generate(chosen, SamplingParams(tokens, temperature), range(len(chosen)))
        return [list(completion.token_ids) for completion in drawn]

    def theirs(rows: slice = slice(None), **settings: Any) -> list[list[int]]:
        settings = settings or {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0}
        with torch.inference_mode():
            out = model.generate(padded[rows], attention_mask=mask[rows], **plain, **settings)[:, longest:].tolist()
        return [_ended(row, stops) for row in out]

    each = slice(0, None, GROUP)
    if ours(0.0, prompts[each]) != theirs(each, do_sample=False):
        raise RuntimeError("the greedy tokens of both sides differ")
    mine, others = [], []
    for _ in range(TURNS):
        mine.append(_seconds_a_token(ours))
        others.append(_seconds_a_token(theirs))
    name = f"a sampled token, {PROBLEMS} x {GROUP} answers of up to {tokens}"
    return Measure(name, "transformers generate", statistics.median(mine), statistics.median(others), "greedy tokens")


def _ended(tokens: list[int], stops: list[int]) -> list[int]:
    end = next((place + 1 for place, token in enumerate(tokens) if token in stops), len(tokens))
    return tokens[:end]


def _seconds_a_token(work: Callable[[], list[list[int]]]) -> float:
    drawn: list[list[int]] = []
    seconds = cpu_seconds(lambda: drawn.extend(work()))
    return seconds / sum(map(len, drawn))


def _sequences(prompts: Sequence[list[int]], drawn: Sequence[Completion]) -> list[TokenSequence]:
    """Return the sequences of a step; longer answers are paid less, so that each group has a signal."""
    rewards = torch.tensor([[float(row % GROUP < GROUP // 2) for row in range(GROUP)]] * PROBLEMS)
    scaled = advantages(rewards.double().numpy(), "group_std").flatten().tolist()
    return [
        TokenSequence(
            [*prompt, *one.token_ids],
            [0.0] * len(prompt) + list(one.logprobs),
            [0.0] * len(prompt) + [1.0] * len(one.token_ids),
            advantage,
        )
        for prompt, one, advantage in zip(prompts, drawn, scaled, strict=True)
    ]


def _largest_gap(policy: Any, sequences: Sequence[TokenSequence]) -> float:
    limit = MicroBatch(tokens=PASS, shares_prompts=policy.shares_prompts)
    gaps = [
        ((policy_logprobs(policy, batch) - batch.old) * batch.mask).abs().max()
        for batch in padded_batches(sequences, limit, policy.device)
    ]
    return float(torch.stack(gaps).max())


def _step(config: Config, policy: Any, reference: Any, sequences: list[TokenSequence]) -> Measure:
    """Measure the CPU seconds of one optimiser step on fixed completions; the weights after it are compared first."""
    start = [value.detach().clone() for value in trained_parameters(policy)]

    def ours() -> Sequence[torch.Tensor]:
        _put_back(trained_parameters(policy), start)
        settings, optimiser = settings_of(config, policy), Optimiser(policy, config.algorithm, config.engine.optimiser)
        update_policy(policy, reference, optimiser, sequences, settings, 0, 0)
        optimiser.close()
        return [value.detach().clone() for value in trained_parameters(policy)]

    def is_alike(mine: Sequence[torch.Tensor], others: Sequence[torch.Tensor]) -> bool:
        near = [((one - other).abs() < RATE / 10).float().mean() for one, other in zip(mine, others, strict=True)]
        return float(torch.stack(near).mean()) > MOVED_ALIKE

    name = f"a GRPO step of {len(sequences)} attempts, {sum(len(one.ids) for one in sequences)} tokens with prompts"
    equal = f"{MOVED_ALIKE:.1%} of the weights to a tenth of a step"
    with TemporaryDirectory() as folder:
        trainer = _trl(config, Path(folder), sequences)
        own = list(trainer.model.parameters())

        def theirs() -> Sequence[torch.Tensor]:
            _put_back(own, start)
            trainer.optimizer = trainer.lr_scheduler = None
            trainer.train()
            return own

        return compare(name, f"TRL {trainer.trl_version} GRPOTrainer", ours, theirs, equal, is_alike, turns=TURNS)


def _put_back(weights: Sequence[torch.Tensor], start: Sequence[torch.Tensor]) -> None:
    with torch.no_grad():
        for value, before in zip(weights, start, strict=True):
            value.copy_(before)


def _trl(config: Config, folder: Path, sequences: Sequence[TokenSequence]) -> Any:
    """Return a trainer of TRL whose rollouts are these sequences, a group a pass."""
    trl, transformers = (importlib.import_module(name) for name in ("trl", "transformers"))
    from datasets import Dataset

    def rollout(prompts: list[str], trainer: Any) -> dict[str, list[Any]]:
        rows = [sequences[int(prompt) * GROUP + place % GROUP] for place, prompt in enumerate(prompts)]
        return {
            "prompt_ids": [row.ids[: row.num_prompt] for row in rows],
            "completion_ids": [row.ids[row.num_prompt :] for row in rows],
            "logprobs": [row.logprobs[row.num_prompt :] for row in rows],
            "paid": [float(place % GROUP < GROUP // 2) for place in range(len(rows))],
        }

    settings = trl.GRPOConfig(
        output_dir=str(folder), use_cpu=True, bf16=False, report_to=[], max_steps=1, disable_tqdm=True,
        save_strategy="no", logging_strategy="no", per_device_train_batch_size=GROUP,
        gradient_accumulation_steps=PROBLEMS, num_generations=GROUP, shuffle_dataset=False,
        max_completion_length=config.sampling.max_response_tokens, beta=0.0, loss_type=config.algorithm.loss,
        learning_rate=RATE, lr_scheduler_type="constant", max_grad_norm=config.algorithm.max_grad_norm,
        weight_decay=0.0, gradient_checkpointing=False,
    )  # fmt: skip
    trainer = trl.GRPOTrainer(
        model=transformers.AutoModelForCausalLM.from_pretrained(config.policy.path, dtype=torch.float32),
        reward_funcs=lambda paid, **_: paid,
        args=settings,
        train_dataset=Dataset.from_list([{"prompt": str(number)} for number in range(PROBLEMS)]),
        processing_class=transformers.AutoTokenizer.from_pretrained(config.policy.path),
        rollout_func=rollout,
    )
    trainer.trl_version = trl.__version__
    return trainer


def peak_memory(path: Path, tokens: int, precision: str) -> float:
    """Return the GB that a process holds at most in which a campaign's step runs, with its reference policy."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "peak.json"
        process = get_context("spawn").Process(target=_one_step, args=(path, tokens, precision, out))
        process.start()
        process.join()
        if process.exitcode:
            raise RuntimeError(f"the step ended with status {process.exitcode}: its memory is not known")
        return json.loads(out.read_text()) / GB


def _one_step(path: Path, tokens: int, precision: str, out: Path) -> None:
    torch.set_num_threads(1)
    config = _config(path, tokens, precision)
    config.algorithm.kl_coefficient = 0.04
    policy, reference = open_pair(config, path, 0)
    engine = TorchRolloutEngine(policy, PROBLEMS * GROUP)
    prompts = _prompts(engine)
    sequences = _sequences(prompts, engine.generate(prompts, SamplingParams(tokens), range(len(prompts))))
    optimiser = Optimiser(policy, config.algorithm, config.engine.optimiser)
    for step in range(2):  # the second has moments beside its activations
        update_policy(policy, reference, optimiser, sequences, settings_of(config, policy), step, 0)
    out.write_text(json.dumps(ProcessMeter().peak()))
