"""Supervised training of a policy on prompts and completions: next-token prediction of the completion.

AdamW (optimiser.py) with a linear warm-up and a cosine decay, for a fixed number of steps and without early stopping.
Equal arguments and an equal number of threads give equal weights on one kind of processor.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor
from torch.nn import functional as F

from evotrainer.config import AlgorithmConfig
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.policy import Policy
from evotrainer.records import Message
from evotrainer.training.base import Pair
from evotrainer.training.torch.optimiser import Optimiser

WARMUP_STEPS = 20
MAX_GRAD_NORM = 1.0
ADAM_BETA2 = 0.98
WEIGHT_DECAY = 0.01

Progress = Callable[[int, float], None]
"""Called after each step with the number of steps taken and the loss, nats a token."""
_Example = tuple[list[int], int]
"""Ids of prompt and completion, and how many are the prompt's."""


@dataclass(frozen=True)
class SupervisedSettings:
    """How long, in which batches and how fast a policy is trained; the seed orders the pairs."""

    steps: int
    batch: int = 32
    learning_rate: float = 4e-3
    seed: int = 0
    optimiser: str = "adamw"
    """A value of engine.optimiser."""
    pass_tokens: int = 0
    """Tokens of one forward and backward pass, padding included; 0: a batch is one pass."""


def fit_supervised(
    policy: Policy, pairs: Sequence[Pair], settings: SupervisedSettings, progress: Progress = lambda step, loss: None
) -> None:
    """Train the policy in place; the pairs are taken in a new random order each time all were taken."""
    examples = [_example(policy.codec, prompt, completion) for prompt, completion in pairs]
    algorithm = AlgorithmConfig(adam_beta2=ADAM_BETA2, weight_decay=WEIGHT_DECAY)
    optimiser = Optimiser(policy, algorithm, settings.optimiser)
    rng, waiting = Random(settings.seed), list[_Example]()
    for step in range(1, settings.steps + 1):
        while len(waiting) < settings.batch:
            waiting += rng.sample(examples, len(examples))
        chosen, waiting = waiting[: settings.batch], waiting[settings.batch :]
        optimiser.zero_grad()
        num_taught = sum(len(ids) - num_prompt for ids, num_prompt in chosen)
        loss = sum(_backward(policy, part, num_taught) for part in _passes(chosen, settings.pass_tokens))
        optimiser.clip_gradient(MAX_GRAD_NORM)
        optimiser.set_rate(settings.learning_rate * _rate(step - 1, settings.steps))
        optimiser.step()
        progress(step, loss)
    optimiser.close()


def _passes(chosen: Sequence[_Example], tokens: int) -> Sequence[Sequence[_Example]]:
    """Return the examples in parts of at most so many tokens, or of one example that is longer."""
    if not tokens:
        return [chosen]
    ordered = sorted(chosen, key=lambda example: len(example[0]))
    parts: list[list[_Example]] = [[]]
    for example in ordered:
        if parts[-1] and (len(parts[-1]) + 1) * len(example[0]) > tokens:
            parts.append([])
        parts[-1].append(example)
    return parts


def _backward(policy: Policy, part: Sequence[_Example], num_taught: int) -> float:
    """Add the gradient of these examples to that of the step; return their share of its loss."""
    ids_BT, is_taught_BT = (values.to(policy.device) for values in _pad(part))
    places_BT = is_taught_BT[:, 1:]
    with policy.training_pass():
        logits = policy.logits(ids_BT[:, :-1], places_BT)
        loss = F.cross_entropy(logits, ids_BT[:, 1:][places_BT], reduction="sum") / num_taught
        loss.backward()
    return loss.item()


def _example(codec: HfChatCodec, prompt: Sequence[Message], completion: str) -> _Example:
    ids = codec.encode(prompt)
    return [*ids, *codec.response_ids(completion)], len(ids)


def _rate(step: int, num_steps: int) -> float:
    """Factor of the learning rate: linear warm-up, then cosine decay to zero."""
    return min(1.0, (step + 1) / WARMUP_STEPS) * 0.5 * (1 + math.cos(math.pi * step / num_steps))


def _pad(examples: Sequence[_Example]) -> tuple[Tensor, Tensor]:
    """Return ids [B, T], padded on the right, and which of them are of a completion."""
    longest = max(len(ids) for ids, _ in examples)
    ids_BT = torch.zeros(len(examples), longest, dtype=torch.long)
    is_taught_BT = torch.zeros(len(examples), longest, dtype=torch.bool)
    for row, (ids, num_prompt) in enumerate(examples):
        ids_BT[row, : len(ids)] = torch.tensor(ids)
        is_taught_BT[row, num_prompt : len(ids)] = True
    return ids_BT, is_taught_BT
