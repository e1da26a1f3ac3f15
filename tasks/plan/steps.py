"""The order of a campaign: what is planned next, and what runs next. The flows and the benchmarks follow it alike.

    plan r03 ─► run r03 ─► plan v005 ─► run v005 | v006 ─► plan ... ─► nothing is planned: the end
    where a revision is due     one generation

Nothing is run here. Whoever follows the steps carries out each before asking for the next. A campaign that was cut
short goes on with the first step that is not finished: open versions run before anything new is planned.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from conf.compose import load_campaign
from evotrainer.campaign.labels import MIN_EACH, labels_of
from evotrainer.campaign.layout import CampaignFiles, Subject, revision_name, version_name
from evotrainer.campaign.repository import open_gaps, open_versions, read_records
from evotrainer.config import Config
from evotrainer.config.yaml_files import load_yaml
from evotrainer.records import VersionRecord
from evotrainer.search.base import escalation
from tasks.plan import is_cut_short


class Closed(Protocol):
    """What is finished; a git workspace keeps it in tags and commits, a benchmark in files."""

    def closed_versions(self) -> Collection[str]:
        """Return the names of all finished versions."""
        ...

    def has_revision(self, revision: str) -> bool:
        """Tell whether a revision of the harness is finished."""
        ...


@dataclass(frozen=True)
class Plan:
    """Write the pipelines of a revision, or of the generation that starts with this version."""

    subject: Subject


@dataclass(frozen=True)
class Run:
    """Run the pipelines of these subjects, which may go side by side, and close each."""

    subjects: tuple[Subject, ...]


def campaign_steps(files: CampaignFiles, closed: Closed) -> Iterator[Plan | Run]:
    """Yield the steps of a campaign up to its last version; each is carried out before the next is asked for."""
    while True:
        if not open_versions(files, closed.closed_versions()) and not is_cut_short(files):
            yield from _revision_steps(files, closed)
        if not open_versions(files, closed.closed_versions()) or is_cut_short(files):
            yield Plan(Subject.version(version_name(len(files.version_names()))))
        members = open_versions(files, closed.closed_versions())
        if not members:
            return
        yield Run(tuple(map(Subject.version, members)))


def _revision_steps(files: CampaignFiles, closed: Closed) -> Iterator[Plan | Run]:
    """Yield the steps of the revision that the closed versions call for; a finished one is never made again."""
    revision = due_revision(files, load_campaign(files), read_records(files))
    if revision is not None and not closed.has_revision(revision):
        subject = Subject.revision(revision)
        yield Plan(subject)
        yield Run((subject,))


def due_revision(files: CampaignFiles, config: Config, records: Sequence[VersionRecord]) -> str | None:
    """Return the name of the revision to make after the closed versions; None where it can have no result.

    It can where cards are there to be judged again, where versions failed in a row, so that the grader is checked, and
    where a gap is open and there are enough versions to judge an answer.
    """
    generation = max((record.spec.generation for record in records), default=0)
    if not config.harness.evolve or generation == 0:
        return None
    name = revision_name(generation)
    labels = Counter(labels_of(records).values())
    is_judged = min(labels["good"], labels["bad"]) >= MIN_EACH
    is_due = (
        (files.revision(name).root / "dvc.yaml").is_file()
        or any(files.evolved_plugins.glob("*.yaml"))
        or escalation(records, config) is not None
        or (is_judged and bool(open_gaps(files, [record.spec.version for record in records])))
    )
    return name if is_due else None


def stages_of(files: CampaignFiles, subject: Subject) -> list[str]:
    """Return the stages of a subject in their order, as planning wrote them to its pipeline."""
    path = files.root / subject.folder / "dvc.yaml"
    return list(load_yaml(path.read_text(encoding="utf-8"))["stages"])
