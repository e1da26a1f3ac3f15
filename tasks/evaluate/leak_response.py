"""Score policies again under stricter access: a version whose audit names a leak, and the peers it compares with.

leak_response/<version>/   the rows;  leak_response/UNUSED: nothing had to be scored again
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.leak_response import held_by, peers, stricter_access, to_rescore, under
from evotrainer.config import Config
from evotrainer.domains import access_policies
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.records import AccessPolicy
from evotrainer.rollouts.evaluation import evaluate_policy, graded_table, open_version, sampled, write_evaluation
from tasks.evaluate.inputs import SPLIT, Inputs

UNUSED = "UNUSED"


def open_folder(inputs: Inputs) -> None:
    """Make leak_response/ anew, where scores may have to be taken again, with a file that says that none were."""
    if not to_rescore(access_policies(inputs.campaign.domain), inputs.spec):
        return
    folder = inputs.own.leak_response
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_atomic(folder / UNUSED, "no leak was found: nothing was scored again\n")


def peers_rescored(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Score the peers under the version's own access policy, where nobody has scored them so yet."""
    return _rescored(inputs, evaluation, held_by(inputs.spec), inputs.spec.access, inputs.config)


def leak_answered(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Score a version with a leak, and its peers, under stricter access; the score-only gate asks for nothing."""
    spec, campaign = inputs.spec, inputs.campaign
    if campaign.evaluate.gate == "greedy" or inputs.is_base:
        return evaluation
    stricter = stricter_access(access_policies(campaign.domain), spec.access, evaluation.report.findings)
    if stricter is None:
        return evaluation
    return _rescored(inputs, evaluation, [spec.version, *peers(spec)], stricter, under(campaign, stricter))


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
    (inputs.own.leak_response / UNUSED).unlink(missing_ok=True)
    return replace(evaluation, rescored=scores, rescored_under=access, rescored_tokens=tokens)
