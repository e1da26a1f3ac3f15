"""Story sums: a start, and amounts that are added, taken away or multiplied, in any language."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

Show = Callable[[int], str]


@dataclass(frozen=True)
class Link:
    """One operation of a story."""

    sign: str
    low: int
    high: int
    reason: str


@dataclass(frozen=True)
class Story:
    """A text with places {a} for the start and {b}, {c}, ... for the links."""

    text: str
    low: int
    high: int
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Sum:
    """A story with its numbers."""

    text: str
    start: int
    links: tuple[tuple[str, int, str], ...]
    show: Show

    @property
    def value(self) -> int:
        """The right answer, in units of the numbers."""
        return self.lines(None)[1]

    def lines(self, rng: Random | None) -> tuple[list[tuple[str, str]], int]:
        """Each line of the working with its reason, and the result; with draws one line is worked out wrongly."""
        slip = rng.randrange(len(self.links)) if rng else -1
        value, lines = self.start, []
        for place, (sign, amount, reason) in enumerate(self.links):
            before = value
            value = {"+": before + amount, "-": before - amount, "*": before * amount}[sign]
            if rng and place == slip:
                value += rng.choice((-1, 1)) * rng.choice((1, 2, 10, 10, 20, amount, max(3, before // 9)))
            written = str(amount) if sign == "*" else self.show(amount)
            lines.append((f"{self.show(before)} {'×' if sign == '*' else sign} {written} = {self.show(value)}", reason))
        return lines, value


def draw_sum(rng: Random, story: Story, words: dict[str, str], show: Show = str) -> Sum:
    """Numbers for a story; the result is above zero."""
    while True:
        start = rng.randint(story.low, story.high)
        links = tuple((k.sign, rng.randint(k.low, k.high), k.reason) for k in story.links)
        numbers = {
            name: str(amount) if sign == "*" else show(amount)
            for name, (sign, amount, _) in zip("bcdefg", links, strict=False)
        }
        made = Sum(story.text.format(a=show(start), **numbers, **words), start, links, show)
        if made.value > 4:
            return made


def two_digits(mark: str) -> Show:
    """Hundredths written with two digits after the mark."""
    return lambda value: f"{'-' if value < 0 else ''}{abs(value) // 100}{mark}{abs(value) % 100:02d}"
