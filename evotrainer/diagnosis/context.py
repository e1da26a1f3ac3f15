"""What a diagnostic receives and returns, and the tests that diagnostics share.

A context is one set of evidence. `rows` are what the metrics are about: the fresh rollout of a policy, or the rows a
version was trained on. `training` are rows that an optimiser used, over steps; `validation` those of an evaluation. Any
of them may be empty, and a diagnostic then reports nothing. Frames are described in evidence/frames.py. Each diagnostic
gets its own view of them and may add columns.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.config import Config
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.domains.problem_sets.overlap import ProblemCheck
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Intervention, Severity, VersionRecord, VersionSpec

MAX_EXAMPLES = 20
PLUGIN_FAILURE = "plugin_failure"
"""Mode of the finding that a diagnostic failed."""
MAX_FAILURE_CHARS = 300
"""Most characters of such a finding's message: an error text may be of any size."""
_MAX_DEVIATE = 30.0
"""A normal deviate beyond which a tail probability is 0 in floating point."""


@dataclass(frozen=True)
class Diagnosis:
    """What one diagnostic returns: finite numbers by name, and findings."""

    metrics: dict[str, float] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class Lineage:
    """How a version was made: what its trainer changed, and what was known when it did."""

    campaign: Config
    """The campaign's configuration, as in force for this version."""
    recipe: Config | None
    """What the version trained under; None where it did not train."""
    spec: VersionSpec
    intervention: Intervention | None
    """None for a baseline."""
    records: Sequence[VersionRecord]
    """The versions closed before it."""


@dataclass(frozen=True, eq=False)
class Context:
    """One set of evidence."""

    version: str
    rows: Frame
    training: Frame
    validation: Frame
    signals: Frame
    thresholds: Thresholds = Thresholds()
    recipe: Config | None = None
    """What `rows` were sampled and rewarded under; None for foreign rows."""
    training_recipe: Config | None = None
    """What `training` was sampled, rewarded and trained under."""
    reference: VersionRecord | None = None
    """The version to compare with, where there is one."""
    lineage: Lineage | None = None
    """None for evidence that no trainer agent answers for."""
    problems: ProblemCheck | None = None
    """The campaign's problem files compared with each other; None where they were not compared."""

    @property
    def graded(self) -> Frame:
        """Rows that a grader scored: those without an infrastructure error."""
        return graded(self.rows)

    @cached_property
    def graded_with_validation(self) -> Frame:
        """Graded rows of `rows` and `validation`, numbered anew: made once, because ten diagnostics ask for it."""
        if not len(self.validation):
            return self.graded.reset_index(drop=True)
        return pd.concat([self.graded, graded(self.validation)], ignore_index=True)

    def flat_success(self, rows: Frame) -> "Trend | None":
        """Return the trend of the solve rate over a run where it does not rise; None where it rises or is unknown."""
        solved = trend(rows, "correct", self.thresholds.min_groups)
        return None if solved is None or solved.z > self.thresholds.outcome_rise else solved

    def finding(
        self,
        mode: str,
        severity: Severity,
        message: str,
        numbers: Mapping[str, float],
        limits: tuple[str, ...] = (),
        examples: Frame | None = None,
    ) -> Finding:
        """Return a finding; `limits` names the thresholds it used, `examples` are rows, the clearest first."""
        return Finding(
            mode=mode,
            severity=severity,
            diagnostic="",
            version=self.version,
            message=message,
            numbers={name: rounded(value) for name, value in numbers.items()},
            thresholds={name: float(getattr(self.thresholds, name)) for name in limits},
            trajectory_ids=[] if examples is None else [str(i) for i in examples["trajectory_id"].head(MAX_EXAMPLES)],
        )


def plugin_failure(context: Context, name: str, reason: str) -> Finding:
    """Return the finding that the diagnostic `name` failed on this evidence, for `reason`."""
    message = " ".join(f"{name} could not judge this evidence: {reason}".split())
    finding = context.finding(PLUGIN_FAILURE, "warning", message[:MAX_FAILURE_CHARS], {})
    return finding.model_copy(update={"diagnostic": name, "reads_validation": len(context.validation) > 0})


def graded(frame: Frame) -> Frame:
    """Return the rows without an infrastructure error."""
    is_graded = frame["error"].isna()
    return frame.copy(deep=False) if is_graded.all() else frame[is_graded]


def rounded(value: float) -> float:
    """Return the value to nine significant digits: finer than any limit, coarser than rounding errors of a sum."""
    return float(f"{float(value):.9g}")


def known(metrics: Mapping[str, Any]) -> dict[str, float]:
    """Return the metrics with a finite value."""
    return {name: rounded(value) for name, value in metrics.items() if value is not None and math.isfinite(value)}


def group_table(frame: Frame) -> Frame:
    """Return one row a group with at least two rewarded attempts, indexed by `group`.

    Columns: size, reward_mean, reward_std (unbiased), num_known (attempts with an outcome), correct_mean, is_dead (std
    below 1e-3), is_decided (all attempts have one outcome, and each is known), is_mixed (two outcomes are known).
    """
    is_counted = frame["error"].isna() & frame["reward"].notna()
    by_group = frame.loc[is_counted, ["group", "reward", "correct"]].groupby("group", sort=True)
    # One function at a time: `agg` by names costs as much again as what it calls.
    reward, correct = by_group["reward"], by_group["correct"]
    size, spread, num_known = reward.size(), reward.std(), correct.count()
    low, high = correct.min().to_numpy(), correct.max().to_numpy()
    table: Frame = pd.DataFrame(
        {
            "size": size,
            "reward_mean": reward.mean(),
            "reward_std": spread,
            "num_known": num_known,
            "correct_mean": correct.mean(),
            "is_dead": spread < DEAD_SPREAD,
            "is_decided": (num_known.to_numpy() == size.to_numpy()) & (low == high),
            "is_mixed": low < high,
        }
    )
    return table[table["size"] >= 2]


def of_groups(frame: Frame, table: Frame) -> Frame:
    """Return the rows of these groups, in the table's order of groups."""
    order = pd.Series(range(len(table)), index=table.index)
    chosen = frame[frame["group"].isin(table.index)]
    return chosen.assign(_place=chosen["group"].map(order)).sort_values("_place", kind="stable").drop(columns="_place")


def significantly_above(count: int, total: int, limit: float, alpha: float) -> bool:
    """Tell whether `count` of `total` is significantly above the share `limit`: exact binomial, one-sided."""
    return count > 0 and total > 0 and float(special.bdtrc(count - 1, total, limit)) < alpha


def significantly_below(count: int, total: int, limit: float, alpha: float) -> bool:
    """Tell whether `count` of `total` is significantly below the share `limit`: exact binomial, one-sided."""
    return total > 0 and float(special.bdtr(count, total, limit)) < alpha


def z_limit(alpha: float) -> float:
    """Return the one-sided normal limit of level `alpha`."""
    return float(-special.ndtri(alpha))


def t_limit(alpha: float, count: float) -> float:
    """Return the one-sided limit of level `alpha` for a mean of `count` values with estimated deviation (Student)."""
    return float(-special.stdtrit(max(count - 1.0, 1.0), alpha))


def correlation(first: Frame, second: Frame) -> float:
    """Return Pearson's correlation over rows where both are known; NaN where either is constant."""
    both: Frame = pd.DataFrame({"first": first, "second": second}).dropna()
    if len(both) < 3 or both["first"].std() < 1e-12 or both["second"].std() < 1e-12:
        return math.nan
    return float(np.corrcoef(both["first"], both["second"])[0, 1])


def significantly_correlated(value: float, count: int, limit: float, alpha: float) -> bool:
    """Tell whether a correlation of `count` pairs is significantly above `limit` (Fisher's z)."""
    if not math.isfinite(value) or count < 10:
        return False
    bounded = min(max(value, -1 + 1e-12), 1 - 1e-12)
    return (math.atanh(bounded) - math.atanh(limit)) * math.sqrt(count - 3) > z_limit(alpha)


@dataclass(frozen=True)
class Trend:
    """A column's mean over the groups of the first and of the last third of steps."""

    early: float
    late: float
    z: float
    """Difference as a normal deviate: Welch's t over groups, the independent units, at equal tail probability."""


def trend(frame: Frame, column: str, min_groups: int) -> Trend | None:
    """Compare the first third of steps with the last; None below three steps or too few groups."""
    parts = thirds(frame[["error", "group", "step", column]])
    if parts is None:
        return None
    early, late = (_group_means(part, column) for part in parts)
    return change(early, late, min_groups)


def thirds(frame: Frame) -> tuple[Frame, Frame] | None:
    """Return the rows of the first and of the last third of steps; None below three steps."""
    steps = np.sort(frame["step"].unique())
    third = len(steps) // 3
    if third == 0:
        return None
    return frame[frame["step"].isin(steps[:third])], frame[frame["step"].isin(steps[-third:])]


def change(early: Frame, late: Frame, min_groups: int) -> Trend | None:
    """Compare a number of early groups with that of late ones; None for too few groups."""
    parts = (early, late)
    if min(map(len, parts)) < min_groups:
        return None
    was, now = (float(part.mean()) for part in parts)
    shares = [float(part.var()) / len(part) for part in parts]
    if sum(shares) == 0:
        return Trend(was, now, 0.0 if now == was else math.copysign(_MAX_DEVIATE, now - was))
    freedom = sum(shares) ** 2 / sum(s**2 / max(len(part) - 1, 1) for s, part in zip(shares, parts, strict=True))
    return Trend(was, now, normal_deviate((now - was) / math.sqrt(sum(shares)), freedom))


def normal_deviate(t: float, freedom: float) -> float:
    """Return the normal deviate that is as rare as Student's `t`, at most 30 either way."""
    tail = float(special.stdtr(freedom, -abs(t)))
    return math.copysign(min(-float(special.ndtri(tail)), _MAX_DEVIATE), t)


def _group_means(frame: Frame, column: str) -> Frame:
    return graded(frame).groupby("group")[column].mean().dropna()
