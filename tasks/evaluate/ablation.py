"""Attempt a sample again with less: under stricter access, and without single channels, where a campaign pulls levers.

What is found of an access policy is an `invalid` finding. Of channels, those are asked that the version uses more than
the base policy; what they give decides (levers/channel_audit.py). A domain without tools has no channel.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.leak_response import evaluation_of, under
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.domains import access_policies, create_environment
from evotrainer.domains.channels import Channel
from evotrainer.levers.ablation import MAX_PROBLEMS, Pair, dependence, permuted, scored
from evotrainer.levers.channel_audit import channel_finding, risen, share_of, surplus
from evotrainer.promotion.evaluation import Evaluation
from evotrainer.records import AccessPolicy, Finding, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import open_version, read_evaluation, sample_attempts, sampled
from tasks.evaluate.inputs import SPLIT, Inputs


class _Sample:
    """The attempts of a version and of the base policy at a few problems, and what attempts again cost."""

    def __init__(self, inputs: Inputs, evaluation: Evaluation) -> None:
        self._inputs = inputs
        self.problems = inputs.problems[:MAX_PROBLEMS]
        self._names = [problem.problem_id for problem in self.problems]
        base = read_evaluation(evaluation_of(inputs.files, inputs.spec, BASE_VERSION))
        self.own, self.base = (
            [row for row in sampled(rows) if row.problem_id in set(self._names)] for rows in (evaluation.rows, base)
        )
        self.tokens = 0

    def pairs(self, config: Config, label: str, is_base_asked: bool = True) -> tuple[Pair, Pair]:
        """Return the version's and the base policy's scores as they are and under `config`.

        A base policy that is not asked loses nothing. Under `permuted` it is drawn which attempts count as which.
        """
        own = self._pair(self._inputs.spec.version, self.own, config)
        base = self._pair(BASE_VERSION, self.base, config if is_base_asked else None)
        if self._inputs.campaign.harness.levers != "permuted":
            return own, base
        rng = np.random.default_rng(derive_seed(self._inputs.spec.campaign_seed, label, self._inputs.spec.version))
        return permuted(own, rng), permuted(base, rng)

    def _pair(self, version: str, given: Sequence[Trajectory], config: Config | None) -> Pair:
        without = self._drawn(version, config) if config else given
        return scored(given, self._names), scored(without, self._names)

    def _drawn(self, version: str, config: Config) -> list[Trajectory]:
        """Return attempts of a version under a configuration, with the draws of its evaluation."""
        identity = EpisodeIdentity(self._inputs.spec.campaign, version, SPLIT, self._inputs.spec.campaign_seed)
        engine = open_version(self._inputs.files, config, version)
        rows = sample_attempts(engine, self.problems, config.evaluate.attempts, config, identity)
        self.tokens += sum(row.num_tokens for row in rows)
        return rows


def ablated(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Add what the ablation audit finds; a version that is invalid already is asked nothing.

    Two controls of benches: `blind` asks nothing, `permuted` draws which attempts count as those without.
    """
    if not inputs.campaign.harness.are_levers_heard or inputs.is_base or evaluation.invalid_findings:
        return evaluation
    policies = access_policies(inputs.campaign.domain)
    stricter = [policy for policy in policies if policy.strictness > inputs.spec.access.strictness]
    sample = _Sample(inputs, evaluation)
    found = [one for access in stricter for one in _of_access(inputs, sample, access)]
    found += [
        one for channel in risen(sample.own, sample.base) for one in _of_channel(inputs, sample, channel, stricter)
    ]
    report = evaluation.report.model_copy(update={"findings": [*evaluation.report.findings, *found]})
    return replace(evaluation, report=report, rescored_tokens=evaluation.rescored_tokens + sample.tokens)


def _of_access(inputs: Inputs, sample: _Sample, access: AccessPolicy) -> list[Finding]:
    """Return the finding on one access policy, or none."""
    return dependence(inputs.spec.version, access, *sample.pairs(under(inputs.campaign, access), access.name))


def _of_channel(inputs: Inputs, sample: _Sample, channel: Channel, stricter: list[AccessPolicy]) -> list[Finding]:
    """Return the finding on one channel, or none."""
    config = under(inputs.campaign, inputs.spec.access)
    domain = replace(config.domain, withheld_channels=[*config.domain.withheld_channels, str(channel)])
    pairs = sample.pairs(replace(config, domain=domain), str(channel), share_of(sample.base, channel) > 0)
    found = channel_finding(inputs.spec.version, channel, *pairs, 0.0)
    if not found or not stricter:
        return found
    sealed = under(config, stricter[-1]).domain
    extra = surplus(sample.own, channel, lambda: create_environment(sealed), sample.problems)
    return channel_finding(inputs.spec.version, channel, *pairs, extra)
