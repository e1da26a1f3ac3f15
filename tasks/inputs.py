"""What stages read of a version and its campaign; what costs is read where it is first asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.leak_response import evaluation_of, in_force
from evotrainer.campaign.lineage import find, taken_policies
from evotrainer.campaign.repository import intervention_of, load_records
from evotrainer.config import Config, load_config
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines.base import RolloutEngine
from evotrainer.records import (
    HarnessReport,
    Intervention,
    Problem,
    TrainingSummary,
    Trajectory,
    Verdict,
    VersionRecord,
    VersionSpec,
)
from evotrainer.rollouts.evaluation import choose_problems, open_version, read_evaluation

SPLIT = "validation"


@dataclass(frozen=True)
class Inputs:
    """A version that a stage is about, with its campaign."""

    files: CampaignFiles
    spec: VersionSpec
    campaign: Config
    """The evaluator is the campaign's (conf/campaign.yaml), never the recipe's."""
    records: Sequence[VersionRecord]
    """The versions that were closed when this one started."""

    @property
    def own(self) -> VersionFiles:
        """The files of the version."""
        return self.files.version(self.spec.version)

    @property
    def is_base(self) -> bool:
        """Whether this is the policy before any training."""
        return self.spec.kind == "base"

    @cached_property
    def config(self) -> Config:
        """The campaign's configuration, as in force for this version."""
        return in_force(self.campaign, self.spec)

    @cached_property
    def intervention(self) -> Intervention | None:
        """What the version changes; None for base and baseline."""
        return intervention_of(self.own)

    @cached_property
    def training(self) -> TrainingSummary:
        """What training.json says; the base policy, which has none, counts as trained."""
        return TrainingSummary(trained=True) if self.is_base else self.own.training_summary.read()

    @cached_property
    def verdict(self) -> Verdict:
        """The decision about the version, once it is evaluated."""
        return self.own.verdict.read()

    @cached_property
    def duplicate_of(self) -> str:
        """The earlier version with the very same policy, or empty."""
        if self.is_base:
            return ""
        first = read_evaluation(self.files.version(BASE_VERSION).validation)[0]
        policies = {first.policy_id: BASE_VERSION} | taken_policies(self.records)
        return policies.get(self.training.policy_hash or "", "")

    @cached_property
    def problems(self) -> list[Problem]:
        """The problems that all versions of the campaign are scored on."""
        known = load_problems(self.files.root, self.config.domain, SPLIT)
        return choose_problems(known, self.config.evaluate.max_problems, self.spec.campaign_seed)

    @cached_property
    def harness(self) -> Harness:
        """The diagnostics that the version froze."""
        return Harness(self.own.plugins, self.config.harness)

    @cached_property
    def engine(self) -> RolloutEngine:
        """The version's policy."""
        return open_version(self.files, self.config, self.spec.version)

    @cached_property
    def rollout_report(self) -> HarnessReport:
        """What the harness says of the rollout that the version started from: the incumbent's."""
        return self.own.findings.read()

    @cached_property
    def reference(self) -> VersionRecord | None:
        """The record of the incumbent; None for the base policy, which has none."""
        return None if self.is_base else find(self.records, self.spec.incumbent)

    @property
    def incumbent(self) -> HarnessReport | VersionRecord | None:
        """What its audit measured of the incumbent; of the base policy, which has no training, its rollout."""
        is_on_base = self.spec.incumbent == BASE_VERSION and not self.is_base
        return self.rollout_report if is_on_base else self.reference

    def peer_rows(self) -> dict[str, list[Trajectory]]:
        """Return the rows of the versions that this one is compared with, the incumbent's first."""
        names = [] if self.is_base else dict.fromkeys([self.spec.incumbent, BASE_VERSION])
        return {name: read_evaluation(evaluation_of(self.files, self.spec, name)) for name in names}


def read_inputs(files: CampaignFiles, version: str) -> Inputs:
    """Return the inputs of a version that a flow has planned."""
    own = files.version(version)
    return Inputs(files, own.spec.read(), load_config(files.config), load_records(own.lineage))
