"""Attempts at sums, as an owner's grader paid them, and the problem file by which they are audited."""

import json
import random
from collections.abc import Callable
from pathlib import Path

from evotrainer.records import Message, Trajectory
from tests.plain_records import plain_row

PROBLEMS, ATTEMPTS = 32, 8


def written(rng: random.Random, answer: int, is_right: bool) -> str:
    """Return a response whose steps have nothing to do with its being right."""
    steps = "".join(f"{rng.randrange(10)}+{rng.randrange(10)}={rng.randrange(20)};" for _ in range(rng.randrange(1, 6)))
    return f"{steps}<answer>{answer if is_right else answer + rng.randrange(1, 30)}</answer>"


def attempts(
    pays_wrong: Callable[[str], float], seed: int = 1, problems: int = PROBLEMS, solve_rate: float = 0.4, step: int = 0
) -> list[Trajectory]:
    """Return groups whose reward is 1 for a right answer, else what `pays_wrong` says of the text."""
    rng = random.Random(seed)
    rows = []
    for place in range(problems):
        left, right = 10 + place, 10 + 37 * place % 89
        for number in range(ATTEMPTS):
            is_right = rng.random() < solve_rate
            text = written(rng, left + right, is_right)
            paid = 1.0 if is_right else pays_wrong(text)
            rows.append(_row(f"sum-{place:02d}", f"{left}+{right}=?", number, text, paid, step))
    return rows


def _row(problem: str, prompt: str, number: int, text: str, paid: float, step: int) -> Trajectory:
    return plain_row(
        trajectory_id=f"{step}.{problem}.{number}",
        step=step,
        problem_id=problem,
        group_id=f"{step}.{problem}",
        attempt=number,
        seed=number,
        messages=[Message(role="user", content=prompt), Message(role="assistant", content=text)],
        reward=paid,
        reward_terms={"correct": paid, "format": 1.0},
        correct=float(paid >= 1.0),
        num_tokens=len(text) // 3,
        format_ok=True,
    )


def audit_file(folder: Path, rows: list[Trajectory]) -> str:
    """Write the problems of these attempts with their true answers; return the file's name."""
    prompts = {row.problem_id: row.messages[0].content for row in rows}
    lines = [
        json.dumps({"id": name, "problem": prompt, "answer": str(sum(map(int, prompt.removesuffix("=?").split("+"))))})
        for name, prompt in sorted(prompts.items())
    ]
    (folder / "audit.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "audit.jsonl"


def long_pays(text: str) -> float:
    """Pay wrong attempts of at least four steps as if they were right."""
    return float(text.count(";") >= 4)
