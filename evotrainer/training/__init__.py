"""Training engines by name, and training runs of a recipe (replicates.py).

Engines are imported when one is made: this package imports no torch until then.
"""

from collections.abc import Callable

from evotrainer.config import Config
from evotrainer.config.limits import find, lazy
from evotrainer.engines import create_rollout_engine, missing_extras
from evotrainer.engines.base import RolloutEngine
from evotrainer.engines.memory import check_memory
from evotrainer.errors import ConfigError, PolicyError
from evotrainer.training.base import FitResult, StepReplayer, TrainEngine, TrainingRun

CHECKPOINT_SECONDS = 15.0


class TorchTrainEngine:
    """Trains a policy with torch, which is imported when it does: to ask what it can do is cheap."""

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


TRAIN_ENGINES: dict[str, Callable[[], TrainEngine]] = {
    "torch": TorchTrainEngine,
    "openrlhf": lazy("evotrainer.training.openrlhf.fit:OpenRLHFTrainEngine"),
}


def create_train_engine(config: Config) -> TrainEngine:
    """Return an engine that trains; raises ConfigError that lists the choices."""
    return find(TRAIN_ENGINES, "engine.train", config.engine.train)()


def check_trainable(config: Config) -> None:
    """Raise ConfigError, naming the settings and what to choose instead, where the engine cannot train a recipe."""
    refused = create_train_engine(config).refusals(config)
    if refused:
        raise ConfigError(f"engine.train={config.engine.train} cannot do this: {'; '.join(refused)}")


def train(run: TrainingRun) -> FitResult:
    """Train as TrainEngine.fit says, with the two engines that the configuration names.

    Raises PolicyError before anything is loaded where training in this process takes more memory than is free.
    """
    config = run.config
    check_trainable(config)
    engine = create_train_engine(config)
    if config.engine.train == "torch":
        check_memory(config, run.init_path, [problem.prompt for problem in run.problems])
    return engine.fit(run, create_rollout_engine(config, run.init_path) if engine.needs_rollout_engine else None)


replay_steps: StepReplayer = lazy("evotrainer.training.torch.step_replay:replay_steps")
"""What one step of each recipe on cached rows would do, from one policy.

The steps are taken with torch, whatever engine trains: OpenRLHF cannot be stepped, and a job a candidate would cost
more than training (docs/openrlhf.md names the differences).
"""
