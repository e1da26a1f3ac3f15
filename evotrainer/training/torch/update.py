"""Optimiser steps on one batch of rollouts, with the signals they give.

With one minibatch the policy that is trained is the policy that sampled, so old logprobs are its own, detached, and all
ratios are exactly 1; the stored ones then only measure how far rollout and training disagree (mean_ratio). With more
minibatches, and where rollouts run ahead of training, the stored logprobs are the old ones; with a correction
(algorithm/losses.py) the policy's own are, as before the first step, and the stored ones give the weights.

With a vocabulary of 152,000 a pass of 16,000 tokens has 10 GB of logits in float32, and a loss written down plainly
keeps four such tensors for its gradient. `token_terms` takes the rows some at a time, and computes each part again in
the backward pass: only the logits, in the network's own precision, and their gradient are held whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from evotrainer.algorithm.losses import (
    Mismatch,
    MismatchMeter,
    Normaliser,
    correction_weights,
    is_clipped,
    kl_divergence,
    policy_loss,
    ratios,
    token_entropies,
    token_logprobs,
)
from evotrainer.config import AlgorithmConfig, Config
from evotrainer.engines.memory import LOGITS_AT_ONCE
from evotrainer.engines.policy import Policy
from evotrainer.training.torch.batch import MicroBatch, TokenBatch, TokenSequence, padded_batches
from evotrainer.training.torch.optimiser import Optimiser


@dataclass(frozen=True)
class UpdateSignals:
    """Means over the optimiser steps of one batch; kl and entropy in nats a token."""

    loss: float
    grad_norm: float
    kl: float
    entropy: float
    clip_fraction: float
    mean_ratio: float
    mismatch: Mismatch
    """Of sampler and trainer before the first of the steps, over its minibatch."""


NO_UPDATE = UpdateSignals(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, Mismatch(0.0, 0.0, 1.0))


@dataclass(frozen=True)
class UpdateSettings:
    """How a batch is turned into steps."""

    algorithm: AlgorithmConfig
    micro_batch: MicroBatch
    max_tokens: int
    """Response budget of one trajectory."""
    has_dropout: bool = False
    """Whether an adapter drops inputs."""
    samples_kl: bool = False
    """Whether the KL to the start has no weight in the loss: it is then measured on one row of a step alone."""

    @property
    def takes_sampled_logprobs(self) -> bool:
        """Whether ratios are to the stored logprobs, and not to those of the policy before the batch's first step."""
        return self.algorithm.num_minibatches > 1 and self.algorithm.correction == "none"


def settings_of(config: Config, policy: Policy) -> UpdateSettings:
    """Return how a recipe turns a batch into steps of this policy."""
    engine, sampling, is_own = config.engine, config.sampling, bool(config.policy.path)
    return UpdateSettings(
        config.algorithm,
        MicroBatch(tokens=engine.micro_batch_tokens, shares_prompts=policy.shares_prompts) if is_own else MicroBatch(),
        sampling.max_response_tokens * sampling.max_turns,
        engine.lora.dropout > 0,
        is_own and not config.algorithm.kl_coefficient,
    )


def split_minibatches(sequences: Sequence[TokenSequence], count: int, seed: int) -> list[list[TokenSequence]]:
    """Return the sequences shuffled into `count` parts of nearly equal size; empty parts are left out."""
    if count == 1:
        return [list(sequences)] if sequences else []
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed)).tolist()
    parts = [[sequences[index] for index in order[part::count]] for part in range(count)]
    return [part for part in parts if part]


def update_policy(
    policy: Policy,
    reference: Policy,
    optimiser: Optimiser,
    sequences: Sequence[TokenSequence],
    settings: UpdateSettings,
    num_updates: int,
    seed: int,
    watch: Callable[[Optimiser], None] = lambda optimiser: None,
) -> UpdateSignals:
    """Take num_minibatches optimiser steps; `num_updates` counts those taken before, for the warm-up.

    `watch` is shown the optimiser with each minibatch's gradient, before it is clipped.
    """
    algorithm = settings.algorithm
    if algorithm.correction != "none" and algorithm.num_minibatches > 1:
        sequences = _with_logprobs(policy, sequences, settings)
    parts = split_minibatches(sequences, algorithm.num_minibatches, seed)
    if not parts:
        return NO_UPDATE
    if settings.has_dropout:
        torch.manual_seed(seed)
    batch_tokens = sum(sequence.num_sampled for sequence in sequences) / len(parts)
    found: list[Tensor] = []
    meters = [MismatchMeter() for _ in parts]
    for index, (part, meter) in enumerate(zip(parts, meters, strict=True)):
        optimiser.set_rate(_rate(algorithm, num_updates + index))
        found.append(_minibatch_step(policy, reference, optimiser, part, settings, batch_tokens, watch, meter))
    return UpdateSignals(*torch.stack(found).mean(0).tolist(), mismatch=meters[0].read())


def _with_logprobs(policy: Policy, sequences: Sequence[TokenSequence], settings: UpdateSettings) -> list[TokenSequence]:
    """Return the sequences with the policy's logprobs of their tokens, in the given order."""
    found: dict[int, TokenSequence] = {}
    for batch in padded_batches(sequences, settings.micro_batch, policy.device):
        for sequence, logprobs in zip(batch.sequences, policy_logprobs(policy, batch).tolist(), strict=True):
            found[id(sequence)] = replace(sequence, before=[0.0, *logprobs[: len(sequence.ids) - 1]])
    return [found[id(sequence)] for sequence in sequences]


def _rate(algorithm: AlgorithmConfig, num_updates: int) -> float:
    warm = min(1.0, (num_updates + 1) / algorithm.warmup_steps) if algorithm.warmup_steps else 1.0
    return algorithm.learning_rate * warm


def _minibatch_step(
    policy: Policy,
    reference: Policy,
    optimiser: Optimiser,
    sequences: Sequence[TokenSequence],
    settings: UpdateSettings,
    batch_tokens: float,
    watch: Callable[[Optimiser], None],
    meter: MismatchMeter,
) -> Tensor:
    """Take one optimiser step; return loss, gradient norm, kl, entropy, clip fraction and mean ratio, [6]."""
    optimiser.zero_grad()
    num_tokens = sum(sequence.num_sampled for sequence in sequences)
    normaliser = Normaliser(len(sequences), num_tokens, batch_tokens, settings.max_tokens)
    loss, sums = torch.zeros((), device=policy.device), torch.zeros(4, device=policy.device)
    batches = list(padded_batches(sequences, settings.micro_batch, policy.device))
    middle = batches[len(batches) // 2]
    for batch in batches:
        asked = reference if batch is middle or not settings.samples_kl else None
        with policy.training_pass():
            part, part_sums = _backward(policy, asked, batch, settings, normaliser, meter)
        loss, sums = loss + part, sums + part_sums
    if settings.samples_kl:
        sums[0] *= num_tokens / middle.first_row().mask.sum().clamp(min=1.0)
    del batches, batch, middle
    watch(optimiser)
    norm = optimiser.clip_gradient(settings.algorithm.max_grad_norm)
    optimiser.step()
    optimiser.zero_grad()
    return torch.cat([torch.stack([loss, norm.detach().to(loss)]), sums / max(num_tokens, 1)])


def _backward(
    policy: Policy,
    reference: Policy | None,
    batch: TokenBatch,
    settings: UpdateSettings,
    normaliser: Normaliser,
    meter: MismatchMeter,
) -> tuple[Tensor, Tensor]:
    algorithm = settings.algorithm
    measured = batch.first_row() if settings.samples_kl else batch
    base = policy_logprobs(reference, measured) if reference else None  # before the policy's logits take their memory
    logits = policy.logits(batch.ids[:, :-1], batch.is_sampled, batch.rows)  # [N, V]
    targets = batch.ids[:, 1:][batch.is_sampled]
    terms = token_terms(logits, targets, is_entropy_paid=algorithm.entropy_coefficient != 0)
    new, entropies = (batch.spread(values) for values in terms)  # [B, T]
    del logits
    before = new.detach() if batch.before is None else batch.before
    weights = correction_weights(before, batch.old, batch.mask, algorithm)
    old = batch.old if settings.takes_sampled_logprobs else before
    pull = None if settings.samples_kl else base
    loss = policy_loss(new, old, pull, entropies, batch.mask, batch.advantages, algorithm, normaliser, weights)
    loss.backward()
    meter.add(before, batch.old, batch.mask)
    with torch.no_grad():
        ratio = ratios(new, old, batch.mask, algorithm.loss)
        signals = [entropies, is_clipped(ratio, batch.advantages, algorithm).expand_as(new), (new - batch.old).exp()]
        kl = loss.new_zeros(())
        if base is not None:
            kl = (kl_divergence(new[: len(base)], base, "k3") * measured.mask).sum()
        sums = torch.stack([kl, *((signal * batch.mask).sum() for signal in signals)])
    return loss.detach(), sums


@torch.no_grad()
def policy_logprobs(policy: Policy, batch: TokenBatch) -> Tensor:
    """Return logprobs [B, T] of the batch's sampled tokens, without gradient; 0 elsewhere."""
    logits = policy.logits(batch.ids[:, :-1], batch.is_sampled, batch.rows)  # [N, V]
    return batch.spread(logprobs_in_parts(logits, batch.ids[:, 1:][batch.is_sampled]))


def token_terms(logits: Tensor, targets: Tensor, *, is_entropy_paid: bool) -> tuple[Tensor, Tensor]:
    """Return logprobs [N] of the targets [N] under logits [N, V], and the entropies [N], in nats.

    Entropies have a gradient where they are paid for.
    """
    rows = _rows(logits)
    if len(logits) > rows:
        logprobs, entropies = _InParts.apply(logits, targets, rows)  # pyright: ignore[reportGeneralTypeIssues]
        return logprobs, entropies if is_entropy_paid else entropies.detach()
    if is_entropy_paid:
        return token_logprobs(logits, targets), token_entropies(logits)
    logprobs = logits.float().log_softmax(-1)
    found = logprobs.detach()
    return logprobs.gather(-1, targets[:, None])[:, 0], -(found.exp() * found).sum(-1)


@torch.no_grad()
def logprobs_in_parts(logits: Tensor, targets: Tensor) -> Tensor:
    """Return logprobs [N] of the targets [N] under logits [N, V], in nats, without gradient."""
    rows = _rows(logits)
    parts = zip(logits.split(rows), targets.split(rows), strict=True)
    return torch.cat([token_logprobs(part, wanted) for part, wanted in parts])


def _rows(logits: Tensor) -> int:
    return max(1, LOGITS_AT_ONCE // logits.shape[-1])


class _InParts(torch.autograd.Function):
    """Logprobs and entropies, in parts of `rows` rows."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, targets: Tensor, rows: int) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(logits, targets)
        ctx.rows = rows
        ctx.set_materialize_grads(False)
        return logprobs_in_parts(logits, targets), torch.cat([token_entropies(part) for part in logits.split(rows)])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor, None, None]:
        logits, targets = ctx.saved_tensors
        found = torch.empty_like(logits)
        for start in range(0, len(logits), ctx.rows):
            part = slice(start, start + ctx.rows)
            given = [None if values is None else values[part] for values in gradients]
            found[part] = _gradient(logits[part], targets[part], given)
        return found, None, None


def _gradient(logits: Tensor, targets: Tensor, given: list[Tensor | None]) -> Tensor:
    """Return the gradient of some rows' logits from those of their logprobs and entropies; None: not asked for."""
    with torch.enable_grad():
        inputs = logits.detach().requires_grad_()
        terms = [lambda: token_logprobs(inputs, targets), lambda: token_entropies(inputs)]
        pairs = [(term(), values) for term, values in zip(terms, given, strict=True) if values is not None]
    outputs, values = zip(*pairs, strict=True)
    return torch.autograd.grad(outputs, inputs, values)[0]
