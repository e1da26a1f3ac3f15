"""Whether a revision of the harness can have a result; a cheap check after every generation.

It can where cards are in force, which are judged again; where versions failed in a row, so that the grader is checked;
and where a gap is open and there are enough versions to judge an answer.
"""

from collections import Counter
from collections.abc import Sequence

from evotrainer.campaign.documents import Document
from evotrainer.campaign.labels import MIN_EACH, labels_of
from evotrainer.campaign.layout import CampaignFiles, revision_name
from evotrainer.campaign.repository import StoredVersion
from evotrainer.config import Config
from evotrainer.diagnosis.evolved.cards import load_plugins
from evotrainer.records import Gap, HarnessReport, VersionRecord
from evotrainer.search.escalation import escalation


def revision_trigger(files: CampaignFiles, config: Config, records: Sequence[VersionRecord]) -> str | None:
    """Return the name of the revision to make after the closed versions; None where it can have no result."""
    generation = max((record.spec.generation for record in records), default=0)
    if not config.harness.evolve or generation == 0:
        return None
    name = revision_name(generation)
    is_begun = (files.revision(name).root / "dvc.yaml").is_file()
    is_in_force = any(plugin.card.is_in_force for plugin in load_plugins(files.evolved_plugins))
    is_triggered = is_begun or is_in_force or escalation(records, config) is not None or _can_answer(files, records)
    return name if is_triggered else None


def open_gaps(files: CampaignFiles, versions: Sequence[str]) -> list[Gap]:
    """Return the gaps of these versions: those of their audits and those of the rollouts they started from.

    A contradiction in a rollout is about the incumbent, whose own audit holds it where it is one: it is left out.
    """
    stored = [StoredVersion(files.version(version)) for version in versions]
    audited = [gap for version in stored for gap in _gaps(version.audit)]
    return audited + [gap for version in stored for gap in _gaps(version.findings) if gap.kind != "contradiction"]


def _gaps(document: Document[HarnessReport]) -> list[Gap]:
    report = document.find()
    return report.gaps if report is not None else []


def _can_answer(files: CampaignFiles, records: Sequence[VersionRecord]) -> bool:
    gaps = open_gaps(files, [record.spec.version for record in records])
    labels = Counter(labels_of(records).values())
    hits = Counter(record.verdict.prediction_hit for record in records)
    is_missed = any(gap.kind == "failed_prediction" for gap in gaps) and min(hits[True], hits[False]) >= MIN_EACH
    return is_missed or (bool(gaps) and min(labels["good"], labels["bad"]) >= MIN_EACH)
