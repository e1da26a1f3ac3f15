"""What the backtest of a family must do, and what it may read.

`Replayed` is one family's answer: how fast the changed recipe is expected to learn relative to the present one, and
what speaks against it. Speed is the common currency: 1 means as fast per sampled token as the incumbent's recipe.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.backtests.replay import CachedRows
from evotrainer.config import Config
from evotrainer.config.factors import Factor, Family
from evotrainer.engines.base import RolloutEngine
from evotrainer.evidence.rows import Labels, Rows
from evotrainer.records import Problem, TokenTurn, Trajectory, VersionRecord
from evotrainer.training.base import StepReplay, StepReplayer


@dataclass(frozen=True)
class CachedEvidence:
    """Everything that was paid for already."""

    rows: Sequence[Trajectory]
    """Groups of the incumbent on train and probe problems."""
    tokens: Sequence[TokenTurn]
    policy_path: Path
    """The incumbent's policy, which sampled the rows."""
    problems: Sequence[Problem]
    """The train pool."""
    records: Sequence[VersionRecord]
    base_score: float | None
    run_score: float | None
    """Score of what the present recipe trained last (lineage.run_of_recipe): of the incumbent, once that is trained."""
    run_kl: float | None = None
    """Nats a token between that run and its start; None where there was none."""
    is_trained: bool = True
    """Whether the incumbent is that run; else it is the base policy, and has closed nothing."""
    steps: Mapping[str, StepReplay] = field(default_factory=dict)
    """Gradient replays that were made already, by recipe hash, all beside the same parent."""
    code: RecipeCode = NO_CODE
    """Texts that the recipes at hand name."""

    @cached_property
    def graded(self) -> Rows:
        """Rows with a reward and an outcome, and without an infrastructure error."""
        return Rows.of(self.rows).graded

    @cached_property
    def cached(self) -> CachedRows:
        """The graded rows as replays read them."""
        return CachedRows(self.graded)

    def batch(self, num_groups: int) -> list[Trajectory]:
        """Return the graded rows of the first groups, group by group."""
        codes_N = self.graded.group.codes
        places = np.flatnonzero(codes_N < num_groups)
        return self.graded.records(places[np.argsort(codes_N[places], kind="stable")])

    def pass_rates(self) -> dict[str, float]:
        """Return {problem_id: share of correct attempts}."""
        return mean_by(self.graded.problem, self.graded.correct)


def mean_by(labels: Labels, values_N: np.ndarray) -> dict[str, float]:
    """Return the mean of a column by label, labels in the order in which they first appear."""
    totals = np.bincount(labels.codes, weights=values_N, minlength=len(labels.names))
    return dict(zip(labels.names, (totals / np.bincount(labels.codes, minlength=len(totals))).tolist(), strict=True))


@dataclass(frozen=True)
class Probe:
    """What a probe rollout needs. Its tokens are charged to the version."""

    engine: RolloutEngine
    campaign: str
    version: str
    campaign_seed: int


@dataclass(frozen=True)
class Replayed:
    """One family's answer."""

    family: Family
    speeds: dict[str, float] = field(default_factory=lambda: {"": 1.0})
    """Expected speed of learning relative to the present recipe, by problem family; '' stands for all."""
    objections: tuple[str, ...] = ()
    """Reasons to refuse that only this family sees."""
    notes: tuple[str, ...] = ()
    """What the replay could not judge."""
    numbers: dict[str, float] = field(default_factory=dict)
    usable_ratio: float = 1.0
    """Usable groups under the new sampling or data, over the present ones: what a replay of rewards misses."""


@dataclass(frozen=True)
class RecipeChange:
    """The change of one factor, and what its replay may use."""

    factor: Factor
    parent: Config
    child: Config
    evidence: CachedEvidence
    replayer: StepReplayer | None
    """Takes one optimiser step; None where there is no engine."""
    probe: Probe | None
    """Samples a few rollouts; None where cached evidence must do."""


FamilyBacktest = Callable[[RecipeChange], Replayed]
"""Returns what the replay of one factor of its family says of the step from parent to child."""
