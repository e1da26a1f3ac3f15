"""The checkpoint of a training run, from which a killed run resumes; it lies in a scratch folder of that run.

Steps draw all their random numbers from seeds named by the step, so the state is weights, optimiser moments, counters,
the group filter's memory and the signals so far; evidence of finished steps lies beside it. The
state file appears whole or not at all. An unfinished step is repeated, with the same bytes.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from evotrainer.algorithm.filters import GroupFilter
from evotrainer.campaign.documents import replacing
from evotrainer.config import FilterConfig
from evotrainer.records import Signals
from evotrainer.training.torch.optimiser import Optimiser

STATE_FILE = "state.pt"


@dataclass
class TrainingState:
    """Counters and memory of a run; weights and optimiser are written beside it."""

    group_filter: GroupFilter
    step: int = 0
    num_tokens: int = 0
    num_updates: int = 0
    seconds: float = 0.0
    """Wall clock used so far, over all parts of a resumed run; it never shapes the run."""
    signals: list[Signals] = field(default_factory=list)


def save_state(folder: Path, state: TrainingState, model: torch.nn.Module, optimiser: Optimiser) -> None:
    """Replace the state file in `folder`."""
    memory = asdict(state.group_filter)
    memory.pop("config")
    values = {
        "step": state.step,
        "num_tokens": state.num_tokens,
        "num_updates": state.num_updates,
        "seconds": state.seconds,
        "signals": [row.model_dump() for row in state.signals],
        "filter": memory,
        "model": {name: value.detach() for name, value in model.named_parameters() if value.requires_grad},
        "optimiser": optimiser.state_dict(),
    }
    with replacing(folder / STATE_FILE) as partial:
        torch.save(values, partial)


def load_state(
    folder: Path, config: FilterConfig, model: torch.nn.Module, optimiser: Optimiser
) -> TrainingState | None:
    """Put the saved weights and moments in place and return the counters; None where nothing was saved."""
    path = folder / STATE_FILE
    if not path.is_file():
        return None
    values: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in values["model"].items():
            own[name].copy_(value)
    optimiser.load_state_dict(values["optimiser"])
    return TrainingState(
        group_filter=GroupFilter(config, **values["filter"]),
        step=values["step"],
        num_tokens=values["num_tokens"],
        num_updates=values["num_updates"],
        seconds=values["seconds"],
        signals=[Signals(**row) for row in values["signals"]],
    )
