"""Run the harness over fresh evidence of the incumbent, and over rows that this program did not make.

The metrics are of the rollout, sampled under the campaign's own settings; what only training shows (advantages,
gradients, trends) is read from the incumbent's training, under its own recipe. The plugins are those that the version
froze. Durations are not part of findings.json: they go to costs/.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evotrainer.actions import ActionClassifier, action_classifier
from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.repository import StoredVersion
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import ELSEWHERE, Config, HarnessConfig, load_config
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.gaps import examine
from evotrainer.diagnosis.harness import Harness, read_context
from evotrainer.diagnosis.needs import looked_for, signs_only
from evotrainer.diagnosis.texts import corrected, inferred_tools, text_columns
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.foreign import import_rows
from evotrainer.evidence.frames import empty_signals, frame_of_rows
from evotrainer.records import HarnessReport, Trajectory, VersionSpec

PLUGINS = Path(__file__).resolve().parents[2] / "harness_plugins"
"""The repository's own diagnostics, for evidence that belongs to no version."""


def run(files: CampaignFiles, version: str) -> None:
    """Write findings.json of the version: the harness report on its rollout, with the gaps it leaves."""
    stored = StoredVersion(files.version(version))
    spec = stored.spec.read()
    config = in_force(load_config(files.config), spec)
    seed = derive_seed(spec.campaign_seed, "gaps", spec.generation)
    harness = Harness(stored.files.plugins, config.harness)
    _write(stored, examine(harness, _context(files, spec, config), seed))


def diagnose_rows(
    path: Path,
    thresholds: Mapping[str, float] | None = None,
    own_actions: Mapping[str, Any] | None = None,
    source: str = "",
    columns: Mapping[str, str] | None = None,
) -> HarnessReport:
    """Return what the harness says of foreign rows, in a format of evidence/formats/; tells on stderr what they lack.

    Rows of a held split are what the score rests on, as in an audit, where the file has others beside them.

    Raises:
        EvidenceError: a row is malformed.
        ConfigError: a threshold of that name does not exist, or `own_actions` has not the form of the table of actions.

    """
    foreign = import_rows(path, source, columns)
    classifier, inferred = _classifier(foreign.rows, own_actions or {})
    for note in (*foreign.notes, *inferred):
        print(f"note: {note}", file=sys.stderr)
    versions = sorted({row.version for row in foreign.rows})
    named = _named_apart(foreign.rows)
    texts = text_columns(named, classifier)
    rows = corrected(frame_of_rows(named, classifier), texts)
    is_held = rows["split"].isin(HELD) & ~rows["split"].isin(HELD).all()
    trained = rows[~is_held].reset_index(drop=True)
    context = Context(
        version=versions[0] if len(versions) == 1 else "several",
        rows=trained,
        training=trained,
        validation=rows[is_held].reset_index(drop=True),
        signals=empty_signals(),
        texts=texts,
    )
    config = HarnessConfig(thresholds=dict(thresholds or {}))
    harness = Harness(PLUGINS, replace(config, plugins=[*config.plugins, ELSEWHERE]))
    judged, unjudged = looked_for(harness.needs, context)
    report = examine(harness, context, seed=0)
    found = sorted({finding.mode for finding in report.findings} & {one.mode for one in unjudged})
    return report.model_copy(
        update={
            "looked_for": sorted({*judged, *found}),
            "unjudged": [one for one in unjudged if one.mode not in found],
            "signs_only": signs_only(harness.needs, judged, context),
        }
    )


def _classifier(rows: Sequence[Trajectory], own: Mapping[str, Any]) -> tuple[ActionClassifier, list[str]]:
    """Return the table of actions with a person's rows and, behind them, what unknown tools seem to do."""
    classifier = action_classifier(own)
    tools = inferred_tools(rows, classifier)
    if not tools:
        return classifier, []
    what = ", ".join(f"'{name}' as {rule['kind']}" for name, rule in tools.items())
    note = f"tools that the table of actions does not name are read by what they do: {what}; --actions FILE says better"
    return action_classifier({**own, "tools": {**tools, **own.get("tools", {})}}), [note]


def _named_apart(rows: Sequence[Trajectory]) -> list[Trajectory]:
    """Return the rows with an id for each problem: where held rows ask something else under an id, it names the split.

    Files often number the problems of each split from 0; that is no problem which is trained on and judged on.
    """
    asked: dict[tuple[str, bool], set[str]] = {}
    for row in rows:
        asked.setdefault((row.problem_id, row.split in HELD), set()).add(_prompt(row))
    renamed = {
        name
        for name, is_held in asked
        if is_held and (name, False) in asked and asked[name, True].isdisjoint(asked[name, False])
    }
    return [
        row.model_copy(update={"problem_id": f"{row.split}/{row.problem_id}"})
        if row.problem_id in renamed and row.split in HELD
        else row
        for row in rows
    ]


def _prompt(row: Trajectory) -> str:
    return "\n".join(message.content for message in row.messages if message.role in ("system", "user"))


def _context(files: CampaignFiles, spec: VersionSpec, config: Config) -> Context:
    rollout = files.version(spec.version).rollout
    if spec.incumbent == BASE_VERSION:
        return read_context(spec.version, rows=rollout, recipe=config)
    incumbent = files.version(spec.incumbent)
    return read_context(
        spec.version,
        rows=rollout,
        training=incumbent.training,
        recipe=config,
        training_recipe=load_config(incumbent.config),
    )


def _write(stored: StoredVersion, report: HarnessReport) -> None:
    stored.findings.write(report.model_copy(update={"seconds": {}}))
    seconds = {f"{name}_seconds": round(value, 4) for name, value in report.seconds.items()}
    write_json_atomic(stored.files.costs / "diagnose.json", seconds, indent=2)
