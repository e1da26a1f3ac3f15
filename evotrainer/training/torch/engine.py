"""The training engine `torch`, as the registry knows it: to ask what it can do imports no torch, a second's work."""

from evotrainer.config import Config
from evotrainer.engines import missing_extras
from evotrainer.engines.base import RolloutEngine
from evotrainer.errors import PolicyError
from evotrainer.training.base import FitResult, TrainingRun

CHECKPOINT_SECONDS = 15.0


class TorchTrainEngine:
    """Trains a policy with torch."""

    needs_rollout_engine = True

    def __init__(self, checkpoint_seconds: float = CHECKPOINT_SECONDS) -> None:
        self.checkpoint_seconds = checkpoint_seconds

    def refusals(self, config: Config) -> list[str]:
        """Return nothing: this engine expresses every recipe."""
        return []

    def missing(self, config: Config) -> list[str]:
        """Return what is missing of device and extras."""
        from evotrainer.engines.policy import pick_device

        try:
            return missing_extras(config.engine, pick_device(config.engine.device).type)
        except PolicyError as error:
            return [str(error)]

    def fit(self, run: TrainingRun, rollout_engine: RolloutEngine | None) -> FitResult:
        """Train as training/base.py says; an overrun leaves out/training and the state in scratch, but no model."""
        from evotrainer.training.torch.fit import fit

        assert rollout_engine is not None, "this engine asks for one"
        return fit(run, rollout_engine, self.checkpoint_seconds)
