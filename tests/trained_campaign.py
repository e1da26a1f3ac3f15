"""A small campaign that really trains: rollout, train, evaluate and confirm on the digit policy, seconds a version."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.lineage import find
from evotrainer.campaign.repository import read_records, save_config
from evotrainer.config import Config, load_config
from evotrainer.config.interventions import merge, with_values
from evotrainer.records import Condition, Confirmation, Intervention, Problem, VersionSpec
from tasks import confirm, evaluate, rollout, train
from tests.base_policies import link_base_policy
from tests.plain_records import plain_intervention, version_spec
from tests.version_files import plan_version, write_backtest, write_choice, write_problems

IDLE, LEARNS = 1e-9, 4e-3
"""Learning rates: one that changes nothing, one that learns the digits within the budget."""


def small_config(recipe_seeds: int = 3) -> Config:
    """Return a configuration under which a version takes a second."""
    config = Config()
    config.domain.data_path, config.engine.device = "data/digits", "cpu"
    config.budget.rollout_problems, config.budget.probe_problems, config.budget.train_tokens = 9, 6, 1500
    config.sampling.max_response_tokens = config.evaluate.max_response_tokens = 6
    config.evaluate.attempts, config.evaluate.max_problems, config.evaluate.bootstrap_samples = 4, 24, 500
    config.evaluate.recipe_seeds, config.algorithm.learning_rate = recipe_seeds, IDLE
    return config


class TrainedCampaign:
    """Plans versions by hand and runs their stages as they are."""

    def __init__(self, root: Path, policy: Path, config: Config, problems: Sequence[Problem]) -> None:
        self.files, self.config = CampaignFiles(root), config
        save_config(self.files.config, config)
        link_base_policy(self.files, policy)
        write_problems(root / "data" / "digits", train=problems[:50], probe=problems[50:70], validation=problems[70:])

    def run(
        self,
        version: str,
        kind: Any,
        incumbent: str = "v000",
        setting: Mapping[str, Any] | None = None,
        parents: Sequence[str] = (),
        slot: int = 0,
        **claims: Any,
    ) -> None:
        """Run a version up to its verdict; `setting` is what a candidate changes on the campaign's recipe."""
        given = {"parents": list(parents)} if parents else {}
        spec = version_spec(version, kind, incumbent, generation=int(version[1:]) - slot, slot=slot, **given)
        own = plan_version(self.files, spec)
        if kind != "base":
            rollout.run(self.files, version)
            self._propose(own, spec, setting or {}, claims)
            train.run(self.files, version)
        evaluate.run(self.files, version)

    def _propose(
        self, own: VersionFiles, spec: VersionSpec, setting: Mapping[str, Any], claims: Mapping[str, Any]
    ) -> None:
        made = self._merged(spec) if spec.kind == "merge" else self._built(spec, setting, claims) if setting else None
        write_choice(own, made, **claims.get("readings", {}))
        write_backtest(own)
        values = {key: new for key, (_, new) in made.diff.items()} if made else {}
        save_config(own.config, with_values(load_config(self.files.config), values))

    def _built(self, spec: VersionSpec, setting: Mapping[str, Any], claims: Mapping[str, Any]) -> Intervention:
        controls = claims.get("controls", [Condition(metric="truncation_rate", operator="<=", value=0.2)])
        said, parents = claims.get("said", {"high": 0.5}), spec.parents
        return plain_intervention(self.config, setting, said=said, parents=parents, negative_controls=controls)

    def _merged(self, spec: VersionSpec) -> Intervention:
        records = read_records(self.files)
        first, second = (find(records, name).intervention for name in spec.parents)
        assert first is not None and second is not None
        return merge(first, second, self.config, parents=spec.parents)

    def confirm(self, version: str) -> Confirmation:
        """Run the confirm stage and return what it wrote."""
        confirm.run(self.files, version)
        return self.files.version(version).confirmation.read()
