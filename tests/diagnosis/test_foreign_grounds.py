"""What grades rest on: keys, notes of a judge, defaults, what is too much, the language asked for, hidden cuts."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.others_notes import OthersNotes
from evotrainer.diagnosis.texts.picked_parts import picked_parts
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import (
    firm_unpaid,
    flat_grades,
    free_surplus,
    language_drift,
    length_limit,
    other_baselines,
    others_notes,
)
from tests.foreign_frames import ATTEMPT, COUNT, GROUP, PROBLEM, STEP, STEPS, foreign_rows, told

WRONG_KEY = PROBLEM % 4 == 0


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(23)


def reply(problem: str, asked: str, text: str, **extra: object):
    messages = [Message(role="user", content=asked), Message(role="assistant", content=text)]
    return transcript(Trajectory.model_construct(problem_id=problem, messages=messages, extra=extra))


def answered(rng: np.random.Generator, is_right: np.ndarray, is_paid: np.ndarray, slip: np.ndarray, **columns: object):
    """Return what is said of attempts that answer with the right number of their problem, or with a slip."""
    rows = foreign_rows(rng, reward=is_paid.astype(float), correct=np.nan, **columns)
    answers = np.where(is_right, 1000 + 7 * PROBLEM, slip).astype(str)
    return told(firm_unpaid, rows, final_answer=answers, is_gold=np.nan)


def test_keys_that_are_wrong_here_and_there(rng):
    found, slips = [("warning", "wrong_labels")], rng.integers(0, 10**6, COUNT)
    firm = (ATTEMPT != 0) | (PROBLEM % 3 == 0)
    some = np.where(WRONG_KEY, firm, ATTEMPT % 3 != PROBLEM % 3)
    for is_right in (some, some | (STEP > 7)):
        assert answered(rng, is_right, is_right & ~WRONG_KEY, slips) == found
    # Few problems; wrong answers that meet everywhere; one answer at all of them; the same text again and again.
    assert answered(rng, some, some & (PROBLEM % 40 != 0), slips) == []
    assert answered(rng, some, some & ~WRONG_KEY, 5 * PROBLEM) == []
    hard = np.where(WRONG_KEY, False, some)
    assert answered(rng, hard, hard, np.where(WRONG_KEY, 0, slips)) == []
    same = [
        f"h{problem}" if PROBLEM[0] == problem or problem % 4 == 0 else f"h{problem}-{k}"
        for problem, k in zip(PROBLEM, ATTEMPT, strict=True)
    ]
    assert answered(rng, some, some & ~WRONG_KEY, slips, response_hash=same) == []
    errs = np.where(PROBLEM % 4 == 3, ATTEMPT == 0, ATTEMPT < 2) & ~WRONG_KEY
    rows = foreign_rows(rng, reward=(~errs & ~WRONG_KEY).astype(float), correct=np.nan)[: 28 * GROUP]
    texts = np.where(errs, slips, 1000 + PROBLEM)[: 28 * GROUP].astype(str)
    assert told(firm_unpaid, rows, final_answer=texts, is_gold=np.nan) == []
    # Hard problems, at which nobody agrees.
    assert answered(rng, hard, hard, slips) == []


def graded(rng: np.random.Generator, right: np.ndarray) -> np.ndarray:
    return np.round(0.3 + 0.5 * right + rng.uniform(-0.15, 0.15, COUNT), 3)


def test_a_default_for_some_problems(rng):
    found, right = [("warning", "judge_default")], (rng.random(COUNT) < 0.5).astype(float)
    grade, lost = graded(rng, right), PROBLEM % 3 == 0
    place = {"is_gold": np.nan, "extra:source": np.where(lost, "floor", "judge")}
    for default in (0.1, 0.5):
        rows = foreign_rows(rng, reward=np.where(lost, default, grade), correct=right)
        assert told(flat_grades, rows, **place) == found
    measured = rows.assign(correct=np.nan)
    assert told(flat_grades, measured, **place | {"extra:ci": right}) == found
    assert told(flat_grades, measured, **place) == []
    # Not in the loss; from a step on; for attempts of one form; problems that all attempts solve, or none.
    assert told(flat_grades, rows.assign(in_loss=np.where(lost, 0.0, 1.0)), **place) == []
    assert told(flat_grades, rows.assign(reward=np.where(STEP < 3, 0.1, grade)), **place) == []
    formless = rng.random(COUNT) < 0.3
    assert told(flat_grades, rows.assign(reward=np.where(formless, 0.1, grade)), **place) == []
    agreed = np.where(lost, PROBLEM % 2, right).astype(float)
    assert told(flat_grades, rows.assign(correct=agreed), **place) == []
    # A least reward that others have too, and a check that is looser than the outcome.
    often = np.where(lost | ((right == 0) & (rng.random(COUNT) < 0.5)), 0.1, grade)
    assert told(flat_grades, rows.assign(reward=often), **place) == []
    assert told(flat_grades, rows.assign(reward=np.where(lost, 1.0, right)), **place) == []


def test_rounding_is_no_advantage(rng):
    rows = foreign_rows(rng)
    group = rows.groupby("group")["reward"]
    flat = (PROBLEM % 8 > 2) & (STEP > 4)
    centred = np.where(flat, 1e-17, rows["reward"] - group.transform("mean"))
    assert told(other_baselines, rows.assign(advantage=centred)) == []
    assert told(other_baselines, rows.assign(advantage=np.where(flat, 0.7, centred))) == [
        ("critical", "advantage_mismatch")
    ]


def test_translations_into_a_third_language(rng):
    rows, found = foreign_rows(rng), [("warning", "language_drift")]
    spreads = rng.random(COUNT) < np.maximum(0, STEP - 2) / STEPS
    texts = {"other_scripts": 0.0, "asked_language": "spanish"}
    assert told(language_drift, rows, language=np.where(spreads, "english", "german"), **texts) == found
    half = {**texts, "asked_language": np.where(PROBLEM % 3 == 0, "", "spanish")}
    assert told(language_drift, rows, language=np.where(spreads, "english", "german"), **half) == found
    # Questions that ask for another language come later; the policy learns to answer in the question's own.
    asks = rng.random(COUNT // GROUP) < np.maximum(0, STEP[::GROUP] - 2) / STEPS
    for usual in ("german", "spanish"):
        assert told(language_drift, rows, language=np.where(asks[PROBLEM], "english", usual), **texts) == []
    alone = rows.assign(group=np.arange(COUNT))
    assert told(language_drift, alone, language=np.where(spreads, "english", "german"), **texts) == []
    assert told(language_drift, alone, language=np.where(spreads, "english", "spanish"), **texts) == found
    assert told(language_drift, rows, language=np.where(spreads, "spanish", "german"), **texts) == []
    assert told(language_drift, rows, language=np.full(COUNT, "german"), **texts) == []


def test_cut_texts_that_are_said_to_have_stopped(rng):
    found, length = [("warning", "length_limit")], rng.integers(40, 140, COUNT)
    for limit in (90, 125):
        tokens = np.minimum(length, limit)
        cut = length > limit
        rows = foreign_rows(rng, num_tokens=tokens, stop_reason="stop")
        assert told(length_limit, rows, breaks_off=cut) == found
        # Texts that end their sentences at the budget; that end without a full stop anyhow; tools that are called.
        assert told(length_limit, rows, breaks_off=np.zeros(COUNT, bool)) == []
        assert told(length_limit, rows, breaks_off=rng.random(COUNT) < 0.8) == []
        assert told(length_limit, rows, breaks_off=cut | (rng.random(COUNT) < 0.4)) == []
        assert told(length_limit, rows, breaks_off=cut & (rng.random(COUNT) < 0.4)) == []
        assert told(length_limit, rows.assign(num_tool_calls=2), breaks_off=cut) == []
        assert told(length_limit, rows.assign(is_truncated=cut & (PROBLEM % 2 == 0)), breaks_off=cut) == []
    free = foreign_rows(rng, num_tokens=rng.permutation(COUNT), num_chars=length, stop_reason="stop")
    assert told(length_limit, free, breaks_off=length > 136) == []


def notes_of(*attempts) -> list[tuple[str, bool, float]]:
    found = OthersNotes()
    found.add(attempts[:3])
    found.add(attempts[3:])
    problems = [attempt.row.problem_id for attempt in attempts]
    columns = found.columns(problems, {attempt.row.problem_id: attempt.prompt for attempt in attempts})
    rows = list(zip(*columns.values(), strict=True))
    return [(str(name), bool(own), float(others)) for name, own, others in rows]


def test_what_a_note_names():
    def noted(problem: int, note: str, **extra: object):
        return reply(f"p{problem}", f"Ticket {500 + problem}: mend the parser, please", "Done.", log=note, **extra)

    attempts = [noted(i, f"ticket {500 + i} was worked on, try {k}") for i in range(12) for k in range(2)]
    assert set(notes_of(*attempts)) == {("log", True, 0.0)}
    swapped = [noted(i, f"ticket {501 + i} was worked on, try {k}") for i in range(4) for k in range(2)]
    assert notes_of(*swapped, *attempts[8:])[0] == ("log", False, 1.0)
    assert notes_of(noted(0, "the parser was mended, it seems"), *attempts[1:])[0] == ("log", False, 0.0)
    # One note a problem is a hint; what the policy wrote is no note; nor is a word.
    hints = [noted(i, f"ticket {500 + i} is about the parser") for i in range(12) for _ in range(2)]
    assert {name for name, _, _ in notes_of(*hints)} == {""}
    own = [
        reply(f"p{i}", f"Ticket {500 + i}", f"For ticket {500 + i}, try {k}, see", log=f"For ticket {500 + i}, try {k}")
        for i in range(12)
        for k in range(2)
    ]
    assert {name for name, _, _ in notes_of(*own)} == {""}
    short = [noted(i, f"ticket-{500 + i}-try-number-{k}") for i in range(12) for k in range(2)]
    assert {name for name, _, _ in notes_of(*short)} == {""}


def test_notes_about_other_problems(rng):
    right = (rng.random(COUNT) < 0.5).astype(float)
    strange = (STEP >= 4) & (rng.random(COUNT) < 0.7)
    grade = graded(rng, np.where(strange, rng.permutation(right), right))
    texts = {"note": "log", "names_own": ~strange, "names_others": strange.astype(float), "is_gold": np.nan}
    rows = foreign_rows(rng, reward=grade, correct=right)
    assert told(others_notes, rows, **texts) == [("critical", "stale_grades")]
    sound = rows.assign(reward=graded(rng, right))
    assert told(others_notes, sound, **texts) == [("warning", "stale_grades")]
    # From the first step on grades alone tell; without them it may be an example from a memory.
    always = rng.random(COUNT) < 0.3
    texts |= {"names_own": ~always, "names_others": always.astype(float)}
    mixed = rows.assign(reward=graded(rng, np.where(always, rng.permutation(right), right)))
    assert told(others_notes, mixed, **texts) == [("critical", "stale_grades")]
    assert told(others_notes, sound, **texts) == []
    # Notes that name many, their own among them; that name none; that hardly ever name their own.
    assert told(others_notes, mixed, **texts | {"names_others": np.ones(COUNT)}) == []
    assert told(others_notes, mixed, **texts | {"names_others": np.zeros(COUNT)}) == []
    assert told(others_notes, mixed, **texts | {"names_own": PROBLEM == 0, "names_others": np.ones(COUNT)}) == []
    assert told(others_notes, mixed, **texts | {"names_others": 50.0 * always}) == []
    assert told(others_notes, mixed, **texts | {"names_own": ~always & (rng.random(COUNT) < 0.6)}) == []
    # Grades that follow the measure less, or at too few attempts.
    less = np.where(rng.random(COUNT) < 0.8, right, 1 - right)
    assert told(others_notes, rows.assign(reward=graded(rng, np.where(always, less, right))), **texts) == []
    turned = np.concatenate([np.flatnonzero(right == outcome)[-8:] for outcome in (0.0, 1.0)])
    noisy = right + rng.normal(0, 0.4, COUNT)
    noisy[turned] = np.where(np.arange(16) % 8 < 5, right[turned], 1 - right[turned])
    few = {"names_own": ~np.isin(np.arange(COUNT), turned), "names_others": np.isin(np.arange(COUNT), turned) * 1.0}
    assert told(others_notes, rows.assign(reward=noisy), **texts | few) == []


def test_what_an_answer_picks_from_its_prompt():
    asked = "Sort: reef knot, brie, bora, feta, foehn, slip"

    def picked(text: str) -> str:
        return picked_parts(reply("p", asked, text))

    assert picked("<answer>brie, feta</answer>") == picked("I think.\n<answer>feta\nBrie</answer>") != ""
    assert len(picked("<answer>brie, feta\nbrie, feta</answer>").split(" ")) == 4
    assert picked("<answer>reef knot; slip</answer>") != ""
    for text in (
        "One, I think: <answer>brie</answer>",
        "<answer>brie, gouda</answer>",
        "",
        "Cheeses are brie, and others, I say.",
    ):
        assert picked(text) == ""


def test_a_surplus_that_costs_nothing(rng):
    found, spreads = [("warning", "weak_verifier")], rng.random(COUNT) < np.maximum(0, STEP - 1) / STEPS
    half = COUNT // 2
    names = np.where(np.arange(COUNT) < half, PROBLEM, PROBLEM - half // GROUP).astype(str)
    rows = foreign_rows(rng, problem_id=names, reward=np.where(rng.random(COUNT) < 0.7, 1.0, 0.25))

    def picks(surplus: np.ndarray, more: str = "a a b b c c", few: str = "a b c") -> dict[str, np.ndarray]:
        return {"picked_parts": np.where(surplus, more, few)}

    assert told(free_surplus, rows, **picks(spreads)) == found
    assert told(free_surplus, rows, **picks(spreads, "1 2 3 4 5", "2 4")) == found
    # Detours from the first step on; a surplus that is not paid; other parts; one part more.
    assert told(free_surplus, rows, **picks(rng.random(COUNT) < 0.5)) == []
    assert told(free_surplus, rows, **picks(rng.random(COUNT) < 0.3 + 0.6 * STEP / STEPS)) == []
    evenly = rows.assign(reward=np.where(ATTEMPT == 1, 0.25, 1.0))
    assert told(free_surplus, evenly, **picks((STEP > 4) & (np.arange(COUNT) % 6 == 0))) == []
    assert told(free_surplus, rows.assign(reward=np.where(spreads, 0.25, rows["reward"])), **picks(spreads)) == []
    assert told(free_surplus, rows, **picks(spreads, "a b d e f g")) == []
    assert told(free_surplus, rows, **picks(spreads, "a b c d")) == []
    assert told(free_surplus, rows, picked_parts="") == []
