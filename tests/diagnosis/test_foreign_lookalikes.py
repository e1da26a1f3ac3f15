"""What looks like a fault and is none: lists in the working, columns of own words, mixes that move, chores."""

import json
from pathlib import Path

import numpy as np
import pytest

from evotrainer.diagnosis.texts import outside_columns
from evotrainer.diagnosis.texts.conduct import give_several, leaves_open
from evotrainer.diagnosis.texts.extras import ExtraColumns
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.behaviour import timidity
from harness_plugins.elsewhere import biased_pay, gold_answers, paid_nonsense, unequal_pay
from tasks.diagnose.stage import diagnose_rows
from tests.foreign_frames import COUNT, GROUP, PROBLEMS, STEPS, foreign_rows, told

STEP = np.arange(COUNT) // (COUNT // STEPS)
PROBLEM = np.arange(COUNT) // GROUP
QUESTION = "Three bells ring every 26, 14 and 13 minutes. When do they ring together?"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(21)


@pytest.mark.parametrize(
    ("text", "is_several"),
    [
        ("We need the least common multiple of 26, 14, 13.\nIt is \\boxed{182}.", False),
        ("The multiple of 26, 14, 13 is 182.", False),
        ("The factors are 2, 7, 13.\nHence 182.", False),
        ("The factors are 2, 7, 13.\nIt is <answer>182</answer>", False),
        ("It is \\boxed{182, 184 \\text{ or } 186}.", True),
        ("It is \\boxed{182, 184, 186}.", True),
        ("It is \\boxed{\\text{one of } 182, 184, 186}.", True),
        ("It is <answer>182 or 184 or 186</answer>", True),
        ("So\n#### 182 / 184 / 186\n", True),
        ("I am not sure.\nThe answer is 182, 184 or 186.\n\n", True),
        ("The answer is A, B or C.", True),
        ("It is \\boxed{1,234,567}.", False),
        ("It is \\boxed{(3, -4, 5)}.", False),
        ("They meet on 12/05/2031.", False),
        ("They agree in question 1, 3, 4, 7. Points: 4", False),
        ("I weighed it. Answer: 182, 184 or 186", True),
        ("It is 182 (or 184, 185, 186).", True),
    ],
)
def test_several_answers_stand_in_the_answer_itself(text, is_several):
    assert give_several([QUESTION], [text]) == [is_several]


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("```lean\ntheorem t : 1 < 2 := by\n  sorry\n```", True),
        ("```coq\nProof.\n  intros. admit.\nAdmitted.\n```", True),
        ("First a draft.\n```lean\n  sorry\n```\nNow whole.\n```lean\n  norm_num\n```", False),
        ("```lean\n  -- no sorry here\n  norm_num\n```", False),
        ("I am sorry, I could not prove it.", False),
    ],
)
def test_a_proof_is_left_open(text, is_open):
    assert leaves_open(text) == is_open


def _attempt(place: int, query: str, verdict: str) -> Trajectory:
    call = ToolCall(name="run_sql", arguments={"query": query})
    messages = [
        Message(role="user", content="How many orders are there?"),
        Message(role="assistant", content="Now ok.", tool_calls=[call]),
        Message(role="tool", content=verdict),
        Message(role="assistant", content="There are 12."),
    ]
    extra = {"sql": query, "host": f"node-{place % 3}", "state": "ok" if place % 2 else "ended", "worker": place % 5}
    return Trajectory.model_construct(messages=messages, extra=extra)


def test_a_column_holds_what_the_policy_wrote():
    queries = ["SELECT  COUNT(*) FROM orders", "SELECT SUM(qty) FROM orders", f"SELECT {'item, ' * 30}qty FROM orders"]
    rows = [_attempt(place, queries[place % len(queries)], "12") for place in range(60)]
    extras = ExtraColumns()
    extras.add([transcript(row) for row in rows])
    assert list(extras.said().columns) == ["sql"]
    assert set(extras.frame().columns) == {"sql", "host", "state", "worker"}


def test_what_the_policy_wrote_names_no_machine(rng):
    wrong = rng.random(COUNT) < 0.3
    right = np.where(rng.random(COUNT) < 0.5, "SELECT a", "SELECT b")
    texts = {"extra:sql": np.where(wrong, "SELECT c", right)}
    rows = foreign_rows(rng, reward=np.where(wrong, 0.0, rng.random(COUNT) < 0.9).astype(float), correct=np.nan)
    assert told(unequal_pay, rows, **texts) == [("critical", "infrastructure_zeros")]
    assert told(unequal_pay, rows, **texts, **{"said:sql": True}) == []
    assert told(unequal_pay, rows, **texts, **{"said:sql": right == "SELECT a"}) != []
    side = rng.choice(["first", "second"], COUNT)
    paid = rows.assign(reward=(rng.random(COUNT) < np.where(side == "first", 0.8, 0.2)).astype(float))
    assert told(biased_pay, paid, **{"extra:side": side}) == [("warning", "reward_bias")]
    assert told(biased_pay, paid, **{"extra:side": side, "said:side": side == "first", "said:x": True}) != []
    assert told(biased_pay, paid, **{"extra:side": side, "said:side": True}) == []
    assert outside_columns(rows.assign(**texts, **{"extra:host": "a", "said:sql": True})) == ["extra:host"]


def test_gold_answers_are_explained_by_what_lies_beside_the_policy(rng):
    is_gold, lost = rng.random(COUNT) < 0.6, rng.random(COUNT) < 0.4
    rows = foreign_rows(rng, reward=(is_gold & ~lost).astype(float), stop_reason="unknown")
    texts = {"is_gold": is_gold.astype(float), "extra:form": np.where(lost, "fraction", "decimal")}
    assert told(gold_answers, rows, **texts) == [("warning", "infrastructure_zeros")]
    assert told(gold_answers, rows, **texts, **{"said:form": True}) == [("warning", "metric_defect")]


PLAIN = {"is_empty": False, "leaves_empty": False, "is_degenerate": False, "repeats_question": False}
PLAIN |= {"main_script": "", "language": "english"}


@pytest.mark.parametrize("column", ["domain", "extra:data_source"])
def test_a_mix_that_moves_brings_texts_unlike_those_before(rng, column):
    comes_up = (PROBLEM % PROBLEMS) < STEP - 3
    likelihood = np.where(comes_up, -4.0, -2.0) + rng.normal(0, 0.1, COUNT)
    rows, named = foreign_rows(rng), {column: np.where(comes_up, "code", "sums")}
    rows = rows.assign(domain=named.get("domain", "foreign"))
    texts = PLAIN | {"likelihood": likelihood} | {name: value for name, value in named.items() if name != "domain"}
    assert told(paid_nonsense, rows, **texts) == []
    alike = texts | {name: "sums" for name in named if name != "domain"}
    assert told(paid_nonsense, rows.assign(domain="sums"), **alike) == [("critical", "weak_verifier")]


def test_nonsense_is_told_within_its_environment(rng):
    is_code = PROBLEM % 2 == 0
    odd = is_code & (STEP > 5) & (rng.random(COUNT) < 0.5)
    usual = np.where(is_code, -4.0, -2.0) + rng.normal(0, 0.1, COUNT)
    rows = foreign_rows(rng, domain=np.where(is_code, "code", "sums"))
    rows["reward"] = np.where(odd, 1.0, rows["reward"])
    assert told(paid_nonsense, rows, **PLAIN, likelihood=usual) == []
    assert told(paid_nonsense, rows, **PLAIN, likelihood=np.where(odd, -7.0, usual)) == [("critical", "weak_verifier")]
    other = PLAIN | {"language": np.where(odd, "polish", "english")}
    assert told(paid_nonsense, rows, **other, likelihood=np.where(odd, -7.0, usual)) == []  # another language


def _chores(solved_by: str) -> list[dict]:
    rng, rows = np.random.default_rng(4), []
    for problem in range(40):
        for _ in range(8):
            is_edit = problem % 2 == 0 and rng.random() < 0.7
            command = f"sed -i s/a/b/ f{problem}" if is_edit else f"chmod 644 f{problem}"
            is_right = float(rng.random() < 0.6 and (is_edit or solved_by == "both"))
            call = {"name": "bash", "arguments": {"command": command}}
            turns = [
                {"role": "user", "content": f"Chore {problem}: see to file f{problem}."},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "content": ""},
                {"role": "assistant", "content": f"Done {rng.integers(10**6)}."},
            ]
            rows.append({"problem_id": str(problem), "messages": turns, "correct": is_right, "reward": is_right})
    return rows


@pytest.mark.parametrize(("solved_by", "is_timid"), [("edits", True), ("both", False)])
def test_chores_that_need_no_edit_are_not_given_up(tmp_path: Path, solved_by: str, is_timid: bool):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in _chores(solved_by)))
    found = [f for f in diagnose_rows(path).findings if f.mode == timidity._MODE and f.severity != "info"]
    assert bool(found) is is_timid


def test_phrases_that_tell_each_reward_are_no_broken_machine(rng):
    said = np.array(["rightly declined", "was of help", "helped with harm"])[rng.integers(0, 3, COUNT)]
    rows = foreign_rows(rng, reward=np.where(said == "helped with harm", 0.0, 1.0), correct=np.nan)
    assert told(unequal_pay, rows, **{"extra:why": said}) == []
    broken = rows.assign(
        reward=np.where(said == "helped with harm", 0.0, rows["correct"].isna() * rng.integers(0, 5, COUNT) / 4)
    )
    assert told(unequal_pay, broken, **{"extra:why": said}) == [("critical", "infrastructure_zeros")]


@pytest.mark.parametrize("dead", [0.45, 0.7, 1.0])
def test_groups_without_spread_are_a_warning_of_rows_from_elsewhere(tmp_path, dead):
    assert _said(tmp_path, _groups(dead, "train"))["dead_groups"] == "warning"


def test_groups_of_an_evaluation_alone_are_not_judged(tmp_path):
    report = diagnose_rows(_written(tmp_path, _groups(1.0, "validation")))
    assert not {"dead_groups", "low_reward_spread"} & {found.mode for found in report.findings}
    assert {"dead_groups", "low_reward_spread"} <= {one.mode for one in report.unjudged}


def test_a_limit_that_a_person_sets_counts_for_rows_from_elsewhere(tmp_path):
    report = diagnose_rows(_written(tmp_path, _groups(0.7, "train")), {"dead_groups_critical": 0.5})
    assert [found.severity for found in report.findings if found.mode == "dead_groups"] == ["critical"]


def _groups(dead: float, split: str) -> list[dict]:
    return [
        {
            "problem_id": f"p{group}",
            "step": group // 10,
            "split": split,
            "messages": [
                {"role": "user", "content": f"Say {group}."},
                {"role": "assistant", "content": f"It is {place}."},
            ],
            "reward": float(group % 2) if group < 60 * dead else float(place % 2),
        }
        for group in range(60)
        for place in range(4)
    ]


def _written(folder: Path, rows: list[dict]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def _said(folder: Path, rows: list[dict]) -> dict[str, str]:
    found = diagnose_rows(_written(folder, rows)).findings
    return {one.mode: one.severity for one in found if one.mode == "dead_groups"}
