"""What a problem's reference solution says of the problem: whether it passes, and what changed examples should give.

Learned once a problem. References come from files, so they are run in the sandbox like any program.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from evotrainer.domains.base import Weakness, WeaknessKind
from evotrainer.domains.code.program_tests import TestSet, is_accepted, printed_lines
from evotrainer.domains.problem_sets.rows import Row

MAX_CHANGED, NUM_TRIES = 4, 8
"""Changed examples of a problem, and how often each is tried to change."""

_NUMBER, _BLANKS = re.compile(r"-?[0-9]{1,18}"), re.compile(r"(\s+)")


@dataclass(frozen=True)
class ReferenceFacts:
    """What holds of a problem whatever the policy answers."""

    fails: float | None
    """1 where the reference fails a hidden test; None without a reference."""
    empty_passes: float
    changed: tuple[Mapping[str, Any], ...] = ()
    """Visible examples with changed inputs, as tests."""


def weakness_of(row: Row) -> Weakness | None:
    """Return what makes the verdicts of a row's tests worth nothing or little, or None."""
    tests = TestSet.of(row.data)
    facts = reference_facts(tests, row.answer)
    if facts.fails:
        return Weakness(WeaknessKind.UNSOLVED, "the reference solution fails its hidden tests")
    if facts.empty_passes:
        return Weakness(WeaknessKind.FREE, "an empty answer passes its hidden tests")
    shown = Weakness(WeaknessKind.FREE, "its hidden tests are the examples that its statement shows")
    return shown if tests.shown_share == 1 else None


@lru_cache(maxsize=8192)
def reference_facts(tests: TestSet, reference: str) -> ReferenceFacts:
    """Return the facts of one problem, remembered while the process lives."""
    empty_passes = float(all(_says_nothing(test) for test in tests.hidden))
    if not reference.strip():
        return ReferenceFacts(None, empty_passes)
    changed = _changed_inputs(tests)
    ends = tests.run(reference, [*(test["input"] for test in tests.hidden), *changed])
    passes = all(map(is_accepted, tests.hidden, ends))
    others = zip(changed, ends[len(tests.hidden) :], strict=True)
    kept = [{"input": given, "outputs": [end.value]} for given, end in others if end.outcome == "ok"]
    return ReferenceFacts(float(not passes), empty_passes, tuple(kept))


def _says_nothing(test: Mapping[str, Any]) -> bool:
    """Return whether an empty program, or a function without a body, gives what the test accepts."""
    if isinstance(test["input"], str):
        return any(printed_lines(output) == [""] for output in test["outputs"])
    return None in test["outputs"]


def _changed_inputs(tests: TestSet) -> list[Any]:
    """Return inputs near the visible ones: other numbers and letters, of the same types and lengths."""
    rng = Random(json.dumps([test["input"] for test in tests.visible]))
    seen = {json.dumps(test["input"]) for test in (*tests.visible, *tests.hidden)}
    changed: list[Any] = []
    for test in [*tests.visible] * NUM_TRIES:
        given = test["input"]
        other = _change_text(given, rng) if isinstance(given, str) else [_change(value, rng) for value in given]
        if json.dumps(other) not in seen and len(changed) < MAX_CHANGED:
            seen.add(json.dumps(other))
            changed.append(other)
    return changed


def _change(value: Any, rng: Random) -> Any:
    if isinstance(value, bool):
        return rng.random() < 0.5
    if isinstance(value, int):
        changed = value + rng.choice((-2, -1, 1, 2))
        return changed if (changed < 0) == (value < 0) else value
    if isinstance(value, float):
        return value + rng.choice((-0.5, 0.5))
    if isinstance(value, str):
        return _change_letters(value, rng)
    if isinstance(value, list):
        return [_change(item, rng) for item in value]
    if isinstance(value, dict):
        return {key: _change(item, rng) for key, item in value.items()}
    return value


def _change_letters(text: str, rng: Random) -> str:
    """Return a text with some letters in the place of others that it has itself."""
    letters = sorted({letter for letter in text if letter.isalpha()})
    return "".join(rng.choice(letters) if letter.isalpha() and rng.random() < 0.5 else letter for letter in text)


def _change_text(text: str, rng: Random) -> str:
    """Return standard input with other numbers and letters below its first line, which often counts the others."""
    first, newline, rest = text.partition("\n")
    if not rest.strip():
        first, newline, rest = "", "", text
    parts = [
        str(_change(int(part), rng)) if _NUMBER.fullmatch(part) else _change_letters(part, rng)
        for part in _BLANKS.split(rest)
    ]
    return first + newline + "".join(parts)
