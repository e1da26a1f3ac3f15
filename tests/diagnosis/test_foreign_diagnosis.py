"""Rows of other making: what they only lack, number or weigh in their own way accuses nobody."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evotrainer.records import HarnessReport
from tasks.diagnose.stage import diagnose_rows

WORDS = ["sum", "carry", "digit", "value", "list", "loop", "check", "return", "count", "first", "pair", "tree", "node"]
Row = dict[str, Any]


def healthy(seed: int = 0, num_problems: int = 40, **columns: Any) -> list[Row]:
    """Return rows with the columns that any log has: problem, messages, correct, reward."""
    rng, rows = np.random.default_rng(seed), []
    for problem in range(num_problems):
        chance, words = rng.beta(1.5, 1.5), list(rng.choice(WORDS, 6))
        for _ in range(8):
            is_right = float(rng.random() < chance)
            said = f"{' '.join(rng.permutation(words))} is {problem if is_right else rng.integers(10**9)}"
            asked = {"role": "user", "content": f"Solve {seed} {problem} {' '.join(words)}"}
            answer = {"role": "assistant", "content": said, "num_tokens": int(rng.integers(20, 60))}
            rows.append(
                {
                    "problem_id": str(problem),
                    "messages": [asked, answer],
                    "correct": is_right,
                    "reward": is_right,
                    **columns,
                }
            )
    return rows


def diagnosed(folder: Path, rows: list[Row]) -> HarnessReport:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return diagnose_rows(path)


def told(folder: Path, rows: list[Row]) -> dict[str, str]:
    return {found.mode: found.severity for found in diagnosed(folder, rows).findings if found.severity != "info"}


def answered(row: Row, **said: Any) -> Row:
    return {**row, "messages": [row["messages"][0], {"role": "assistant", **said}]}


LACKS: dict[str, Callable[[Row], Row]] = {
    "nothing": lambda row: row,
    "text_stands_elsewhere": lambda row: answered(row, content=None, reasoning_content="thinking"),
    "no_answers": lambda row: {**row, "messages": row["messages"][:1]},
    "no_messages": lambda row: {**row, "messages": []},
    "an_image": lambda row: answered(row, content=[{"type": "image", "data": "x"}]),
    "weighted_term": lambda row: {**row, "reward_terms": {"correct": 2 * row["correct"]}, "reward": 2 * row["correct"]},
}


@pytest.mark.parametrize("name", LACKS)
def test_rows_that_lack_something_are_not_invalid(tmp_path, name):
    assert "invalid" not in told(tmp_path, [LACKS[name](row) for row in healthy()]).values()


def test_a_term_that_is_not_the_correctness_is_named_whatever_it_weighs(tmp_path):
    rows = [{**row, "reward_terms": {"correct": 2 * row["correct"]}} for row in healthy()]
    rows[0]["correct"] = 1 - rows[0]["correct"]
    assert told(tmp_path, rows)["metric_defect"] == "critical"
    percent = diagnosed(tmp_path, [{**row, "correct": 100 * row["correct"]} for row in healthy()]).findings
    assert any("outside [0, 1]" in found.message for found in percent)


def test_held_rows_of_a_file_are_what_its_score_rests_on(tmp_path):
    trained, held = healthy(0, split="train"), healthy(1, split="validation")
    for row in held:
        row["problem_id"] = f"held {row['problem_id']}"
    canary = {"extra": {"checks": {"reads_answers": 1.0}}}
    proven = [{**row, **canary} if row["correct"] and i % 8 == 0 else row for i, row in enumerate(trained)]
    assert told(tmp_path, [*proven, *held])["answer_reading"] == "critical"
    proven = [{**row, **canary} if row["correct"] and i % 8 == 0 else row for i, row in enumerate(held)]
    assert told(tmp_path, [*trained, *proven])["answer_reading"] == "invalid"


def test_pay_for_length_is_info_where_outcomes_are_not_recorded_unless_length_decides(tmp_path):
    rng = np.random.default_rng(0)

    def paid(row: Row, noise: float) -> Row:
        return {**row, "reward": row["messages"][1]["num_tokens"] / 60 + noise * rng.normal()}

    def found(noise: float) -> tuple[str, str]:
        rows = [{name: value for name, value in paid(row, noise).items() if name != "correct"} for row in healthy()]
        (one,) = [found for found in diagnosed(tmp_path, rows).findings if found.diagnostic == "length_gaming"]
        return one.severity, one.message

    assert told(tmp_path, [paid(row, 0.0) for row in healthy()])["length_gaming"] == "warning"
    assert found(0.0)[0] == "warning"
    assert found(0.3)[0] == "info" and "outcomes are not recorded" in found(0.3)[1]


def test_groups_with_unknown_outcomes_are_not_called_decided(tmp_path):
    rows = [
        {**row, "correct": row["correct"] if i % 8 == 0 else None, "reward": 0.5 + 0.1 * (i % 3)}
        for i, row in enumerate(healthy())
    ]
    report = diagnosed(tmp_path, rows)
    assert "phantom_advantage" not in report.metrics
    assert not {"phantom_advantage", "dead_groups"} & {found.mode for found in report.findings}
    known = diagnosed(tmp_path, [{**row, "correct": 1.0} for row in rows])
    assert known.metrics["phantom_advantage"] == 1.0


def test_names_of_problems_are_no_families(tmp_path):
    def metrics(by: Callable[[int], str]) -> set[str]:
        rows = [{**row, "family": by(int(row["problem_id"]))} for row in healthy(num_problems=240)]
        return {name for name in diagnosed(tmp_path, rows).metrics if name.startswith("solve_rate_")}

    assert metrics(lambda problem: "odd" if problem % 2 else f"kind {problem}") == {"solve_rate_odd"}
    assert len(metrics(lambda problem: f"kind {problem % 60}")) == 60


def test_one_edit_among_hundreds_of_attempts_is_no_habit(tmp_path):
    def edited(rows: list[Row], every: int) -> list[Row]:
        call = {"name": "edit", "arguments": {"path": "a.py", "old": "a", "new": "b"}}
        turns = [{"role": "assistant", "content": "so", "tool_calls": [call]}, {"role": "tool", "content": "ok"}]
        look = [{**turns[0], "tool_calls": [{"name": "search", "arguments": {"query": "a"}}]}, turns[1]]
        return [
            {**row, "messages": [row["messages"][0], *(look if i % every else turns), row["messages"][1]]}
            | {"correct": float(i % every == 0), "reward": float(i % every == 0)}
            for i, row in enumerate(rows)
        ]

    one, many = (set(diagnosed(tmp_path, edited(healthy(), every)).metrics) for every in (320, 10))
    assert many - one >= {"edit_coverage", "abandonment_rate"}


def test_problems_that_each_split_numbers_for_itself_are_not_shared(tmp_path):
    trained, held = healthy(0, split="train"), healthy(1, split="validation")
    assert told(tmp_path, [*trained, *held]) == {}
    same = [{**row, "messages": old["messages"]} for row, old in zip(held, trained, strict=True)]
    assert told(tmp_path, [*trained, *same])["contamination"] == "invalid"


@pytest.mark.parametrize(
    ("commands", "is_leak"),
    [
        ("git add -A && git commit -m fix && git pull --rebase origin main", False),
        ("git commit -am fix && git checkout main && git merge fix", False),
        ("git commit -am fix && git rebase main", False),
        ("git checkout v2.0 -- src/a.py", True),
        ("git commit -am fix && git log -1 -p", False),
    ],
)
def test_handing_work_in_is_no_leak(tmp_path, commands, is_leak):
    rng, rows = np.random.default_rng(3), healthy(num_problems=60)

    def act(**call: Any) -> list[Row]:
        return [{"role": "assistant", "content": "so", "tool_calls": [call]}, {"role": "tool", "content": "ok"}]

    for row in rows:
        turns = act(name="bash", arguments={"command": "grep -rn foo src"})
        turns += act(name="edit", arguments={"path": "src/b.py", "old": "a", "new": str(rng.integers(999))})
        if rng.random() < (0.8 if row["correct"] else 0.1):
            turns += act(name="bash", arguments={"command": commands})
        row["messages"] = [row["messages"][0], *turns, row["messages"][1]]
    assert told(tmp_path, rows).get("history_leak") == ("critical" if is_leak else None)


def test_a_grade_that_is_full_now_and_then_is_no_correctness(tmp_path):
    rng = np.random.default_rng(2)
    rows = []
    for row in healthy():
        length = int(rng.integers(3, 60))
        answer = {"role": "assistant", "content": " ".join(rng.choice(WORDS, length))}
        grade = float(min(1.0, length / 50))
        rows.append({"step": 0, "prompt": row["messages"][:1], "completion": [answer], "accuracy_reward": grade})
        rows[-1]["advantage"] = 0.0
    found = diagnosed(tmp_path, rows).findings
    assert any(f.mode == "length_gaming" and "outcomes are not recorded" in f.message for f in found)


@pytest.mark.parametrize("marks", [[1.0], [1.0, 0.0] * 4, [1.0] * 60, [None] * 5])
def test_every_diagnostic_answers_for_rows_that_are_few_alike_or_failed(marks, tmp_path):
    texts = [{"role": "user", "content": "1+1?"}, {"role": "assistant", "content": "2"}]
    rows = [
        {"problem_id": f"p{i % 3}", "messages": texts, "reward": mark, "error": "lost" if mark is None else None}
        | {"label": "2" if i % 2 else "", "note": None}
        for i, mark in enumerate(marks)
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [finding.message for finding in diagnose_rows(path).findings if finding.mode == "plugin_failure"] == []
