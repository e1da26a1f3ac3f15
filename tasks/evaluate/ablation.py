"""Attempt a sample again under stricter access, where a campaign pulls levers (levers/ablation.py)."""

from collections.abc import Sequence
from dataclasses import replace

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.leak_response import evaluation_of, under
from evotrainer.config import Config
from evotrainer.domains import access_policies
from evotrainer.levers.ablation import MAX_PROBLEMS, Pair, dependence, scored
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.records import AccessPolicy, Finding, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import open_version, read_evaluation, sample_attempts, sampled
from tasks.evaluate.inputs import SPLIT, Inputs


class _Sample:
    """The attempts of a version and of the base policy at a few problems, and what attempts again cost."""

    def __init__(self, inputs: Inputs, evaluation: Evaluation) -> None:
        self._inputs = inputs
        self._problems = inputs.problems[:MAX_PROBLEMS]
        self._names = [problem.problem_id for problem in self._problems]
        base = read_evaluation(evaluation_of(inputs.files, inputs.spec, BASE_VERSION))
        self._own, self._base = (
            [row for row in sampled(rows) if row.problem_id in set(self._names)] for rows in (evaluation.rows, base)
        )
        self.tokens = 0

    def pairs(self, config: Config) -> tuple[Pair, Pair]:
        """Return the version's and the base policy's scores as they are and under `config`."""
        return (self._pair(self._inputs.spec.version, self._own, config), self._pair(BASE_VERSION, self._base, config))

    def _pair(self, version: str, given: Sequence[Trajectory], config: Config) -> Pair:
        return scored(given, self._names), scored(self._drawn(version, config), self._names)

    def _drawn(self, version: str, config: Config) -> list[Trajectory]:
        """Return attempts of a version under a configuration, with the draws of its evaluation."""
        identity = EpisodeIdentity(self._inputs.spec.campaign, version, SPLIT, self._inputs.spec.campaign_seed)
        engine = open_version(self._inputs.files, config, version)
        rows = sample_attempts(engine, self._problems, config.evaluate.attempts, config, identity)
        self.tokens += sum(row.num_tokens for row in rows)
        return rows


def ablated(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Add what the ablation audit finds; a version that is invalid already is asked nothing."""
    if inputs.campaign.harness.levers == "none" or inputs.is_base or evaluation.invalid_findings:
        return evaluation
    policies = access_policies(inputs.campaign.domain)
    stricter = [policy for policy in policies if policy.strictness > inputs.spec.access.strictness]
    sample = _Sample(inputs, evaluation)
    found = [one for access in stricter for one in _of_access(inputs, sample, access)]
    report = evaluation.report.model_copy(update={"findings": [*evaluation.report.findings, *found]})
    return replace(evaluation, report=report, rescored_tokens=evaluation.rescored_tokens + sample.tokens)


def _of_access(inputs: Inputs, sample: _Sample, access: AccessPolicy) -> list[Finding]:
    """Return the finding on one access policy, or none."""
    return dependence(inputs.spec.version, access, *sample.pairs(under(inputs.campaign, access)))
