"""Stored evidence as the retrospective gate reads it: of each version what its audit read, the rows it trained on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evotrainer.campaign.labels import Label, is_healthy, labels_of
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import load_config
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.cards import visible
from evotrainer.diagnosis.harness import read_context
from evotrainer.diagnosis.judgement import evidence_of
from evotrainer.evidence.frames import Frame
from evotrainer.records import VersionRecord


@dataclass(frozen=True, eq=False)
class Stored:
    """One stored set of evidence with what is known of the policy that made it."""

    version: str
    context: Context
    label: Label
    is_healthy: bool

    @cached_property
    def rows(self) -> Frame:
        """The rows that cards are shown of it."""
        return visible(self.context.rows)

    @cached_property
    def evidence(self) -> Evidence:
        """The same as checks judge them."""
        return evidence_of(self.rows, self.version)


def load_stored(files: CampaignFiles, records: Sequence[VersionRecord]) -> list[Stored]:
    """Return the inputs of all versions that trained and were scored."""
    labels = labels_of(records)
    scored = [record for record in records if record.spec.kind != "base" and record.verdict.score is not None]
    audits = []
    for record in scored:
        name, own = record.spec.version, files.version(record.spec.version)
        recipe = load_config(own.config)
        context = read_context(  # what its audit saw, but for the record of its incumbent
            name,
            rows=own.training,
            training=own.training,
            validation=own.validation,
            recipe=recipe,
            training_recipe=recipe,
        )
        audits.append(Stored(name, context, labels[name], is_healthy(record, labels[name])))
    return audits
