"""What the issue says: all, or the name, or an example, or only a symptom.

A precise issue repeats what the function should return. A vague one names what a user sees (a module, a caller, a test
that fails), so that the place must be found by reading, searching or running the tests.
"""

from random import Random

from evotrainer.domains.swe.problems.cases import Case
from evotrainer.domains.swe.problems.execution import RAISED
from evotrainer.domains.swe.problems.functions import Function
from evotrainer.domains.swe.problems.repository import Bug, Caller, Repository

KINDS = {"precise": 0.3, "named": 0.25, "example": 0.2, "module": 0.15, "tests": 0.1, "caller": 0.1}
"""Issues by what they tell, with weights among those that fit: few bugs show through a caller."""

VAGUE_KINDS = ("caller", "module", "tests")

DIFFICULTIES = {"precise": 0.1, "named": 0.2, "example": 0.3, "module": 0.6, "caller": 0.7, "tests": 0.8}


def possible_kinds(repository: Repository, cases: dict[str, list[Case]]) -> list[str]:
    """Return the kinds that fit: a caller must show the bug."""
    return [kind for kind in KINDS if kind != "caller" or _failing_callers(repository, cases)]


def write_issue(rng: Random, kind: str, repository: Repository, cases: dict[str, list[Case]], bug: Bug) -> str:
    """Return the text of the issue."""
    name, path, topic = bug.function, bug.path, bug.path.removesuffix(".py").split("/")[-1]
    if kind == "precise":
        function = repository.function(name)
        assert isinstance(function, Function)
        start = rng.choice((f"{name} is wrong.", f"Bug in {name} of {path}."))
        return f"{start} It should return {function.promise}."
    if kind == "named":
        return rng.choice((f"{name} is wrong.", f"Wrong result of {name}.", f"Bug in {name}."))
    if kind == "example":
        return _example(cases[name])
    if kind == "caller":
        return _example(cases[_failing_callers(repository, cases)[0].name])
    if kind == "module":
        return rng.choice((f"Something in {topic} is wrong.", f"Bug in {path}.", f"A result of {topic} is wrong."))
    return rng.choice(("A test fails.", "Some result is wrong.", "The tests are red."))


def _failing_callers(repository: Repository, cases: dict[str, list[Case]]) -> list[Caller]:
    return [
        function
        for module in repository.modules
        for function in module.functions
        if isinstance(function, Caller) and any(case.fails for case in cases[function.name])
    ]


def _example(cases: list[Case]) -> str:
    case = next(case for case in cases if case.fails)
    seen = "fails" if case.buggy == RAISED else f"gives {case.buggy}"
    return f"{case.call} {seen}, expected {case.right}."
