"""A/A campaigns of one recipe: each version is the same recipe under other training seeds, judged by the recipe gate.

A campaign takes replicates of the recipe in an order of its own, each at most once: 8 for the incumbent, one to screen
each version, up to 6 fresh ones for a version that passed. Replicates of one recipe are exchangeable, so any division
of them into incumbent and versions is a true null. Campaigns however divide the *same* pool: they show how the gate
behaves on those replicates (as a permutation test does) and do not add up to independent trainings.

Beside the gate stand rules that know one training seed a version, on the very attempts of the screening seeds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.aa_tests.outcomes import AACampaign, AAVersion
from benchmarks.aa_tests.policies import AUDITED, screening_comparison
from evotrainer.campaign.layout import BASE_VERSION, version_name
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.errors import ConfigError
from evotrainer.evidence.score_table import lost_share, tabulate
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.promotion.gates.recipe import RecipeDesign, open_recipe, passes_screen, pooled_spread, step_recipe
from evotrainer.promotion.gates.rounds import Rows
from evotrainer.promotion.screening import Screening
from evotrainer.promotion.statistics import noise_floor
from evotrainer.promotion.verdict import decide
from evotrainer.records import VersionSpec

GATE = "recipe gate"
RULES = {"greedy": "greedy", "per-comparison bootstrap": "paired", "fixed margin 1f": "margin"}


@dataclass(frozen=True)
class Replicate:
    """One training run of the recipe: its evaluation rows and their score."""

    rows: Rows
    score: float


@dataclass(frozen=True)
class Division:
    """A campaign's replicates, none of them in two places."""

    incumbent: Sequence[Replicate]
    screens: Sequence[Replicate]
    """The first seed of each version."""
    fresh: Sequence[Replicate]


def require_replicates(number: int, num_versions: int, design: RecipeDesign) -> None:
    """Raise ConfigError where a campaign may take more than this number of replicates."""
    need = design.incumbent_seeds + num_versions * (1 + design.candidate_seeds)
    if number < need:
        raise ConfigError(
            f"{num_versions} versions may take {need} replicates, there are {number}: "
            "train more, or hold campaigns of fewer versions"
        )


def hold_campaign(
    replicates: Sequence[Replicate], config: Config, number: int, design: RecipeDesign
) -> list[AACampaign]:
    """Return one campaign of `config.num_versions` under the gate, and under each rule of one training seed."""
    require_replicates(len(replicates), config.num_versions, design)
    seed = derive_seed(config.seed, "null campaign of recipes", number)
    order = np.random.default_rng(seed).permutation(len(replicates))
    known, others = np.split(order, [design.incumbent_seeds])
    screens, fresh = np.split(others, [config.num_versions])
    division = Division(*([replicates[place] for place in places] for places in (known, screens, fresh)))
    return [_gated(division, number, design), *(_single_seed(rule, division, config, number) for rule in RULES)]


def _gated(division: Division, number: int, design: RecipeDesign) -> AACampaign:
    """Hold a campaign under the recipe gate. A proof is false, so that the incumbent stays and counting goes on."""
    known, fresh = [replicate.score for replicate in division.incumbent], iter(division.fresh)
    versions = [_version(screen.score, known, fresh, design) for screen in division.screens]
    return AACampaign(kind="recipe", number=number, rule=GATE, floor=pooled_spread((), known), versions=tuple(versions))


def _version(screening: float, known: Sequence[float], fresh: Iterator[Replicate], design: RecipeDesign) -> AAVersion:
    mean = float(np.mean(known))
    if not passes_screen(screening, mean, pooled_spread((), known)):
        return AAVersion(outcome="screened", difference=screening - mean)
    state = open_recipe(known, design)
    while state.outcome == "open":
        state = step_recipe(state, len(state.candidate), next(fresh).score)
    return AAVersion(
        outcome=state.outcome, difference=screening - mean, fresh=state.difference, runs=len(state.candidate)
    )


def _single_seed(rule: str, division: Division, config: Config, number: int) -> AACampaign:
    """Hold a campaign under a rule that compares one checkpoint with one: a promoted one is the next incumbent."""
    stored, gate = division.incumbent[0].rows, RULES[rule]
    floor = noise_floor(tabulate(stored)) or 0.0
    held = replace(config, evaluate=replace(config.evaluate, gate="greedy" if gate == "margin" else gate))
    versions = []
    for index, screen in enumerate(division.screens, start=1):
        spec = VersionSpec(
            campaign="null",
            version=version_name(index),
            generation=index,
            slot=0,
            kind="candidate",
            parents=[BASE_VERSION],
            incumbent=BASE_VERSION,
            campaign_seed=number,
        )
        against = screening_comparison(screen.rows, stored, spec, held)
        seen = Screening(lost_share(screen.rows), score=against.score, comparisons=(against,))
        outcome = decide(Evaluation(spec, AUDITED, screening=seen), held.evaluate).outcome
        if gate == "margin":
            outcome = "promoted" if against.difference > floor else "rejected"
        versions.append(AAVersion(outcome=outcome, difference=against.difference))
        stored = screen.rows if outcome == "promoted" else stored
    return AACampaign(kind="recipe", number=number, rule=rule, floor=floor, versions=tuple(versions))
