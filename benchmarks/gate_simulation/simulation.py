"""The measurement behind docs/gate.md: what each rule does in simulated campaigns, as numbers.

Null campaigns (nothing is better) count any promotion; mixed campaigns count false promotions, raw gain and cost;
single comparisons give power. report.py lays the numbers out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from benchmarks.gate_simulation.campaigns import BestCheckpoint, Bootstrap, Gate, Greedy, Rule, Versions, simulate
from benchmarks.gate_simulation.recipe_campaigns import DEVIATIONS, simulate_recipes
from benchmarks.gate_simulation.score_models import ScoreModel
from benchmarks.intervals import exact_interval
from evotrainer.promotion.recipe import RecipeDesign

POINTS = (1.0, 2.0, 3.0, 5.0)
SEED_SPREADS = (1.0, 3.0)
MIXED_CHANGES, MIXED_SHARES = (0.0, -2.0, 1.0, 2.0, 4.0), (0.5, 0.2, 0.15, 0.1, 0.05)
RECIPE_CHANGES = (1.0, 2.0)


@dataclass(frozen=True)
class BenchSettings:
    """How much is simulated."""

    campaigns: int = 2000
    num_versions: int = 20
    alpha: float = 0.05
    seed: int = 0

    @property
    def share(self) -> float:
        """The error level of one version."""
        return self.alpha / self.num_versions


@dataclass(frozen=True)
class Share:
    """A count of campaigns with its exact 95% limits."""

    hits: int
    trials: int

    def __str__(self) -> str:
        """Return the share with two digits."""
        return f"{self.hits / self.trials:.2f}"

    @property
    def percent(self) -> str:
        """The share in % with Clopper-Pearson limits."""
        low, high = exact_interval(self.hits, self.trials)
        return f"{100 * self.hits / self.trials:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


@dataclass(frozen=True)
class CampaignRow:
    """One rule in one kind of campaign; attempts a problem, version and arm, screening not counted."""

    versions: str
    rule: str
    any_false: Share
    false_promotions: float
    promotions: float
    gain_points: float
    attempts: float


@dataclass(frozen=True)
class PowerRow:
    """One rule at one number of problems: share promoted by true change, and attempts an arm at twice the floor."""

    problems: int
    floor_points: float
    rule: str
    at_points: tuple[Share, ...]
    at_twice_the_floor: Share
    attempts: float


@dataclass(frozen=True)
class RecipeRow:
    """The recipe gate under one shape of deviations; changes in recipe floors, runs a version."""

    deviations: str
    any_false: Share
    powers: tuple[Share, ...]
    runs_at_twice_the_floor: float


@dataclass(frozen=True)
class GateBench:
    """All numbers of one run."""

    settings: BenchSettings
    model: str
    nulls: tuple[CampaignRow, ...]
    mixed: tuple[CampaignRow, ...]
    powers: tuple[PowerRow, ...]
    recipes: tuple[RecipeRow, ...]


def run_bench(
    model: ScoreModel, sizes: Sequence[ScoreModel], settings: BenchSettings, tell: Callable[[str], None]
) -> GateBench:
    """Return the numbers for campaigns on `model` and for power on `sizes`; `tell` hears what is being simulated."""
    gate = Gate(settings.share)
    rules: list[Rule] = [Greedy(), Bootstrap(), BestCheckpoint(), gate]
    same = Versions("same policy", settings.num_versions)
    mixed = Versions("mixed", settings.num_versions, MIXED_CHANGES, MIXED_SHARES)
    nulls, mixes = [], []
    for rule in rules:
        tell(f"campaigns under {rule.name}")
        nulls.append(_campaigns(model, same, rule, settings))
        mixes.append(_campaigns(model, mixed, rule, settings))
    tell("other seeds of one recipe")
    nulls += [_campaigns(model, _seeds(spread, settings), gate, settings) for spread in SEED_SPREADS]
    steady = Gate(settings.share, "gate by rounds", can_drift=True)
    mixes.append(_campaigns(model, mixed, steady, settings))
    powers = []
    for size in sizes:
        tell(f"power at {size.num_problems} problems")
        powers.append(_power(size, gate, settings))
    tell("recipe campaigns")
    recipes = [_recipes(name, settings) for name in DEVIATIONS]
    return GateBench(settings, model.name, tuple(nulls), tuple(mixes), tuple(powers), tuple(recipes))


def _campaigns(model: ScoreModel, versions: Versions, rule: Rule, settings: BenchSettings) -> CampaignRow:
    found = simulate(model, versions, rule, settings.campaigns, np.random.default_rng(settings.seed))
    is_false_A = found.promotions if versions.from_start else found.false_promotions
    return CampaignRow(
        versions.name,
        rule.name,
        Share(int((is_false_A > 0).sum()), settings.campaigns),
        float(is_false_A.mean()),
        float(found.promotions.mean()),
        100.0 * float(found.gain.mean()),
        float(found.attempts.mean()) / 2.0,
    )


def _seeds(spread_points: float, settings: BenchSettings) -> Versions:
    """Return other seeds of the first policy's recipe: normal changes, by 199 quantiles."""
    changes = stats.norm.ppf((np.arange(199) + 0.5) / 199.0) * spread_points
    return Versions(
        f"other seeds of one recipe, SD {spread_points:g} pp",
        settings.num_versions,
        tuple(changes),
        unit="points",
        from_start=True,
    )


def _power(model: ScoreModel, rule: Rule, settings: BenchSettings) -> PowerRow:
    def single(change: float, unit: str) -> tuple[Share, float, float]:
        versions = Versions("power", 1, (change,), unit="points" if unit == "points" else "floors")
        found = simulate(model, versions, rule, settings.campaigns, np.random.default_rng(settings.seed + 1))
        share = Share(int(found.promotions.sum()), settings.campaigns)
        return share, float(found.attempts.mean()) / 2.0, 100.0 * float(found.floor.mean())

    twice, attempts, floor = single(2.0, "floors")
    shares = tuple(single(points, "points")[0] for points in POINTS)
    return PowerRow(model.num_problems, floor, rule.name, shares, twice, attempts)


def _recipes(name: str, settings: BenchSettings) -> RecipeRow:
    deviations, design, campaigns = DEVIATIONS[name], RecipeDesign(), settings.campaigns

    def run(num_versions: int, change: float):
        rng = np.random.default_rng(settings.seed)
        return simulate_recipes(deviations, num_versions, change, design, campaigns, rng)

    null = run(round(settings.alpha / design.alpha), 0.0)
    single = {change: run(1, change) for change in RECIPE_CHANGES}
    return RecipeRow(
        name,
        Share(int((null.promotions > 0).sum()), campaigns),
        tuple(Share(int(found.promotions.sum()), campaigns) for found in single.values()),
        float(single[2.0].runs.mean()),
    )
