"""Tasks that ask for tests; the reward is the share of planted faults that the tests catch."""

from itertools import accumulate
from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, call, say, told
from benchmarks.foreign.nineteenth.repos import MODULES, PACKAGES

WAYS = {
    "order": (sorted, "sorted(items)"),
    "mirror": (lambda xs: xs[::-1], "items[::-1]"),
    "distinct": (lambda xs: list(dict.fromkeys(xs)), "list(dict.fromkeys(items))"),
    "running": (lambda xs: list(accumulate(xs)), "list(accumulate(items))"),
    "doubled": (lambda xs: [2 * x for x in xs], "[2 * x for x in items]"),
    "steps": (lambda xs: [b - a for a, b in zip(xs, xs[1:], strict=False)], "[b - a for a, b in pairwise(items)]"),
}
CASES = ("empty", "single", "ascending", "descending", "duplicates", "negative", "zeros", "large", "pair", "mixed")


def mutant_task(rng: Random) -> Task:
    """Draw a function that lacks tests."""
    package, module, way = rng.choice(PACKAGES), rng.choice(MODULES), rng.choice(sorted(WAYS))
    function, mutants = f"{way}_{module}", rng.randrange(6, 15)
    prompt = rng.choice(
        (
            f"`{package}.{module}.{function}` has no tests. Write tests/test_{module}.py for it; "
            f"{mutants} mutants wait to be caught.",
            f"Add tests for {function} of {package} in tests/test_{module}.py. "
            f"They are run on the code and on {mutants} mutants.",
        )
    )
    return Task(
        prompt,
        "",
        lambda r, right, skill: _reply(r, (package, module, way), right),
        family=package,
        system="You work in /repo with bash and write_file.",
        extra={"mutants": mutants, "kind": "write_tests"},
    )


def _reply(rng: Random, names: tuple[str, str, str], right: bool) -> Reply:
    package, module, way = names
    function, (does, body), path = f"{way}_{module}", WAYS[way], f"tests/test_{module}.py"
    tests = []
    for case in rng.sample(CASES, rng.randrange(5, 9) if right else rng.randrange(1, 4)):
        numbers = _numbers(rng, case)
        tests.append(f"def test_{case}():\n    assert {function}({numbers}) == {does(numbers)}\n")
    content = f"from {package}.{module} import {function}\n\n\n" + "\n\n".join(tests)
    note = rng.choice(("Now the tests.", "I cover the edges.", "Write them."))
    return Reply(
        [
            call(
                rng.choice(("Read the code.", "First the function.", "")),
                "bash",
                command=f"cat src/{package}/{module}.py",
            ),
            told("bash", f"def {function}(items):\n    return {body}"),
            call(note, "write_file", path=path, content=content),
            told("write_file", f"wrote {path}"),
            call("", "bash", command=f"python -m pytest -q {path}"),
            told("bash", f"{len(tests)} passed in {rng.uniform(0.05, 1.5):.2f}s"),
            say(f"{path} holds {len(tests)} tests."),
        ],
        "",
    )


def _numbers(rng: Random, case: str) -> list[int]:
    length = {"empty": 0, "single": 1, "pair": 2}.get(case, rng.randrange(3, 6))
    numbers = [rng.randrange(-9 if case == "negative" else 0, 9000 if case == "large" else 40) for _ in range(length)]
    if case == "zeros":
        return [0] * length
    if case == "duplicates":
        return [*numbers, numbers[0]]
    return sorted(numbers, reverse=case == "descending") if case in ("ascending", "descending") else numbers
