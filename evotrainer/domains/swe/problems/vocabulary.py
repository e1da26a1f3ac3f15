"""Every word that a generated repository is made of: few hundred, so that a small policy can have one token for each.

Words of specifications stand beside the code that they ask for: the map is the same in every function, so that the
right line follows from what the docstring or the issue says.
"""

DIGITS = tuple("23456789")

OPERATORS = {"+": "plus", "-": "minus", "*": "times", "//": "over", "%": "modulo"}
COMPARISONS = {">": "above", ">=": "at least", "<": "below", "<=": "at most", "==": "equal to", "!=": "other than"}
FOLDS = {"sum": "sum", "max": "largest", "min": "smallest", "sorted": "sorted list", "list": "list", "len": "number"}

# Names of modules: none of the standard library's, which would be imported in their place.
PACKAGES = ("shop", "bank", "farm", "lab", "port", "club", "mill", "yard", "park", "desk", "dock", "barn")
TOPICS = (
    "price",
    "order",
    "route",
    "score",
    "stock",
    "grade",
    "weight",
    "ticket",
    "meter",
    "seat",
    "room",
    "tax",
    "drum",
    "lamp",
    "point",
    "crop",
    "coin",
    "parcel",
    "shift",
    "tank",
    "event",
    "cable",
    "badge",
    "menu",
)
VERBS = ("get", "make", "find", "read", "take", "load", "build", "pick", "form", "give")
CALLERS = ("report", "summary", "overview", "plan")
CALLER_VERBS = ("show", "print", "check", "review")

NUMBERS = ("values", "items", "sizes", "rates", "costs", "ages", "levels", "marks")
NUMBER = ("a", "b", "c", "count", "limit", "rate", "size", "width", "depth", "age")
TEXT = ("name", "text", "label", "title", "word")
TEXTS = ("names", "words", "labels", "titles")
TABLE = ("table", "index", "book", "chart")
LOOP = ("x", "n", "v", "item")

WORDS = ("red", "blue", "green", "oak", "elm", "ash", "fox", "owl", "Red", "Blue", "OAK", "Elm", "Fox", "OWL")
"""What texts in tests are made of."""

TESTS_FOLDER = "tests"

_CODE = (
    *(
        "    return ",
        "        return ",
        "            return ",
        "def ",
        '    """Return ',
        '."""',
        "():\n",
        "):\n",
        ":\n",
        ")\n",
        "])",
    ),
    *("    for ", "        if ", "    if ", " for ", " in ", " if ", " else ", " and ", " if not (", "not ("),
    *(
        "sum(",
        "max(",
        "min(",
        "len(",
        "sorted(",
        "reversed(",
        "list(",
        "any(",
        "all(",
        "abs(",
        "range(",
        "max((",
        "min((",
        "len([",
    ),
    *(
        ".get(",
        ".strip()",
        ".lower()",
        ".upper()",
        ".title()",
        '.replace("',
        '".join(',
        '", "',
        '")',
        "), default=",
        ' + "',
        '" + ',
    ),
    *(f" {sign} " for sign in (*OPERATORS, *COMPARISONS)),
    *(" += ", " -= ", " *= ", " = ", "=", " % 2 ", " == 0", " != 0", "[:", "[:-", "[-", "[::", ":]", " + 1"),
    *(
        "    total = 0",
        "    product = 1",
        "    count = ",
        "            total",
        "            product",
        "            count",
    ),
    *("total", "product", "True", "False", ", ", "    assert ", "from ", " import ", ".py", "tests/test_", "test_"),
    *("\n\n\n", "\n\n"),
)

_PROMISES = (
    *(f"the {word} of the " for word in FOLDS.values()),
    *("the sum over the ", "the product over the ", "the first of the ", "the last of the ", "numbers from "),
    *("whether any of the ", "whether all of the ", "how many of the ", "the sorted ", "sorted ", "first ", "last "),
    *(" of the ", " of the sorted ", " after the first ", " before the last ", " in steps of "),
    *(f" {word} " for word in (*OPERATORS.values(), *COMPARISONS.values(), "divisible by", "not divisible by")),
    *(
        " and at most ",
        " and below ",
        ", at least ",
        ", at most ",
        ", each",
        " squared",
        " absolute",
        " negated",
        ", is",
        ", are",
    ),
    *(
        " is",
        " are",
        ", else ",
        " to ",
        " up to ",
        " if none",
        " if missing",
        " by default",
        " entries of the ",
        " entry of ",
    ),
    *(" keys with entry", " of length", " stripped", " in lower case", " in upper case", " in title case", " with "),
    *(", with ", " behind", " before", ", joined by ", "the "),
)

_ISSUES = (
    *(
        " is wrong.",
        ". It should return ",
        " It should return ",
        "Bug in ",
        " of ",
        "Wrong result of ",
        " gives ",
        " fails",
    ),
    *(", expected ", "Something in ", "A result of ", "A test fails.", "Some result is wrong.", "The tests are red."),
    *("Add ", "Fix ", "Add notes", "NOTES.md", "Next: more of "),
)


def _pieces() -> tuple[str, ...]:
    names = (*PACKAGES, *CALLERS, *NUMBERS, *NUMBER, *TEXT, *TEXTS, *TABLE, *LOOP, *WORDS)
    paths = (*(f"{package}/" for package in PACKAGES), *TOPICS, *(f"_{topic}" for topic in TOPICS))
    callers = (*(f"_{caller}" for caller in CALLERS), *CALLER_VERBS)
    every = (*_CODE, *_PROMISES, *_ISSUES, *names, *paths, *callers, *VERBS)
    return tuple(sorted({piece for piece in every if len(piece) > 1}))


PIECES = _pieces()
"""Texts of several characters that repositories and issues are made of: one token each for an embedded policy.

Names and digits are pieces of their own wherever they stand, so that copying one from a promise into code is copying a
token; the words between them carry their spaces.
"""
