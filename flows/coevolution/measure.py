"""What a finished campaign of the bench came to: honest scores, promotions, waste, costs.

Honest means scored without the world's trap, by the campaign's own evaluator otherwise. The final incumbent, the base
policy and the baseline are scored on the test split, after the last version; promotions are judged on the holdout
split, which is there for benches.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from evotrainer.config import Config
from evotrainer.engines import policy_path
from evotrainer.evaluation import choose_problems, evaluate_policy, open_policy, score_table
from evotrainer.layout import BASE_VERSION, CampaignFiles
from evotrainer.lineage import baseline, find, incumbent, read_records
from evotrainer.problems import load_problems
from evotrainer.records import CoevolutionRun, Promotion, Revision, VersionRecord, WorkLedger
from evotrainer.statistics import ScoreTable

ENTERED = ("accepted", "provisional")


def measure(files: CampaignFiles, honest: Config, journal: Path, *, world: str, arm: str, seed: int) -> CoevolutionRun:
    """Return what the campaign came to; `honest` is its configuration with the trap removed."""
    records = read_records(files)
    best, trained = incumbent(records), [record for record in records if record.policy_hash is not None]
    first = baseline(records)
    table = _score(files, honest, find(records, best), "test")
    done, spent = _ledgers(journal), _cpu_seconds(files)
    revisions = [_revision(files, name) for name in files.revision_names()]
    return CoevolutionRun(
        world=world, arm=arm, seed=seed, incumbent=best, num_problems=len(table.problem_ids),
        attempts=table.num_attempts, score=table.score,
        base_score=_score(files, honest, find(records, BASE_VERSION), "test").score,
        baseline_score=_score(files, honest, find(records, first), "test").score if first in _names(trained) else None,
        shown_score=find(records, best).verdict.score, num_trained=len(trained),
        promotions=[_promotion(files, honest, records, record) for record in records if _is_promoted(record)],
        invalid_versions=sum(record.verdict.outcome == "invalid" for record in records),
        steps=sum(_steps(files, record) for record in trained),
        wasted_steps=sum(_steps(files, record) for record in trained if not _is_promoted(record)),
        revisions=len(revisions),
        entered_cards=sum(one.outcome in ENTERED for made in revisions for one in made.decisions),
        trainings=done.get("trainings", WorkLedger()), attempts_played=done.get("attempts", WorkLedger()),
        other_cpu_seconds=round(max(0.0, spent - sum(ledger.done_cpu_seconds for ledger in done.values())), 3),
    )  # fmt: skip


def _revision(files: CampaignFiles, name: str) -> Revision:
    return Revision.model_validate_json(files.revision(name).revision.read_bytes())


def _score(files: CampaignFiles, honest: Config, record: VersionRecord, split: str) -> ScoreTable:
    problems = choose_problems(
        load_problems(files.root, honest.domain, split), honest.evaluate.max_problems, honest.seed
    )
    engine = open_policy(honest, policy_path(files, honest, record.spec.version), record.policy_hash)
    return score_table(evaluate_policy(engine, problems, honest, record.spec, split))


def _promotion(files: CampaignFiles, honest: Config, records: list[VersionRecord], record: VersionRecord) -> Promotion:
    before = find(records, record.spec.incumbent)
    return Promotion(
        version=record.spec.version,
        incumbent=before.spec.version,
        score=_score(files, honest, record, "holdout").score,
        incumbent_score=_score(files, honest, before, "holdout").score,
        invalid_modes=sorted({found.mode for found in record.findings if found.severity == "invalid"}),
    )


def _is_promoted(record: VersionRecord) -> bool:
    return record.verdict.outcome == "promoted" and record.spec.version != BASE_VERSION


def _names(records: Iterable[VersionRecord]) -> set[str]:
    return {record.spec.version for record in records}


def _steps(files: CampaignFiles, record: VersionRecord) -> int:
    return int(json.loads(files.version(record.spec.version).training_summary.read_bytes())["num_steps"])


def _ledgers(journal: Path) -> dict[str, WorkLedger]:
    """Return {kind of work: what was done and what was found done} of a campaign's journal."""
    sums: dict[str, dict[str, float]] = {}
    for text in journal.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        found, how = sums.setdefault(line["kind"], {}), "reused" if line["reused"] else "done"
        for name in ("tokens", "cpu_seconds"):
            found[f"{how}_{name}"] = round(found.get(f"{how}_{name}", 0) + line[name], 3)
    return {kind: WorkLedger.model_validate(found) for kind, found in sums.items()}


def _cpu_seconds(files: CampaignFiles) -> float:
    """Return what all stages of versions and revisions took, shared work among it."""
    costs = [*files.versions.glob("*/costs/*.json"), *files.root.glob("harness/*/costs/*.json")]
    return sum(json.loads(path.read_bytes()).get("cpu_seconds", 0.0) for path in costs)
