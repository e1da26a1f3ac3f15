"""Parts of expressions with the words that ask for them: what is done to each value, and which values are meant."""

from random import Random

from evotrainer.domains.swe.problems.lines import Line, Slot, call, comparison, number, operator, render, slot
from evotrainer.domains.swe.problems.vocabulary import COMPARISONS, OPERATORS

LOOP = "$v"

MAPPINGS = {"plain": 3.0, "one": 6.0, "absolute": 3.0, "two": 0.3, "square": 0.3, "negated": 0.3}
PREDICATES = {"compared": 12.0, "divisible": 0.5, "indivisible": 0.5, "between": 0.5}
"""Kinds with their weights: the plain ones a small policy can learn, the others are rare."""


def mapping(rng: Random, name: str = LOOP) -> tuple[Line, str]:
    """Return what is done to each value, and its words, which are empty for nothing."""
    kind = rng.choices(list(MAPPINGS), list(MAPPINGS.values()))[0]
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
    return (" ", operator(sign), " ", digit), f"{OPERATORS[sign]} {digit.text}"


def predicate(rng: Random, name: str = LOOP) -> tuple[Line, str]:
    """Return a condition on a value, and its words."""
    kind = rng.choices(list(PREDICATES), list(PREDICATES.values()))[0]
    if kind == "compared":
        sign, digit = rng.choice(tuple(COMPARISONS)), number(rng)
        return (f"{name} ", comparison(sign), " ", digit), f"{COMPARISONS[sign]} {digit.text}"
    if kind == "between":
        low, high = rng.choice((">", ">=")), rng.choice(("<", "<="))
        first, last = str(rng.randint(2, 4)), str(rng.randint(6, 9))
        nodes = (f"{name} ", comparison(low), f" {first} and {name} ", comparison(high), f" {last}")
        return nodes, f"{COMPARISONS[low]} {first} and {COMPARISONS[high]} {last}"
    digit, sign = number(rng), "==" if kind == "divisible" else "!="
    nodes = (f"{name} ", operator("%"), " ", digit, " ", comparison(sign), " 0")
    return nodes, f"{'' if kind == 'divisible' else 'not '}divisible by {digit.text}"


def condition(nodes: Line) -> Slot:
    """Return ` if ...` of a comprehension, which a bug negates or leaves out."""
    return Slot((" if ", *nodes), (("condition", f" if not ({render(nodes)})"), ("condition", "")))


def condition_line(nodes: Line) -> Slot:
    """Return `if ...:`, which a bug negates or makes always true."""
    return Slot(("if ", *nodes, ":"), (("condition", f"if not ({render(nodes)}):"), ("condition", "if True:")))


def fold(name: str) -> Slot:
    """Return the name of a function that makes one value of a list."""
    mistaken = {
        "sum": ("max", "len"),
        "max": ("min", "sum"),
        "min": ("max", "sum"),
        "sorted": ("list",),
        "len": ("sum",),
    }
    return slot("function", name, *mistaken[name])


def joined(*words: str) -> str:
    """Return the words that are given, in a row with commas."""
    return ", ".join(" ".join(word.split()) for word in words if word)
