"""What a campaign of a bench came to, and the arms that are compared."""

from pydantic import Field

from benchmarks.search.landscape import Landscape
from benchmarks.search.surrogate import best_so_far, promotions, run_surrogate
from conf.compose import compose_campaign
from evotrainer.campaign.lineage import incumbent
from evotrainer.records.base import Record

ARMS: dict[str, tuple[str, ...]] = {
    "hillclimb": ("search=hillclimb",),
    "evotrainer": ("search=evotrainer",),
    "rapid ablation": ("search=evotrainer", "search.mode=rapid_ablation"),
    "controlled": ("search=evotrainer", "search.mode=controlled"),
    "specialists": ("search=specialists",),
    "specialists without lineage": ("search=specialists", "search.lineage=off"),
    "gear_prompt": ("search=gear_prompt",),
    "gear_fixed": ("search=gear_fixed",),
    "gear_evolve": ("search=gear_evolve",),
}


class SearchRun(Record):
    """One arm on one world. Scores are true ones, in [0, 1]: of the landscape, or of the sealed test split."""

    arm: str
    seed: int
    best: float = Field(description="true score of the final incumbent")
    area: float = Field(description="mean over trained versions of the true score of the incumbent then")
    curve: list[float]
    num_trained: int
    num_promoted: int
    false: int = Field(description="promotions that are truly no better than what they replaced")
    invalid: int = Field(description="promotions of a recipe whose reward is hacked")
    duplicates: int = Field(description="proposals refused before training: repeated recipes, changes without effect")
    untrained: int = Field(description="versions closed without training, for want of a lawful proposal")
    evaluations: float = Field(description="screenings, fresh rows of the gate among them at their price")
    cpu_seconds: float | None = Field(default=None, description="of training and sampling; null on a landscape")


def measure(arm: str, seed: int, trainer: str, num_versions: int) -> SearchRun:
    """Run one arm on the world of a seed."""
    base = [f"trainer={trainer}", "trainer.pool_size=8", f"num_versions={num_versions}", f"seed={seed}", "memory=none"]
    trace = run_surrogate(compose_campaign([*ARMS[arm], *base]), Landscape(seed), seed)
    trained = [place for place, record in enumerate(trace.records) if record.policy_hash and record.spec.kind != "base"]
    curve = best_so_far(trace.records, trace.truth)
    seen = [curve[place] for place in trained]
    promoted = promotions(trace)
    return SearchRun(
        arm=arm,
        seed=seed,
        best=trace.truth[incumbent(trace.records)],
        area=sum(seen) / len(seen),
        curve=seen,
        num_trained=len(trained),
        num_promoted=len(promoted),
        false=sum(trace.truth[version] <= trace.truth[before] for version, before in promoted),
        invalid=sum(version in trace.hacked for version, _ in promoted),
        duplicates=trace.refused,
        untrained=len(trace.records) - 1 - len(trained),
        evaluations=trace.evaluations,
    )
