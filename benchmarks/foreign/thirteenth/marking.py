"""Pupils' answers to be marked as an examiner would."""

from random import Random

from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Task

TOPICS = {
    "Why do we have seasons?": (
        "the axis is tilted",
        "one half leans to the sun",
        "days grow longer",
        "light falls steeper",
    ),
    "How does a vaccine work?": (
        "it shows a harmless part",
        "cells remember it",
        "antibodies form",
        "a later infection is met faster",
    ),
    "Why does bread rise?": (
        "yeast eats sugar",
        "carbon dioxide forms",
        "gluten holds the gas",
        "heat makes it expand",
    ),
    "What made the canal age end?": (
        "railways were faster",
        "frost closed canals",
        "tolls were high",
        "firms moved to the lines",
    ),
}
ODD = (
    "the earth comes nearer",
    "it kills all germs at once",
    "the oven pulls it up",
    "people did not like boats",
    "it is magic, says my brother",
)
PUPILS = ["Ava", "Ben", "Chloe", "Dev", "Ella", "Finn", "Gus", "Hana", "Isla", "Jude", "Kofi", "Lena"]
JUDGED = (
    "The examiner should credit {n} of 4 points.",
    "Fully in line with the scheme: {n}.",
    "I would award {n} out of 4 here.",
)


def script(rng: Random, index: int) -> Task:
    """One pupil's answer, with its mark of 0 to 4."""
    topic = rng.choice(list(TOPICS))
    known = rng.sample(TOPICS[topic], rng.randint(0, 4))
    pupil = rng.choice(PUPILS)
    parts = known + ([rng.choice(ODD)] if rng.random() < 0.5 or not known else [])
    prompt = (
        f"Mark scheme: one mark for each of: {'; '.join(TOPICS[topic])}.\nQuestion: {topic}\n"
        f"Script {rng.randint(100, 999)}, {pupil}: {rng.choice(('I think', 'Because'))} {' and '.join(parts)}.\n"
        "Explain, and end with 'Score: N/4'."
    )
    gold = len(known)

    def wrong(rng: Random) -> str:
        return str(rng.choice([n for n in range(5) if n != gold and abs(n - gold) < 3]))

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        first = f"{pupil} names {', '.join(known)}." if known and rng.random() < 0.8 else f"Judging {pupil}'s script."
        return [said(f"{first} {rng.choice(JUDGED).format(n=answer)}\nScore: {answer}/4")]

    return Task(f"scr{index:04d}", "marking", prompt, str(gold), rng.gauss(0, 0.7), wrong, work)
