"""Run the harness over fresh evidence of the incumbent. Rows of other systems: foreign.py.

The metrics are of the rollout, sampled under the campaign's own settings; what only training shows (advantages,
gradients, trends) is read from the incumbent's training, under its own recipe. The plugins are those that the version
froze. Durations are not part of findings.json: they go to costs/.
"""

from dataclasses import replace

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.lineage import find, start_metrics
from evotrainer.config import load_config
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.harness import read_context
from evotrainer.records import WITHOUT_RECIPE, HarnessReport
from tasks.inputs import Inputs, read_inputs


def run(files: CampaignFiles, version: str) -> None:
    """Write findings.json of the version: the harness report on its rollout."""
    inputs = read_inputs(files, version)
    _write(inputs.own, inputs.harness.run(_context(inputs)))


def _context(inputs: Inputs) -> Context:
    records, incumbent = inputs.records, inputs.files.version(inputs.spec.incumbent)
    is_trained = find(records, inputs.spec.incumbent).spec.kind not in WITHOUT_RECIPE
    context = read_context(
        inputs.spec.version,
        rows=inputs.own.rollout,
        training=incumbent.training if is_trained else None,
        recipe=inputs.config,
        training_recipe=load_config(incumbent.config) if is_trained else None,
    )
    return replace(context, start=start_metrics(records) if is_trained else {})


def _write(own: VersionFiles, report: HarnessReport) -> None:
    own.findings.write(report.model_copy(update={"seconds": {}}))
    seconds = {f"{name}_seconds": round(value, 4) for name, value in report.seconds.items()}
    write_json_atomic(own.costs / "diagnose.json", seconds, indent=2)
