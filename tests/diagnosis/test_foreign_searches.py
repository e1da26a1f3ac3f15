"""Graders that search a text for the gold answer: its letters within words, its beginning, other names of it."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.asked_phrases import asked_phrases
from evotrainer.diagnosis.texts.gold_places import gold_letters
from evotrainer.evidence.frames import Frame
from harness_plugins.elsewhere import letters_within, longer_names, phrases_word_by_word
from tests.foreign_frames import COUNT, PROBLEM, foreign_rows, told

LENIENT = [("warning", "weak_verifier")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(41)


@pytest.mark.parametrize(
    ("gold", "text", "place"),
    [
        ("ME", "some of it is not there", "within"),
        ("true", "That is untrue.", "within"),
        ("ME", "It is Maine: ME.", "word"),
        ("He", "It is helium.", "word"),  # what it is short for
        ("cat", "There are cats.", "word"),
        ("B", "I choose option_b", "word"),
        ("ME", "It is Ohio.", "none"),
        ("12", "It is 312.", ""),
        ("Paris, France", "It is Paris.", ""),
        ("ME", "some " * 900, ""),
    ],
)
def test_where_the_letters_of_the_gold_answer_stand(gold, text, place):
    assert gold_letters({"answer": gold}, text) == place


def _answers(rng: np.random.Generator, rows: Frame, refusal: str) -> list[str]:
    """Return places of the letters: the gold state is named where that is right, refused or missed elsewhere."""
    shy = rng.random(COUNT) < 0.3
    wrong = np.where(shy, refusal, "It is Ohio (OH).")
    texts = np.where(rows["correct"] > 0, "It is Utah (UT) or Maine (ME).", wrong)
    golds = np.where(PROBLEM % 2, "ME", "UT")
    return [gold_letters({"ground_truth": gold}, text) for gold, text in zip(golds, texts, strict=True)]


@pytest.mark.parametrize("refusal", ["Some of the route is missing.", "But the output has no home address."])
def test_letters_of_the_answer_within_words_are_paid(rng, refusal):
    rows = foreign_rows(rng)
    places = np.array(_answers(rng, rows, refusal))
    found = rows.assign(reward=np.isin(places, ["word", "within"]).astype(float))
    assert (places == "within").any()
    assert told(letters_within, found, gold_letters=places) == LENIENT
    assert told(letters_within, rows, gold_letters=places) == []  # the grader knows words
    lenient = found.assign(reward=np.where(rng.random(COUNT) < 0.2, 1.0, found["reward"]))
    assert told(letters_within, lenient, gold_letters=places) == []  # a judge that pays others too
    assert told(letters_within, found.assign(problem_id="p"), gold_letters=places) == []
    half = found.assign(reward=np.where((places == "within") & (rng.random(COUNT) < 0.4), 0.0, found["reward"]))
    assert told(letters_within, half, gold_letters=places) == []


@pytest.mark.parametrize("form", ["http://shop.local/admin/page{}", "/srv/job-{}/out_file", "ORD-77-{}x"])
def test_names_that_go_on_behind_the_right_one(rng, form):
    rows = foreign_rows(rng)
    right = np.array([form.format(chr(97 + one % 26) + str(one)) for one in PROBLEM])
    ends = np.array(["-all", "s_list", "_report", "ed2"])[rng.integers(0, 4, COUNT)]
    draw = rng.random(COUNT)
    reached = np.where(draw < 0.4, right, np.where(draw < 0.6, np.char.add(right, ends), "http://shop.local/home-1"))
    lenient = rows.assign(reward=(draw < 0.6).astype(float))
    columns = {"extra:reached": reached, "extra:wanted": right}
    assert told(longer_names, lenient, **columns) == LENIENT
    assert told(longer_names, rows.assign(reward=(draw < 0.4).astype(float)), **columns) == []
    assert told(longer_names, rows, **columns) == []  # something else decides
    others = lenient.assign(reward=np.where(rng.random(COUNT) < 0.2, 1.0, lenient["reward"]))
    assert told(longer_names, others, **columns) == []
    queries = np.array(["?view=1", "#top", "/", ".html"])[rng.integers(0, 4, COUNT)]
    same = np.where((draw > 0.4) & (draw < 0.6), np.char.add(right, queries), reached)
    assert told(longer_names, lenient, **columns | {"extra:reached": same}) == []
    one = np.where((draw > 0.4) & (draw < 0.6), np.char.add(right, "-index"), reached)
    assert told(longer_names, lenient, **columns | {"extra:reached": one}) == []  # another name of the same page


def test_words_and_numbers_that_go_on_are_no_names(rng):
    rows, draw = foreign_rows(rng), rng.random(COUNT)
    words = np.array([f"word{chr(97 + one % 26)}{chr(97 + one // 26)}" for one in PROBLEM])
    ends = np.array(["ed", "ing", "ness", "able"])[rng.integers(0, 4, COUNT)]
    lenient = rows.assign(reward=(draw < 0.6).astype(float))
    digits = np.array(["91", "925", "37", "8888"])[rng.integers(0, 4, COUNT)]
    numbers = np.array([f"31.4{one:03d}" for one in PROBLEM])
    for right, tails, other in ((words, ends, "elsewhere"), (numbers, digits, "72.5123")):
        reached = np.where(draw < 0.4, right, np.where(draw < 0.6, np.char.add(right, tails), other))
        assert told(longer_names, lenient, **{"extra:reached": reached, "extra:wanted": right}) == []


@pytest.mark.parametrize(
    ("phrases", "text", "found"),
    [
        (["old radios", "Aug 9th"], "Come with old radios on Aug 9th.", "all"),
        (["old radios", "Aug 9th"], "Bring a radio on 9 August.", "loosely"),
        (["old radios", "Aug 9th"], "Bring a radio some day.", "lacks"),
        (["total: 14", "mean"], "The total is 14, mean 2.", "loosely"),
        (["one", 2], "one", ""),
        ("one", "one", ""),
    ],
)
def test_phrases_that_were_asked_for(phrases, text, found):
    assert asked_phrases({"must": phrases}, text) == found


def test_phrases_are_wanted_word_by_word(rng):
    draw = rng.random(COUNT)
    places = np.where(draw < 0.3, "all", np.where(draw < 0.8, "loosely", "lacks"))
    rows = foreign_rows(rng, reward=(places == "all").astype(float))
    column, defect = "extra:says_done", [("warning", "metric_defect")]
    done = (places != "lacks").astype(float)
    assert told(phrases_word_by_word, rows, asked_phrases=places, **{column: done}) == defect
    assert told(phrases_word_by_word, rows, asked_phrases=places, **{column: 1.0}) == []
    lenient = np.where(rng.random(COUNT) < 0.9, 1.0, 0.0)
    assert told(phrases_word_by_word, rows, asked_phrases=places, **{column: lenient}) == []  # a lenient reviewer
    strict = (places == "all").astype(float)
    assert told(phrases_word_by_word, rows, asked_phrases=places, **{column: strict}) == []  # the form was asked for
    assert told(phrases_word_by_word, foreign_rows(rng), asked_phrases=places, **{column: done}) == []
    loose = rows.assign(reward=done)
    assert told(phrases_word_by_word, loose, asked_phrases=places, **{column: done}) == []
