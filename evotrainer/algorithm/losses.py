"""Policy-gradient losses as pure functions of tensors. A test holds them equal to TRL 1.16's to 1e-6.

    token loss   -min(r A, clip(r, 1-low, 1+high) A) + kl_coefficient * KL, with r = exp(new - old) a token; gspo uses
                 one r a sequence, exp(mean of new - old) (arXiv 2507.18071). dual clip: r <= dual_clip where it would
                 push a bad token further down (arXiv 1912.09729; TRL's delta)
    weights      grpo    1/(N len): mean over sequences of token means (arXiv 2402.03300); gspo too
                 bnpo    1/(tokens of the minibatch)
                 dapo    1/(tokens of the rollout batch / num_minibatches) (arXiv 2503.14476)
                 dr_grpo 1/(N max_tokens): no division by length (arXiv 2503.20783)
    entropy      bonus on the mean over tokens, whatever the weights, as in TRL

The KL term is DeepSeekMath's k3 as it stands there, without the importance ratio that TRL multiplies it by unless told
not to (use_bias_correction_kl). With one minibatch bnpo and dapo are the same.

Legend: B sequences, T positions of ids[1:], V vocabulary; masks are 1 where a sampled token of the policy stands.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from evotrainer.config import AlgorithmConfig
from evotrainer.errors import ConfigError

LOSSES = ("grpo", "bnpo", "dr_grpo", "dapo", "gspo")
KL_ESTIMATORS = ("k1", "k2", "k3")


@dataclass(frozen=True)
class Normaliser:
    """What the losses of one optimiser step are divided by."""

    num_sequences: int
    num_tokens: int
    """Sampled tokens of the minibatch."""
    batch_tokens: float
    """Sampled tokens of the whole rollout batch, divided by the number of minibatches."""
    max_tokens: int
    """Response budget of one trajectory."""


def check_algorithm(config: AlgorithmConfig) -> None:
    """Raise ConfigError, listing the choices, for a loss or estimator that does not exist."""
    if config.loss not in LOSSES:
        raise ConfigError(f"algorithm.loss '{config.loss}' is unknown: choose one of {', '.join(LOSSES)}")
    if config.kl_estimator not in KL_ESTIMATORS:
        raise ConfigError(
            f"algorithm.kl_estimator '{config.kl_estimator}' is unknown: choose one of {', '.join(KL_ESTIMATORS)}"
        )


def token_logprobs(logits: Tensor, targets: Tensor) -> Tensor:
    """Return logprobs [..., T] of the targets [..., T] under logits [..., T, V], in nats."""
    return logits.float().log_softmax(-1).gather(-1, targets[..., None])[..., 0]


def token_entropies(logits: Tensor) -> Tensor:
    """Return the entropy [..., T] of each position's distribution, in nats."""
    logprobs = logits.float().log_softmax(-1)  # [..., T, V]
    return -(logprobs.exp() * logprobs).sum(-1)


def ratios(new: Tensor, old: Tensor, mask: Tensor, loss: str) -> Tensor:
    """Return importance ratios, [B, T] a token, or [B, 1] a sequence for gspo."""
    gap = new - old  # [B, T]
    if loss == "gspo":
        gap = (gap * mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(min=1.0)
    return gap.exp()


def clipped_loss(ratio: Tensor, advantages: Tensor, config: AlgorithmConfig) -> Tensor:
    """Return the clipped surrogate of ratios [B, T or 1] and advantages [B]: a loss of the ratios' shape."""
    advantage = advantages[:, None]
    clipped = ratio.clamp(1 - config.clip_low, 1 + config.clip_high)
    bounded = ratio.clamp(max=config.dual_clip) if config.dual_clip else ratio
    return -torch.min(bounded * advantage, clipped * advantage)


def is_clipped(ratio: Tensor, advantages: Tensor, config: AlgorithmConfig) -> Tensor:
    """Return 1.0 where the clip takes the gradient of a token away, shape of the ratios."""
    advantage = advantages[:, None]
    low = (ratio < 1 - config.clip_low) & (advantage < 0)
    return (low | ((ratio > 1 + config.clip_high) & (advantage > 0))).float()


def kl_divergence(new: Tensor, reference: Tensor, estimator: str) -> Tensor:
    """Return Schulman's estimate of KL(new || reference) a token, [B, T], in nats; k3 is never negative."""
    gap = reference - new
    if estimator == "k1":
        return -gap
    if estimator == "k2":
        return gap.square() / 2
    return gap.exp() - gap - 1


def token_weights(mask: Tensor, loss: str, normaliser: Normaliser) -> Tensor:
    """Return the weight [B, T] of each token's loss; the sum over all sequences of a minibatch is its loss."""
    if loss in ("grpo", "gspo"):
        return mask / mask.sum(-1, keepdim=True).clamp(min=1.0) / normaliser.num_sequences
    if loss == "bnpo":
        return mask / max(normaliser.num_tokens, 1)
    if loss == "dapo":
        return mask / max(normaliser.batch_tokens, 1.0)
    return mask / (normaliser.num_sequences * normaliser.max_tokens)


def policy_loss(
    new: Tensor,
    old: Tensor,
    reference: Tensor | None,
    entropies: Tensor | None,
    mask: Tensor,
    advantages: Tensor,
    config: AlgorithmConfig,
    normaliser: Normaliser,
) -> Tensor:
    """Return the scalar loss of some sequences of a minibatch; those of all its parts add up to the minibatch's.

    Args:
        new, old, reference: logprobs [B, T] under the trained, the sampling and the base policy; `reference` is needed
            where kl_coefficient is not 0.
        entropies: [B, T]; needed where entropy_coefficient is not 0.
        mask: [B, T] floats.
        advantages: [B].

    """
    ratio = ratios(new, old, mask, config.loss)
    loss = clipped_loss(ratio, advantages, config)  # [B, T] or [B, 1]
    if config.kl_coefficient:
        assert reference is not None
        loss = loss + config.kl_coefficient * kl_divergence(new, reference, config.kl_estimator)
    total = (loss * token_weights(mask, config.loss, normaliser)).sum()
    if config.entropy_coefficient:
        assert entropies is not None
        total = total - config.entropy_coefficient * (entropies * mask).sum() / max(normaliser.num_tokens, 1)
    return total
