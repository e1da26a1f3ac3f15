"""Questions that are worked out line by line, and how a policy writes that, with or without a slip."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.tenth.core import Answer, Make, Reply, Task, text_reply

Calc = Callable[[dict], int]
Show = Callable[[int], str]


@dataclass(frozen=True)
class Sum:
    """A question, its numbers, and lines of (name, sentences parted by |, how it is calculated)."""

    family: str
    question: str
    given: dict
    lines: tuple[tuple[str, str, Calc], ...]


@dataclass(frozen=True)
class Voice:
    """Phrases of a language."""

    openings: tuple[str, ...]
    links: tuple[str, ...]
    checks: tuple[str, ...]
    closings: tuple[str, ...]


ENGLISH = Voice(
    (
        "Let me work through this.",
        "First I collect what is given.",
        "We go step by step.",
        "Okay, so the question is about the total at the end.",
        "I'll set this up carefully.",
        "Start from the quantities in the text.",
        "",
    ),
    ("", "", "Then ", "Next: ", "So ", "After that, ", "Now ", "- ", "Hence "),
    (
        "Let me double-check the previous line: it holds.",
        "Wait, did I read the numbers correctly? Yes.",
        "Going backwards gives the same figures.",
        "That seems plausible in size.",
        "Checking with rounded numbers gives the same magnitude.",
    ),
    ("Answer: {}", "**Answer: {}**", "The answer is {}.", "Final answer: {}"),
)
BOXED = Voice(
    ENGLISH.openings,
    ENGLISH.links,
    ENGLISH.checks,
    ("\\boxed{{{}}}", "The answer is \\boxed{{{}}}.", "Therefore we get \\boxed{{{}}}.", "$\\boxed{{{}}}$"),
)
GERMAN = Voice(
    (
        "Wir rechnen Schritt für Schritt.",
        "Zuerst sammle ich die Angaben.",
        "Gegeben ist Folgendes.",
        "Ich beginne mit den Mengen aus dem Text.",
        "Schauen wir uns die Zahlen an.",
        "",
    ),
    ("", "", "Dann: ", "Danach ", "Also ", "Weiter gilt: ", "- "),
    (
        "Die Größenordnung passt.",
        "Kurz nachgerechnet: das stimmt.",
        "Die Probe rückwärts ergibt dasselbe.",
        "Moment, habe ich richtig gelesen? Ja.",
    ),
    ("Antwort: {}", "**Antwort: {}**", "Ergebnis: {}", "Die Antwort lautet {}."),
)
SPANISH = Voice(
    (
        "Vamos paso a paso.",
        "Primero reúno los datos.",
        "Empezamos con las cantidades del enunciado.",
        "Veamos los números.",
        "",
    ),
    ("", "", "Luego: ", "Después, ", "Así que ", "Ahora ", "- "),
    ("El orden de magnitud es razonable.", "Lo compruebo al revés y coincide.", "Un momento, ¿leí bien los datos? Sí."),
    ("Respuesta: {}", "**Respuesta: {}**", "La respuesta es {}.", "Resultado final: {}"),
)


def dotted(value: int) -> str:
    """Digits in threes with a dot between, as in Germany and Spain."""
    return f"{value:,}".replace(",", ".")


def work(rng: Random, question: Sum, right: bool, show: Show = str) -> tuple[list[str], int]:
    """The lines written out, and their result; a wrong one slips somewhere and goes on from there."""
    truth = result(question)
    while True:
        slip_at = -1 if right else rng.randrange(len(question.lines))
        values, said, value = dict(question.given), [], 0
        for place, (name, sentences, calc) in enumerate(question.lines):
            value = slip(rng, calc(values)) if place == slip_at else calc(values)
            values[name] = value
            shown = {k: show(v) if isinstance(v, int) else v for k, v in values.items()}
            said.append(rng.choice(sentences.split("|")).format(it=show(value), **shown))
        if right or value != truth:
            return said, value


def result(question: Sum) -> int:
    """The right answer."""
    values, value = dict(question.given), 0
    for name, _, calc in question.lines:
        value = values[name] = calc(values)
    return value


def slip(rng: Random, value: int) -> int:
    """A number as somebody who errs writes it."""
    turned = int(str(abs(value))[::-1]) if value else 3
    near = value + rng.choice((-1, 1)) * rng.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 100))
    return max(1, rng.choice((near, near, near, near, turned, value * 2, value + rng.randint(2, 40))))


def write(rng: Random, voice: Voice, said: list[str], closing: str) -> str:
    """Lines as a policy writes them, in one of some manners."""
    lines = [s if s[0].isupper() else rng.choice(voice.links) + s for s in said]
    if rng.random() < 0.45:
        lines.insert(rng.randint(1, len(lines)), rng.choice(voice.checks))
    opening = rng.choice(voice.openings)
    glue = rng.choice(("\n", "\n", "\n\n"))
    return "\n\n".join(x for x in (opening, glue.join(lines), closing) if x)


def answering(question: Sum, voice: Voice, show: Show = str) -> Answer:
    """How a policy answers the question."""

    def answer(rng: Random, right: bool) -> Reply:
        said, value = work(rng, question, right, show)
        return text_reply(write(rng, voice, said, rng.choice(voice.closings).format(show(value))), show(value))

    return answer


def sum_maker(draws: tuple[Callable[[Random], Sum], ...], voice: Voice, ask: str = "", show: Show = str) -> Make:
    """Makes tasks of these questions."""

    def make(rng: Random, name: str) -> Task:
        question = rng.choice(draws)(rng)
        prompt = f"{question.question} {ask}".strip()
        level = 0.35 * (len(question.lines) - 3)
        return Task(
            name,
            prompt,
            str(result(question)),
            answering(question, voice, show),
            question.family,
            level,
            world=question,
        )

    return make
