"""`references`: five reference algorithms as single trainings, five searches over recipes, and their control.

    grpo_ch          GRPO with clip-higher                       schedule     what a person wrote beforehand, in order
    gspo_ch          GSPO with clip-higher                       hillclimb    the rules, any higher score is kept
    ragen_v1         GRPO-CH on groups of highest variance       random       a blind proposer behind backtests and gate
    ragen_v2         GRPO-CH on groups of highest SNR            evotrainer   the whole method, evolving harness
    group_variance   GRPO-CH without groups of equal rewards     continued    evotrainer, each version from its parent
                                                                 one_place    continued, one version a generation

All start from one recipe, that of grpo_ch, from one policy, and on one train pool. *Equal budget* counts tokens of
training. A search trains `versions` times `tokens`. A reference trains once, on as many tokens as the whole search.
Tokens that a search samples beside training (diagnosis, probes, evaluation) are shown and not made equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from benchmarks.worlds.bench import ALWAYS, SHARED_SCALE, Planned, choose, lay_foundation
from conf.compose import compose_campaign

OURS = "evotrainer"
START = ("algorithm=grpo_clip_higher",)
"""The recipe that every arm begins with."""

REFERENCES: dict[str, tuple[str, ...]] = {
    "grpo_ch": START,
    "gspo_ch": ("algorithm=gspo_clip_higher",),
    "ragen_v1": (*START, "filter=ragen_v1"),
    "ragen_v2": (*START, "filter=ragen_v2"),
    "group_variance": (*START, "filter=group_variance"),
}
SEARCHES: dict[str, tuple[str, ...]] = {
    "schedule": (*START, "search=hillclimb", "trainer=written"),
    "hillclimb": (*START, "search=hillclimb", "trainer=rules"),
    "random": (*START, "search=evotrainer", "trainer=random"),
    "evotrainer": (*START, "search=evotrainer", "trainer=rules", "harness=evolving"),
    "continued": (*START, "search=evotrainer", "trainer=rules", "harness=evolving", "init=parent"),
    "one_place": (*START, "search=evotrainer", "trainer=rules", "init=parent", "search.candidates_per_generation=1"),
}
ARMS = REFERENCES | SEARCHES

SCHEDULE = Path(__file__).parent / "schedule"
"""The human schedule: files of conf/intervention/."""
_AFTER_RATE = ("dynamic_sampling", "token_loss", "large_groups", "band", "group_mean", "cooler")
ORDER: dict[str, tuple[str, ...]] = {
    "math": ("rate", *_AFTER_RATE),
    "code": ("rate", *_AFTER_RATE),
    "swe": ("rate_swe", *_AFTER_RATE),
}
"""{domain: names of the schedule's files, in order}; one is kept if its score is higher, and the next follows."""


@dataclass(frozen=True)
class Size:
    """How long searches and trainings are."""

    versions: int
    """Trained versions of a search, the first recipe's among them."""
    tokens: int
    """Of one version's training."""
    max_problems: int
    """Of the validation split, by which searches choose."""
    test_problems: int = 300
    """Of the test split, on which policies are scored at the end."""


def settings(arm: str, domain: str, seed: int, size: Size) -> list[str]:
    """Return the settings of one arm's campaign."""
    shared = [f"domain={domain}", *ALWAYS, *SHARED_SCALE, f"evaluate.max_problems={size.max_problems}", f"seed={seed}"]
    if arm in SEARCHES:
        written = [f"trainer.interventions=[{','.join(ORDER[domain])}]"] if arm == "schedule" else []
        return [*shared, *SEARCHES[arm], *written, *_budget(size.versions, size.tokens, 1)]
    return [*shared, *REFERENCES[arm], *_budget(1, size.tokens, size.versions)]


def _budget(versions: int, tokens: int, share: int) -> list[str]:
    return [f"num_versions={versions}", f"budget.train_tokens={share * tokens}", f"budget.max_steps={share * 200}"]


def plan_all(
    main: Path, out: Path, domains: Sequence[str], arms: Sequence[str], seeds: Sequence[int], size: Size
) -> list[Planned]:
    """Return all campaigns, seed by seed, and put in place what they start from.

    A reference is a campaign of one version, so that it trains and is evaluated by the stages that searches use.
    """
    choose("domain", domains, ORDER)
    choose("arm", arms, ARMS)
    lay_foundation(main, out, [compose_campaign([f"domain={domain}"]) for domain in domains])
    found = []
    for seed, domain, arm in product(seeds, domains, arms):
        own = tuple(settings(arm, domain, seed, size))
        files = tuple(SCHEDULE / f"{name}.yaml" for name in ORDER[domain]) if arm == "schedule" else ()
        found.append(Planned(domain, arm, seed, own, own, size.test_problems, files, arm not in SEARCHES))
    return found
