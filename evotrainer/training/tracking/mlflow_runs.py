"""MLflow, at MLFLOW_TRACKING_URI; without one, in an SQLite file of the run."""

import os
import time
from collections.abc import Sequence

from mlflow.entities import Metric  # pyright: ignore[reportMissingImports]  # an extra
from mlflow.tracking import MlflowClient  # pyright: ignore[reportMissingImports]  # an extra

from evotrainer.records import Signals
from evotrainer.training.tracking.base import TrackedRun, numbers


class MlflowTracker:
    """Logs to one MLflow run of the experiment that is named as the project."""

    def __init__(self, run: TrackedRun, earlier: Sequence[Signals]) -> None:
        run.folder.mkdir(parents=True, exist_ok=True)
        own = f"sqlite:///{run.folder.resolve() / 'mlflow.db'}"
        self._client = MlflowClient(os.environ.get("MLFLOW_TRACKING_URI") or own)
        experiment = self._client.get_experiment_by_name(run.project)
        number = experiment.experiment_id if experiment else self._client.create_experiment(run.project)
        tags = {"campaign": run.campaign, "version": run.version}
        self._run = self._client.create_run(number, run_name=run.name, tags=tags).info.run_id
        for signals in earlier:
            self.log(signals)

    def log(self, signals: Signals) -> None:
        """Log one step."""
        now = int(1000 * time.time())
        metrics = [Metric(name, value, now, signals.step) for name, value in numbers(signals).items()]
        self._client.log_batch(self._run, metrics=metrics)

    def close(self) -> None:
        """End the run."""
        self._client.set_terminated(self._run)
