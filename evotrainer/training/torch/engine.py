"""The training engine `torch`, as the registry knows it: to ask what it can do imports no torch, a second's work."""

from pathlib import Path

from evotrainer.config import Config
from evotrainer.engines import absent_policy, missing_extras
from evotrainer.engines.base import RolloutEngine
from evotrainer.errors import PolicyError
from evotrainer.training.base import EngineReport, FitResult, TrainingRun

CHECKPOINT_SECONDS = 15.0


class TorchTrainEngine:
    """Trains a policy with torch."""

    needs_rollout_engine = True

    def __init__(self, checkpoint_seconds: float = CHECKPOINT_SECONDS) -> None:
        self.checkpoint_seconds = checkpoint_seconds

    def refusals(self, config: Config) -> list[str]:
        """Return nothing: this engine expresses every recipe."""
        return []

    def examine(self, config: Config, init_path: Path) -> EngineReport:
        """Return what is missing: device, extras, or a policy of one's own; the embedded one is built on demand."""
        from evotrainer.engines.policy import pick_device

        lacking = [absent] if (absent := absent_policy(config, init_path)) else []
        try:
            lacking += missing_extras(config.engine, pick_device(config.engine.device).type)
        except PolicyError as error:
            lacking.append(str(error))
        return EngineReport([], [], lacking, [], [])

    def fit(self, run: TrainingRun, rollout_engine: RolloutEngine | None) -> FitResult:
        """Train as training/base.py says; an overrun leaves out/training and the state in scratch, but no model."""
        from evotrainer.training.torch.fit import fit

        assert rollout_engine is not None, "this engine asks for one"
        return fit(run, rollout_engine, self.checkpoint_seconds)
