"""What a finished campaign of the bench came to: honest scores, promotions, waste, costs.

Honest means scored without the world's trap, by the campaign's own evaluator otherwise. The final incumbent, the base
policy and the baseline are scored on the test split, after the last version; promotions are judged on the holdout
split, which is there for benches.
"""

from collections.abc import Iterable

from benchmarks.coevolution.driver import OWN_CPU_SECONDS
from benchmarks.coevolution.records import CoevolutionRun, Promotion, WorkLedger
from benchmarks.work_cache.store import WorkStore
from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.lineage import baseline, find, incumbent
from evotrainer.campaign.repository import StoredRevision, StoredVersion, read_records
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.domains.problem_sets.sealed import load_sealed
from evotrainer.domains.problem_sets.splits import SEALED_SPLIT
from evotrainer.engines import policy_path
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.records import Revision, VersionRecord
from evotrainer.rollouts.evaluation import choose_problems, evaluate_policy, graded_table, open_policy, sampled

ENTERED = ("accepted", "provisional")


def measure(
    files: CampaignFiles, honest: Config, store: WorkStore, *, world: str, arm: str, seed: int
) -> CoevolutionRun:
    """Return what the campaign came to; `honest` is its configuration with the trap removed."""
    records = read_records(files)
    best, trained = incumbent(records), [record for record in records if record.policy_hash is not None]
    first = baseline(records)
    table = score_table(files, honest, find(records, best), SEALED_SPLIT)
    tried = [record for record in records if record.spec.version != BASE_VERSION]
    shared = store.ledgers()
    revisions = [_revision(files, name) for name in files.revision_names()]
    return CoevolutionRun(
        world=world,
        arm=arm,
        seed=seed,
        incumbent=best,
        num_problems=len(table.problem_ids),
        attempts=table.num_attempts,
        score=table.score,
        base_score=score_table(files, honest, find(records, BASE_VERSION), SEALED_SPLIT).score,
        baseline_score=score_table(files, honest, find(records, first), SEALED_SPLIT).score
        if first in _names(trained)
        else None,
        shown_score=find(records, best).honest_score,
        num_trained=len(trained),
        promotions=[promotion_of(files, honest, records, record) for record in records if is_promoted(record)],
        invalid_versions=sum(record.verdict.outcome == "invalid" for record in records),
        steps=sum(_steps(files, record) for record in tried),
        wasted_steps=sum(_steps(files, record) for record in tried if not is_promoted(record)),
        revisions=len(revisions),
        entered_cards=sum(one.outcome in ENTERED for made in revisions for one in made.decisions),
        trainings=shared.get("trainings", WorkLedger()),
        completions=shared.get("completions", WorkLedger()),
        other_cpu_seconds=_own_cpu_seconds(files),
    )


def _revision(files: CampaignFiles, name: str) -> Revision:
    return StoredRevision(files.revision(name)).revision.read()


def score_table(files: CampaignFiles, honest: Config, record: VersionRecord, split: str) -> ScoreTable:
    """Return what a version scores on a split under the settings `honest`."""
    if split == SEALED_SPLIT:
        found = load_sealed(files.root, honest.domain, files.certificate / "certificate.json")
    else:
        found = load_problems(files.root, honest.domain, split)
    problems = choose_problems(found, honest.evaluate.max_problems, honest.seed)
    engine = open_policy(honest, policy_path(files, honest, record.spec.version), record.policy_hash)
    rows = evaluate_policy(engine, problems, honest, record.spec, split)
    return graded_table(sampled(rows), honest, f"{record.spec.version} on {split}")


def promotion_of(
    files: CampaignFiles, honest: Config, records: list[VersionRecord], record: VersionRecord
) -> Promotion:
    """Return a promotion beside the incumbent of its time, both on the holdout split."""
    before = find(records, record.spec.incumbent)
    return Promotion(
        version=record.spec.version,
        incumbent=before.spec.version,
        score=score_table(files, honest, record, "holdout").score,
        incumbent_score=score_table(files, honest, before, "holdout").score,
        invalid_modes=sorted({found.mode for found in record.findings if found.severity == "invalid"}),
    )


def is_promoted(record: VersionRecord) -> bool:
    """Tell whether a version took the place of another."""
    return record.verdict.outcome == "promoted" and record.spec.version != BASE_VERSION


def _names(records: Iterable[VersionRecord]) -> set[str]:
    return {record.spec.version for record in records}


def _steps(files: CampaignFiles, record: VersionRecord) -> int:
    """Return the optimiser steps of a version: those before it broke off too, 0 where it was refused."""
    return StoredVersion(files.version(record.spec.version)).training_summary.read().num_steps


def _own_cpu_seconds(files: CampaignFiles) -> float:
    """Return what the stages of versions and revisions took beside the work that campaigns share."""
    costs = [*files.versions.glob("*/costs/*.json"), *files.root.glob("harness/*/costs/*.json")]
    return round(sum(read_numbers(path).get(OWN_CPU_SECONDS, 0.0) for path in costs), 3)
