"""A folder of finished work, found again by its hash, for campaigns that run beside each other.

Arms of a bench start from the same policy with the same data and seeds, and often try the same recipe. What they do
alike is done once: a training by recipe, start policy, problems and seed, completions by policy, prompts, limits and
seeds. An entry appears whole or not at all, so a bench that was killed goes on where it stood. Outside of `sharing`
(engines.py) nothing is kept and nothing is looked up: a campaign of its own never takes work from another.

The journal has one line for each piece of work, with what it cost when it was done and whether it was reused.
"""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.coevolution.records import WorkLedger
from evotrainer.errors import LineageError

COST = "cost.json"


@dataclass(frozen=True)
class WorkCost:
    """What a piece of work cost when it was done."""

    tokens: int
    cpu_seconds: float
    """Of this process and the processes that it holds open, such as the sandbox."""


@dataclass(frozen=True)
class WorkStore:
    """Finished work under `root`, one folder an entry; `journal` is the file that lists what was done or reused."""

    root: Path
    journal: Path

    def find(self, kind: str, key: str) -> Path | None:
        """Return the folder of a finished entry and note that it is reused; None where there is none."""
        folder = self.root / kind / key
        if not folder.is_dir():
            return None
        self._note(kind, key, _read_cost(folder), is_reused=True)
        return folder

    def keep(self, kind: str, key: str, cost: WorkCost, fill: Callable[[Path], None]) -> None:
        """Add an entry whose files `fill` writes into the folder it is given."""
        folder = self.root / kind / key
        partial = folder.with_name(f"{key}.{os.getpid()}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        fill(partial)
        (partial / COST).write_text(json.dumps({"tokens": cost.tokens, "cpu_seconds": cost.cpu_seconds}) + "\n")
        try:
            partial.rename(folder)
        except OSError:  # another process was quicker with the same work
            if not folder.is_dir():
                raise
            shutil.rmtree(partial)
        self._note(kind, key, cost, is_reused=False)

    def ledgers(self) -> dict[str, WorkLedger]:
        """Return {kind of work: what the campaign did itself and what it found done}; each piece counts once.

        A stage that was cut short runs again and finds what it had done: its first line is what the piece cost.
        """
        found: dict[str, WorkLedger] = {}
        for line in self._lines():
            before, how = found.get(line["kind"], WorkLedger()), "reused" if line["reused"] else "done"
            names = {f"{how}_{name}": line[name] for name in ("tokens", "cpu_seconds")}
            sums = {name: getattr(before, name) + value for name, value in names.items()}
            found[line["kind"]] = before.model_copy(update=sums)
        return found

    def done_cpu_seconds(self) -> float:
        """Return the processor seconds of the work that was done here, and not found."""
        return sum(line["cpu_seconds"] for line in self._lines() if not line["reused"])

    def _lines(self) -> list[dict[str, Any]]:
        """Return the first line of each piece of work."""
        text = self.journal.read_text(encoding="utf-8") if self.journal.is_file() else ""
        first: dict[tuple[str, str], dict[str, Any]] = {}
        for line in map(json.loads, text.splitlines()):
            first.setdefault((line["kind"], line["key"]), line)
        return list(first.values())

    def _note(self, kind: str, key: str, cost: WorkCost, is_reused: bool) -> None:
        line = {"kind": kind, "key": key, "tokens": cost.tokens, "cpu_seconds": cost.cpu_seconds, "reused": is_reused}
        self.journal.parent.mkdir(parents=True, exist_ok=True)
        with self.journal.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def _read_cost(folder: Path) -> WorkCost:
    try:
        values = json.loads((folder / COST).read_bytes())
        return WorkCost(int(values["tokens"]), float(values["cpu_seconds"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise LineageError(f"{folder} is damaged: delete it, the work is then done again") from None
