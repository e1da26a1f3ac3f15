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
    own, incumbent = files.version(spec.version), files.version(spec.incumbent)
    records = load_records(own.lineage)
    is_trained = find(records, spec.incumbent).spec.kind not in WITHOUT_RECIPE
    context = read_context(
        spec.version,
        rows=own.rollout,
        training=incumbent.training if is_trained else None,
        recipe=config,
        training_recipe=load_config(incumbent.config) if is_trained else None,
    )
    return replace(context, start=start_metrics(records) if is_trained else {})


def _write(own: VersionFiles, report: HarnessReport) -> None:
    own.findings.write(report.model_copy(update={"seconds": {}}))
    seconds = {f"{name}_seconds": round(value, 4) for name, value in report.seconds.items()}
    write_json_atomic(own.costs / "diagnose.json", seconds, indent=2)
