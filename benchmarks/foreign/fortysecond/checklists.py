"""Instruction following with checkers: short texts under rules that a program can check."""

import random
import re

from benchmarks.foreign.fortysecond.attempts import Task
from benchmarks.foreign.fortysecond.letters import TOPICS, VAGUE

LINKS = (
    "That is the whole trick.",
    "Most people learn it within a week.",
    "My neighbour taught me so.",
    "It costs next to nothing.",
    "You will notice the difference soon.",
    "Nobody regrets it later.",
)


def orders(rng: random.Random, count: int) -> list[Task]:
    """Tasks: so many sentences on a topic, the last with a given word; `about` is topic, sentences and word."""
    out = []
    combos = [(t, n, w) for t in TOPICS for n in (2, 3, 4) for w in ("certainly", "gladly", "indeed")]
    for number, (topic, sentences, word) in enumerate(rng.sample(combos, count)):
        prompt = f"Write exactly {sentences} sentences about {topic}. The last one must end with the word '{word}'."
        out.append(
            Task(
                f"rule-{number:03d}", prompt, "", f"{sentences}_sentences", rng.gauss(0, 0.5), (topic, sentences, word)
            )
        )
    return out


def obey(rng: random.Random, task: Task, count_ok: bool, word_ok: bool) -> str:
    """A text that keeps or breaks each of the two rules."""
    topic, sentences, word = task.about
    wanted = sentences if count_ok else sentences + rng.choice((-1, 1, 2))
    pool = [*TOPICS[topic], *VAGUE, *LINKS]
    texts = rng.sample(pool, wanted)
    if word_ok:
        texts[-1] = texts[-1].rstrip(".") + f", {word}."
    return " ".join(texts)


def marks(task: Task, text: str) -> tuple[float, float]:
    """What the two checkers say."""
    _, sentences, word = task.about
    found = len(re.findall(r"[.!?](?:\s|$)", text))
    return float(found == sentences), float(bool(re.search(rf"\b{word}[.!?]?$", text)))
