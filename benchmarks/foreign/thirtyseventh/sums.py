"""Word problems that are solved step by step, in several languages: a start, operations, and sentences for each."""

from dataclasses import dataclass, replace
from random import Random

from benchmarks.foreign.thirtyseventh.attempts import Item
from benchmarks.foreign.thirtyseventh.stories import CLOSINGS, NAMES, OPENINGS, STORIES


@dataclass(frozen=True)
class Sum:
    """A drawn problem: what is asked, and the chain of values to its answer."""

    language: str
    question: str
    values: dict
    moves: tuple
    gold: int

    def chain(self, rng: Random, right: bool, sure: int = 0) -> tuple[list[str], int]:
        """Sentences of a solution with the value they lead to; a wrong one has a slip at some move.

        The first moves that are sure have none.
        """
        slip = None if right else rng.randrange(sure, len(self.moves))
        value, lines = self.values["x"], []
        for place, (sign, name, sentences) in enumerate(self.moves):
            operand = self.values[name]
            after = _apply(sign, value, operand)
            if place == slip:
                after = _slipped(rng, sign, value, operand, after)
            lines.append(rng.choice(sentences).format(a=value, b=operand, c=after, **_words(self.values)))
            value = after
        return lines, value

    def reply(self, rng: Random, right: bool) -> tuple[str, str]:
        """A whole reply."""
        lines, value = self.chain(rng, right)
        if not right and value == self.gold:
            value += rng.choice((1, 2, 10))
        opening = rng.choice(OPENINGS[self.language]).format(**_words(self.values))
        closing = rng.choice(CLOSINGS[self.language]).format(c=value)
        return " ".join(part for part in (opening, *lines, closing) if part), str(value)


def _words(values: dict) -> dict:
    return {name: value for name, value in values.items() if name not in ("a", "b", "c")}


def _apply(sign: str, value: int, operand: int) -> int:
    return {"+": value + operand, "-": value - operand, "*": value * operand}[sign]


def _slipped(rng: Random, sign: str, value: int, operand: int, after: int) -> int:
    near = [after + 10, after - 1, after + 2, after + operand]
    if sign == "-":
        near.append(value + operand)
    return abs(rng.choice([one for one in near if one != after])) + (1 if after == 0 else 0)


def draw(rng: Random, language: str = "en", kind: str = "") -> tuple[Sum, str]:
    """A problem, with the name of its story."""
    story = kind or rng.choice(sorted(STORIES[language]))
    question, moves, ranges = STORIES[language][story]
    values = {name: rng.randint(*bounds) for name, bounds in ranges.items()}
    values["who"] = rng.choice(NAMES[language])
    gold = values["x"]
    for sign, name, _ in moves:
        gold = _apply(sign, gold, values[name])
    return Sum(language, question.format(**values), values, moves, gold), story


def sums(rng: Random, count: int, language: str = "en", kinds: tuple[str, ...] = (), system: str = "") -> list[Item]:
    """Items of word problems, no two alike."""
    seen: dict[str, Item] = {}
    while len(seen) < count:
        one, story = draw(rng, language, rng.choice(kinds) if kinds else "")
        if one.question in seen:
            continue
        key = f"{language}-{story}-{len(seen):04d}"
        level = min(1.0, max(0.0, rng.gauss(0.25 + 0.12 * len(one.moves), 0.25)))
        item = Item(key, one.question, str(one.gold), one.reply, story, level, system, data={"sum": one})
        seen[one.question] = item
    return list(seen.values())


def boxed(items: list[Item]) -> list[Item]:
    """The same items, whose replies put the answer into a box."""

    def reply_of(item: Item):  # noqa: ANN202
        def reply(rng: Random, right: bool) -> tuple[str, str]:
            text, answer = item.reply(rng, right)
            return f"{text} \\boxed{{{answer}}}", answer

        return reply

    return [
        replace(item, prompt=item.prompt + " Put the final number into \\boxed{}.", reply=reply_of(item))
        for item in items
    ]
