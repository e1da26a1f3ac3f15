"""Any generated code problem: its reference passes, an empty answer does not, and its row survives a file."""

import json
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.code.problems.demonstrations import demonstrations
from evotrainer.domains.code.problems.families import FAMILIES, canonical_form
from evotrainer.domains.code.problems.rows import parse_row
from evotrainer.domains.code.problems.sets import problem_row
from evotrainer.domains.problem_sets.base import ALPHABET
from evotrainer.domains.problem_sets.splits import SHARES, split_of
from evotrainer.records import Message, Problem

specs = st.builds(lambda name, seed: FAMILIES[name].draw(Random(seed)), st.sampled_from(list(FAMILIES)), st.integers())


def load(spec) -> Problem:
    written = json.loads(json.dumps(problem_row(spec)))
    row = parse_row(written, "generated:1")
    return Problem(
        problem_id=row.row_id,
        domain="code",
        family=row.family,
        split="train",
        prompt=row.problem,
        answer=row.answer,
        data=row.data,
    )


def grade(problem: Problem, program: str):
    said = Message(role="assistant", content=f"```python\n{program}\n```")
    return create_grader(DomainConfig(name="code")).grade(problem, [said], "stop")


@settings(max_examples=40, deadline=None)
@given(specs)
def test_the_reference_passes_and_an_empty_answer_does_not(spec) -> None:
    problem = load(spec)
    graded = grade(problem, problem.answer)
    checks = graded.extra["checks"]
    assert graded.terms == {"correct": 1.0, "partial": 1.0, "format": 1.0}, graded.extra
    assert (checks["reference_fails"], checks["visible_share"], checks["num_literals"]) == (0.0, 1.0, 0.0)
    assert checks.get("perturbed_share", 1.0) == 1.0
    empty = f"def {spec.family.function}(*arguments): pass" if spec.family.function else "pass"
    assert grade(problem, empty).correct == 0.0 or checks["empty_passes"] == 1.0


@settings(max_examples=40, deadline=None)
@given(specs)
def test_a_row_says_all_and_the_canary_stands_beside_hidden_tests_alone(spec) -> None:
    problem = load(spec)
    canary = problem.data["canary"]
    assert canary.startswith("canary-")
    assert canary not in problem.prompt + problem.answer + json.dumps(problem.data["hidden"] + problem.data["visible"])
    assert set(problem.prompt) <= set(ALPHABET)
    assert not any(test in problem.data["hidden"] for test in problem.data["visible"])


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_demonstrations_show_no_problem_outside_of_the_train_share(seed) -> None:
    stream = demonstrations(seed)
    for _ in range(20):
        (message,) = next(stream).opening
        form = canonical_form(message.content)
        assert form is not None and split_of(form, SHARES) == "train"
