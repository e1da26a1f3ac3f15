"""Functions over texts and tables."""

from random import Random

from evotrainer.domains.swe.problems.lines import Node, Slot, called, comparison, number, slot, variable
from evotrainer.domains.swe.problems.parts import condition, joined, step
from evotrainer.domains.swe.problems.sketch import Sketch, returned
from evotrainer.domains.swe.problems.vocabulary import COMPARISONS

_CASES = {"lower": ("in lower case", "upper"), "upper": ("in upper case", "lower"), "title": ("in title case", "upper")}
_MARKS = ("!", "#", "-", "+", "/", "_")


def draw_text(rng: Random) -> Sketch:
    """`return name.strip().lower() + "!"`."""
    nodes, words = _methods(rng, "$0")
    mark, other = rng.sample(_MARKS, 2)
    end = rng.choice(("none", "behind", "before"))
    if end == "behind":
        nodes = (*nodes, ' + "', slot("constant", mark, other), '"')
    if end == "before":
        nodes = ('"', slot("constant", mark, other), '" + ', *nodes)
    promise = joined(f"the $0 {words}", "" if end == "none" else f"with {mark} {end}")
    return Sketch("text", ("text",), promise, (returned(*nodes),))


def draw_join(rng: Random) -> Sketch:
    """`return "-".join(x.upper() for x in names if len(x) > 3)`."""
    mark, other = rng.sample(_MARKS, 2)
    done, words = _methods(rng, "$v")
    nodes, chosen = _of_length(rng) if rng.random() < 0.6 else ((), "")
    source: Node = "$0"
    ordered = rng.random() < 0.5
    if ordered:
        source = Slot((called("sorted", "reversed"), "($0)"), (("missing_call", "$0"),))
    inner = (*done, " for $v in ", source, *((condition(nodes),) if nodes else ()))
    line = returned('"', slot("constant", mark, other), '".join(', *inner, ")")
    promise = joined(f"the {'sorted ' if ordered else ''}$0 {chosen}", f"each {words}", f"joined by {mark}")
    return Sketch("join", ("texts",), promise, (line,))


def draw_lookup(rng: Random) -> Sketch:
    """`return table.get(name, 0) * 2`."""
    default = number(rng, "default")
    key, words = ((variable("$1", '"$1"'),), "") if rng.random() < 0.5 else _methods(rng, "$1")
    done, done_words = step(rng, ("+", "-", "*", "//")) if rng.random() < 0.7 else ((), "")
    line = returned("$0.get(", *key, ", ", default, ")", *done, wrong="len($0)")
    promise = joined(f"the $0 entry of $1 {words}", f"{default.text} if missing", done_words)
    return Sketch("lookup", ("table", "text"), promise, (line,))


def draw_entries(rng: Random) -> Sketch:
    """`return sorted(x for x in table if table[x] > 3)`."""
    sign, digit = rng.choice(tuple(COMPARISONS)), number(rng)
    nodes = ("$0[$v]", " ", comparison(sign), " ", digit)
    done, words = ((), "") if rng.random() < 0.4 else _methods(rng, "$v")
    name, result, other = rng.choice((("sorted", "sorted list", "list"), ("len", "number", "sum")))
    inner = (*(done or ("$v",)), " for $v in $0", condition(nodes))
    opened, closed = ("(", ")") if name == "sorted" else ("([", "])")
    line = returned(called(name, other), opened, *inner, closed)
    promise = joined(f"the {result} of the $0 keys with entry {COMPARISONS[sign]} {digit.text}", words)
    return Sketch("entries", ("table",), promise, (line,))


def draw_value_sum(rng: Random) -> Sketch:
    """`return sum(table[x] * 2 for x in names if x in table)`."""
    done, words = step(rng, ("+", "-", "*"))
    name, other = rng.choice((("sum", "max"), ("max", "min"), ("min", "max")))
    key, key_words = _methods(rng, "$v") if rng.random() < 0.5 else (("$v",), "")
    default = number(rng, "default")
    line = returned(called(name, other), "($0.get(", *key, ", ", default, ")", *done, " for $v in $1)")
    result = {"sum": "sum", "max": "largest", "min": "smallest"}[name]
    promise = joined(f"the {result} of the $0 entries of the $1 {key_words}", f"{default.text} if missing")
    return Sketch("values", ("table", "texts"), f"{promise}, each {words}", (line,))


def _methods(rng: Random, name: str) -> tuple[tuple[Node, ...], str]:
    """Return `name.strip().lower()`, one to three methods, and their words."""
    nodes: list[Node] = [name]
    words = []
    case = rng.choice(list(_CASES))
    for method in rng.sample(("strip", "case", "replace"), rng.randint(1, 3)):
        if method == "strip":
            nodes.append(slot("missing_call", ".strip()", ""))
            words.append("stripped")
        elif method == "case":
            right, wrong = case, _CASES[case][1]
            nodes.append(Slot((".", called(right, wrong), "()"), (("missing_call", ""),)))
            words.append(_CASES[case][0])
        else:
            old, new = rng.sample("aeo", 2)
            nodes.append(Slot((f'.replace("{old}", "', slot("constant", new, "x"), '")'), (("missing_call", ""),)))
            words.append(f"with {new} for {old}")
    return tuple(nodes), " ".join(words)


def _of_length(rng: Random) -> tuple[tuple[Node, ...], str]:
    sign, digit = rng.choice((">", ">=", "<", "<=")), str(rng.randint(3, 4))
    return ("len($v) ", comparison(sign), f" {digit}"), f"of length {COMPARISONS[sign]} {digit}"
