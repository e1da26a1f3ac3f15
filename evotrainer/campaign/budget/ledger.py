"""What a campaign spent, a line a stage, and what a process has used up to now.

Expenses come from costs/<stage>.json of all subjects, and from notes of stages under way.
A stage under way notes what it has used in scratch/budget/. The note goes when the stage's costs are written; that of
a stage that failed or was stopped stays: what it used is spent.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.campaign.budget.amounts import Amounts
from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.subjects import Subject
from evotrainer.config import Config

SECONDS_AN_HOUR = 3600.0
WHOLE = "version"
"""Name of the cost file with the wall clock of a whole version, storing and committing it included."""
RESUMED = "train"
"""The stage that goes on where it was stopped: its cost file counts the tokens of all its processes."""


@dataclass(frozen=True)
class Expense:
    """What one stage of a subject took."""

    subject: str
    stage: str
    amounts: Amounts
    """`hours` is the stage's own clock; stages that run side by side share the campaign's."""
    is_finished: bool = True


def read_ledger(files: CampaignFiles, accelerator_price: float) -> list[Expense]:
    """Return all expenses of a campaign: finished stages in the order of their subjects, then notes."""
    return [*_finished(files, accelerator_price), *_noted(files, accelerator_price)]


def spent(expenses: list[Expense]) -> Amounts:
    """Return the sum of expenses."""
    return sum((one.amounts for one in expenses), Amounts())


def note_path(files: CampaignFiles, subject: Subject, stage: str) -> Path:
    """Return where this process notes what the stage it runs has used."""
    return notes_folder(files) / f"{subject.name}.{stage}.{os.getpid()}.json"


def notes_folder(files: CampaignFiles) -> Path:
    """Return the folder of notes."""
    return files.root / "scratch" / "budget" / "stages"


def write_note(path: Path, used: Amounts) -> None:
    """Note what a stage under way has used."""
    write_json_atomic(path, used.as_dict())


def subject_costs(files: CampaignFiles) -> Iterator[tuple[str, Path]]:
    """Yield (name, folder of costs) of all subjects."""
    for folder in sorted(files.versions.glob("v*")):
        yield folder.name, folder / "costs"
    for folder in sorted((files.root / "harness").glob("r*")):
        yield folder.name, folder / "costs"
    yield "certificate", files.certificate / "costs"


def amounts_of(costs: dict[str, float], accelerator_price: float) -> Amounts:
    """Return the amounts of one cost file."""
    accelerator_hours = costs.get("accelerator_seconds", 0.0) / SECONDS_AN_HOUR
    return Amounts(
        accelerator_hours=accelerator_hours,
        dollars=costs.get("dollars", 0.0) + accelerator_hours * accelerator_price,
        tokens=costs.get("tokens", 0.0),
        trajectories=costs.get("trajectories", 0.0),
        hours=costs.get("seconds", 0.0) / SECONDS_AN_HOUR,
    )


def _finished(files: CampaignFiles, price: float) -> Iterator[Expense]:
    for name, folder in subject_costs(files):
        for path in sorted(path for path in folder.glob("*.json") if path.stem != WHOLE):
            yield Expense(name, path.stem, amounts_of(read_numbers(path), price))


def _noted(files: CampaignFiles, price: float) -> Iterator[Expense]:
    for path in sorted(notes_folder(files).glob("*.json")):
        subject, stage, _ = path.stem.split(".")
        used = Amounts(**read_numbers(path))
        if stage == RESUMED and (files.version(subject).costs / f"{stage}.json").is_file():
            used = replace(used, tokens=0.0)
        priced = used + Amounts(dollars=used.accelerator_hours * price)
        yield Expense(subject, stage, priced, is_finished=False)


@dataclass
class Usage:
    """Counts of one process."""

    tokens: int = 0
    trajectories: int = 0

    def sampled(self, tokens: int) -> None:
        """Count tokens that a policy wrote."""
        self.tokens += tokens

    def played(self, trajectories: int = 1) -> None:
        """Count attempts that ended."""
        self.trajectories += trajectories


@cache
def usage() -> Usage:
    """Return the counts of this process."""
    return Usage()


GPUS = Path("/proc/driver/nvidia/gpus")
TRAINING = ("train", "confirm")
SAMPLING = ("rollout", "backtest", "train", "evaluate", "confirm", "certify")


def held_accelerators(config: Config, stage: str) -> int:
    """Return the GPUs of this process, of the server that it started or asks, and of the job that trains for it."""
    engine = config.engine
    if engine.device == "cpu":
        return 0
    held = int(_uses_cuda())
    if engine.train == "openrlhf" and stage in TRAINING:
        cluster = engine.openrlhf
        apart = 0 if cluster.colocate else cluster.num_engines * cluster.tensor_parallel
        held += cluster.num_nodes * cluster.gpus_per_node + apart
    elif engine.rollout == "vllm" and stage in SAMPLING and (engine.vllm.url or any(GPUS.glob("*"))):
        held = max(held, engine.vllm.num_gpus)
    return held


def _uses_cuda() -> bool:
    """Tell whether this process has opened a GPU; torch is not imported for the question.

    It is asked from a thread, also while torch is being imported: the module is there then, and what it defines is not.
    """
    is_initialized = getattr(getattr(sys.modules.get("torch"), "cuda", None), "is_initialized", None)
    return is_initialized is not None and is_initialized()
