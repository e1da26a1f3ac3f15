"""Stored evidence as the retrospective gate reads it: labelled sets of evidence, and rollouts of good policies.

A version's own set is what its audit read, the rows it was trained on. The rollout that a version started from is the
behaviour of its incumbent: where that one is known-good, an alarm there is a false alarm too. Blocks are parts of a set
by problem; two metrics that are equal in substance correlate over them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from evotrainer.campaign.labels import Label, is_healthy, labels_of
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import load_config
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.plugin_inputs import PluginInput, plugin_input_of
from evotrainer.diagnosis.harness import read_context
from evotrainer.records import VersionRecord

NUM_BLOCKS = 2
"""Blocks of a set of evidence. Two suffice, since results are averaged over versions."""


@dataclass(frozen=True, eq=False)
class Stored:
    """One stored set of evidence with what is known of the policy that made it."""

    version: str
    context: Context
    label: Label
    is_healthy: bool
    is_audit: bool
    """Whether these are the version's own rows; else the rollout that a later version started from."""

    @cached_property
    def plugin_input(self) -> PluginInput:
        """What evolved diagnostics are shown of it."""
        return plugin_input_of(self.context)

    def shuffled(self, seed: int) -> PluginInput:
        """Return the plugin input with its rows in another order."""
        own = self.plugin_input
        return PluginInput(
            own.rows.sample(frac=1.0, random_state=seed), own.training.sample(frac=1.0, random_state=seed), own.signals
        )

    @cached_property
    def block_inputs(self) -> list[PluginInput]:
        """What evolved diagnostics are shown of the blocks."""
        return [plugin_input_of(part) for part in self.blocks]

    @cached_property
    def blocks(self) -> list[Context]:
        """The parts of the set, each with the rows of some problems; parts without rows are left out."""
        place = {problem: _block(problem) for problem in self.context.rows["problem_id"].unique()}
        rows, training = (frame["problem_id"].map(place) for frame in (self.context.rows, self.context.training))
        parts = [
            replace(self.context, rows=self.context.rows[rows == i], training=self.context.training[training == i])
            for i in range(NUM_BLOCKS)
        ]
        return [part for part in parts if len(part.rows)]


def load_stored(files: CampaignFiles, records: Sequence[VersionRecord]) -> list[Stored]:
    """Return the inputs of all versions that trained and were scored, then rollouts of known-good incumbents."""
    labels = labels_of(records)
    scored = [record for record in records if record.spec.kind != "base" and record.verdict.score is not None]
    audits = [
        Stored(
            record.spec.version,
            audit_context(files, record),
            labels[record.spec.version],
            is_healthy(record, labels[record.spec.version]),
            is_audit=True,
        )
        for record in scored
    ]
    by_name = {record.spec.version: record for record in records}
    seen: dict[str, VersionRecord] = {}
    for record in records:
        incumbent = record.spec.incumbent
        if incumbent != BASE_VERSION and labels.get(incumbent) == "good" and incumbent not in seen:
            seen[incumbent] = record
    rollouts = [
        Stored(incumbent, read_context(incumbent, rows=files.version(record.spec.version).rollout), "", True, False)
        for incumbent, record in seen.items()
        if is_healthy(by_name[incumbent], labels[incumbent])
    ]
    return audits + rollouts


def audit_context(files: CampaignFiles, record: VersionRecord) -> Context:
    """Return what the audit of a version that trained saw, but for the record of its incumbent."""
    own = files.version(record.spec.version)
    recipe = load_config(own.config)
    return read_context(
        record.spec.version,
        rows=own.training,
        training=own.training,
        validation=own.validation,
        recipe=recipe,
        training_recipe=recipe,
    )


def _block(problem: str) -> int:
    return hashlib.blake2b(problem.encode(), digest_size=1).digest()[0] % NUM_BLOCKS
