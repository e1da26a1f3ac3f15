"""Functions over a list of numbers."""

from random import Random

from evotrainer.problem_sets.swe.lines import Slot, called, comparison, number, operator, render, slot
from evotrainer.problem_sets.swe.parts import condition, joined, mapping, step, test
from evotrainer.problem_sets.swe.sketch import INDENT, Sketch, returned
from evotrainer.problem_sets.swe.vocabulary import COMPARISONS, FOLDS

_MISTAKEN = {"sum": ("max", "len"), "max": ("min", "sum"), "min": ("max", "sum"), "sorted": ("list",), "len": ("sum",)}


def fold(name: str) -> Slot:
    """Return the name of a function that makes one value of a list."""
    return called(name, *_MISTAKEN[name])


def draw_fold(rng: Random) -> Sketch:
    """`return sum(x * 2 for x in prices if x > 3)`."""
    name = rng.choice(("sum", "max", "min", "sorted", "list"))
    done, words = mapping(rng)
    nodes, chosen = test(rng) if rng.random() < 0.7 or not words else ((), "")
    inner = (*done, " for $v in $0", *((condition(nodes),) if nodes else ()))
    if name == "list":
        line, result = returned("[", *inner, "]"), "list"
    else:
        line, result = returned(fold(name), "(", *inner, ")"), FOLDS[name]
    promise = joined(f"the {result} of the $0 {chosen}".rstrip(), words)
    return Sketch("fold", ("numbers",), promise, (line,))


def draw_extreme(rng: Random) -> Sketch:
    """`return max((x for x in prices if x > 3), default=0)`."""
    name = rng.choice(("max", "min"))
    (done, words), (nodes, chosen) = mapping(rng), test(rng)
    default = number(rng, "default")
    line = returned(fold(name), "((", *done, " for $v in $0", condition(nodes), "), default=", default, ")")
    promise = joined(f"the {FOLDS[name]} of the $0 {chosen}", words, f"{default.parts[0]} if none")
    return Sketch("extreme", ("numbers",), promise, (line,))


def draw_whether(rng: Random) -> Sketch:
    """`return any(x > 3 for x in prices)`."""
    name, other = rng.choice((("any", "all"), ("all", "any")))
    nodes, chosen = test(rng)
    inner = Slot(nodes, (("condition", f"not ({render(nodes)})"), ("condition", "$v")))
    line = returned(called(name, other), "(", inner, " for $v in $0)", wrong="True")
    return Sketch("whether", ("numbers",), f"whether {name} of the $0 are {chosen}", (line,))


def draw_total(rng: Random) -> Sketch:
    """A loop that adds up or multiplies."""
    sign, start, word = rng.choice((("+", "0", "total"), ("*", "1", "product")))
    (done, words), (nodes, chosen) = mapping(rng), test(rng)
    body = (
        (f"{INDENT}{word} = ", slot("constant", start, "1" if start == "0" else "0")),
        (f"{INDENT}for $v in $0:",),
        (INDENT * 2, condition_line(nodes)),
        (f"{INDENT * 3}{word} ", slot("operator", f"{sign}=", "-=", "="), " ", *done),
        (f"{INDENT}return ", slot("returns", word, "$v", start)),
    )
    promise = joined(f"the {word} of the $0 {chosen}", words)
    return Sketch("total", ("numbers",), promise, body)


def draw_count(rng: Random) -> Sketch:
    """A loop that counts."""
    nodes, chosen = test(rng)
    start = number(rng) if rng.random() < 0.5 else slot("constant", "0", "1")
    body = (
        (f"{INDENT}count = ", start),
        (f"{INDENT}for $v in $0:",),
        (INDENT * 2, condition_line(nodes)),
        (f"{INDENT * 3}count ", slot("operator", "+=", "-=", "="), " ", slot("off_by_one", "1", "2")),
        (f"{INDENT}return ", slot("returns", "count", "$v")),
    )
    promise = joined(f"the count of the $0 {chosen}", "" if render((start,)) == "0" else f"from {render((start,))} on")
    return Sketch("count", ("numbers",), promise, body)


def draw_find(rng: Random) -> Sketch:
    """A loop that returns the first or last value of some kind."""
    (nodes, chosen), (done, words) = test(rng), mapping(rng)
    word, order = rng.choice((("first", ("$0",)), ("last", (called("reversed", "sorted"), "($0)"))))
    default = number(rng, "default")
    body = (
        (f"{INDENT}for $v in ", *order, ":"),
        (INDENT * 2, condition_line(nodes)),
        (f"{INDENT * 3}return ", Slot(done, (("returns", "$0"),))),
        (f"{INDENT}return ", default),
    )
    promise = joined(f"the {word} of the $0 {chosen}", words, f"{default.parts[0]} if none")
    return Sketch("find", ("numbers",), promise, body)


def draw_slice(rng: Random) -> Sketch:
    """`return sum(prices[2:])`."""
    digit = rng.choice("23")
    more, less = str(int(digit) + 1), str(int(digit) - 1)
    cut, words = rng.choice(
        (
            ((":", slot("off_by_one", digit, more, less)), f"the first {digit} of the $0"),
            ((slot("off_by_one", digit, more, less), ":"), f"the $0 after the first {digit}"),
            (("-", slot("off_by_one", digit, more, less), ":"), f"the last {digit} of the $0"),
            ((":-", slot("off_by_one", digit, more, less)), f"the $0 before the last {digit}"),
            (("::", slot("constant", digit, more)), f"every $0 in steps of {digit}"),
        )
    )
    source = rng.choice((("$0",), (Slot((called("sorted", "list"), "($0)"), (("missing_call", "$0"),)),)))
    if len(render(source)) > 2:
        words = words.replace("$0", "sorted $0")
    name = rng.choice(("sum", "max", "min", "list"))
    taken = (*source, Slot(("[", *cut, "]"), (("condition", ""),)))
    if name == "list":
        return Sketch("slice", ("numbers",), words, (returned(*taken),))
    done, done_words = step(rng, ("+", "-", "*", "//"))
    line = returned(fold(name), "(", *taken, ")", *done)
    return Sketch("slice", ("numbers",), f"the {FOLDS[name]} of {words}, {done_words}", (line,))


def draw_ends(rng: Random) -> Sketch:
    """`return prices[0] - prices[-1]`."""
    places = {"first": ("0", "1"), "second": ("1", "0", "2"), "last": ("-1", "-2", "0")}
    left, right = rng.sample(list(places), 2)
    sign, word = rng.choice((("+", "plus"), ("-", "minus"), ("*", "times")))
    done, words = step(rng, ("+", "-")) if rng.random() < 0.6 else ((), "")
    ends = [slot("off_by_one", *places[end]) for end in (left, right)]
    line = returned("$0[", ends[0], "] ", operator(sign), " $0[", ends[1], "]", *done)
    promise = f"the {left} {word} the {right} of the $0" + (f" {words}" if words else "")
    return Sketch("ends", ("numbers",), promise, (line,))


def draw_default_step(rng: Random) -> Sketch:
    """`def get_price(prices, k=2)` with `k` used on each."""
    sign, word = rng.choice((("+", "plus"), ("-", "minus"), ("*", "times")))
    compared = rng.choice(tuple(COMPARISONS))
    digit, limit = number(rng, "default"), number(rng)
    nodes = ("$v ", comparison(compared), " ", limit)
    line = returned("[$v ", operator(sign), " $1 for $v in $0", condition(nodes), "]")
    chosen = f"{COMPARISONS[compared]} {limit.parts[0]}"
    promise = f"the list of the $0 {chosen}, each {word} $1, $1 being {digit.parts[0]} by default"
    return Sketch("default", ("numbers", "optional"), promise, (line,), ("$0, $1=", digit))


def condition_line(nodes: tuple) -> Slot:
    """Return `if ...:`, which a bug negates or makes always true."""
    text = render(nodes)
    return Slot(("if ", *nodes, ":"), (("condition", f"if not ({text}):"), ("condition", "if True:")))
