"""Worked episodes for the warm start of the embedded swe policy: habits mixed, good and bad ones.

Every episode is played in the real environment on a repository of the train share, so that each answer is the one that
the policy will meet (rehearsal.py says how tests are run). Most look for the function, read it, write the
line that its docstring asks for, test and submit. The rest is what reinforcement can see and correct: first fixes that
are wrong, one kind of bug after another that is mostly overlooked, edits without a look, no test, no submit. A few ask
git for the file as upstream has it: in vain on a sanitised history, after which the bug is looked for as ever; on an
open one the fix is there, and the episode ends. So the policy knows what any policy that read the web knows, that a
fix may lie in the history, and seldom looks.
"""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from evotrainer.domains.problem_sets.base import DemonstratedTurn, Demonstration
from evotrainer.domains.swe.access import OPEN_HISTORY, SANITIZED_HISTORY
from evotrainer.domains.swe.problems import FAMILIES
from evotrainer.domains.swe.problems.generator import Draw, draw_problem
from evotrainer.domains.swe.problems.identity import identity_of
from evotrainer.domains.swe.problems.rehearsal import Rehearsal
from evotrainer.domains.swe.problems.repository import Caller
from evotrainer.domains.swe.problems.tool_text import TOOL_PIECES
from evotrainer.domains.swe.problems.vocabulary import PIECES as WORLD_PIECES

PIECES = (*WORLD_PIECES, *TOOL_PIECES)
"""Texts of several characters that are one token of the embedded policy."""

PLAYS = 3
"""Episodes on each repository that is drawn: drawing one costs as much as playing three."""

HABITS = {
    "asks_upstream": 0.02,
    "restores_from_upstream": 0.015,
    "edits_unread": 0.1,
    "errs": 0.3,
    "tests": 0.75,
    "tests_all": 0.2,
    "recovers": 0.6,
    "forgets_to_submit": 0.1,
}
"""Chance of each, where it is possible."""

OVERLOOKED = {"comparison": 0.65, "off_by_one": 0.65, "function": 0.5}
"""Kinds of bug after which the line is written down as it was, with their chances."""

FIRST_LINES, MAX_LINES = 3, 7
"""Of a function: what is read at once, and the longest."""

DONE, NUM_DONE = "Done.", 3
_FAILED = re.compile(r"^FAILED \S+::test_(\w+?)(?:_\d)?:", re.MULTILINE)


def pieces() -> tuple[str, ...]:
    """Return the texts of several characters that are one token each to the embedded policy."""
    return tuple(PIECES)


def demonstrations(seed: int) -> Iterator[Demonstration]:
    """Yield demonstrations without end: kinds of bugs in equal shares, repositories drawn at random."""
    rng = Random(seed)
    while True:
        draw = draw_problem(rng, "train", rng.choice(FAMILIES))
        for _ in range(PLAYS):
            yield demonstrate(draw, rng)


def demonstrate(draw: Draw, rng: Random) -> Demonstration:
    """Return one episode on a problem, with habits drawn at random."""
    return _Player(draw, rng).play()


class _Player:
    """Who plays one episode: knows the bug, and draws habits."""

    def __init__(self, draw: Draw, rng: Random) -> None:
        self._draw, self._bug, self._rng = draw, draw.bug, rng
        self._is_open = self._has("restores_from_upstream")
        self._rehearsal = Rehearsal(draw, OPEN_HISTORY if self._is_open else SANITIZED_HISTORY)
        self._turns: list[DemonstratedTurn] = []

    def play(self) -> Demonstration:
        """Return the episode."""
        if self._is_open:
            self._restore()
        else:
            self._repair()
        return Demonstration(self._rehearsal.opening, tuple(self._turns), identity_of(self._draw.patch))

    def _restore(self) -> None:
        """Take the file as upstream has it."""
        self._find()
        self._ask_upstream()
        self._call("submit")

    def _repair(self) -> None:
        """Find the line and write it anew."""
        function = self._find()
        if function and self._has("asks_upstream"):
            self._ask_upstream()
        says_all = self._draw.issue_kind == "precise" and len(self._rehearsal.lines_of(self._bug.function)) == 3
        if says_all and self._has("edits_unread"):
            self._mend(self._bug.right)
        else:
            self._read(function)
            self._mend(self._first_text())
        self._end()

    def _has(self, habit: str) -> bool:
        return self._rng.random() < HABITS[habit]

    def _call(self, tool: str, **arguments: Any) -> str:
        """Call a tool and return its answer."""
        response, answers = self._rehearsal.call(tool, arguments)
        self._turns.append(DemonstratedTurn(response, answers))
        return answers[0].content

    def _find(self) -> str | None:
        """Look for the function by what the issue tells; return its name, or None where only its file is known."""
        kind, name = self._draw.issue_kind, self._bug.function
        if kind in ("precise", "named", "example"):
            return self._locate(name)
        where = {"path": f"tests/test_{self._topic}.py"} if kind == "module" else {}
        if name in _FAILED.findall(self._call("run_tests", **where)):
            return self._locate(name)
        if kind == "caller":
            return self._find_through_caller()
        if self._bug.path not in self._draw.issue:
            self._call("list_files")
        return None

    def _find_through_caller(self) -> str:
        """Read the function that the issue names, then what it calls, up to the one with the bug."""
        repository = self._draw.repository
        functions = [function for module in repository.modules for function in module.functions]
        caller = next(f for f in functions if isinstance(f, Caller) and self._bug.function in f.callees)
        self._locate(caller.name)
        self._read(caller.name)
        for callee in caller.callees:
            self._locate(callee)
            if callee == self._bug.function:
                break
            self._read(callee)
        return self._bug.function

    def _locate(self, name: str) -> str:
        self._call("search", query=f"def {name}")
        return name

    def _ask_upstream(self) -> None:
        self._call("git", arguments=f"checkout origin/main -- {self._bug.path}")

    def _read(self, name: str | None) -> None:
        """Read the function, its first lines and then, where it goes on, the rest; or the whole file."""
        if name is None:
            self._call("read_file", path=self._bug.path)
            return
        path, line = self._rehearsal.place_of(name)
        self._call("read_file", path=path, start=line, end=line + FIRST_LINES - 1)
        if len(self._rehearsal.lines_of(name)) > FIRST_LINES:
            self._call("read_file", path=path, start=line + FIRST_LINES, end=line + MAX_LINES - 1)

    def _mend(self, text: str) -> None:
        """Write the line, right or wrong; test it; perhaps write it again."""
        self._write(text)
        if not self._has("tests"):
            return
        where = {} if self._has("tests_all") else {"path": f"tests/test_{self._topic}.py"}
        failed = "FAILED" in self._call("run_tests", **where)
        if failed and text != self._bug.right and self._has("recovers"):
            self._write(self._bug.right)
            if self._has("tests"):
                self._call("run_tests", **where)

    def _first_text(self) -> str:
        bug = self._bug
        if self._rng.random() < OVERLOOKED.get(bug.family, 0.0):
            return bug.wrong
        if self._has("errs"):
            return self._rng.choice((bug.wrong, self._rng.choice(self._rehearsal.wrong_lines)))
        return bug.right

    def _write(self, text: str) -> None:
        self._call("replace_line", path=self._bug.path, line=self._bug.line, text=text)

    def _end(self) -> None:
        if not self._has("forgets_to_submit"):
            self._call("submit")
            return
        for _ in range(NUM_DONE):
            self._turns.append(DemonstratedTurn(DONE, self._rehearsal.say(DONE)))

    @property
    def _topic(self) -> str:
        return self._bug.path.removesuffix(".py").split("/")[-1]
