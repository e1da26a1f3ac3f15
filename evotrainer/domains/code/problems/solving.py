"""Tests of a generated problem: inputs, and what its reference solution answers.

The reference solutions are composed of this package's own words, so they run right here: nothing that a policy, an
agent or a person's file wrote comes this way. Hidden tests tell each misreading of the statement apart from the
reference where any of the drawn inputs does, and do not all have one answer.
"""

import contextlib
import io
import json
from collections.abc import Callable
from random import Random
from typing import Any

from evotrainer.domains.code.problems.families import CodeFamily, Spec

NUM_DRAWN = 40

Answer = Callable[[Any], Any]
"""An input to what a program answers: a function's arguments to its value, standard input to what is printed."""


def answerer(family: CodeFamily, program: str) -> Answer:
    """Return what answers as a program of this package does; an input that it fails on raises its error."""
    code = compile(program, family.name, "exec")
    if family.function is None:
        return lambda text: _printed(code, text)
    module: dict[str, Any] = {}
    exec(code, module)
    function = module[family.function]
    return lambda arguments: function(*arguments)


def solve(spec: Spec, rng: Random, num_visible: int, num_hidden: int) -> tuple[list[Any], list[Any]]:
    """Return visible and hidden tests, each {"input", "output"}, all of different inputs."""
    answer = answerer(spec.family, spec.program)
    drawn = {json.dumps(given): given for given in (spec.family.draw_input(rng, spec.marks) for _ in range(NUM_DRAWN))}
    tests = [{"input": given, "output": answer(given)} for given in drawn.values()]
    visible = _examples(tests, num_visible)
    others = [test for test in tests if test not in visible]
    hidden = _telling(spec, others)[:num_hidden]
    rest = [test for test in others if test not in hidden]
    if not hidden or has_one_answer(hidden):
        hidden += [test for test in rest if not hidden or test["output"] != hidden[0]["output"]][:1]
        rest = [test for test in rest if test not in hidden]
    return visible, hidden + rng.sample(rest, num_hidden - len(hidden))


def examples(spec: Spec, rng: Random, count: int) -> list[Any]:
    """Return visible examples alone, chosen from fewer inputs: for demonstrations, which need many."""
    answer = answerer(spec.family, spec.program)
    given = [spec.family.draw_input(rng, spec.marks) for _ in range(2 * count)]
    return _examples([{"input": one, "output": answer(one)} for one in given], count)


def has_one_answer(tests: list[Any]) -> bool:
    """Return whether all tests have the same answer, as where no multiple of 8 is odd."""
    return len({json.dumps(test["output"]) for test in tests}) == 1


def _examples(tests: list[Any], count: int) -> list[Any]:
    """Return short tests with different answers, those that show something before those that show nothing."""
    ordered = sorted(tests, key=lambda test: (not str(test["output"]).strip("\n[]{}'"), len(str(test["input"]))))
    first_of = {str(test["output"]): test for test in reversed(ordered)}
    distinct = [test for test in ordered if first_of[str(test["output"])] is test]
    return (distinct + [test for test in ordered if test not in distinct])[:count]


def _telling(spec: Spec, tests: list[Any]) -> list[Any]:
    """Return for each misreading of the statement the first test that it fails."""
    found: list[Any] = []
    for place, word in enumerate(spec.words):
        if not word.misreading:
            continue
        codes = [word.code for word in spec.words]
        codes[place] = word.misreading
        misread = answerer(spec.family, spec.program_of(codes))
        failed = (test for test in tests if not _agrees(misread, test))
        found += [test for test in failed if test not in found][:1]
    return found


def _agrees(answer: Answer, test: dict[str, Any]) -> bool:
    given = answer(test["input"])
    return json.dumps(given) == json.dumps(test["output"])


def _printed(code: Any, text: str) -> str:
    lines = iter(text.splitlines())
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {"input": lambda: next(lines)})
    return printed.getvalue()
