"""Supervised training of a policy on prompts and completions: next-token prediction of the completion.

AdamW (optimiser.py) with a linear warm-up and a cosine decay, for a fixed number of steps and without early stopping.
Equal arguments and an equal number of threads give equal weights on one kind of processor.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from torch.nn import functional as F

from evotrainer.config import AlgorithmConfig
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.policy import Policy
from evotrainer.records import Message
from evotrainer.training.base import Pair
from evotrainer.training.torch.batch import MicroBatch, TokenBatch, TokenSequence, padded_batches
from evotrainer.training.torch.optimiser import Optimiser

WARMUP_STEPS = 20
MAX_GRAD_NORM = 1.0
ADAM_BETA2 = 0.98
WEIGHT_DECAY = 0.01

Progress = Callable[[int, float], None]
"""Called after each step with the number of steps taken and the loss, nats a token."""


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
    sequences = [_sequence(policy.codec, prompt, completion) for prompt, completion in pairs]
    algorithm = AlgorithmConfig(adam_beta2=ADAM_BETA2, weight_decay=WEIGHT_DECAY)
    optimiser = Optimiser(policy, algorithm, settings.optimiser)
    limit = MicroBatch(settings.batch, settings.pass_tokens)
    rng, waiting = Random(settings.seed), list[TokenSequence]()
    for step in range(1, settings.steps + 1):
        while len(waiting) < settings.batch:
            waiting += rng.sample(sequences, len(sequences))
        chosen, waiting = waiting[: settings.batch], waiting[settings.batch :]
        optimiser.zero_grad()
        num_taught = sum(sequence.num_sampled for sequence in chosen)
        loss = sum(_backward(policy, part, num_taught) for part in padded_batches(chosen, limit, policy.device))
        optimiser.clip_gradient(MAX_GRAD_NORM)
        optimiser.set_rate(settings.learning_rate * _rate(step - 1, settings.steps))
        optimiser.step()
        progress(step, loss)
    optimiser.close()


def _backward(policy: Policy, batch: TokenBatch, num_taught: int) -> float:
    """Add the gradient of these examples to that of the step; return their share of its loss."""
    with policy.training_pass():
        logits = policy.logits(batch.ids[:, :-1], batch.is_sampled)
        loss = F.cross_entropy(logits, batch.ids[:, 1:][batch.is_sampled], reduction="sum") / num_taught
        loss.backward()
    return loss.item()


def _sequence(codec: HfChatCodec, prompt: Sequence[Message], completion: str) -> TokenSequence:
    """Return prompt and completion as one sequence, whose mask is the completion."""
    asked, taught = codec.encode(prompt), codec.response_ids(completion)
    mask = [0.0] * len(asked) + [1.0] * len(taught)
    return TokenSequence([*asked, *taught], [0.0] * len(mask), mask, advantage=0.0)


def _rate(step: int, num_steps: int) -> float:
    """Factor of the learning rate: linear warm-up, then cosine decay to zero."""
    return min(1.0, (step + 1) / WARMUP_STEPS) * 0.5 * (1 + math.cos(math.pi * step / num_steps))
