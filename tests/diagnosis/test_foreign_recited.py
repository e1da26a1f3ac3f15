"""What a reply, a tool or a data set says twice: hidden texts, old states, one question under several keys."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.texts.gold import is_same
from evotrainer.diagnosis.texts.recited import Recited
from evotrainer.diagnosis.texts.stale_reads import stale_reads
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import (
    copied_questions,
    critic,
    idle_attempts,
    masked_mistakes,
    overruled_measures,
    recited_texts,
    unequal_pay,
)
from harness_plugins.elsewhere import stale_reads as stale_reads_plugin
from harness_plugins.score import flaky_grading, metric_defect
from harness_plugins.signal import advantage_mismatch
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, told

WHOLE = "A fox runs 12 km north and 5 km east. How far from its den does it then lie asleep?"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(23)


def reply(problem: str, text: str, asked: str = "A fox runs 12 km north and", **extra):
    messages = [Message(role="user", content=asked), Message(role="assistant", content=text)]
    return transcript(Trajectory.model_construct(problem_id=problem, messages=messages, extra=extra))


def recited(*attempts):
    found = Recited()
    found.add(attempts[:2])
    found.add(attempts[2:])
    return found.columns()


SAYS = "5 km east. How far from its den does it then lie asleep? It is 13."
OTHERS = [reply(name, text, whole=f"{name}: {WHOLE[5:]}") for name in ("b", "c") for text in ("It is 13.", "It is 14.")]


def test_words_that_nobody_showed():
    beside = [reply("a", "It is 13.", whole=WHOLE), *(other for other in OTHERS if other.row.problem_id == "b")]
    far = [
        reply(name, text, whole=f"Yet another tale of {name} that none tells twice") for name in "xy" for text in "12"
    ]
    assert recited(reply("a", SAYS, whole=WHOLE), *beside, *far)[0] == "whole"
    # What was asked, what a column of answers holds, and a turn of phrase that several problems share.
    assert set(recited(reply("a", SAYS, asked=WHOLE, whole=WHOLE), *far)) == {""}
    for name in ("solution", "reference_text", "patch", "model_output"):
        ours, others = reply("a", SAYS, **{name: WHOLE}), [reply(one, SAYS[:9], **{name: WHOLE * 2}) for one in "xyx"]
        assert set(recited(ours, *others, *far)) == {""}
    assert set(recited(reply("a", SAYS, whole=WHOLE), *beside, *OTHERS, *far)) == {""}


NOTE = "gh-4711: keeps old callers of it working, thanks river42"
GOLD = "def f(x):\n    # {}\n    return g(x)"


def programs(note: str, said: str, asked: str = "Mend f.", name: str = "gold_patch", answer: str = "ok"):
    """Return attempts at three problems, of which the first at each says a comment in a call."""
    attempts = []
    for number in range(3):
        texts = [text.replace("4711", f"47{number}1") for text in (note, said, asked, answer)]
        call = ToolCall(name="write_file", arguments={"path": "f.py", "content": GOLD.format(texts[1])})
        (one,) = [reply(f"p{number}", f"I know {number}.", texts[2], **{name: GOLD.format(texts[0])})]
        messages = [*one.row.messages, Message(role="tool", content=texts[3])]
        messages += [Message(role="assistant", content="Now it is so.", tool_calls=[call])]
        attempts += [transcript(one.row.model_copy(update={"messages": messages}))]
        attempts += [reply(f"p{number}", "I do not.", texts[2], **{name: GOLD.format(texts[0])})]
    return recited(*attempts)


def test_comments_of_the_right_code_are_recited():
    for name in ("gold_patch", "canonical_solution", "reference_code"):
        assert programs(NOTE, NOTE, name=name) == [name, ""] * 3
    long = "this keeps all of the callers of our older signature {} working as they did"
    many = [reply(name, f"# {long}", code=GOLD.format(long.format(name))) for name in "abc"]
    said = [reply(name, GOLD.format(long.format(name)), code=GOLD.format(long.format(name))) for name in "abc"]
    assert recited(*many, *said) == [""] * 3 + ["code"] * 3
    # Other words; words that were asked, or read; numbers that were; a column of tests; code alone.
    assert set(programs(NOTE, "gh-4711: old callers of it work again, thanks river42")) == {""}
    assert set(programs(NOTE, NOTE, asked=f"Mend f, and say: {NOTE}")) == {""}
    assert set(programs(NOTE, NOTE, answer=GOLD.format(NOTE))) == {""}
    assert set(programs(NOTE.replace("42", ""), NOTE.replace("42", ""), asked="Mend gh-4711.")) == {""}
    assert set(programs(NOTE, NOTE, name="test_code")) == {""}
    assert set(programs("short", "short")) == {""}


def test_a_column_of_attempts_is_none_of_problems():
    texts = [f"{place} {SAYS}" for place in range(8)]
    assert set(recited(*(reply(f"p{place // 2}", text, copy=text) for place, text in enumerate(texts)))) == {""}
    # One attempt a problem does not tell whose the column is.
    assert set(recited(*(reply(f"p{place}", text, copy=text) for place, text in enumerate(texts)))) == {""}


def test_replies_that_recite(rng):
    rows = foreign_rows(rng)
    says = np.where(PROBLEM % 5 == 0, "whole", "")
    column = {"extra:whole": [f"text {problem}" for problem in PROBLEM]}
    assert told(recited_texts, rows, recites=says, **column) == [("warning", "contamination")]
    assert told(recited_texts, rows, recites=np.where(PROBLEM == 0, "whole", ""), **column) == []


def exchanges(*parts: tuple[str, dict[str, object], str]) -> list[Message]:
    messages: list[Message] = []
    for name, arguments, answer in parts:
        messages += [
            Message(role="assistant", tool_calls=[ToolCall(name=name, arguments=arguments)]),
            Message(role="tool", content=answer),
        ]
    return messages


READ, WRITE = {"path": "/accounts/7"}, {"path": "/accounts/7", "limit": 40}


@pytest.mark.parametrize(
    ("write", "answer", "again", "counts"),
    [
        (WRITE, "ok", "limit 30, cache HIT", (1.0, 0.0)),
        (WRITE, "ok", "limit 40, cache MISS", (0.0, 1.0)),
        (WRITE, "connection refused: the server is down (503)", "limit 30, cache HIT", (0.0, 0.0)),
        ({"path": "/accounts/8", "limit": 40}, "ok", "limit 30, cache HIT", (0.0, 0.0)),
        (WRITE, "ok", "limit 30, held since by another owner", (0.0, 1.0)),
    ],
)
def test_a_read_behind_a_write(write, answer, again, counts):
    messages = exchanges(("get", READ, "limit 30, cache MISS"), ("put", write, answer), ("get", READ, again))
    assert tuple(stale_reads(messages).values()) == counts


def test_tools_that_serve_an_old_state(rng):
    is_old = rng.random(COUNT) < 0.4
    rows = foreign_rows(rng, reward=np.where(is_old, 0.0, (rng.random(COUNT) < 0.8).astype(float)))
    reads = {"num_stale_reads": is_old.astype(float), "num_new_reads": (~is_old).astype(float)}
    assert told(stale_reads_plugin, rows, **reads) == [("warning", "leftover_state")]
    always = {"num_stale_reads": 1.0, "num_new_reads": 0.0}
    assert told(stale_reads_plugin, rows, **always) == []
    cheap = rows.assign(reward=np.where(is_old, 1.0, 0.0))
    assert told(stale_reads_plugin, cheap, **reads) == []


def test_one_question_under_several_keys(rng):
    question = (PROBLEM // 2).astype(str)
    truth = question.astype(int) + 100
    slips = (PROBLEM % 2 == 1) & (PROBLEM % 8 == 1)
    rows = foreign_rows(rng)
    keys = (truth + np.where(slips, 3, 0)).astype(str)
    assert told(copied_questions, rows, asked=question, **{"extra:answer_key.gold": keys}) == [
        ("warning", "duplicate_problems")
    ]
    assert told(copied_questions, rows, asked=question, **{"extra:gold": truth.astype(str)}) == []
    dressed = np.where(slips, [f"x={value}" for value in truth], truth.astype(str))
    assert told(copied_questions, rows, asked=question, **{"extra:gold": dressed}) == []
    # One prompt for all levels of a game.
    assert told(copied_questions, rows, asked="play", **{"extra:gold": keys}) == []


def test_mistakes_of_the_policy_that_are_masked(rng):
    lost = rng.random(COUNT) < 0.2
    rows = foreign_rows(rng, error=np.where(lost, "InvalidToolCall", None), in_loss=np.where(lost, 0.0, 1.0))
    masked = rows.assign(reward=rows["reward"].where(~lost))
    assert told(masked_mistakes, masked) == [("warning", "tool_failures")]
    assert told(masked_mistakes, masked.assign(error=np.where(lost, "SandboxTimeout", None))) == []
    assert told(masked_mistakes, masked.assign(error=np.where(lost & (PROBLEM == 0), "InvalidToolCall", None))) == []
    assert told(masked_mistakes, rows) == []  # they have a reward


@pytest.mark.parametrize(
    ("answer", "gold", "is_one"),
    [
        ("66 cm", "66厘米", True),
        ("x = 7", "7", True),
        ("0.25", "25%", True),
        ("25\\%", "0.25", True),
        ("0.5", "\\frac{1}{2}", True),
        ("2 / 4", "2/4", True),
        ("2/4", "\\frac{1}{2}", False),
        ("50", "0.5", False),
        ("x=7", "x=8", False),
        ("max=3", "3", False),
    ],
)
def test_an_answer_in_another_dress(answer, gold, is_one):
    assert is_same(answer, gold) is is_one


def test_times_that_part_where_they_are_paid(rng):
    measured = np.exp(rng.normal(5.0, 1.0, COUNT))
    hides = rng.random(COUNT) < 0.3
    timed = np.where(hides, measured / 50, measured * rng.uniform(0.98, 1.02, COUNT))
    rows = foreign_rows(rng, reward=np.where(hides, 1.3, rng.uniform(0.0, 0.5, COUNT)))
    clocks = {"extra:timed": timed, "extra:profile": measured}
    assert told(overruled_measures, rows, **clocks) == [("critical", "reward_outcome_divergence")]
    assert told(overruled_measures, rows.assign(reward=rng.random(COUNT)), **clocks) == []
    assert told(overruled_measures, rows, **{"extra:timed": timed, "extra:weight": rng.permutation(measured)}) == []


def test_an_agent_that_stops_acting_from_a_third_on(rng):
    idle = rng.random(COUNT) < 0.22 + 0.06 * STEP
    rows = foreign_rows(rng, num_tool_calls=np.where(idle, 0, 2), reward=(rng.random(COUNT) < 0.4).astype(float))
    rows = rows.assign(correct=np.nan)
    assert told(idle_attempts, rows) == [("warning", "timidity")]
    assert told(idle_attempts, rows.assign(reward=np.where(idle, 0.0, rows["reward"]))) == []


def test_a_number_that_is_no_critic(rng):
    rows = foreign_rows(rng)
    for name in ("stored_value", "expected_value", "price.value_in_cents"):
        assert told(critic, rows, **{f"extra:{name}": 700.0 + STEP}) == []
    for name in ("value", "critic_value", "metrics.values_mean"):
        assert told(critic, rows, **{f"extra:{name}": 700.0 + STEP}) == [("critical", "critic_divergence")]


def test_a_term_with_values_of_its_own_for_right_and_wrong(rng):
    rows = foreign_rows(rng)
    scaled = rows.assign(attempt=ATTEMPT, stop_reason="stop", term_correct=np.where(rows["correct"] > 0, 1.0, -1.0))
    signals = pd.DataFrame({"step": [], "dead_group_ratio": []})

    def judged(rows):
        seen = pd.DataFrame(index=pd.Index(rows["trajectory_id"]))
        context = Context("v", rows, rows, rows.head(0), signals, texts=seen)
        return [(found.severity, found.mode) for found in metric_defect.diagnose(context).findings]

    assert judged(scaled) == []
    assert judged(scaled.assign(term_correct=scaled["term_correct"] * 0.5)) == []
    wrong = scaled.assign(term_correct=np.where(PROBLEM % 9 == 0, 1.0, scaled["term_correct"]))
    assert judged(wrong) == [("critical", "metric_defect")]
    # A row a turn: the attempt of a group comes again.
    assert judged(scaled.assign(attempt=ATTEMPT // 2)) == []


def test_terms_that_are_each_normalised(rng):
    terms = {name: (rng.random(COUNT) < 0.5).astype(float) for name in ("term_a", "term_b", "term_c")}
    rows = foreign_rows(rng, **terms, in_loss=1.0)
    by_group = rows.groupby("group")[list(terms)]
    each = ((rows[list(terms)] - by_group.transform("mean")) / (by_group.transform("std") + 1e-9)).sum(axis=1)
    total = rows[list(terms)].sum(axis=1)
    decoupled = rows.assign(reward=total, advantage=each / each.std())
    assert told(advantage_mismatch, decoupled) == [("info", "advantage_mismatch")]
    assert told(advantage_mismatch, decoupled.assign(advantage=rng.permutation(each))) == [
        ("critical", "advantage_mismatch")
    ]


def test_equal_texts_that_were_answered_otherwise(rng):
    rows = foreign_rows(rng, response_hash="h", reward=(ATTEMPT % 2).astype(float), correct=np.nan)
    assert told(unequal_pay, rows) == []  # of each group two win: a comparison
    rows = rows.assign(reward=((ATTEMPT % 2 == 1) & (PROBLEM > 0)).astype(float))
    assert told(unequal_pay, rows) == [("critical", "flaky_grading")]
    assert told(unequal_pay, rows, heard=(ATTEMPT % 2).astype(str)) == []
    graded = rows.assign(correct=rows["reward"], answer=None)
    assert told(flaky_grading, graded, program="") == [("critical", "flaky_grading")]
    assert told(flaky_grading, graded, program="", heard=(ATTEMPT % 2).astype(str)) == []
