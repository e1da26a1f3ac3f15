"""Optimiser steps on one batch of rollouts, with the signals they give.

With one minibatch the policy that is trained is the policy that sampled, so old logprobs are its own, detached, and all
ratios are exactly 1; the stored ones then only measure how far rollout and training disagree (mean_ratio). With more
minibatches the stored logprobs are the old ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from evotrainer.algorithm.losses import (
    Normaliser,
    is_clipped,
    kl_divergence,
    policy_loss,
    ratios,
    token_entropies,
    token_logprobs,
)
from evotrainer.config import AlgorithmConfig
from evotrainer.engines.policy import Policy
from evotrainer.training.torch.batch import TokenBatch, TokenSequence, padded_batches


@dataclass(frozen=True)
class UpdateSignals:
    """Means over the optimiser steps of one batch; kl and entropy in nats a token."""

    loss: float
    grad_norm: float
    kl: float
    entropy: float
    clip_fraction: float
    mean_ratio: float


NO_UPDATE = UpdateSignals(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class UpdateSettings:
    """How a batch is turned into steps."""

    algorithm: AlgorithmConfig
    micro_batch: int
    """Sequences in one forward and backward pass."""
    max_tokens: int
    """Response budget of one trajectory."""


def create_optimiser(policy: Policy, algorithm: AlgorithmConfig) -> torch.optim.AdamW:
    """Return AdamW over all parameters of the policy."""
    return torch.optim.AdamW(
        policy.model.parameters(),
        lr=algorithm.learning_rate,
        betas=(0.9, algorithm.adam_beta2),
        weight_decay=algorithm.weight_decay,
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
    optimiser: torch.optim.AdamW,
    sequences: Sequence[TokenSequence],
    settings: UpdateSettings,
    num_updates: int,
    seed: int,
    watch: Callable[[Policy], None] = lambda policy: None,
) -> UpdateSignals:
    """Take num_minibatches optimiser steps; `num_updates` counts those taken before, for the warm-up.

    `watch` is shown the policy with each minibatch's gradient, before it is clipped.
    """
    algorithm = settings.algorithm
    parts = split_minibatches(sequences, algorithm.num_minibatches, seed)
    if not parts:
        return NO_UPDATE
    batch_tokens = sum(sequence.num_sampled for sequence in sequences) / len(parts)
    found: list[Tensor] = []
    for index, part in enumerate(parts):
        _set_rate(optimiser, algorithm, num_updates + index)
        found.append(_minibatch_step(policy, reference, optimiser, part, settings, batch_tokens, watch))
    return UpdateSignals(*torch.stack(found).mean(0).tolist())


def _set_rate(optimiser: torch.optim.AdamW, algorithm: AlgorithmConfig, num_updates: int) -> None:
    warm = min(1.0, (num_updates + 1) / algorithm.warmup_steps) if algorithm.warmup_steps else 1.0
    for group in optimiser.param_groups:
        group["lr"] = algorithm.learning_rate * warm


def _minibatch_step(
    policy: Policy,
    reference: Policy,
    optimiser: torch.optim.AdamW,
    sequences: Sequence[TokenSequence],
    settings: UpdateSettings,
    batch_tokens: float,
    watch: Callable[[Policy], None],
) -> Tensor:
    """Take one optimiser step; return loss, gradient norm, kl, entropy, clip fraction and mean ratio, [6]."""
    optimiser.zero_grad(set_to_none=True)
    loss, sums, num_tokens = _accumulate_gradient(policy, reference, sequences, settings, batch_tokens)
    watch(policy)
    norm = torch.nn.utils.clip_grad_norm_(policy.model.parameters(), settings.algorithm.max_grad_norm)
    optimiser.step()
    means = sums / max(num_tokens, 1)
    return torch.cat([torch.stack([loss, norm.detach().to(loss)]), means])


def _accumulate_gradient(
    policy: Policy, reference: Policy, sequences: Sequence[TokenSequence], settings: UpdateSettings, batch_tokens: float
) -> tuple[Tensor, Tensor, int]:
    """Add the gradient of one minibatch; return its loss, sums over tokens of the four signals, and the token count."""
    num_tokens = sum(sequence.num_sampled for sequence in sequences)
    normaliser = Normaliser(len(sequences), num_tokens, batch_tokens, settings.max_tokens)
    loss, sums = torch.zeros((), device=policy.device), torch.zeros(4, device=policy.device)
    for batch in padded_batches(sequences, settings.micro_batch, policy.device):
        part, part_sums = _backward(policy, reference, batch, settings.algorithm, normaliser)
        loss, sums = loss + part, sums + part_sums
    return loss, sums, num_tokens


def _backward(
    policy: Policy, reference: Policy, batch: TokenBatch, algorithm: AlgorithmConfig, normaliser: Normaliser
) -> tuple[Tensor, Tensor]:
    logits = policy.logits(batch.ids[:, :-1], batch.is_sampled)  # [N, V]
    new = batch.spread(token_logprobs(logits, batch.ids[:, 1:][batch.is_sampled]))  # [B, T]
    with torch.set_grad_enabled(algorithm.entropy_coefficient != 0):
        entropies = batch.spread(token_entropies(logits))
    base = policy_logprobs(reference, batch)
    old = new.detach() if algorithm.num_minibatches == 1 else batch.old
    loss = policy_loss(new, old, base, entropies, batch.mask, batch.advantages, algorithm, normaliser)
    loss.backward()
    with torch.no_grad():
        ratio = ratios(new, old, batch.mask, algorithm.loss)
        signals = [
            kl_divergence(new, base, "k3"),
            entropies,
            is_clipped(ratio, batch.advantages, algorithm).expand_as(new),
            (new - batch.old).exp(),
        ]
        sums = torch.stack([(signal * batch.mask).sum() for signal in signals])
    return loss.detach(), sums


@torch.no_grad()
def policy_logprobs(policy: Policy, batch: TokenBatch) -> Tensor:
    """Return logprobs [B, T] of the batch's sampled tokens, without gradient; 0 elsewhere."""
    logits = policy.logits(batch.ids[:, :-1], batch.is_sampled)  # [N, V]
    return batch.spread(token_logprobs(logits, batch.ids[:, 1:][batch.is_sampled]))
