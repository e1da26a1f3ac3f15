"""A task with its right way and its usual slips, and how a policy writes one of them down."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

Line = tuple[str, ...]
"""Ways to say one thing."""


@dataclass
class Task:
    """One problem."""

    pid: str
    prompt: str
    gold: str
    path: list[Line]
    slips: list[tuple[list[Line], str]]
    """Wrong ways, each with the answer that it leads to."""
    asides: Line = ()
    family: str = ""
    hardness: float = 0.0
    extra: dict = field(default_factory=dict)
    tongue: str = "en"


World = Callable[[random.Random], Task]

OPENERS = (
    "Let me set out what is given.",
    "First I collect the facts.",
    "I start with what the question asks for.",
    "We need one figure here.",
    "Reading it again, the order of the steps matters.",
    "Okay, one thing after another.",
    "Here is how I would go about it.",
    "There are not many moving parts.",
    "To begin, I note the inputs.",
    "I will work forward from the data.",
    "Start from the end: what must the reply contain?",
    "Fine, let's do this by hand.",
)
LINKS = ("Then ", "Next, ", "So ", "From there, ", "After that, ", "With this, ", "Now ", "")
GERMAN_OPENERS = (
    "Ich rechne der Reihe nach.",
    "Zuerst kommt der volle Preis.",
    "Gegeben sind zwei Waren und ein Nachlass.",
    "Gefragt ist der Betrag an der Kasse.",
    "Fangen wir mit den Waren an.",
    "Das geht in zwei Schritten.",
)
GERMAN_LINKS = ("Weiter: ", "Danach: ", "Also: ", "", "")


def lower_first(text: str) -> str:
    """Sentence that goes on after a linking word; capitals of names stay."""
    head = text.split(" ", 1)[0]
    return text if not head[1:].islower() and head != "A" else text[:1].lower() + text[1:]


def write(rng: random.Random, task: Task, right: bool, form: str = "Answer: {}", remarks: int = 1) -> tuple[str, str]:
    """Text of an attempt and its answer."""
    path, answer = (task.path, task.gold) if right else rng.choice(task.slips)
    openers, links = (GERMAN_OPENERS, GERMAN_LINKS) if task.tongue == "de" else (OPENERS, LINKS)
    parts = [rng.choice(openers)] if rng.random() < 0.8 else []
    for i, line in enumerate(path):
        sentence = rng.choice(line)
        link = rng.choice(links) if i else ""
        parts.append(link + (lower_first(sentence) if link and ":" not in link else sentence))
    for aside in rng.sample(task.asides, min(remarks, len(task.asides))):
        parts.insert(rng.randint(1, len(parts)), aside)
    parts = [p[:1].upper() + p[1:] for p in parts]
    return " ".join(parts) + "\n\n" + form.format(answer), answer


def count_tokens(text: str) -> int:
    """Tokens of a text, as a tokenizer of common size cuts it."""
    return max(1, round(len(text) / 4.1))


def money(value: float) -> str:
    """An amount with cents."""
    return f"{value:.2f}"


def pick_id(rng: random.Random, stem: str) -> str:
    """A new name of a problem."""
    return f"{stem}-{rng.randrange(16**6):06x}"
