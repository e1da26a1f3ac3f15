"""Run the harness over fresh evidence of the incumbent, and over rows that this program did not make.

The metrics are of the rollout, sampled under the campaign's own settings; what only training shows (advantages,
gradients, trends) is read from the incumbent's training, under its own recipe. The plugins are those that the version
froze. Durations are not part of findings.json: they go to costs/.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.repository import StoredVersion
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import ELSEWHERE, Config, HarnessConfig, load_config
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.gaps import examine
from evotrainer.diagnosis.finding_order import CAUSES_FIRST, in_order
from evotrainer.diagnosis.first_sight import as_earned
from evotrainer.diagnosis.harness import Harness, read_context
from evotrainer.diagnosis.needs import looked_for, signs_only
from evotrainer.diagnosis.texts import read_foreign
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import empty_signals
from evotrainer.records import HarnessReport, VersionSpec

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
    foreign = read_foreign(path, own_actions, source, columns)
    for note in foreign.notes:
        print(f"note: {' '.join(note.split())}", file=sys.stderr)
    rows = foreign.rows
    versions = sorted(rows["version"].unique())
    is_held = rows["split"].isin(HELD) & ~rows["split"].isin(HELD).all()
    trained = rows[~is_held].reset_index(drop=True) if is_held.any() else rows
    context = Context(
        version=versions[0] if len(versions) == 1 else "several",
        rows=trained,
        training=trained,
        validation=rows[is_held].reset_index(drop=True),
        signals=empty_signals(),
        texts=foreign.texts,
    )
    config = HarnessConfig(thresholds=dict(thresholds or {}))
    harness = Harness(PLUGINS, replace(config, plugins=[*config.plugins, ELSEWHERE]))
    judged, unjudged = looked_for(harness.needs, context)
    report = examine(harness, context, seed=0)
    on_trial = [path.stem for path in (PLUGINS / ELSEWHERE).glob("*.py")]
    findings = in_order(as_earned(report.findings, on_trial, thresholds or {}), CAUSES_FIRST)
    found = sorted({finding.mode for finding in report.findings} & {one.mode for one in unjudged})
    return report.model_copy(
        update={
            "findings": findings,
            "order": CAUSES_FIRST,
            "looked_for": sorted({*judged, *found}),
            "unjudged": [one for one in unjudged if one.mode not in found],
            "signs_only": signs_only(harness.needs, judged, context),
        }
    )


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
