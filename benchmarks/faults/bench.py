"""Runs faults one by one, each in a clone of its own, and compares the end with that of a run that nothing disturbed.

    folder/template-*/    the clone of a commit that all others are made of; beside it, what the campaign leaves
    folder/undisturbed/   the campaign as it ends by itself
    folder/<fault>/       the same campaign, struck, and gone on with by the same command

A row is well when the campaign ended with the undisturbed bytes, nothing outlived a command, and each command that
failed by itself said so in one line that names a path or a process.
"""

import json
import re
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.faults.checkout import Ended, make_checkout, make_template
from benchmarks.faults.rows import FAULTS, Trial
from benchmarks.markdown import markdown_table
from evotrainer.campaign.documents import write_json_atomic
from evotrainer.errors import InfrastructureError

MAX_REPEATS = 2
"""Of the same command, after the fault."""
SIGNALLED = (-9, -15, -2, 130, 143)
COLUMNS = "fault | what was done | how the run ended | same bytes | orphans | seconds"


@dataclass(frozen=True)
class Row:
    """What became of one fault."""

    cells: tuple[str, ...]
    is_well: bool
    """Whether the fault cost nothing but time; one that this machine cannot do counts as well."""
    lines: tuple[str, ...] = ()
    """What the commands said that failed by themselves, and which files differ."""


def run_faults(main: Path, folder: Path, names: Sequence[str], seed: int) -> bool:
    """Run these faults, all by default, and print each row and the table; return whether all are well."""
    folder.mkdir(parents=True, exist_ok=True)
    template = make_template(main, folder)
    undisturbed, seconds = _undisturbed(template)
    print(f"undisturbed: {seconds:.0f} s", flush=True)
    rows = []
    for name in names or FAULTS:
        checkout = make_checkout(template, re.sub(r"\W+", "-", name.lower()))
        draw = Random(seed + zlib.crc32(name.encode()))
        rows.append(_row(name, Trial(checkout, draw, seconds), undisturbed))
        print(" | ".join(rows[-1].cells), *rows[-1].lines, sep="\n    ", flush=True)
    print(markdown_table(COLUMNS, [row.cells for row in rows]))
    return all(row.is_well for row in rows)


def _undisturbed(template: Path) -> tuple[dict[str, str], float]:
    """Return what the campaign leaves by itself, and its seconds; measured once a template."""
    known = template.with_suffix(".json")
    if not known.is_file():
        checkout, started = make_checkout(template, "undisturbed"), time.monotonic()
        if checkout.run().status != 0:
            raise InfrastructureError(f"the undisturbed campaign failed: {checkout.ended[-1].text[-2000:]}")
        write_json_atomic(known, [checkout.left(), time.monotonic() - started])
    left, seconds = json.loads(known.read_text())
    return left, seconds


def _row(name: str, trial: Trial, undisturbed: dict[str, str]) -> Row:
    checkout, strike, started = trial.checkout, FAULTS[name], time.monotonic()
    done = _first_sentence(strike)
    try:
        strike(trial)
    except InfrastructureError as error:
        return Row((name, done, f"not run: {error}", "", "", ""), is_well=True)
    for _ in range(MAX_REPEATS):
        if checkout.ended[-1].status != 0:
            checkout.run()
    is_ended = checkout.ended[-1].status == 0
    differing = _differing(checkout.left(), undisturbed) if is_ended else ["everything: it has no end"]
    ended, same = _how(checkout.ended), "no" if differing else "yes"
    cells = (name, done, ended, same, str(checkout.orphans), f"{time.monotonic() - started:.0f}")
    lines = [line for one in checkout.ended for line in one.errors] + [f"differs: {one}" for one in differing[:5]]
    is_well = not differing and not checkout.orphans and not ended.startswith("failed")
    return Row(cells, is_well, tuple(lines))


def _first_sentence(strike: Callable[..., object]) -> str:
    """Return what a fault does: its own docstring, or that of the function that made it."""
    maker = strike.__globals__[strike.__qualname__.partition(".")[0]]
    return str(maker.__doc__).partition(".")[0].partition("\n")[0]


def _how(ended: Sequence[Ended]) -> str:
    """Say how a campaign came to its end."""
    if ended[-1].status != 0:
        return "failed: the same command did not end it"
    refused = [one for one in ended if one.status not in (0, *SIGNALLED)]
    if bad := [one for one in refused if len(one.errors) != 1 or not re.search(r"/\w|pid \d", one.errors[0])]:
        return f"failed: {len(bad)} of {len(refused)} refusals are not one line with a path or a process"
    if any(one.status in SIGNALLED for one in ended):
        return "the same command"
    return "one line, then the same command" if refused else "went on by itself"


def _differing(found: dict[str, str], expected: dict[str, str]) -> list[str]:
    return sorted(path for path in found.keys() | expected.keys() if found.get(path) != expected.get(path))
