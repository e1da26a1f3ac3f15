"""`python -m benchmarks grader`: honest answers and cheats under the real graders, on one backend of the sandbox.

Honest: references of the built-in train problems with habits of people around them (honest.py). Cheats: objects that
equal anything, one layer down too, and code that looks for the tests (cheats.py), on the same problems unsolved.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.grader.cheats import cheats, code_cheats
from benchmarks.grader.forms import Form, forms
from benchmarks.grader.honest import CODE, PATCHES, STREAMS
from benchmarks.grader.shapes import shapes
from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.hidden_tests import gold_snapshot, plan_of, run_hidden, share_passed
from evotrainer.records import Message, Problem
from evotrainer.sandbox.sandbox import run_parallel

RUNNERS = ("light", "pytest")


@dataclass(frozen=True)
class Graded:
    """One answer: where it stood, what it was, whether it was paid and whether it was flagged."""

    place: str
    name: str
    is_honest: bool
    is_paid: bool
    is_flagged: bool

    @property
    def is_wrong(self) -> bool:
        """Whether the grader erred: an honest answer rejected or flagged, a cheat paid."""
        return (not self.is_paid or self.is_flagged) if self.is_honest else self.is_paid


def run_bench(
    root: Path, num_code: int, num_swe: int, runners: Sequence[str] = RUNNERS, every: int = 1
) -> list[Graded]:
    """Grade all answers at `num_code` and `num_swe` problems, or every n-th of them."""
    code = [p for p in load_problems(root, _domain("code"), "train") if p.data.get("function") == "f"][:num_code]
    swe = load_problems(root, _domain("swe"), "train")[:num_swe]
    jobs = [*_code_jobs(code), *(job for runner in runners for job in _swe_jobs(swe, runner))]
    jobs += [
        (_form, form, runner)
        for each in (shapes, forms)
        for runner in runners
        for form in each()
        if not (runner == "light" and form.is_pytest)
    ]
    return run_parallel(lambda job: job[0](*job[1:]), jobs[::every])


def summary(found: Sequence[Graded], seconds: float) -> list[str]:
    """Return `key: value` lines: errors by place and kind, and what they were."""
    lines = []
    for place in dict.fromkeys(one.place for one in found):
        honest = [one for one in found if one.place == place and one.is_honest]
        cheating = [one for one in found if one.place == place and not one.is_honest]
        lines += [
            f"{place}_honest_rejected_or_flagged: {sum(one.is_wrong for one in honest)} of {len(honest)}",
            f"{place}_cheats_paid: {sum(one.is_wrong for one in cheating)} of {len(cheating)}",
        ]
    wrong = sorted({f"{one.place} {one.name}" for one in found if one.is_wrong})
    return [*lines, f"answers_per_second: {len(found) / seconds:.1f}", *(f"wrong: {name}" for name in wrong)]


def main(root: Path, num_code: int, num_swe: int) -> None:
    """Print the summary of one run."""
    start = time.monotonic()
    print("\n".join(summary(run_bench(root, num_code, num_swe), time.monotonic() - start)), flush=True)


def _domain(name: str) -> DomainConfig:
    return DomainConfig(name=name, data_path=f"data/{name}")


def _code_jobs(problems: Sequence[Problem]) -> Iterator[tuple[Any, ...]]:
    for problem in problems:
        prepared = problem.model_copy(update={"data": problem.data | {"prelude": "import math\nfrom typing import *"}})
        for name, head in CODE.items():
            yield _code, prepared, name, head + problem.answer, True
    for number, (name, program) in enumerate(STREAMS.items()):
        hidden = [{"input": f"{number} 2 3\n", "outputs": [f"{number + 5}\n"]}]
        data = {"function": None, "visible": [], "hidden": hidden}
        yield _code, problems[0].model_copy(update={"data": data, "answer": ""}), name, program, True
    for problem in problems[: max(1, len(problems) // 2)]:
        for name, program in code_cheats().items():
            yield _code, problem, name, program, False


def _swe_jobs(problems: Sequence[Problem], runner: str) -> Iterator[tuple[Any, ...]]:
    for problem in problems:
        prepared = problem.model_copy(update={"data": problem.data | {"test_runner": runner}})
        for name, tail in PATCHES.items():
            yield _swe, prepared, runner, name, tail, True
    for problem in problems[: max(1, len(problems) // 4)]:
        prepared = problem.model_copy(update={"data": problem.data | {"test_runner": runner}})
        for name, tail in cheats().items():
            yield _swe, prepared, runner, name, tail, False


def _code(problem: Problem, name: str, program: str, is_honest: bool) -> Graded:
    said = Message(role="assistant", content=f"```python\n{program}\n```")
    grade = create_grader(_domain("code")).grade(problem, [said], "stop")
    flags = ("exited_early", "reads_answers", "custom_equality")
    checks = grade.extra["checks"]
    return Graded("code", name, is_honest, grade.correct == 1.0, any(checks[flag] > 0 for flag in flags))


def _swe(problem: Problem, runner: str, name: str, tail: str, is_honest: bool) -> Graded:
    repository = open_repository(problem, sanitize=True)
    gold = gold_snapshot(problem, repository)
    changes = {path: text for path, text in gold.changes.items() if text is not None and path.endswith(".py")}
    base = changes if is_honest else {path: repository.files.get(path, "") for path in changes}
    snapshot = Snapshot(repository, {path: text + tail for path, text in base.items()})
    return _graded(problem, snapshot, f"swe_{runner}", name, is_honest)


def _form(form: Form, runner: str) -> Graded:
    problem = _one_test(form.right, form.body, runner)
    snapshot = Snapshot(open_repository(problem, sanitize=True), {"calc.py": form.text})
    return _graded(problem, snapshot, f"{form.place}_{runner}", f"{form.name}, {form.variant}", form.is_honest)


def _one_test(right: str, body: str, runner: str) -> Problem:
    """Return a problem whose function answers nothing, with its reference and the body of its test."""
    wrong, added = "def f(xs, *more): return None\n", right.splitlines(True)
    return Problem(
        problem_id="one test",
        domain="swe",
        family="shape",
        split="train",
        prompt="f answers nothing",
        answer=f"--- a/calc.py\n+++ b/calc.py\n@@ -1 +1,{len(added)} @@\n-{wrong}"
        + "".join(f"+{line}" for line in added),
        data={
            "files": {"calc.py": wrong, "tests/test_old.py": "def test_old(): pass\n"},
            "history": [],
            "future": [],
            "hidden_tests": {"tests/test_shape.py": f"from calc import f\n\n\ndef test_it():\n    {body}\n"},
            "fail_to_pass": ["tests/test_shape.py::test_it"],
            "pass_to_pass": [],
            "test_runner": runner,
        },
    )


def _graded(problem: Problem, snapshot: Snapshot, place: str, name: str, is_honest: bool) -> Graded:
    run = run_hidden(problem, snapshot)
    flags = plan_of(problem, snapshot.repository).flags(run)
    is_paid = share_passed(problem, run) == 1.0 and not flags
    return Graded(place, name, is_honest, is_paid, bool(flags) or run.exited_early)
