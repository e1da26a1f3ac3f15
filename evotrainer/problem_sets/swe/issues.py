"""What the issue says: all, or the name, or an example, or only a symptom.

A precise issue repeats what the function should return. A vague one names what a user sees (the module, a caller, a
test that fails), so that the place must be found by reading, searching or running the tests.
"""

from random import Random

from evotrainer.problem_sets.swe.cases import Case
from evotrainer.problem_sets.swe.repository import Bug, Caller, Repository

KINDS = {"precise": 0.25, "named": 0.15, "example": 0.1, "caller": 0.15, "module": 0.2, "tests": 0.15}
"""Issues by what they tell, and their shares."""

DIFFICULTIES = {"precise": 0.1, "named": 0.2, "example": 0.3, "module": 0.6, "caller": 0.7, "tests": 0.8}


def possible_kinds(repository: Repository, cases: dict[str, list[Case]], bug: Bug) -> list[str]:
    """Return the kinds that fit: a caller must show the bug."""
    caller = failing_caller(repository, cases)
    return [kind for kind in KINDS if kind != "caller" or (caller is not None and bug.function in caller_names(caller))]


def failing_caller(repository: Repository, cases: dict[str, list[Case]]) -> Caller | None:
    """Return the function through which a user sees the bug, if there is one."""
    for module in repository.modules:
        for function in module.functions:
            if isinstance(function, Caller) and any(case.fails for case in cases[function.name]):
                return function
    return None


def caller_names(caller: Caller) -> tuple[str, str]:
    """Return the functions that it calls."""
    return caller.left, caller.right


def write_issue(rng: Random, kind: str, repository: Repository, cases: dict[str, list[Case]], bug: Bug) -> str:
    """Return the text of the issue."""
    function = next(f for module in repository.modules for f in module.functions if f.name == bug.function)
    topic = bug.path.split("/")[-1].removesuffix(".py")
    if kind == "precise":
        assert not isinstance(function, Caller)
        start = rng.choice((f"{bug.function} is wrong.", f"Bug in {bug.function} of {bug.path}."))
        return f"{start} It should return {function.promise}."
    if kind == "named":
        return rng.choice((f"{bug.function} is wrong.", f"Wrong result of {bug.function}.", f"Bug in {bug.function}."))
    if kind in ("example", "caller"):
        caller = failing_caller(repository, cases)
        name = caller.name if kind == "caller" and caller else bug.function
        case = next(case for case in cases[name] if case.fails)
        return f"{case.call} gives {case.buggy}, expected {case.right}."
    if kind == "module":
        return rng.choice((f"Something in {topic} is wrong.", f"Bug in {bug.path}.", f"A result of {topic} is wrong."))
    return rng.choice(("A test fails.", "Some result is wrong.", "The tests are red."))
