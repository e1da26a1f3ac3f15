"""Weights & Biases. Without a key (WANDB_API_KEY) runs are written offline; `wandb sync` sends them later."""

import os
from collections.abc import Sequence

import wandb  # pyright: ignore[reportMissingImports]  # an extra

from evotrainer.records import Signals
from evotrainer.training.tracking.base import TrackedRun, numbers


class WandbTracker:
    """Logs to one W&B run; a training run that goes on goes on with it."""

    def __init__(self, run: TrackedRun, earlier: Sequence[Signals]) -> None:
        run.folder.mkdir(parents=True, exist_ok=True)
        mode = os.environ.get("WANDB_MODE") or ("online" if os.environ.get("WANDB_API_KEY") else "offline")
        self._run = wandb.init(
            project=run.project,
            group=run.campaign,
            name=run.name,
            id=run.name,
            dir=str(run.folder),
            resume="allow" if mode == "online" else None,
            mode=mode,
            settings=wandb.Settings(silent=True),
        )

    def log(self, signals: Signals) -> None:
        """Log one step."""
        self._run.log(numbers(signals), step=signals.step)

    def close(self) -> None:
        """Finish the run."""
        self._run.finish()
