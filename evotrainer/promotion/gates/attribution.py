"""Which of two merged winners carried the gain: a 2 x 2 factorial re-evaluation.

Four policies are evaluated on the same problems with fresh rows: neither change, the first alone, the second alone,
both. Contrasts are taken problem by problem:

    first        ((first - neither) + (both - second)) / 2      main effect
    second       ((second - neither) + (both - first)) / 2      main effect
    interaction  both - first - second + neither                 what the merge adds beyond the sum

Intervals are percentile bootstraps over problems, at `confidence` for the three together (Bonferroni). The policies
are single checkpoints: the attribution is of the checkpoints' gain, not of the recipes'.
"""

import numpy as np

from evotrainer.evidence.score_table import ScoreTable, require_same_problems
from evotrainer.promotion.statistics import Interval, mean_interval
from evotrainer.records import Carrier, Effect, MergeClaim


def attribute(
    neither: ScoreTable,
    first: ScoreTable,
    second: ScoreTable,
    both: ScoreTable,
    *,
    samples: int,
    confidence: float,
    seed: int,
) -> MergeClaim:
    """Return which change carried the gain of `both` over `neither`; raises EvidenceError if problems differ."""
    for table in (first, second, both):
        require_same_problems(neither, table)
    base_N, first_N, second_N, both_N = (table.means() for table in (neither, first, second, both))
    contrasts = {
        "first": ((first_N - base_N) + (both_N - second_N)) / 2.0,
        "second": ((second_N - base_N) + (both_N - first_N)) / 2.0,
        "interaction": both_N - first_N - second_N + base_N,
        "merge": both_N - base_N,
    }
    joint = 1.0 - (1.0 - confidence) / 3.0
    effects = {name: _effect(values_N, joint, samples, seed) for name, values_N in contrasts.items()}
    carried_by, reason = _conclusion(effects)
    return MergeClaim(
        first=effects["first"],
        second=effects["second"],
        interaction=effects["interaction"],
        merge=effects["merge"],
        carried_by=carried_by,
        reason=reason,
        num_problems=len(neither.problem_ids),
        attempts=neither.num_attempts,
    )


def _effect(values_N: np.ndarray, confidence: float, samples: int, seed: int) -> Effect:
    found: Interval = mean_interval(np.round(values_N, 12), samples=samples, confidence=confidence, seed=seed)
    return Effect(value=found.value, low=found.low, high=found.high)


def _conclusion(effects: dict[str, Effect]) -> tuple[Carrier, str]:
    interaction = effects["interaction"]
    if interaction.low > 0 or interaction.high < 0:
        kind = "help each other" if interaction.low > 0 else "get in each other's way, or do the same"
        return "interaction", f"the changes {kind}: interaction {_shown(interaction)}; neither effect stands alone"
    carriers = [name for name in ("first", "second") if effects[name].low > 0]
    shown = "; ".join(f"{name} {_shown(effects[name])}" for name in ("first", "second", "interaction"))
    if len(carriers) == 2:
        return "both", f"both changes carry it, no interaction shown: {shown}"
    if carriers == ["first"]:
        return "first", f"the first change carries it, the second's effect is not shown: {shown}"
    if carriers == ["second"]:
        return "second", f"the second change carries it, the first's effect is not shown: {shown}"
    return "unresolved", f"no effect is shown, evaluate more attempts or problems: {shown}"


def _shown(effect: Effect) -> str:
    return f"{100 * effect.value:+.1f} pp [{100 * effect.low:+.1f}, {100 * effect.high:+.1f}]"
