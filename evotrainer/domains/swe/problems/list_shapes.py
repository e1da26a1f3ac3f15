"""Functions over a list of numbers."""

from random import Random

from evotrainer.domains.swe.problems.lines import Slot, called, comparison, number, operator, render, slot
from evotrainer.domains.swe.problems.parts import condition, condition_line, fold, joined, mapping, predicate
from evotrainer.domains.swe.problems.sketch import INDENT, Sketch, returned
from evotrainer.domains.swe.problems.vocabulary import COMPARISONS, FOLDS


def draw_fold(rng: Random) -> Sketch:
    """`return sum(x * 2 for x in prices if x > 3)`."""
    name = rng.choice(("sum", "max", "min", "sorted", "list"))
    done, words = mapping(rng)
    nodes, chosen = predicate(rng) if rng.random() < 0.7 or not words else ((), "")
    inner = (*done, " for $v in $0", *((condition(nodes),) if nodes else ()))
    line = returned("[", *inner, "]") if name == "list" else returned(fold(name), "(", *inner, ")")
    promise = joined(f"the {FOLDS[name]} of the $0 {chosen}", words)
    return Sketch("fold", ("numbers",), promise, (line,), gives_number=name not in ("list", "sorted"))


def draw_extreme(rng: Random) -> Sketch:
    """`return max((x for x in prices if x > 3), default=4)`."""
    name = rng.choice(("max", "min"))
    (done, words), (nodes, chosen), default = mapping(rng), predicate(rng), number(rng, "default")
    line = returned(fold(name), "((", *done, " for $v in $0", condition(nodes), "), default=", default, ")")
    promise = joined(f"the {FOLDS[name]} of the $0 {chosen}", words, f"{default.text} if none")
    return Sketch("extreme", ("numbers",), promise, (line,), gives_number=True)


def draw_whether(rng: Random) -> Sketch:
    """`return any(x > 3 for x in prices)`."""
    name, other = rng.choice((("any", "all"), ("all", "any")))
    (nodes, chosen), (done, words) = predicate(rng), mapping(rng)
    negated = Slot(nodes, (("condition", f"not ({render(nodes)})"), ("condition", "$v")))
    source = ("$0",) if not words else ("[", *done, " for $v in $0]")
    line = returned(called(name, other), "(", negated, " for $v in ", *source, ")", wrong="True")
    return Sketch("whether", ("numbers",), f"whether {name} of the $0{_aside(words)} is {chosen}", (line,))


def draw_total(rng: Random) -> Sketch:
    """A loop that adds up or multiplies."""
    sign, start, word = rng.choice((("+", "0", "total"), ("*", "1", "product")))
    (done, words), (nodes, chosen) = mapping(rng), predicate(rng)
    body = (
        (f"{INDENT}{word} = ", slot("constant", start, "1" if start == "0" else "0")),
        (f"{INDENT}for $v in $0:",),
        (INDENT * 2, condition_line(nodes)),
        (f"{INDENT * 3}{word} ", slot("operator", f"{sign}=", "-=", "="), " ", *done),
        (f"{INDENT}return ", slot("returns", word, "$v", start)),
    )
    promise = joined(f"the {'sum' if word == 'total' else word} over the $0 {chosen}", words)
    return Sketch("total", ("numbers",), promise, body, gives_number=True)


def draw_count(rng: Random) -> Sketch:
    """A loop that counts."""
    (done, words), (nodes, chosen) = mapping(rng, "$v"), predicate(rng)
    start = number(rng) if rng.random() < 0.5 else slot("constant", "0", "1")
    source = ("$0",) if not words else ("[", *done, " for $v in $0]")
    body = (
        (f"{INDENT}count = ", start),
        (f"{INDENT}for $v in ", *source, ":"),
        (INDENT * 2, condition_line(nodes)),
        (f"{INDENT * 3}count ", slot("operator", "+=", "-=", "="), " ", slot("off_by_one", "1", "2")),
        (f"{INDENT}return ", slot("returns", "count", "$v")),
    )
    more = "" if start.text == "0" else f" plus {start.text}"
    promise = f"how many of the $0{_aside(words)} are {chosen}{more}"
    return Sketch("count", ("numbers",), promise, body, gives_number=True)


def draw_find(rng: Random) -> Sketch:
    """A loop that returns the first or last value of some kind."""
    (nodes, chosen), (done, words) = predicate(rng), mapping(rng)
    word, order = rng.choice((("first", ("$0",)), ("last", (called("reversed", "sorted"), "($0)"))))
    default = number(rng, "default")
    body = (
        (f"{INDENT}for $v in ", *order, ":"),
        (INDENT * 2, condition_line(nodes)),
        (f"{INDENT * 3}return ", Slot(done, (("returns", "$0"),))),
        (f"{INDENT}return ", default),
    )
    promise = joined(f"the {word} of the $0 {chosen}", words, f"{default.text} if none")
    return Sketch("find", ("numbers",), promise, body, gives_number=True)


def draw_slice(rng: Random) -> Sketch:
    """`return sum(sorted(prices)[2:])`."""
    digit = rng.choice("23")
    more, less = str(int(digit) + 1), str(int(digit) - 1)
    bound = slot("off_by_one", digit, more, less)
    is_sorted = rng.random() < 0.5
    items = "sorted $0" if is_sorted else "$0"
    cut, words = rng.choice(
        (
            ((":", bound), f"the first {digit} of the {items}"),
            ((bound, ":"), f"the {items} after the first {digit}"),
            (("-", bound, ":"), f"the last {digit} of the {items}"),
            ((":-", bound), f"the {items} before the last {digit}"),
            (("::", slot("constant", digit, more)), f"the {items} in steps of {digit}"),
        )
    )
    source = Slot((called("sorted", "list"), "($0)"), (("missing_call", "$0"),)) if is_sorted else "$0"
    taken = (source, Slot(("[", *cut, "]"), (("condition", ""),)))
    (done, done_words), name = mapping(rng), rng.choice(("sum", "max", "min", "list"))
    if done_words:
        taken = (*done, " for $v in ", *taken)
    if name == "list":
        line = returned("[", *taken, "]") if done_words else returned(*taken)
    else:
        line = returned(fold(name), "(", *taken, ")")
    promise = joined(f"the {FOLDS[name]} of {words}", done_words)
    return Sketch("slice", ("numbers",), promise, (line,), gives_number=name != "list")


def draw_default_step(rng: Random) -> Sketch:
    """`def get_price(prices, k=2)` with `k` used on each."""
    sign, word = rng.choice((("+", "plus"), ("-", "minus"), ("*", "times"), ("%", "modulo"), ("//", "over")))
    compared, name = rng.choice(tuple(COMPARISONS)), rng.choice(("sum", "max", "min", "sorted", "list"))
    digit, limit = number(rng, "default"), number(rng)
    inner = ("$v ", operator(sign), " $1 for $v in $0", condition(("$v ", comparison(compared), " ", limit)))
    line = returned("[", *inner, "]") if name == "list" else returned(fold(name), "(", *inner, ")")
    chosen = f"{COMPARISONS[compared]} {limit.text}"
    promise = f"the {FOLDS[name]} of the $0 {chosen}, each {word} $1, {digit.text} by default"
    return Sketch("default", ("numbers", "optional"), promise, (line,), ("$0, $1=", digit))


def _aside(words: str) -> str:
    return f", {words}," if words else ""
