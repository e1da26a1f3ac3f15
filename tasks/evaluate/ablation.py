"""Attempt a sample again with less access, where the domain has any to take away and the campaign pulls levers."""

from dataclasses import replace

import numpy as np

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.leak_response import evaluation_of, under
from evotrainer.campaign.seeds import derive_seed
from evotrainer.domains import access_policies
from evotrainer.levers.ablation import MAX_PROBLEMS, dependence, permuted, scored
from evotrainer.levers.proposals import SILENT
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.records import AccessPolicy, Finding, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import open_version, read_evaluation, sample_attempts, sampled
from tasks.evaluate.inputs import SPLIT, Inputs


def ablated(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Add what the ablation audit finds; a version that is invalid already is asked nothing.

    Two controls of benches: `blind` asks nothing, `permuted` draws which attempts count as those without.
    """
    policies = access_policies(inputs.campaign.domain)
    stricter = [policy for policy in policies if policy.strictness > inputs.spec.access.strictness]
    if inputs.campaign.harness.levers in SILENT or inputs.is_base or not stricter or evaluation.invalid_findings:
        return evaluation
    report, tokens = evaluation.report, evaluation.rescored_tokens
    for access in stricter:
        found, spent = _asked(inputs, evaluation, access)
        report = report.model_copy(update={"findings": [*report.findings, *found]})
        tokens += spent
    return replace(evaluation, report=report, rescored_tokens=tokens)


def _asked(inputs: Inputs, evaluation: Evaluation, access: AccessPolicy) -> tuple[list[Finding], int]:
    """Return the finding on one access policy, and the tokens that the sample took."""
    names = [problem.problem_id for problem in inputs.problems[:MAX_PROBLEMS]]
    base = sampled(read_evaluation(evaluation_of(inputs.files, inputs.spec, BASE_VERSION)))
    drawn = {name: _drawn(inputs, name, access) for name in (inputs.spec.version, BASE_VERSION)}
    own, usual = (
        (scored(given, names), scored(drawn[name], names))
        for name, given in ((inputs.spec.version, sampled(evaluation.rows)), (BASE_VERSION, base))
    )
    if inputs.campaign.harness.levers == "permuted":
        rng = np.random.default_rng(derive_seed(inputs.spec.campaign_seed, "permuted access", inputs.spec.version))
        own, usual = permuted(own, rng), permuted(usual, rng)
    spent = sum(row.num_tokens for rows in drawn.values() for row in rows)
    return dependence(inputs.spec.version, access, own, usual), spent


def _drawn(inputs: Inputs, version: str, access: AccessPolicy) -> list[Trajectory]:
    """Return attempts of a version at the sample under an access policy, with the draws of its evaluation."""
    config = under(inputs.campaign, access)
    identity = EpisodeIdentity(inputs.spec.campaign, version, SPLIT, inputs.spec.campaign_seed)
    engine = open_version(inputs.files, config, version)
    return sample_attempts(engine, inputs.problems[:MAX_PROBLEMS], config.evaluate.attempts, config, identity)
