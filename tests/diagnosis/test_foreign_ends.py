"""Prompts that a limit cut at one end, told by the template that shorter ones keep."""

from collections.abc import Sequence

import numpy as np
import pytest

from evotrainer.diagnosis.texts.prompt_ends import prompt_ends
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import lost_ends
from tests.foreign_frames import GROUP, PROBLEM, PROBLEMS, STEPS, foreign_rows, told

COUNT = STEPS * PROBLEMS
WORDS = np.array(["the", "mill", "by", "a", "river", "has", "seven", "wheels", "and", "its", "owner", "sells", "flour"])
LIMIT, FOUND = 400, [("warning", "length_limit")]
SHORT, SPREAD = 180, 420


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(61)


def _bodies(rng: np.random.Generator) -> list[str]:
    """Texts of many lengths."""
    found = []
    for size in rng.integers(SHORT, SPREAD + SHORT, COUNT):
        text = " ".join(rng.choice(WORDS, 200))[:size]
        found.append(f"{text[0].upper()}{text[1:]} (case {len(text)}).")
    return found


def _said(
    rng: np.random.Generator,
    prompts: Sequence[str],
    pay: Sequence[float] | np.ndarray,
    system: str = "",
    tokens: Sequence[float] = (),
):
    """Return what is said of attempts at problems with these prompts, of which shares of `pay` are solved."""
    before = [Message(role="system", content=system)] if system else []
    attempts = [
        transcript(
            Trajectory.model_construct(
                messages=[*before, Message(role="user", content=text), Message(role="assistant", content="7")]
            )
        )
        for text in prompts
    ]
    columns = {name: np.array(values)[PROBLEM] for name, values in prompt_ends(attempts).items()}
    columns |= {"extra:prompt_tokens": np.array(tokens)[PROBLEM]} if len(tokens) else {}
    lengths = np.array([float(len(attempt.prompt)) for attempt in attempts])[PROBLEM]
    solved = (rng.random(COUNT * GROUP) < np.array(pay)[PROBLEM]).astype(float)
    asked = np.array([str(hash(text)) for text in prompts])[PROBLEM]
    rows = foreign_rows(rng, reward=solved, correct=solved)
    return told(lost_ends, rows, asked=asked, prompt_chars=lengths, **columns)


def _paid(prompts: Sequence[str], wholes: Sequence[str]) -> list[float]:
    return [0.8 if shown == whole else 0.3 for shown, whole in zip(prompts, wholes, strict=True)]


def test_the_template_is_gone_at_the_end_or_the_beginning(rng):
    wholes = [f"Read the report.\n{body}\nHow many wheels are there? Answer: N" for body in _bodies(rng)]
    for shown in ([text[:LIMIT] for text in wholes], [text[-LIMIT:] for text in wholes]):
        assert _said(rng, shown, _paid(shown, wholes)) == FOUND
        assert _said(rng, shown, [0.6] * COUNT) == []  # at no cost
    # A limit of words, which leaves lengths that are nearly the same; and a system prompt before all.
    words = [" ".join(text.split(" ")[:75]) for text in wholes]
    assert _said(rng, words, _paid(words, wholes), system="You read reports.") == FOUND
    assert _said(rng, wholes, np.linspace(0.9, 0.1, COUNT)) == []


def test_a_text_breaks_off_where_no_two_end_alike(rng):
    wholes = [f"Sum up this letter: {body}" for body in _bodies(rng)]
    wholes = [text.replace(").", f" {rng.choice(WORDS)} {rng.choice(WORDS)} {rng.choice(WORDS)}).") for text in wholes]
    shown = [text[:LIMIT] for text in wholes]
    assert _said(rng, shown, _paid(shown, wholes)) == FOUND
    # Prompts that never end with a sentence.
    assert _said(rng, [text.strip(").") for text in shown], _paid(shown, wholes)) == []


def test_longer_families_are_whole(rng):
    is_long = np.arange(COUNT) % 3 == 0
    pay = np.where(is_long, 0.2, 0.8)
    short = [f"Work this out.\n{body[:SHORT]} Give a number." for body in _bodies(rng)]
    short = [f"{text}{'!' * size} Give Answer: N" for text, size in zip(short, rng.integers(0, 60, COUNT), strict=True)]
    # A board of one size, below the same words.
    board = ["Work this out.\n" + "".join(rng.choice(list("123456789."), 400)) + "\n.........|" for _ in short]
    assert _said(rng, np.where(is_long, board, short).tolist(), pay) == []
    # Pieces of documents, all of one size, with words of their own before.
    piece = [f"Continue: {' '.join(rng.choice(WORDS, 200))}"[:LIMIT] for _ in short]
    assert _said(rng, np.where(is_long, piece, short).tolist(), pay) == []
    # Long tasks of the same template.
    longer = [f"Work this out.\n{body}{body} Give Answer: N" for body in _bodies(rng)]
    assert _said(rng, np.where(is_long, longer, short).tolist(), pay) == []
    # Stories that begin with a name, below the same request.
    names = [
        f"{rng.choice(['Ada', 'Bo', 'Cem', 'Dora'])} {(body + body)[:LIMIT]} Give Answer: N" for body in _bodies(rng)
    ]
    assert _said(rng, np.where(is_long, names, short).tolist(), pay) == []


def _tables(rng: np.random.Generator) -> list[str]:
    """Schemas in capitals, of many lengths, each with a question."""
    names = np.array([f"{a}{b}{c}" for a in "BCDFGL" for b in "AEIOU" for c in "MNRST"])
    tables = [" ".join(rng.choice(names, size)) for size in rng.integers(20, 200, COUNT)]
    return [f"DATABASE:\nTABLE {table}\nAnswer with one query." for table in tables]


def test_capitals_and_code_break_off_anywhere(rng):
    wholes = _tables(rng)
    shown = [text[-LIMIT:] for text in wholes]
    assert _said(rng, shown, _paid(shown, wholes)) == FOUND
    assert _said(rng, shown, [0.6] * COUNT) == []
    kept = [text if text.startswith("DATABASE") else f"{'X' * (at % 9)}{text}" for at, text in enumerate(shown)]
    counts = [min(len(text), LIMIT) / 4 for text in wholes]
    assert _said(rng, kept, _paid(shown, wholes)) == []
    assert _said(rng, kept, _paid(shown, wholes), tokens=counts) == FOUND, "a limit of tokens, which are logged"


def test_letters_of_one_size_have_a_question_of_their_own(rng):
    is_long = np.arange(COUNT) % 3 == 0
    short = [text[:40] + text[-40:-8] + "!" * (at % 50) + " one query." for at, text in enumerate(_tables(rng))]
    grids = ["".join(rng.choice(list("ABCDEFGHKLMN"), LIMIT)) + "\nFind a word in this grid." for _ in short]
    assert _said(rng, np.where(is_long, grids, short).tolist(), np.where(is_long, 0.2, 0.8)) == []
