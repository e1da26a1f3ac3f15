"""What the diagnostics say of a version: of its training and validation rows, its lineage, its grades.

The plugins are those that the version froze. Changes of harness metrics compare training with training.

A version whose audit names a leak is scored again under stricter access, and so are the peers it compares with:
leak_response/<version>/ holds the rows, leak_response/WHY says that nothing had to be. Where a campaign pulls levers, a
sample is attempted again before that, to see how much a score depends on its access (levers/ablation.py).
"""

from collections.abc import Sequence
from dataclasses import replace

from evotrainer.campaign.documents import WHY, emptied_because
from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.leak_response import evaluation_of, in_force, stricter_access, under
from evotrainer.campaign.lineage import start_metrics
from evotrainer.config import Config, load_config
from evotrainer.diagnosis.context import Context, Lineage
from evotrainer.diagnosis.evaluator_audit import finding_of
from evotrainer.diagnosis.harness import read_context
from evotrainer.diagnosis.judgement import in_order
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.overlap import check_problems
from evotrainer.domains.regrading import choose_rows, regrade
from evotrainer.engines import policy_path
from evotrainer.evidence.score_table import tabulate
from evotrainer.levers.ablation import MAX_PROBLEMS, dependence
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.records import WITHOUT_RECIPE, AccessPolicy, HarnessReport, Problem, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import (
    evaluate_policy,
    graded_table,
    open_version,
    read_evaluation,
    sample_attempts,
    sampled,
    score_table,
    write_evaluation,
)
from tasks.inputs import SPLIT, Inputs


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


def open_folder(inputs: Inputs) -> None:
    """Make leak_response/ anew, where scores may have to be taken again, with a file that says that none were."""
    if not inputs.spec.access.again:
        return
    emptied_because("no leak was found: nothing was scored again", inputs.own.leak_response)


def peers_rescored(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Score the peers under the version's own access policy, where nobody has scored them so yet."""
    access = inputs.spec.access
    return _rescored(inputs, evaluation, access.scored_by(inputs.spec.version), access.policy, inputs.config)


def leak_answered(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Score a version with a leak, and its peers, under stricter access; the score-only gate asks for nothing."""
    spec, campaign = inputs.spec, inputs.campaign
    if campaign.evaluate.gate == "greedy" or inputs.is_base:
        return evaluation
    stricter = stricter_access(find_domain(campaign.domain.name).access, spec.access.policy, evaluation.report.findings)
    if stricter is None:
        return evaluation
    return _rescored(inputs, evaluation, [spec.version, *spec.access.again], stricter, under(campaign, stricter))


def _rescored(
    inputs: Inputs, evaluation: Evaluation, names: Sequence[str], access: AccessPolicy, config: Config
) -> Evaluation:
    """Write leak_response/<name>/ for each named version, and add their scores.

    Raises InfrastructureError where a problem lost all attempts.
    """
    if not names:
        return evaluation
    scores, tokens = dict(evaluation.rescored), evaluation.rescored_tokens
    for name in names:
        spec = inputs.spec.model_copy(update={"version": name})
        rows = evaluate_policy(open_version(inputs.files, config, name), inputs.problems, config, spec, SPLIT)
        scores[name] = graded_table(sampled(rows), config, f"{name}, scored again,").score
        write_evaluation(inputs.own.leak_response / name, rows, config)
        tokens += sum(row.num_tokens for row in rows)
    (inputs.own.leak_response / WHY).unlink(missing_ok=True)
    return replace(evaluation, rescored=scores, rescored_under=access, rescored_tokens=tokens)


def ablated(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Add what the ablation audit finds; a version that is invalid already is asked nothing."""
    if inputs.campaign.harness.levers == "none" or inputs.is_base or evaluation.invalid_findings:
        return evaluation
    problems = inputs.problems[:MAX_PROBLEMS]
    names = {problem.problem_id for problem in problems}
    base = read_evaluation(evaluation_of(inputs.files, inputs.spec, BASE_VERSION))
    given = {inputs.spec.version: evaluation.rows, BASE_VERSION: base}
    known = {name: score_table([row for row in rows if row.problem_id in names]) for name, rows in given.items()}
    found, tokens = list(evaluation.report.findings), evaluation.rescored_tokens
    for access in find_domain(inputs.campaign.domain.name).access:
        if access.strictness > inputs.spec.access.policy.strictness:
            again = {name: _attempted(inputs, name, problems, under(inputs.campaign, access)) for name in given}
            tokens += sum(row.num_tokens for rows in again.values() for row in rows)
            pairs = [(known[name], tabulate(again[name])) for name in given]
            found += dependence(inputs.spec.version, access, *pairs)
    report = evaluation.report.model_copy(update={"findings": found})
    return replace(evaluation, report=report, rescored_tokens=tokens)


def _attempted(inputs: Inputs, version: str, problems: Sequence[Problem], config: Config) -> list[Trajectory]:
    """Return attempts of a version under a configuration, with the draws of its evaluation."""
    identity = EpisodeIdentity(inputs.spec.campaign, version, SPLIT, inputs.spec.campaign_seed)
    engine = open_version(inputs.files, config, version)
    return sample_attempts(engine, problems, config.evaluate.attempts, config, identity)
