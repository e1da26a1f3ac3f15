"""Functions of one to three numbers."""

from random import Random

from evotrainer.domains.swe.problems.lines import Node, Slot, called, operator, render, slot, variable
from evotrainer.domains.swe.problems.parts import condition, condition_line, fold, joined, mapping, predicate, step
from evotrainer.domains.swe.problems.sketch import INDENT, Sketch, returned
from evotrainer.domains.swe.problems.vocabulary import FOLDS, OPERATORS


def draw_arithmetic(rng: Random) -> Sketch:
    """`return a + b * 2`: the words in the order of the code."""
    count = rng.choice((2, 2, 3))
    nodes: list[Node] = []
    words = ""
    for place in range(count):
        if place:
            sign = rng.choice(tuple(OPERATORS))
            nodes += [" ", operator(sign), " "]
            words += f" {OPERATORS[sign]} "
        others = [f"${other}" for other in range(count) if other != place]
        nodes.append(variable(f"${place}", rng.choice(others)))
        words += f"${place}"
    if count == 2 or rng.random() < 0.5:
        more, more_words = step(rng, tuple(OPERATORS))
        nodes += more
        words += f" {more_words}"
    return Sketch("arithmetic", ("number",) * count, words, (returned(*nodes, wrong=f"${count - 1}"),))


def draw_limit(rng: Random) -> Sketch:
    """`return max(2, min(a * 3, 9))`."""
    done, words = step(rng, ("+", "-", "*"))
    second = rng.random() < 0.5
    kinds = ("number", "number") if second else ("number",)
    nodes: tuple[Node, ...] = (variable("$0", "$1") if second else "$0", *done)
    if second:
        sign = rng.choice(("+", "-"))
        nodes = (*nodes, " ", operator(sign), " ", variable("$1", "$0"))
        words = f"{words} {OPERATORS[sign]} $1"
    low, high = str(rng.randint(2, 5)), str(rng.randint(10, 19))
    kind = rng.choice(("most", "least", "both"))
    if kind in ("most", "both"):
        nodes = (Slot((called("min", "max"), "(", *nodes, f", {high})"), (("missing_call", render(nodes)),)),)
    if kind in ("least", "both"):
        nodes = (Slot((called("max", "min"), "(", *nodes, f", {low})"), (("missing_call", render(nodes)),)),)
    bounds = {"most": f"at most {high}", "least": f"at least {low}", "both": f"at least {low} and at most {high}"}
    return Sketch("limit", kinds, f"$0 {words}, {bounds[kind]}", (returned(*nodes),))


def draw_branch(rng: Random) -> Sketch:
    """An if with two returns."""
    (nodes, chosen), (left, left_words), (right, right_words) = predicate(rng, "$0"), _effect(rng), _effect(rng)
    body = (
        (INDENT, condition_line(nodes)),
        (f"{INDENT * 2}return ", Slot(left, (("returns", "$0"),))),
        (f"{INDENT}return ", Slot(right, (("returns", "0"),))),
    )
    return Sketch("branch", ("number",), f"$0 {left_words} for $0 {chosen}, else $0 {right_words}", body)


def draw_choice(rng: Random) -> Sketch:
    """`return a * 2 if c > 3 else b - 1`."""
    nodes, chosen = predicate(rng, "$2")
    (left, left_words), (right, right_words) = (step(rng, ("+", "-", "*")) for _ in range(2))
    negated = Slot(nodes, (("condition", f"not ({render(nodes)})"), ("condition", "True")))
    line = returned(variable("$0", "$1"), *left, " if ", negated, " else ", variable("$1", "$0"), *right)
    promise = f"$0 {left_words} for $2 {chosen}, else $1 {right_words}"
    return Sketch("choice", ("number", "number", "number"), promise, (line,))


def draw_span(rng: Random) -> Sketch:
    """`return sum(x * 2 for x in range(1, count + 1))`."""
    two = rng.random() < 0.5
    start, end = ("$0", "$1") if two else (rng.choice("123"), "$0")
    first = variable(start, end) if two else slot("off_by_one", start, str(int(start) + 1), str(int(start) - 1))
    inclusive = rng.random() < 0.7
    last = slot("off_by_one", f"{end} + 1", end) if inclusive else slot("off_by_one", end, f"{end} + 1", f"{end} - 1")
    numbers: tuple[Node, ...] = ("range(", first, ", ", last, ")")
    words = f"the numbers from {start} to {end}" if inclusive else f"the numbers from {start} up to {end}"
    name = rng.choice(("sum", "list", "list"))
    done, done_words = mapping(rng)
    nodes, chosen = predicate(rng) if rng.random() < 0.5 else ((), "")
    inner = (*done, " for $v in ", *numbers, *((condition(nodes),) if nodes else ()))
    whole = ("[", *inner, "]") if name == "list" else (fold(name), "(", *inner, ")")
    promise = joined(f"the {FOLDS[name]} of {words} {chosen}", done_words)
    return Sketch("span", ("low", "high") if two else ("high",), promise, (returned(*whole, wrong=end),))


def _effect(rng: Random) -> tuple[tuple[Node, ...], str]:
    nodes, words = step(rng, tuple(OPERATORS))
    return ("$0", *nodes), words
