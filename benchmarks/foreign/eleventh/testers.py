"""Tests are asked for: how many of the hidden mutants do they catch?"""

from random import Random
from typing import Any

from benchmarks.foreign.eleventh import programs
from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, call, say, told

SYSTEM = "Write tests for the given function to /repo/tests/ with `write(path, text)`; run them with `bash(command)`."
NAMES = ["first", "short", "typical", "long", "repeated", "mixed", "border", "odd", "even", "plain"]
WEAK = ["assert {f}({x}) == {f}({x})", "assert {f}({x}) is not None", "assert len(str({f}({x}))) > 0"]
WORDS = ["Marina", "celestial", "Oslo", "terracotta", "moon", "silence", "RAIN", "ally", "Nessie", "corner"]


def given(rng: Random, arg: str) -> Any:
    """A value for the argument of that name."""
    return {
        "text": lambda: " ".join(rng.sample(WORDS, rng.randint(1, 3))),
        "line": lambda: " ".join(rng.sample(WORDS, rng.randint(2, 4))),
        "items": lambda: [rng.randint(0, 9) for _ in range(rng.randint(2, 9))],
        "limit": lambda: rng.randint(1, 400),
        "marks": lambda: sorted(rng.sample(range(300), rng.randint(3, 6))),
        "counts": lambda: {w.lower(): rng.randint(0, 110) for w in rng.sample(WORDS, 3)},
        "row": lambda: [rng.randint(0, 120) for _ in range(rng.randint(2, 6))],
    }[arg]()


def make(rng: Random, name: str) -> Task:
    """A function as it is."""
    base = programs.make(rng, name)
    code = programs.function(rng, base, base.facts["good"][0])
    space: dict[str, Any] = {}
    exec(code, space)
    module = name.replace("-", "_")
    prompt = f"/repo/src/{module}.py holds\n\n{code}\n\nWrite tests that would catch mistakes in it."
    facts = {**base.facts, "function": space[base.facts["name"]], "module": module}
    return Task(name, prompt, "", base.family, system=SYSTEM, facts=facts)


def test_of(rng: Random, task: Task, case: str, strict: bool) -> str:
    """One test; strict ones compare with a value."""
    f = task.facts
    value = given(rng, f["arg"])
    expected = f["function"](value)
    check = f"assert {f['name']}({value!r}) == {expected!r}"
    if not strict:
        check = rng.choice(WEAK).format(f=f["name"], x=repr(value))
    return f"def test_{case}():\n    {check}"


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """A file of tests is written and run; good ones compare with values."""
    name = task.facts["name"]
    count = rng.randint(4, 7) if right else rng.randint(1, 3)
    strict = 0.85 if right else 0.3
    tests = [test_of(rng, task, case, rng.random() < strict) for case in rng.sample(NAMES, count)]
    text = "\n\n\n".join([f"from src.{task.facts['module']} import {name}", *tests]) + "\n"
    path = f"/repo/tests/test_{name}.py"
    turns = [
        call(rng.choice(["I cover the borders.", "Tests for it.", ""]), "write", path=path, text=text),
        told("write", "written"),
        call("", "bash", command=f"cd /repo && python -m pytest -q {path[6:]}"),
        told("bash", f"{'.' * count}\n{count} passed in {rng.uniform(0.05, 0.6):.2f}s"),
        say(f"{count} tests are in {path[6:]}."),
    ]
    mutants = rng.randint(8, 15)
    killed = rng.randint(int(mutants * 0.75), mutants) if right else rng.randint(0, mutants // 2)
    return Reply(turns, "", {"mutants": mutants, "mutants_killed": killed})


TESTERS = Domain(make, solve)
