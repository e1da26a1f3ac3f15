"""A campaign whose versions get policies and training files by hand, for the evaluate and certify stages."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, DomainConfig, EvaluateConfig, PolicyConfig
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.evidence.store import write_rows, write_signals
from evotrainer.records import Condition, Problem, TrainingSummary, Trajectory, Verdict
from tests.plain_records import plain_intervention, plain_row, plain_signals, version_spec
from tests.version_files import plan_version, write_backtest, write_choice, write_problems


class Campaign:
    """A campaign whose versions get policies and training files by hand."""

    def __init__(self, root: Path, policy: Path, problems: Sequence[Problem]) -> None:
        self.files = CampaignFiles(root)
        self.base = policy
        self.config = Config(
            domain=DomainConfig(data_path="data"),
            policy=PolicyConfig(path=str(policy)),
            evaluate=EvaluateConfig(attempts=4, max_problems=12, max_response_tokens=8, bootstrap_samples=500),
        )
        save_config(self.files.config, self.config)
        write_problems(self.files.data, validation=problems[:40], test=problems[40:60])

    def plan(self, version: str, kind: Any, incumbent: str = "v000") -> None:
        plan_version(self.files, version_spec(version, kind, incumbent))

    def train(
        self, version: str, policy: Path | None, label: str = "", reason: str = "", limits: Sequence[Condition] = ()
    ) -> None:
        """Give a version the policy of `policy`, or leave it untrained."""
        own = self.files.version(version)
        success = [Condition(metric="score", operator=">", value=0.0)]
        setting = {"algorithm.learning_rate": 1e-4}
        intervention = plain_intervention(self.config, setting, success=success, limits=limits, parents=["v000"])
        write_choice(own, None if version == "v001" else intervention)
        write_backtest(own, policy is not None, reason)
        save_config(own.config, self.config)
        own.training.mkdir()
        own.model.mkdir()
        if policy is not None:
            shutil.copytree(policy, own.model, dirs_exist_ok=True)
            write_rows(own.training, 0, _training_rows(version))
            write_signals(own.training, [plain_signals(0, version=version)])
        summary = TrainingSummary(
            trained=policy is not None and not label,
            reason=reason,
            label=label,
            num_steps=1,
            num_tokens=100,
            policy_hash=policy_hash(policy) if policy else None,
        )
        own.training_summary.write(summary)

    def verdict(self, version: str) -> Verdict:
        return self.files.version(version).verdict.read()


def _training_rows(version: str) -> list[Trajectory]:
    return [
        plain_row(
            trajectory_id=f"{version}.train.{p}.{a}",
            version=version,
            problem_id=f"t{p}",
            group_id=f"g{p}",
            attempt=a,
            seed=a,
            reward=float(a % 2),
            reward_terms={"correct": float(a % 2)},
            correct=float(a % 2),
            num_tokens=4,
            format_ok=True,
            in_loss=True,
            advantage=1.0 if a % 2 else -1.0,
        )
        for p in range(4)
        for a in range(4)
    ]


def scaled_policy(policy: Path, factor: float, out: Path) -> Path:
    """Write a policy whose head is steeper by `factor`: it samples its best guess more often, or less often."""
    import torch

    loaded = EmbeddedPolicy.load(policy)
    with torch.no_grad():
        loaded.model.get_parameter("model.norm.weight").mul_(factor)
    loaded.save(out)
    return out
