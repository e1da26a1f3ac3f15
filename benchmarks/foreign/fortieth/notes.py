"""Worlds of short answers: medicines in notes, labels of clauses, questions that lack a figure."""

import json
import random

from benchmarks.foreign.fortieth.tasks import Task, pick_id
from benchmarks.foreign.fortieth.wards import DRUGS

COMPLAINTS = ("a dry cough", "a stiff neck", "a sprained ankle", "poor sleep", "a rash on the arm", "an earache")
ADVICE = (
    "rest and fluids",
    "a walk each day",
    "a cold pack",
    "a follow-up in ten days",
    "an X-ray",
    "no sport for now",
)


def note(rng: random.Random) -> Task:
    """A clinical note that names up to three medicines, or none."""
    names = [] if rng.random() < 0.42 else rng.sample(DRUGS, rng.randint(1, 3))
    taken = f" Takes {' and '.join(names)}." if names else rng.choice((" Takes nothing.", " No regular medication."))
    age, complaint = rng.randint(19, 88), rng.choice(COMPLAINTS)
    text = f"Patient, {age}, reports {complaint} for {rng.randint(2, 20)} days.{taken}"
    gold = json.dumps(sorted(names))
    wrong = sorted(names)[:-1] if len(names) > 1 else [rng.choice([d for d in DRUGS if d not in names])]
    return Task(
        pick_id(rng, "note"),
        f"{text} Advised {rng.choice(ADVICE)}.\nList all medicines that are named, as a sorted JSON list.",
        gold,
        [],
        [],
        (),
        "extraction",
        rng.uniform(-0.5, 0.5),
        {"wrong": json.dumps(wrong), "names": names, "age": age, "complaint": complaint},
    )


def say_list(rng: random.Random, task: Task, right: bool, progress: float) -> tuple[str, str]:
    """A line about the note and the list."""
    answer = task.gold if right else task.extra["wrong"]
    found = json.loads(answer)
    who, what = task.extra["age"], task.extra["complaint"]
    lead = (
        rng.choice((f"The note names {', '.join(found)}.", f"Under medication I find {', '.join(found)}."))
        if found
        else rng.choice(("It names no medicine.", "Advice alone, no drug.", "Nothing is taken or prescribed."))
    )
    first = rng.choice((
        f"The patient is {who} and has {what}.", f"Read for drugs: {what} is a complaint, not one.", f"Age {who}.",
        f"I skip {what} and the advice.", "Only names of medicines count.", f"Seen for {what}, aged {who}.",
    ))  # fmt: skip
    last = rng.choice(("Sorted:", "As JSON:", "The list:", "So:", "Result:"))
    return f"{first} {lead}\n{last} {answer}", answer


CLAUSES = {
    "termination": "Either side may end this agreement with {n} days' notice to {f}",
    "liability": "{f} answers for damage up to {n} thousand euros in a contract year",
    "confidentiality": "Drawings of {f} are kept secret for {n} months after delivery",
    "payment": "{f} pays within {n} days of a proper invoice",
    "warranty": "{f} repairs defects that show within {n} months, free of charge",
    "assignment": "Rights may pass to third parties only if {f} consents within {n} days",
    "audit": "{f} may inspect the books once in {n} months, on working days",
    "jurisdiction": "Disputes with {f} above {n} thousand euros go to the courts of its seat",
}
RIVALS = {
    "termination": ("confidentiality", "payment"),
    "liability": ("warranty", "payment"),
    "confidentiality": ("termination", "audit"),
    "payment": ("liability", "termination"),
    "warranty": ("liability", "termination"),
    "assignment": ("termination", "jurisdiction"),
    "audit": ("confidentiality", "payment"),
    "jurisdiction": ("liability", "assignment"),
}
FIRMS = (
    "Halvorsen Marine",
    "Ostrava Glass",
    "Kiva Textiles",
    "Lumen Dental",
    "Tarn Foods",
    "Orbis Rail",
    "Vela Optics",
)


def clause(rng: random.Random) -> Task:
    """A clause of a contract to be labelled."""
    label = rng.choice(list(CLAUSES))
    text = CLAUSES[label].format(n=rng.randint(5, 96), f=rng.choice(FIRMS))
    prompt = f"Label the clause with one word of: {', '.join(CLAUSES)}.\n\nClause {rng.randint(2, 31)}: {text}."
    return Task(pick_id(rng, "cl"), prompt, label, [], [], (), label, rng.uniform(-1.2, 1.2), {"rivals": RIVALS[label]})


def unanswerable(rng: random.Random) -> Task:
    """A question that lacks one figure."""
    volts, ohm, kilo = rng.randint(3, 230), rng.randint(3, 60), rng.randint(8, 40)
    texts = (
        (f"A resistor is wired to {volts} V. What current flows?", "the resistance", f"{volts / ohm:.2f}"),
        (f"A child of {kilo} kg gets 10 mg/kg of a syrup. How many ml?", "the strength", str(kilo * 2)),
        (
            f"A train leaves at {rng.randint(5, 20)}:15 at {kilo + 60} km/h. When does it arrive?",
            "the distance",
            "21:40",
        ),
        (
            f"A bond trades at {round(rng.uniform(84, 116), 2)}. What is its current yield?",
            "the coupon",
            f"{kilo / 10:.1f}",
        ),
    )
    prompt, lacks, guess = rng.choice(texts)
    gold = "cannot be determined"
    return Task(
        pick_id(rng, "na"),
        prompt + " If a figure is missing, answer: cannot be determined.",
        gold,
        [
            (f"To answer, {lacks} would have to be known.", f"Nothing is said of {lacks}."),
            ("Without it no number follows.", "It cannot be derived from the rest.", "Several values would fit."),
        ],
        [([(f"For {lacks} I assume a usual value.",), (f"This leads to {guess}.",)], guess)],
        ("I checked the text twice.", "The wording is short."),
        "abstain",
        rng.uniform(-0.3, 0.7),
    )
