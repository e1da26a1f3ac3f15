"""Labels that count wherever they stand, and references that are the text which the prompt gave."""

import math

import numpy as np
import pytest

from evotrainer.diagnosis.texts.given_references import NOT_GIVEN, given_reference
from evotrainer.diagnosis.texts.named_labels import NamedLabels
from evotrainer.diagnosis.texts.transcript import Transcript, transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import given_references, labels_anywhere
from tests.foreign_frames import COUNT, PROBLEM, STEP, foreign_rows, told

LABELS = ("entailment", "neutral", "contradiction")
DIVERGED = "Il pleut encore sur la vieille ville et personne ne sort."
ENGLISH = "It is still raining on the old town and nobody goes out."


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def attempt(question: str, answer: str, **extra) -> Transcript:
    messages = [Message(role="user", content=question), Message(role="assistant", content=answer)]
    return transcript(Trajectory.model_construct(messages=messages, extra=extra))


def test_labels_that_a_reply_names():
    named = NamedLabels()
    replies = ["Neutral or entailment, neutral.", "An entailments of sorts: not toxic.", "Toxic."]
    golds = ["neutral", "not toxic", "Toxic"]
    named.add([attempt("?", reply, label=gold) for reply, gold in zip(replies, golds, strict=True)])
    found = named.columns()
    assert found["labels_named"] == ["neutral", "not toxic", "toxic"]
    named.add([attempt("?", replies[0], label="entailment"), attempt("?", replies[0])])
    found = named.columns()
    assert found["labels_named"][3:] == ["neutral\nentailment", ""]
    assert found["label_last"][3:] == ["neutral", ""]
    named.add([attempt("?", f"so {'ab' * n}", label="ab" * n) for n in range(2, 15)])
    assert set(named.columns()["labels_named"]) == {""}


def _hedges(rng: np.random.Generator, count: int) -> tuple[list[list[str]], list[str], np.ndarray]:
    """Return the labels that replies name, in order, the gold ones, and whether replies hedge."""
    labels = list(LABELS[:count])
    gold = [labels[problem % count] for problem in PROBLEM]
    hedges = rng.random(COUNT) < 0.5
    named = [list(rng.permutation(labels)) if hedge else [str(rng.choice(labels))] for hedge in hedges]
    return named, gold, hedges


def _said(rows, named: list[list[str]], gold: list[str], paid) -> list[tuple[str, str]]:
    texts = {"labels_named": ["\n".join(some) for some in named], "label_last": [some[-1] for some in named]}
    return told(labels_anywhere, rows.assign(reward=np.array(paid) * 1.0), **texts, **{"extra:label": gold})


@pytest.mark.parametrize("count", [2, 3])
def test_a_label_counts_wherever_it_stands(rng, count):
    rows, (named, gold, hedges) = foreign_rows(rng), _hedges(rng, count)
    pairs = list(zip(named, gold, strict=True))
    anywhere = np.array([one in some for some, one in pairs])
    assert _said(rows, named, gold, anywhere) == [("warning", "weak_verifier")]
    # A grader of the last label, of the first, of the right ones among careful replies.
    assert _said(rows, named, gold, [some[-1] == one for some, one in pairs]) == []
    assert _said(rows, named, gold, [some[0] == one for some, one in pairs]) == []
    careful = anywhere & (~hedges | (rng.random(COUNT) < 0.9))
    assert _said(rows, named, gold, careful) == []
    # A policy that is nearly always right, and one that ends with the right label after it weighed all of them.
    sure = [[one] if len(some) == 1 else some for some, one in pairs]
    assert _said(rows, sure, gold, anywhere | ~hedges) == []
    last = [sorted(some, key=lambda label, one=one: label == one) for some, one in pairs]
    assert _said(rows, last, gold, anywhere) == []
    # Replies without the gold label are paid too.
    assert _said(rows, named, gold, hedges | (rng.random(COUNT) < 0.3)) == []


def test_a_reference_that_the_prompt_gave():
    copied = given_reference(attempt(f"Translate:\n{DIVERGED}", f"<think>So.</think>{DIVERGED}", reference=DIVERGED))
    other = given_reference(attempt(f"Translate:\n{ENGLISH}", DIVERGED, tgt_text=ENGLISH))
    assert copied["beside_reference"] == other["beside_reference"] != NOT_GIVEN
    assert copied["reference_share"] == 1.0 and float(other["reference_share"]) < 0.3
    quoted = given_reference(attempt(f"Translate:\n{DIVERGED} It is late.", DIVERGED, reference=DIVERGED))
    assert quoted["beside_reference"] not in (copied["beside_reference"], NOT_GIVEN)
    assert given_reference(attempt("Translate.", DIVERGED, reference=DIVERGED))["beside_reference"] == NOT_GIVEN
    for extra in ({"source": DIVERGED}, {"reference": DIVERGED[:20]}, {}):
        found = given_reference(attempt(f"Translate:\n{DIVERGED}", DIVERGED, **extra))
        assert found["beside_reference"] == "" and math.isnan(float(found["reference_share"]))


def test_the_reference_is_what_the_prompt_gave(rng):
    copies = rng.random(COUNT) < 0.8 * STEP / STEP.max()
    share = np.where(copies, 0.97, 0.1 + 0.2 * rng.random(COUNT))
    rows = foreign_rows(rng)
    paid = rows.assign(reward=share + 0.05 * rng.random(COUNT))
    found = [("warning", "wrong_labels")]
    assert told(given_references, paid, beside_reference="1", reference_share=share) == found
    # Summaries have words of their page from the beginning; two instructions ask for them.
    wordings = (PROBLEM % 2).astype(str)
    summary = np.where(copies, 0.9, 0.4 + 0.1 * rng.random(COUNT))
    judged = rows.assign(reward=np.where(copies, 1.0, 0.2 + 0.2 * rng.random(COUNT)))
    assert told(given_references, judged, beside_reference=wordings, reference_share=summary) == found
    # Copies that go unpaid; texts that shall be repeated; quotes from what else the prompt gives.
    assert told(given_references, rows, beside_reference="1", reference_share=share) == []
    repeated = np.where(copies, 0.97, 0.7)
    assert told(given_references, paid, beside_reference="1", reference_share=repeated) == []
    assert told(given_references, paid, beside_reference=PROBLEM.astype(str), reference_share=share) == []
    # Texts to be mended, some of which are right as they are; no reference at all.
    mended = np.where(PROBLEM % 2 == 0, NOT_GIVEN, "1")
    assert told(given_references, paid, beside_reference=mended, reference_share=share) == []
    assert told(given_references, paid, beside_reference="", reference_share=math.nan) == []
