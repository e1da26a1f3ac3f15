"""Run the harness over fresh evidence of the incumbent. Rows of other systems: foreign.py.

The metrics are of the rollout, sampled under the campaign's own settings; what only training shows (advantages,
gradients, trends) is read from the incumbent's training, under its own recipe. The plugins are those that the version
froze. Durations are not part of findings.json: they go to costs/.
"""

from dataclasses import replace

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.lineage import find, start_metrics
from evotrainer.campaign.repository import load_records
from evotrainer.config import Config, load_config
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.harness import Harness, read_context
from evotrainer.records import WITHOUT_RECIPE, HarnessReport, VersionSpec


def run(files: CampaignFiles, version: str) -> None:
    """Write findings.json of the version: the harness report on its rollout."""
    own = files.version(version)
    spec = own.spec.read()
    config = in_force(load_config(files.config), spec)
    harness = Harness(own.plugins, config.harness)
    _write(own, harness.run(_context(files, spec, config)))


def _context(files: CampaignFiles, spec: VersionSpec, config: Config) -> Context:
    rollout = files.version(spec.version).rollout
    records = load_records(files.version(spec.version).lineage)
    if find(records, spec.incumbent).spec.kind in WITHOUT_RECIPE:
        return replace(read_context(spec.version, rows=rollout, recipe=config), start={})
    incumbent = files.version(spec.incumbent)
    context = read_context(
        spec.version,
        rows=rollout,
        training=incumbent.training,
        recipe=config,
        training_recipe=load_config(incumbent.config),
    )
    return replace(context, start=start_metrics(records))


def _write(own: VersionFiles, report: HarnessReport) -> None:
    own.findings.write(report.model_copy(update={"seconds": {}}))
    seconds = {f"{name}_seconds": round(value, 4) for name, value in report.seconds.items()}
    write_json_atomic(own.costs / "diagnose.json", seconds, indent=2)
