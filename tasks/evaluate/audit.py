"""What the diagnostics say of a version: of its training and validation rows, its lineage, its grades.

The plugins are those that the version froze. Changes of harness metrics compare training with training.
"""

from dataclasses import replace

from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.lineage import start_metrics
from evotrainer.config import load_config
from evotrainer.diagnosis.context import Context, Lineage
from evotrainer.diagnosis.evaluator_audit import finding_of
from evotrainer.diagnosis.harness import read_context
from evotrainer.diagnosis.judgement import in_order
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.domains.problem_sets.overlap import check_problems
from evotrainer.domains.regrading import choose_rows, regrade
from evotrainer.engines import policy_path
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.records import WITHOUT_RECIPE, HarnessReport
from evotrainer.rollouts.evaluation import sampled
from tasks.evaluate.inputs import Inputs


def unaudited(inputs: Inputs) -> HarnessReport:
    """Return the report of a version without evidence of its own."""
    return HarnessReport(version=inputs.spec.version, harness_version=inputs.harness.version)


def audited(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Examine the version's evidence."""
    return replace(evaluation, report=inputs.harness.run(_context(inputs)))


def regraded(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Grade a sample of all rows that the verdict rests on again, and add what that shows to the report."""
    rows, limits = [*sampled(evaluation.rows), *evaluation.fresh_rows], inputs.config.evaluate
    chosen = choose_rows(rows, limits.regraded_rows, inputs.spec.campaign_seed)
    again, report = regrade(chosen, inputs.problems, inputs.config.domain), evaluation.report
    found = finding_of(again, inputs.spec.version)
    changes = {
        "metrics": dict(sorted((report.metrics | again.metrics).items())),
        "findings": in_order([*report.findings, *([found] if found else [])]),
    }
    return replace(evaluation, report=report.model_copy(update=changes))


def _context(inputs: Inputs) -> Context:
    """Return the evidence on a version: of one that no recipe trained, validation rows and a person's problem files.

    What a supervised stage showed is compared with the problems that are judged on.
    """
    own, is_trained = inputs.own, inputs.spec.kind not in WITHOUT_RECIPE
    recipe = load_config(own.config) if is_trained else None
    training = own.training if is_trained else None
    context = read_context(
        inputs.spec.version,
        rows=training,
        training=training,
        validation=own.validation,
        recipe=recipe or inputs.config,
        training_recipe=recipe,
        reference=inputs.reference if is_trained else None,
    )
    if recipe is None:
        files, config = inputs.files, inputs.config
        path = files.root / config.domain.data_path
        if path.parent == files.data:  # a built-in set
            return context
        policy = policy_path(files, config, inputs.spec.version)
        return replace(context, problems=check_problems(path, config.domain.name, policy, LIMITS.text_overlap))
    made = Lineage(
        campaign=inputs.config,
        recipe=in_force(recipe, inputs.spec),
        spec=inputs.spec,
        intervention=inputs.intervention,
        records=inputs.records,
    )
    return replace(context, lineage=made, start=start_metrics(inputs.records))
