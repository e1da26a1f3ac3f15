"""Answers lost to what stands beside them: a sign behind, a stop text within, a letter before; and what looks alike."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.number_tails import number_tail
from evotrainer.diagnosis.texts.scripts import strange_words
from evotrainer.diagnosis.texts.stop_letters import stop_letters
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import cut_readings, language_drift, stops_within_answers, unread_tails
from tests.foreign_frames import COUNT, PROBLEM, STEP, foreign_rows, told

GATE, CUT = [("warning", "format_gate")], [("warning", "truncation")]
DEFECT, DRIFT = [("warning", "metric_defect")], [("warning", "language_drift")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(43)


@pytest.mark.parametrize(
    ("text", "number", "lead", "tail"),
    [
        ("So the answer is 72, in total.", "72", "answer is", ","),
        ("So the answer is 1,072.", "1,072", "answer is", "."),
        ("Die Summe beträgt: **12** – wie verlangt", "12", "summe beträgt", "–"),
        ("That makes 5 jars.", "5", "that makes", ""),
        ("It is 40%", "", "", ""),
        ("Nothing at all", "", "", ""),
    ],
)
def test_the_last_number_and_what_follows_it(text, number, lead, tail):
    assert number_tail(text) == {"last_number": number, "number_lead": lead, "number_tail": tail}


def _tails(rng: np.random.Generator, sign: str, read: Any, lead: str = "total is", **texts: Any) -> list[Any]:
    """Return what is said where `read` tells which right numbers are paid, of those with words behind a sign."""
    gold = np.array([str(20 + n % 37) for n in PROBLEM])
    is_right, is_tailed = rng.random(COUNT) < 0.6, rng.random(COUNT) < 0.4
    rows = foreign_rows(rng, reward=(is_right & read(is_tailed)).astype(float), correct=np.nan)
    columns = {
        "last_number": np.where(is_right, gold, "7"),
        "number_lead": np.where(is_tailed, lead, "total is"),
        "number_tail": np.where(is_tailed, sign, "."),
        "extra:solution": gold,
    }
    return told(unread_tails, rows, **{**columns, **texts})


@pytest.mark.parametrize("sign", [",", "–", "("])
def test_a_grader_that_trips_over_the_sign_behind_a_number(rng, sign):
    assert _tails(rng, sign, lambda is_tailed: ~is_tailed) == GATE


def test_right_numbers_are_paid_or_stand_elsewhere(rng):
    assert _tails(rng, ",", lambda is_tailed: np.ones(COUNT, bool)) == []
    assert _tails(rng, ",", lambda is_tailed: ~is_tailed | (rng.random(COUNT) < 0.3)) == []
    assert _tails(rng, ",", lambda is_tailed: ~is_tailed, lead="there were") == []
    assert _tails(rng, "", lambda is_tailed: ~is_tailed) == []  # a unit
    assert _tails(rng, ",", lambda is_tailed: ~is_tailed, is_marked=True) == []
    assert _tails(rng, ",", lambda is_tailed: rng.random(COUNT) < 0.5) == []


def _stopped(rng: np.random.Generator, stops: list[str], parts: tuple[str, str], is_kept: bool = False) -> Any:
    """Return what is said of gold answers of which every second problem's holds `parts`, joined by the first stop."""
    golds = [f"{n % 50 + 10}{parts[0]}{stops[0]}{parts[1]}" if n % 2 else f"{n % 50 + 10}" for n in PROBLEM]
    is_right = rng.random(COUNT) < 0.7
    written = [gold if right else "8" for gold, right in zip(golds, is_right, strict=True)]
    replies = [f"It is {text}{'.' if is_kept else ''}" for text in written]
    said = replies if is_kept else [reply.split(stops[0])[0] for reply in replies]
    columns = pd.DataFrame([stop_letters(transcript(_attempt(reply, stop=stops))) for reply in said])
    is_paid = [reply.removeprefix("It is ") == gold for reply, gold in zip(said, golds, strict=True)]
    rows = foreign_rows(rng, reward=np.array(is_paid, dtype=float), correct=np.nan)
    return told(stops_within_answers, rows, **{name: columns[name].to_numpy() for name in columns}, **_gold(golds))


def _gold(golds: list[str]) -> dict[str, Any]:
    return {"extra:target": np.array(golds, dtype=object)}


def _attempt(reply: str, **extra: Any) -> Trajectory:
    messages = [Message(role="user", content="How much?"), Message(role="assistant", content=reply)]
    return Trajectory.model_validate(
        {
            "trajectory_id": "t",
            "campaign": "c",
            "version": "v",
            "split": "train",
            "step": 0,
            "domain": "foreign",
            "problem_id": "p",
            "group_id": "g",
            "attempt": 0,
            "seed": 0,
            "policy_id": "",
            "messages": messages,
            "reward": 1.0,
            "reward_terms": {},
            "correct": None,
            "stop_reason": "stop",
            "error": None,
            "num_turns": 1,
            "num_tokens": 1,
            "is_truncated": False,
            "extra": extra,
        }
    )


@pytest.mark.parametrize(("stops", "parts"), [([".", "\n\n"], ("", "25")), (["\n"], (" apples", "4 pears"))])
def test_generation_stops_within_right_answers(rng, stops, parts):
    assert _stopped(rng, stops, parts) == CUT


def test_a_stop_text_that_is_not_in_force_cuts_nothing(rng):
    assert _stopped(rng, ["."], ("", "25"), is_kept=True) == []


def test_who_is_paid_for_the_part_before_the_stop_is_meant_to_be(rng):
    golds = [f"{n % 50 + 10}.5" for n in PROBLEM]
    columns = {"stop_texts": json.dumps(["."]), "goes_past_stop": False}
    ends = np.array([f"It is {gold[:-2]}" for gold in golds])
    rows = foreign_rows(rng, correct=np.nan)
    assert told(stops_within_answers, rows, **columns, reply_end=ends, **_gold(golds)) == []
    unpaid = rows.assign(reward=np.where(PROBLEM == 0, 1.0, 0.0))
    assert told(stops_within_answers, unpaid, **columns, reply_end=ends, **_gold(golds)) == CUT
    kept = {**columns, "goes_past_stop": True}
    assert told(stops_within_answers, unpaid, **kept, reply_end=ends, **_gold(golds)) == []
    columns["stop_texts"] = json.dumps(["\n\n"])
    assert told(stops_within_answers, unpaid, **columns, reply_end=ends, **_gold(golds)) == []


@pytest.mark.parametrize(("word", "letter"), [("Antwort", "A"), ("Choix", "C")])
def test_the_first_letter_of_a_key_word_is_read_as_an_option(rng, word, letter):
    written, is_twice = rng.choice(list("ABCD"), COUNT), rng.random(COUNT) < 0.3
    lines = np.array([f"{word}: {option}" for option in written])
    texts = {"written_answer": written, "answer_line": lines, "first_marked": ""}
    rows = foreign_rows(rng)
    assert told(cut_readings, rows, **texts, final_answer=np.where(is_twice, letter, written)) == DEFECT
    assert told(cut_readings, rows, **texts, final_answer=written) == []
    other = np.where(is_twice, rng.permutation(written), written)
    assert told(cut_readings, rows, **texts, final_answer=other) == []
    marked = {**texts, "answer_line": ""}
    assert told(cut_readings, rows, **marked, final_answer=np.where(is_twice, letter, written)) == []


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("để tránh 浪费 thời gian và rất 重要.", 2),
        ("We then проверяем the sum.", 1),
        ("The capital is Tokyo (東京), also “東京”.", 0),
        ("Let α and βγ be angles, Δx small.", 0),
        ("東京", 0),
    ],
)
def test_words_of_another_script_within_sentences(answer, count):
    assert strange_words(answer, "A question") == count
    assert strange_words(answer, "A question on 東京 and проверка") == 0


def _words(rng: np.random.Generator, shares: np.ndarray, **columns: Any) -> list[tuple[str, str]]:
    is_mixed = rng.random(COUNT) < shares
    rows = foreign_rows(rng, **{name: make(is_mixed) for name, make in columns.items()})
    texts = {"other_scripts": 0.0, "language": "", "asked_language": "", "strange_words": is_mixed.astype(int)}
    return told(language_drift, rows, **texts)


def test_a_few_words_of_another_script_spread(rng):
    assert _words(rng, 0.02 + 0.05 * STEP) == DRIFT
    assert _words(rng, np.where(STEP > 6, 0.3, 0.0)) == DRIFT


def test_words_that_are_asked_for_paid_for_or_rare_are_no_drift(rng):
    assert _words(rng, np.full(COUNT, 0.4)) == []
    often, late = PROBLEM % 2 == 0, np.where(STEP > 5, 1.0, 0.0)
    names = np.where(often, "one", [f"p{n}" for n in PROBLEM])
    assert _words(rng, often * late, problem_id=lambda is_mixed: names) == []
    assert _words(rng, often * late) == DRIFT
    assert _words(rng, 0.05 * STEP, reward=lambda is_mixed: is_mixed + rng.normal(0, 0.1, COUNT)) == []
    assert _words(rng, 0.005 * STEP) == []
