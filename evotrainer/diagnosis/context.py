"""What a diagnostic receives and returns.

A context is one set of evidence. `rows` are what the metrics are about: the fresh rollout of a policy, or the rows a
version was trained on. `training` are rows that an optimiser used, over steps; `validation` those of an evaluation. Any
of them may be empty, and a diagnostic then reports nothing. Frames are described in evidence/frames.py. Each diagnostic
gets its own view of them and may add columns.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.config import Config
from evotrainer.domains.problem_sets.overlap import ProblemCheck
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Intervention, Severity, VersionRecord, VersionSpec

MAX_EXAMPLES = 20
PLUGIN_FAILURE = "plugin_failure"
"""Mode of the finding that a diagnostic failed."""
MAX_FAILURE_CHARS = 300
"""Most characters of such a finding's message: an error text may be of any size."""


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
    recipe: Config | None = None
    """What `rows` were sampled and rewarded under; None for foreign rows."""
    training_recipe: Config | None = None
    """What `training` was sampled, rewarded and trained under."""
    reference: VersionRecord | None = None
    """The version to compare with, where there is one."""
    start: Mapping[str, float] | None = None
    """Metrics near the campaign's start (lineage.start_metrics); None for evidence without a campaign."""
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

    @property
    def before(self) -> Mapping[str, float]:
        """Metrics of the version to compare with; none where there is none."""
        return self.reference.metrics if self.reference is not None else {}

    def finding(
        self, mode: str, severity: Severity, message: str, numbers: Mapping[str, float], examples: Frame | None = None
    ) -> Finding:
        """Return a finding; `examples` are rows, the clearest first."""
        return Finding(
            mode=mode,
            severity=severity,
            diagnostic="",
            version=self.version,
            message=message,
            numbers={name: rounded(value) for name, value in numbers.items()},
            trajectory_ids=[] if examples is None else [str(i) for i in examples["trajectory_id"].head(MAX_EXAMPLES)],
        )


def plugin_failure(context: Context, name: str, reason: str) -> Finding:
    """Return the finding that the diagnostic `name` failed on this evidence, for `reason`."""
    readable = reason[:MAX_FAILURE_CHARS].encode("utf-8", "replace").decode()
    message = " ".join(f"{name} could not judge this evidence: {readable}".split())
    finding = context.finding(PLUGIN_FAILURE, "warning", message[:MAX_FAILURE_CHARS], {})
    return finding.model_copy(update={"diagnostic": name, "reads_validation": len(context.validation) > 0})


def graded(frame: Frame) -> Frame:
    """Return the rows without an infrastructure error."""
    is_graded = frame["error"].isna()
    return frame.copy(deep=False) if is_graded.all() else frame[is_graded]


def rounded(value: float) -> float:
    """Return the value to nine significant digits: finer than any limit, coarser than rounding errors of a sum."""
    return float(f"{float(value):.9g}")


def word(text: str) -> str:
    """Return a text as a part of a metric's name."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "unnamed"


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
