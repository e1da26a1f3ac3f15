"""What a campaign spent, a line a stage, what a process has used up to now, and the amounts that are added.

    costs/<stage>.json ─► ledger ─► allowance.py: what a version takes, how many versions fit
    a running stage ─► its note in scratch/budget/ ─► hard stop inside of it (tasks/running/budget_watch.py)

A stage writes the tokens it sampled or asked a model for; what runs the stage adds seconds and memory to the same
file, outside of its DVC outputs, since clocks do not repeat. Planning a generation is charged to its first version. A
stage under way notes what it has used in scratch/budget/. The note goes when the stage's costs are written; that of a
stage that failed or was stopped stays: what it used is spent. Wall clock is that of the campaign's runs.
"""

import math
import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path

import psutil

from evotrainer.campaign.documents import read_numbers, write_json_atomic
from evotrainer.campaign.layout import CampaignFiles, RevisionFiles, Subject, VersionFiles
from evotrainer.config import Config


@dataclass(frozen=True)
class Amounts:
    """An amount of each resource; in limits infinity is no limit."""

    accelerator_hours: float = 0.0
    dollars: float = 0.0
    tokens: float = 0.0
    trajectories: float = 0.0
    hours: float = 0.0
    """Wall clock."""

    def __add__(self, other: "Amounts") -> "Amounts":
        """Return the sums."""
        return self._with(other, lambda mine, its: mine + its)

    def minus(self, other: "Amounts") -> "Amounts":
        """Return what is left of these amounts, never below 0."""
        return self._with(other, lambda mine, its: max(0.0, mine - its))

    def or_more(self, other: "Amounts") -> "Amounts":
        """Return the larger of each."""
        return self._with(other, max)

    def times(self, factor: float) -> "Amounts":
        """Return multiples."""
        return Amounts(**{name: value * factor for name, value in asdict(self).items()})

    def beyond(self, limits: "Amounts") -> list[str]:
        """Return the names of the resources of which this is more than `limits`."""
        return [name for name in NAMES if getattr(self, name) > getattr(limits, name)]

    def shown(self) -> str:
        """Return what is not 0, for a person: 12 min, 310,000 tokens."""
        return ", ".join(amount_text(name, getattr(self, name)) for name in NAMES if getattr(self, name)) or "nothing"

    def as_dict(self) -> dict[str, float]:
        """Return the finite amounts by name."""
        return {name: round(value, 6) for name, value in asdict(self).items() if math.isfinite(value)}

    def _with(self, other: "Amounts", combine: Callable[[float, float], float]) -> "Amounts":
        return Amounts(**{name: combine(getattr(self, name), getattr(other, name)) for name in NAMES})


NAMES = tuple(field.name for field in fields(Amounts))


def amount_text(name: str, value: float) -> str:
    """Return one amount with its unit."""
    if math.isinf(value):
        return f"any {name.replace('_', ' ')}"
    match name:
        case "hours":
            return f"{value * 60:.1f} min" if value < 2 else f"{value:.1f} h"
        case "accelerator_hours":
            return f"{value:.2f} accelerator hours"
        case "dollars":
            return f"${value:.2f}"
        case _:
            return f"{value:,.0f} {name}"


def bytes_text(num_bytes: float) -> str:
    """Return an amount of bytes as a person reads it: 12 MB, 0.9 GB."""
    return f"{num_bytes / 1e9:.1f} GB" if num_bytes >= 5e8 else f"{num_bytes / 1e6:.0f} MB"


def disk_used(folder: Path) -> int:
    """Return the bytes that the files below a folder take on disk; one that DVC links into its cache counts once."""
    found: dict[tuple[int, int], int] = {}
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # it went away meanwhile, or is a link to nothing
                held = os.stat(os.path.join(inside, name))  # noqa: PTH116, PTH118 - a Path each takes as long again
                found[held.st_dev, held.st_ino] = held.st_blocks * 512
    return sum(found.values())


SECONDS_AN_HOUR = 3600.0
NOTES = "scratch/budget/stages"
WHOLE = "version"
"""Name of the cost file with the wall clock of a whole version, storing and committing it included."""
RESUMED = ("train", "evaluate", "confirm", "certify")
"""The stages that go on where they were stopped: their cost files count the tokens of all their processes."""


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
    """Return where this process notes, as amounts by name, what the stage it runs has used."""
    return files.root / NOTES / f"{subject.name}.{stage}.{os.getpid()}.json"


def _amounts_of(costs: dict[str, float], accelerator_price: float) -> Amounts:
    accelerator_hours = costs.get("accelerator_seconds", 0.0) / SECONDS_AN_HOUR
    return Amounts(
        accelerator_hours=accelerator_hours,
        dollars=costs.get("dollars", 0.0) + accelerator_hours * accelerator_price,
        tokens=costs.get("tokens", 0.0),
        trajectories=costs.get("trajectories", 0.0),
        hours=costs.get("seconds", 0.0) / SECONDS_AN_HOUR,
    )


def _finished(files: CampaignFiles, price: float) -> Iterator[Expense]:
    for subjects in ("versions/v*", "harness/r*", "certificate"):
        for path in sorted(files.root.glob(f"{subjects}/costs/*.json")):
            if path.stem != WHOLE:
                yield Expense(path.parents[1].name, path.stem, _amounts_of(read_numbers(path), price))


def _noted(files: CampaignFiles, price: float) -> Iterator[Expense]:
    for path in sorted((files.root / NOTES).glob("*.json")):
        subject, stage, _ = path.stem.split(".")
        used = Amounts(**read_numbers(path))
        if stage in RESUMED and (files.root / Subject.parse(subject).folder / "costs" / f"{stage}.json").is_file():
            used = replace(used, tokens=0.0)
        priced = used + Amounts(dollars=used.accelerator_hours * price)
        yield Expense(subject, stage, priced, is_finished=False)


@dataclass
class Usage:
    """Counts of one process."""

    tokens: int = 0
    """Written by a policy."""
    trajectories: int = 0
    """Attempts that ended."""


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
        held += engine.openrlhf.num_nodes * engine.openrlhf.gpus_per_node
    elif engine.rollout == "vllm" and stage in SAMPLING and (engine.vllm.url or any(GPUS.glob("*"))):
        held = max(held, engine.vllm.num_gpus)
    return held


def _uses_cuda() -> bool:
    """Tell whether this process has opened a GPU; torch is not imported for the question.

    It is asked from a thread, also while torch is being imported: the module is there then, and what it defines is not.
    """
    is_initialized = getattr(getattr(sys.modules.get("torch"), "cuda", None), "is_initialized", None)
    return is_initialized is not None and is_initialized()


def write_tokens(own: VersionFiles | RevisionFiles, stage: str, tokens: int, **others: float) -> None:
    """Begin the cost file of a stage with its number of tokens, and other costs by name, like dollars."""
    write_json_atomic(own.costs / f"{stage}.json", {"tokens": tokens, **others})


def spent_dollars(files: CampaignFiles, besides: VersionFiles | RevisionFiles, accelerator_price: float = 0.0) -> float:
    """Return the dollars that the campaign spent, on answers and accelerators, one subject left out."""
    return spent([one for one in read_ledger(files, accelerator_price) if one.subject != besides.root.name]).dollars


def note_cost(files: CampaignFiles, subject: Subject, stage: str, measured: Mapping[str, float]) -> None:
    """Add what a stage was measured to cost to what it wrote itself; nothing for a subject without a folder."""
    folder = files.root / subject.folder
    if subject.folder and folder.is_dir():
        path = folder / "costs" / f"{stage}.json"
        write_json_atomic(path, {**read_numbers(path), **measured}, indent=2)


def cpu_seconds() -> float:
    """Return the processor time of this process, its ended children and the running ones below it."""
    spent = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        spent += usage.ru_utime + usage.ru_stime
    for child in psutil.Process().children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.Error:  # ended meanwhile: it is counted among the ended ones
            continue
        spent += times.user + times.system + times.children_user + times.children_system
    return spent
