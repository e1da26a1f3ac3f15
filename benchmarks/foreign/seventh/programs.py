"""Small programming tasks whose bodies are really run."""

from random import Random
from typing import Any

from benchmarks.foreign.seventh.functions import FAMILIES, SIZES
from benchmarks.foreign.seventh.prose import say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

Case = tuple[tuple[Any, ...], object]
"""Arguments, and what the reference returns for them."""

_VERBS = ("compute_", "make_", "get_", "solve_", "do_", "f_", "run_", "task_")
_LEADS = (
    "[Here is|This is] [the function|an implementation|my solution].",
    "",
    "[Idea|Plan]: [a single pass|go straight through the input|use slices].",
    "[We can|I] do this [directly|without imports].",
)
_TAILS = ("", "", "[It runs|Runs] in linear time.", "[Edge cases are covered.|Works for the given examples.]")
_HOW = " [Return only the code in one block.|Answer with a single python code block.|Give the code in a fenced block.]"
_NUM_CASES = 6


def run_case(source: str, name: str, arguments: tuple[Any, ...]) -> object:
    """Return what the program returns, or its error as text."""
    space: dict[str, Any] = {}
    try:
        exec(source, space)
        return space[name](*arguments)
    except Exception as error:  # whatever a wrong program raises is its answer
        return f"{type(error).__name__}: {error}"


def passes(source: str, name: str, cases: list[Case]) -> list[bool]:
    """Return whether each case passes."""
    return [run_case(source, name, arguments) == expected for arguments, expected in cases]


def source_of(name: str, body: str, doc: str = "") -> str:
    """Return a function's text."""
    return f"def {name}(xs):\n" + (f'    """{doc}"""\n' if doc else "") + body + "\n"


def code_task(rng: Random, name: str) -> Task:
    """Draw a function to write; the reply holds its source."""
    family = rng.choice(list(FAMILIES))
    ask, good, bad, inputs = FAMILIES[family]
    k = rng.randint(*SIZES[family])
    function = rng.choice(_VERBS) + family + rng.choice(("", f"_{k}", "_list", "_v2"))
    reference = source_of(function, good[0].format(k=k))
    cases = []
    for _ in range(_NUM_CASES):
        arguments = inputs(rng, k)
        copies = tuple(list(a) if isinstance(a, list) else a for a in arguments)
        cases.append((arguments, run_case(reference, function, copies)))
    prompt = say(rng, f"[Write|Implement|Complete] a Python function `{function}(xs)`. ") + ask.format(k=k)
    prompt += say(rng, _HOW)

    def reply(draw: Random, right: bool) -> Reply:
        body = draw.choice(good if right else bad).format(k=k)
        source = source_of(function, body, ask.format(k=k) if draw.random() < 0.3 else "")
        verdicts = passes(source, function, cases)
        if all(verdicts) is not right:
            source = source_of(function, body if right else "    return None")
            verdicts = passes(source, function, cases)
        return fenced(draw, source, verdicts)

    return Task(
        name,
        family,
        "code",
        prompt,
        reference,
        reply,
        level=rng.gauss(0, 1),
        extra={"entry_point": function},
        identity=f"{family}/{k}",
    )


def fenced(rng: Random, source: str, verdicts: list[bool]) -> Reply:
    """Return a reply of a sentence and a block of code."""
    lead = say(rng, rng.choice(_LEADS))
    tail = say(rng, rng.choice(_TAILS))
    text = "\n\n".join(part for part in (lead, f"```python\n{source}```", tail) if part)
    return Reply([said(text)], source, {"tests_passed": sum(verdicts), "tests_total": len(verdicts)})
