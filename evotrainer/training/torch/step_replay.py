"""What one update of a recipe would do, on cached rows: the backtest of algorithm factors, without a rollout.

Groups alternate between two halves. The recipe takes one batch's optimiser steps on the first; on the second, which it
has not seen, one sees whether correct attempts became likelier than wrong ones. Rewards are recomputed from the stored
terms, so that a recipe with other weights is judged by its own. All recipes start from the same policy, which is also
the reference of the KL term: in a first step that term has no gradient, a limit of this test.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.credit import assign_credit
from evotrainer.algorithm.filters import GroupFilter
from evotrainer.algorithm.groups import Groups
from evotrainer.algorithm.losses import is_clipped, kl_divergence, ratios
from evotrainer.algorithm.rewards import combine
from evotrainer.config import Config
from evotrainer.engines.policy import Policy, prepare_torch
from evotrainer.errors import EvidenceError
from evotrainer.records import TokenTurn, Trajectory
from evotrainer.training.base import StepReplay
from evotrainer.training.torch.batch import (
    TokenBatch,
    TokenSequence,
    join_turns,
    padded_batches,
    sequences_in_loss,
    turns_by_row,
)
from evotrainer.training.torch.optimiser import Optimiser, trained_parameters
from evotrainer.training.torch.sync import open_pair
from evotrainer.training.torch.update import policy_logprobs, settings_of, update_policy

SPLIT_SEED = 0


def replay_steps(
    configs: Sequence[Config],
    init_path: Path,
    rows: Sequence[Trajectory],
    tokens: Sequence[TokenTurn],
    code: RecipeCode = NO_CODE,
) -> list[StepReplay]:
    """Return what each recipe does in one batch's update.

    Raises:
        EvidenceError: there are no tokens of two groups.
        CodeError: code of a recipe failed on these rows.

    """
    prepare_torch(configs[0].engine.num_threads, configs[0].engine.device)
    trained, judged = _halves(rows)
    if not tokens or not judged:
        raise EvidenceError("a gradient replay needs stored tokens of at least two groups: rerun the rollout stage")
    policy, start = open_pair(configs[0], init_path, SPLIT_SEED)
    own = [value.detach().clone() for value in trained_parameters(policy)]
    size = settings_of(configs[0], policy).micro_batch
    held_out = [
        (batch, policy_logprobs(start, batch))
        for batch in padded_batches(_labelled(judged, tokens), size, start.device)
    ]
    results: list[StepReplay] = []
    first: Tensor | None = None
    for config in configs:
        gradient = _step(policy, start, own, _credited(trained, tokens, config, code), config)
        first = gradient if first is None else first
        results.append(_compared(own, policy, gradient, first, _measure(policy, held_out, config)))
    return results


def _halves(rows: Sequence[Trajectory]) -> tuple[list[Trajectory], list[Trajectory]]:
    groups = Groups.of(rows).rows_of
    first, second = ([rows[index] for group in half for index in group] for half in (groups[0::2], groups[1::2]))
    return first, second


def _labelled(rows: Sequence[Trajectory], tokens: Sequence[TokenTurn]) -> list[TokenSequence]:
    """Return the sequences, the shortest first as batches take them.

    In place of the advantage stands +1 for a correct and -1 for a wrong attempt.
    """
    by_row = turns_by_row(tokens)
    found = [
        join_turns(by_row[row.trajectory_id], 1.0 if row.correct else -1.0)
        for row in rows
        if row.correct is not None and row.num_tokens and row.trajectory_id in by_row
    ]
    return sorted(found, key=lambda sequence: len(sequence.ids))


def _credited(
    rows: Sequence[Trajectory], tokens: Sequence[TokenTurn], config: Config, code: RecipeCode
) -> list[TokenSequence]:
    rewarded = [
        row if row.reward is None else row.model_copy(update={"reward": combine(row.reward_terms, config.reward)})
        for row in rows
    ]
    paid = code.rewarded(rewarded, config.reward)
    credit = assign_credit(paid, config, GroupFilter(config.filter), code)
    return sequences_in_loss(credit.rows, tokens)


def _step(
    policy: Policy, start: Policy, own: Sequence[Tensor], sequences: Sequence[TokenSequence], config: Config
) -> Tensor:
    """Take the recipe's steps from the weights `own`; return the gradient of the first of them, [weights]."""
    with torch.no_grad():
        for value, before in zip(trained_parameters(policy), own, strict=True):
            value.copy_(before)
    gradients: list[Tensor] = []

    def watch(optimiser: Optimiser) -> None:
        if not gradients:
            gradients.append(optimiser.gradient())

    optimiser = Optimiser(policy, config.algorithm, config.engine.optimiser)
    update_policy(policy, start, optimiser, sequences, settings_of(config, policy), 0, SPLIT_SEED, watch)
    optimiser.close()
    return gradients[0] if gradients else torch.zeros(sum(value.numel() for value in own))


def _compared(
    own: Sequence[Tensor], policy: Policy, gradient: Tensor, first: Tensor, measured: tuple[float, float, float]
) -> StepReplay:
    """Return the recipe's steps as numbers; `first` is the gradient of the recipe that others are compared with."""
    squares = [
        (new.detach() - old).float().square().sum() for new, old in zip(trained_parameters(policy), own, strict=True)
    ]
    cosine = torch.nn.functional.cosine_similarity(gradient, first, dim=0)
    return StepReplay(float(gradient.norm()), float(torch.stack(squares).sum().sqrt()), float(cosine), *measured)


@torch.no_grad()
def _measure(
    policy: Policy, held_out: Sequence[tuple[TokenBatch, Tensor]], config: Config
) -> tuple[float, float, float]:
    """Return what the steps changed on held-out attempts, each batch with its logprobs under the start.

    Change of the margin, 0 where attempts are not of both kinds; KL to the start; share of tokens that are clipped.
    """
    changes: dict[bool, list[float]] = {True: [], False: []}
    kl = clipped = num_tokens = 0.0
    for batch, before in held_out:
        after = policy_logprobs(policy, batch)
        change = ((after - before) * batch.mask).sum(-1) / batch.mask.sum(-1)  # [B]
        for label, value in zip(batch.advantages.tolist(), change.tolist(), strict=True):
            changes[label > 0].append(value)
        ratio = ratios(after, before, batch.mask, config.algorithm.loss)
        outside = is_clipped(ratio, batch.advantages, config.algorithm).expand_as(after)
        kl += float((kl_divergence(after, before, "k3") * batch.mask).sum())
        clipped += float((outside * batch.mask).sum())
        num_tokens += float(batch.mask.sum())
    has_both = bool(changes[True] and changes[False])
    margin = _mean(changes[True]) - _mean(changes[False]) if has_both else 0.0
    return margin, kl / max(num_tokens, 1.0), clipped / max(num_tokens, 1.0)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
