"""Recorded answers to code problems, honest and not: what was asked, what was said, what came of it.

`python -m tests.golden.code_answers` grades them anew and prints what the recording should hold.
"""

import json
from pathlib import Path
from typing import Any

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.code.rows import parse_row
from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.records import Message

RECORDING = Path(__file__).with_name("code_answers.json")


def graded(answer: dict[str, Any], problems: dict[str, Any]) -> dict[str, Any]:
    """Return the grade of a recorded answer, as it is recorded."""
    row = parse_row(problems[answer["problem"]], answer["problem"])
    problem = problem_of(row, "code", "train")
    said = [Message(role="user", content=row.problem), Message(role="assistant", content=answer["response"])]
    grade = create_grader(DomainConfig(name="code")).grade(problem, said, answer["stop_reason"])
    kept = ("result", "verdicts", "error", "lenient_correct", "checks")
    return {"terms": grade.terms, **{name: grade.extra[name] for name in kept}}


def main() -> None:
    """Print the recording with the grades of this code."""
    recording = json.loads(RECORDING.read_text())
    for answer in recording["answers"]:
        answer["grade"] = graded(answer, recording["problems"])
    print(json.dumps(recording, indent=1))


if __name__ == "__main__":
    main()
