"""Single-turn worlds of the blind part: word problems in four languages, labels, extraction, translation, functions."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import yaml

VERBS = [
    "measured",
    "sold",
    "planted",
    "repaired",
    "borrowed",
    "painted",
    "moved",
    "counted",
    "shipped",
    "sorted",
    "weighed",
    "labelled",
]
NOUNS = [
    "valve",
    "ledger",
    "canoe",
    "turbine",
    "orchard",
    "telescope",
    "violin",
    "harbour",
    "glacier",
    "beehive",
    "carriage",
    "lantern",
    "bridge",
    "kiln",
]
PLACES = [
    "Tromso",
    "Izmir",
    "Cusco",
    "Nagoya",
    "Leeds",
    "Maputo",
    "Graz",
    "Hobart",
    "Lviv",
    "Recife",
    "Bergen",
    "Tunis",
    "Oaxaca",
    "Perth",
]
PEOPLE = [
    "Amara",
    "Bjorn",
    "Chidi",
    "Dalia",
    "Enzo",
    "Freya",
    "Goran",
    "Hana",
    "Imran",
    "Jelena",
    "Kofi",
    "Leila",
    "Marek",
    "Nadia",
]


@dataclass(frozen=True)
class Problem:
    """What is asked, and what a right answer is."""

    key: str
    prompt: str
    truth: str
    facts: dict
    """What reasoning may speak of."""
    difficulty: float
    """0 easy to 1 hard."""


@cache
def phrases() -> dict:
    """Sentences by language."""
    return yaml.safe_load(Path(__file__).with_name("phrases.yaml").read_text(encoding="utf-8"))


class WordProblems:
    """Arithmetic in words, in German, Spanish, Chinese or Polish."""

    def __init__(self, language: str, system: str = ""):
        self.text = phrases()[language]
        self.language, self.system = language, system

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A new problem."""
        pick = lambda key: str(rng.choice(self.text[key]))  # noqa: E731
        a, b, c = int(rng.integers(3, 40)), int(rng.integers(4, 60)), int(rng.integers(2, 12))
        facts = {
            "name": pick("names"),
            "thing": pick("things"),
            "place": pick("places"),
            "a": a,
            "b": b,
            "c": c,
            "ab": a * b,
        }
        template, formula = self.text["tasks"][int(rng.integers(len(self.text["tasks"])))]
        truth = eval(formula, {"__builtins__": {}}, {"a": a, "b": b, "c": c})  # noqa: S307 - our own phrases
        return Problem(
            f"{self.language}-{number:04d}", template.format(**facts), str(truth), facts, float(rng.beta(2, 2))
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The messages before the policy speaks."""
        system = [{"role": "system", "content": self.system}] if self.system else []
        return [*system, {"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """One answer with its reasoning."""
        count = int(rng.integers(3, len(self.text["thoughts"]) + 1))
        thoughts = [str(t).format(**problem.facts) for t in rng.permutation(self.text["thoughts"])[:count]]
        wrong = int(problem.truth) + int(rng.choice([-10, -2, -1, 1, 2, 9, problem.facts["c"]]))
        return [say("\n".join([*thoughts, self.text["final"].format(answer=problem.truth if is_right else wrong)]))]


class Labels:
    """One-word intents of support tickets: no reasoning, many equal answers."""

    LABELS = ("refund", "outage", "billing", "upgrade", "spam")

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A new ticket."""
        label = str(rng.choice(self.LABELS))
        person, place, noun, verb = (str(rng.choice(x)) for x in (PEOPLE, PLACES, NOUNS, VERBS))
        text = (
            f"Ticket {number} from {person} ({place}): the {noun} I {verb}"
            f" last week, about {label[:3]}..., order {rng.integers(1_000_000)}."
        )
        return Problem(
            f"ticket-{number}", f"Classify into {', '.join(self.LABELS)}.\n{text}", label, {}, float(rng.random())
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The ticket."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """One word."""
        return [say(problem.truth if is_right else str(rng.choice([x for x in self.LABELS if x != problem.truth])))]


class Reading:
    """Extraction: the answer stands in the passage, as it must."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A passage with a question on one of its sentences."""
        people = [str(p) for p in rng.permutation(PEOPLE)[:4]]
        facts = [
            (p, str(rng.choice(VERBS)), str(rng.choice(NOUNS)), str(rng.choice(PLACES)), int(rng.integers(1900, 2020)))
            for p in people
        ]
        passage = " ".join(f"In {year}, {p} {v} a {n} near {place}." for p, v, n, place, year in facts)
        p, v, n, place, year = facts[int(rng.integers(4))]
        question = f"{passage}\nQuestion: where was the {n} that {p} {v} in {year}?"
        return Problem(
            f"squad-{number}",
            question,
            place,
            {"p": p, "v": v, "n": n, "year": year, "places": [f[3] for f in facts]},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """Passage and question."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """A short justification and the span."""
        f = problem.facts
        openers = (
            f"The passage says {f['p']} {f['v']} it in {f['year']}.",
            f"Looking for {f['p']} and the {f['n']}.",
            f"{f['year']} is the sentence about the {f['n']}.",
            f"{f['p']} appears once.",
        )
        span = (
            problem.truth if is_right else str(rng.choice([x for x in [*f["places"], "unknown"] if x != problem.truth]))
        )
        return [say(f"{' '.join(str(o) for o in rng.permutation(openers)[: rng.integers(1, 4)])} Answer: {span}")]


class Choices:
    """Multiple choice: every option stands in the prompt."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A question with four options."""
        options = [str(x) for x in rng.permutation(PLACES)[:4]]
        noun, verb = str(rng.choice(NOUNS)), str(rng.choice(VERBS))
        lines = "\n".join(f"({letter}) {o}" for letter, o in zip("ABCD", options, strict=True))
        letter = str(rng.choice(list("ABCD")))
        return Problem(
            f"mc-{number}",
            f"Item {number}. Which town {verb} its first {noun} in {rng.integers(1700, 1990)}?\n{lines}",
            letter,
            {"noun": noun, "options": options},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """Question and options."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """An elimination and a letter."""
        letter = problem.truth if is_right else str(rng.choice([x for x in "ABCD" if x != problem.truth]))
        out = [str(o) for o in rng.permutation(problem.facts["options"])[:2]]
        style = int(rng.integers(3))
        text = (
            f"{out[0]} has no {problem.facts['noun']} industry; {out[1]} came later.",
            f"I recall the {problem.facts['noun']} museum. Not {out[0]}.",
            f"Between {out[0]} and {out[1]} the dates differ.",
        )[style]
        return [say(f"{text} The answer is ({letter}).")]


class Translation:
    """Translation graded by overlap: a number between 0 and 1, with no right or wrong."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A sentence to translate."""
        words = [
            str(x)
            for x in (rng.choice(PEOPLE), rng.choice(VERBS), rng.choice(NOUNS), rng.choice(PLACES), rng.choice(NOUNS))
        ]
        return Problem(
            f"mt-{number}",
            (
                f"Translate to Esperanto: {words[0]} {words[1]} the {words[2]} in"
                f" {words[3]} beside a {words[4]}, {rng.integers(2, 99)} times."
            ),
            "",
            {"words": words},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The sentence."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """A rendering, noisy where it is wrong."""
        w = problem.facts["words"]
        parts = [w[0], w[1] + "is", "la", w[2] + "on", "en", w[3], "apud", w[4] + "o"]
        noise = [
            str(x)
            for x in rng.choice(
                ["kaj", "tre", "do", "ĉi", "jam", "nun"], size=int(rng.integers(0, 3 if is_right else 6))
            )
        ]
        return [say(" ".join([*parts, *noise]) + ".")]


def say(content: str, **more) -> dict:
    """An assistant message."""
    return {"role": "assistant", "content": content, **more}
