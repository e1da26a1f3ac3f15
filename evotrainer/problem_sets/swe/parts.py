"""Parts of expressions with the words that ask for them: what is done to each value, and which values are meant."""

from random import Random

from evotrainer.problem_sets.swe.lines import Line, Slot, call, comparison, number, operator, render, slot
from evotrainer.problem_sets.swe.vocabulary import COMPARISONS, OPERATORS

LOOP = "$v"


def mapping(rng: Random, name: str = LOOP) -> tuple[Line, str]:
    """Return what is done to each value, and its words, which are empty for nothing."""
    kind = rng.choice(("plain", "one", "one", "two", "square", "absolute", "negated"))
    if kind == "plain":
        return (name,), ""
    if kind == "one":
        nodes, words = step(rng, tuple(OPERATORS))
        return (name, *nodes), f"each {words}"
    if kind == "two":
        first, first_words = step(rng, ("*", "//", "%"))
        second, second_words = step(rng, ("+", "-"))
        return (name, *first, *second), f"each {first_words} {second_words}"
    if kind == "square":
        return (name, " ", operator("*"), f" {name}"), "each squared"
    if kind == "absolute":
        return (call("abs", (name,)),), "each absolute"
    return (slot("operator", "-", "+"), name), "each negated"


def step(rng: Random, operators: tuple[str, ...]) -> tuple[Line, str]:
    """Return ` + 3` and `plus 3`."""
    sign, digit = rng.choice(operators), number(rng)
    return (" ", operator(sign), " ", digit), f"{OPERATORS[sign]} {digit.parts[0]}"


def test(rng: Random, name: str = LOOP) -> tuple[Line, str]:
    """Return a condition on a value, and its words."""
    kind = rng.choice(("compared", "compared", "even", "odd", "divisible", "between"))
    if kind == "compared":
        sign, digit = rng.choice(tuple(COMPARISONS)), number(rng)
        return (f"{name} ", comparison(sign), " ", digit), f"{COMPARISONS[sign]} {digit.parts[0]}"
    if kind == "between":
        low, high = rng.choice((">", ">=")), rng.choice(("<", "<="))
        first, last = str(rng.randint(2, 4)), str(rng.randint(6, 9))
        nodes = (f"{name} ", comparison(low), f" {first} and {name} ", comparison(high), f" {last}")
        return nodes, f"{COMPARISONS[low]} {first} and {COMPARISONS[high]} {last}"
    if kind == "divisible":
        digit = number(rng)
        return (f"{name} % ", digit, " ", comparison("=="), " 0"), f"divisible by {digit.parts[0]}"
    rest = {"even": "0", "odd": "1"}[kind]
    other = {"even": "1", "odd": "0"}[kind]
    return (f"{name} % 2 ", comparison("=="), " ", slot("constant", rest, other)), kind


def condition(nodes: Line, before: str = " if ", after: str = "") -> Slot:
    """Return ` if ...`, which a bug leaves out or negates."""
    return Slot((before, *nodes, after), (("condition", f"{before}not ({render(nodes)}){after}"), ("condition", "")))


def joined(*words: str) -> str:
    """Return words that are given, in a row with commas."""
    return ", ".join(word for word in words if word)
