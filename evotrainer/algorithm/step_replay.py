"""The record of one optimiser step on cached rows: what a training engine measures and a backtest reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.config import Config
from evotrainer.records import TokenTurn, Trajectory


@dataclass(frozen=True)
class StepReplay:
    """One optimiser step of a recipe on a cached batch, from the same start. Margins in nats a token."""

    grad_norm: float
    update_norm: float
    cosine: float
    """Between this gradient and the first recipe's."""
    margin_change: float
    """Change of mean logprob of correct minus wrong attempts, on the half of the batch not trained on."""
    kl: float
    clip_fraction: float


class StepReplayer(Protocol):
    """Replays steps; `replay_step` of a training engine is one."""

    def __call__(
        self,
        configs: Sequence[Config],
        init_path: Path,
        rows: Sequence[Trajectory],
        tokens: Sequence[TokenTurn],
        code: RecipeCode = NO_CODE,
    ) -> list[StepReplay]:
        """Return what one step of each recipe on these cached rows does, from the policy at `init_path`.

        `code` holds the texts that the recipes name.
        """
        ...
