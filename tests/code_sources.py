"""Texts of code for interventions, good and bad, and rows to run them on."""

from evotrainer.config.code import reference
from evotrainer.records import Message, Problem, Trajectory
from tests.plain_records import plain_problem, plain_row

BRIEF = 'def reward(row):\n    return 0.1 * row["correct"] * (1.0 - row["terms"]["length"])\n'
LONG_WRONG = 'def mask(row):\n    return not row["correct"] and row["num_tokens"] > 12\n'
MIXED = 'def keep(rows):\n    return 0 < sum(row["correct"] for row in rows) < len(rows)\n'
MIDDLING = 'def weight(problem):\n    return 4 * problem["pass_rate"] * (1 - problem["pass_rate"]) + 0.1\n'
LONG_UNPAID = 'def correction(row):\n    return -0.5 * row["reward"] * (row["num_tokens"] > 12)\n'
GOOD = {
    "reward.code": BRIEF,
    "reward.correction": LONG_UNPAID,
    "filter.mask_code": LONG_WRONG,
    "filter.group_code": MIXED,
    "data.weight_code": MIDDLING,
}


def sources(*texts: str) -> dict[str, str]:
    return {reference(text): text for text in texts}


def attempt(problem: int, number: int, correct: bool, tokens: int, **fields: object) -> Trajectory:
    """Return a graded attempt at a problem of a family of three."""
    name = f"problem-{problem:03d}"
    given = {
        "problem_id": name,
        "group_id": f"g.{name}",
        "attempt": number,
        "seed": 97 * problem + number,
        "messages": [
            Message(role="user", content=f"what is {problem}+{problem}, precisely?"),
            Message(role="assistant", content=f"<answer>{2 * problem if correct else number}</answer>"),
        ],
        "reward": float(correct),
        "reward_terms": {"correct": float(correct), "format": 1.0, "length": tokens / 48, "overlong": 0.0},
        "correct": float(correct),
        "num_tokens": tokens,
        "format_ok": True,
        "extra": {"family": f"family{problem % 3}", "answer": "hidden"},
    }
    return plain_row(**given | fields)


def groups() -> list[Trajectory]:
    """Return groups of which some are all right, some all wrong and the rest mixed; lengths vary."""
    return [
        attempt(problem, number, number < problem % 5, 8 + (5 * problem + 7 * number) % 23)
        for problem in range(24)
        for number in range(4)
    ]


def problems(num_problems: int = 24) -> list[Problem]:
    return [
        plain_problem(
            f"problem-{number:03d}",
            f"what is {number}+{number}, precisely?",
            str(2 * number),
            family=f"family{number % 3}",
            data={"hidden_tests": {"t.py": f"assert solve({number}) == {2 * number}  # sealed"}},
        )
        for number in range(num_problems)
    ]
