"""Real campaigns of a domain under every search: same trainer, budget and seeds; what is finished is read.

    seed ─► its arms, one after the other ─► run.json each ─► table, figure

    <out>/foundation/             data, policies and diagnostics, as they were when the bench began
    <out>/shared/                 trainings and completions that arms have in common: the base and baseline versions are
                                  the same in all, and so are candidates that several searches take
    <out>/<arm>/seed-0/           a campaign, laid out as its worktree would be; run.json when it is measured

A campaign runs, is shared and scored as in the co-evolution bench. Seeds come first, so that a bench that is cut short
has all arms on fewer seeds. Scores are those of the sealed test split, whether a promotion was false is judged on the
holdout split: neither is seen by any campaign.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.coevolution.bench import FOUNDATION, lay_ground, run_once
from benchmarks.coevolution.driver import lay_out
from benchmarks.coevolution.measure import is_promoted, promotion_of, score_table
from benchmarks.coevolution.worlds import ALWAYS, HONEST_PROBLEMS, SCALES, SHARED_SCALE
from benchmarks.search.measure import ARMS, SearchRun
from benchmarks.search.surrogate import best_so_far
from benchmarks.work_cache.store import WorkStore
from conf.compose import compose_campaign
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.lineage import find, incumbent
from evotrainer.campaign.repository import StoredVersion, read_records
from evotrainer.config import Config
from evotrainer.domains.problem_sets.splits import SEALED_SPLIT
from evotrainer.records import VersionRecord

DOMAINS = tuple(SCALES["quick"])


@dataclass(frozen=True)
class DomainPlan:
    """What is to be measured, and where it lies."""

    out: Path
    domain: str
    arms: tuple[str, ...]
    seeds: tuple[int, ...]
    trainer: str
    num_versions: int
    overrides: tuple[str, ...] = ()
    """A person's own settings of all campaigns."""

    def settings(self, arm: str, seed: int) -> list[str]:
        """Return the settings of one campaign: the quick scale of the co-evolution bench under this search."""
        sized = [*SHARED_SCALE, *SCALES["quick"][self.domain], f"num_versions={self.num_versions}", f"seed={seed}"]
        return [f"domain={self.domain}", *ARMS[arm], f"trainer={self.trainer}", *ALWAYS, *sized, *self.overrides]


def run_domain(main: Path, plan: DomainPlan) -> Iterator[SearchRun]:
    """Yield every campaign's run as it is finished, seed by seed; raises LineageError where the code has changed."""
    foundation = CampaignFiles(plan.out / FOUNDATION)
    lay_ground(main, foundation, [compose_campaign(plan.settings(plan.arms[0], 0))], ("benchmarks/search",))
    for seed in plan.seeds:
        for arm in plan.arms:
            files = CampaignFiles(plan.out / arm.replace(" ", "_") / f"seed-{seed}")
            settings = plan.settings(arm, seed)
            lay_out(files, foundation.root, settings)
            config = compose_campaign(settings)
            config.evaluate.max_problems = HONEST_PROBLEMS["quick"]
            yield run_once(files, plan.out / "shared", SearchRun, partial(_measured, files, config, arm, seed))


def _measured(files: CampaignFiles, config: Config, arm: str, seed: int, store: WorkStore) -> SearchRun:
    records = read_records(files)
    leaders = {BASE_VERSION, *(record.spec.version for record in records if is_promoted(record))}
    truth = {name: score_table(files, config, find(records, name), SEALED_SPLIT).score for name in sorted(leaders)}
    trained = [place for place, one in enumerate(records) if one.policy_hash and one.spec.kind != "base"]
    curve = best_so_far(records, truth)
    seen = [curve[place] for place in trained]
    promoted = [promotion_of(files, config, records, record) for record in records if is_promoted(record)]
    return SearchRun(
        arm=arm,
        seed=seed,
        best=truth[incumbent(records)],
        area=sum(seen) / len(seen),
        curve=seen,
        num_trained=len(trained),
        num_promoted=len(promoted),
        false=sum(one.score <= one.incumbent_score for one in promoted),
        invalid=sum(bool(one.invalid_modes) for one in promoted),
        duplicates=sum(
            len(StoredVersion(files.version(one.spec.version)).proposal.read().refused) for one in records[1:]
        ),
        untrained=len(records) - 1 - len(trained),
        evaluations=_evaluations(records, config),
        cpu_seconds=_cpu_seconds(store),
    )


def _evaluations(records: Sequence[VersionRecord], config: Config) -> float:
    """Return the screenings of a campaign, with the fresh attempts of its gates, on both arms, at their price."""
    fresh = sum(2 * record.verdict.gate.attempts for record in records if record.verdict.gate is not None)
    screened = sum(record.verdict.score is not None for record in records if record.spec.kind != "base")
    return screened + fresh / config.evaluate.attempts


def _cpu_seconds(store: WorkStore) -> float:
    """Return the processor seconds of trainings and sampling, what other arms had done counted as if done again."""
    return round(sum(one.done_cpu_seconds + one.reused_cpu_seconds for one in store.ledgers().values()), 1)
