"""Whether an answer equals the true one: numbers by value, texts as written, all else by math-verify.

Put aside is what says nothing: math delimiters, blanks and styles of LaTeX, quotes, a box, the point that ends a
sentence, `x =` where the other side names no variable. Then

* a number is compared by value: 085, 1,234 and 1 234, 42.0, 84/2, 3 1/2, \\frac{7}{2}, 1.5\\times 10^3. What still has
  to be computed (2*21, \\sqrt{4}) is no number: a repeated question would be its own answer. A unit counts where both
  have one, and 50% is 0.5, or a bare 50;
* a date, a time and a ratio are compared as written: math-verify would subtract and divide;
* words are compared as written, whatever their case: math-verify takes a word for a product of letters, so that
  `silent` would be `listen`. It reads no words for numbers, and neither does this module;
* math-verify decides on all else, in a process of its own (symbolic.py).
"""

import re
from fractions import Fraction

from evotrainer.domains.math.symbolic import is_equivalent

MAX_ANSWER_CHARACTERS = 200

_SIGNS = {"−": "-", "×": "\\times ", "·": "\\cdot ", "π": "\\pi ", "∞": "\\infty ", "°": "^\\circ "}
_SIGNS |= {"\\varnothing": "\\emptyset", "∅": "\\emptyset"}
_REPEATING = re.compile(r"(\d*)\.(\d*)\\(?:overline|bar) ?\{? ?(\d+) ?\}?")
_BASE = re.compile(r"(?<=\d)_ ?\{? ?(\w+)")
"""Of a number: the base that it is written in."""
_BLANK = re.compile(r"(?<!\\)\\(?:[,;: ]|(?:quad|qquad|thinspace)(?![a-zA-Z]))|~|\s+")
_NOTHING = re.compile(r"(?<!\\)\\(?:[!()\[\]]|(?:left|right|displaystyle)(?![a-zA-Z]))")
_STYLED = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|boxed)\s*\{([^{}]*)\}")
_QUOTES = ('""', "''", "``", "“”", "‘’")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_NAMED = re.compile(r"([a-zA-Z]) ?= ?(?=\S)")
_CHOICE = re.compile(r"\(([a-z])\)")
_DATE = re.compile(
    r"\d+([-/.])\d+\1\d+|\d+(?::\d+)+ ?(?:[ap]\.?m)?"
    r"|(?=.*\d).*\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b.*",
    re.IGNORECASE,
)
"""Of a date, a time or a ratio."""
_FUNCTION = r"\b(?:sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt)[a-z]?\b"
_WORDS = re.compile(rf"(?=.*[^\W\d_]{{4}})(?!.*{_FUNCTION})[^\W\d_]+(?:[ '-][^\W\d_]+)*")
"""Text with a word of four letters or more, which math-verify would read as a product of letters."""

_FRACTION = re.compile(r"\\[dt]?frac ?(?:\{ ?(-?\d+) ?\}|(\d)) ?(?:\{ ?(-?\d+) ?\}|(\d))")
_QUANTITY = re.compile(
    r"(?P<sign>[+-]? ?)(?P<money>[$€£]? ?)"
    r"(?:(?:(?P<whole>\d+) )?(?P<top>-?\d+) ?/ ?(?P<bottom>-?\d+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?: \d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+))"
    r"(?:(?: ?(?:\\times|\\cdot|\*) ?10 ?\^ ?\{?|[eE](?=[+-]?\d))(?P<power>[+-]?\d{1,3})\}?)?"
    r"(?P<unit>\^ ?\{? ?\\circ ?\}?| ?%| ?[$€£]| [a-zA-Z].*|[a-zA-Z]{2,}.*)?"
)
_UNIT = re.compile(r"(?:(square|sq|cubic) )?([a-z$€£%]+) ?([23]?)")
_UNITS = (
    "mm millimeter millimetre; cm centimeter centimetre; m meter metre; km kilometer kilometre; in inch inche; "
    "ft foot feet; yd yard; mi mile; mg milligram; g gram; kg kilogram; lb pound; oz ounce; ton tonne; "
    "ms millisecond; s sec second; min minute; h hr hour; day; week; month; year; ml milliliter millilitre; "
    "liter litre; gal gallon; degree deg; $ dollar usd; cent; € euro; £; unit; point; % percent"
)
_UNIT_OF = {word: names.split()[0] for names in _UNITS.split(";") for word in names.split()}
_POWERS = {"square": "2", "sq": "2", "cubic": "3", None: ""}


def answers_equal(truth: str, given: str) -> bool:
    """Return whether `given` equals `truth`; an answer longer than the cap is wrong, not an error."""
    if equal_as_written(truth, given):
        return True
    if len(given) > MAX_ANSWER_CHARACTERS:
        return False
    left, right = _plain(truth), _plain(given)
    names = [_NAMED.match(text) for text in (left, right)]
    if names[0] and names[1] and names[0][1] != names[1][1]:
        return False
    if any(names):
        left, right = (text[name.end() :] if name else text for text, name in zip((left, right), names, strict=True))
        if equal_as_written(left, right):
            return True
    bases = [set(_BASE.findall(text)) for text in (left, right)]
    if all(bases) and bases[0] != bases[1]:
        return False
    if _quantity(left) is not None or _DATE.fullmatch(left) or (_WORDS.fullmatch(left) and _WORDS.fullmatch(right)):
        return False
    return is_equivalent(_bare(truth), _bare(given))


def equal_as_written(truth: str, given: str) -> bool:
    """Return whether two answers are one quantity, or one text no longer than the cap; math-verify is not asked."""
    if len(given) > MAX_ANSWER_CHARACTERS:
        return False
    left, right = _quantity(_plain(truth)), _quantity(_plain(given))
    if left is None or right is None:
        return left is right and _normalised(truth) == _normalised(given)
    (one, unit), (other, other_unit) = left, right
    if unit != other_unit and "%" in (unit, other_unit):
        percent, bare = (one, other) if unit == "%" else (other, one)
        is_asked = abs(percent) > 1  # 50 of a question for percents; below, 0.5 and 0.5% are two numbers
        return not (unit and other_unit) and (percent / 100 == bare or (is_asked and percent == bare))
    return one == other and (unit == other_unit or not (unit and other_unit))


def why_ungradable(truth: str) -> str:
    """Return why no given answer could ever be equal to this one; empty where one can."""
    if len(truth) > MAX_ANSWER_CHARACTERS:
        return f"has {len(truth)} characters: an answer has at most {MAX_ANSWER_CHARACTERS}"
    return "" if _normalised(truth) else f"holds nothing that can be compared, {truth!r}"


def _bare(text: str) -> str:
    """Return a text without delimiters of math, and with plain blanks."""
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    text = _BLANK.sub(" ", _NOTHING.sub("", text).replace("{,}", ",")).strip()
    while len(text) > 1 and text[0] == text[-1] == "$":
        text = text[1:-1].strip()
    return text


def _plain(text: str) -> str:
    """Return a text without what says nothing."""
    text = _STYLED.sub(r" \1 ", _bare(text)).replace("\\%", "%").replace("\\$", "$")
    text = " ".join(text.split()).rstrip(".").rstrip()
    if bold := _BOLD.fullmatch(text):
        text = bold[1]
    if text[:1] + text[-1:] in _QUOTES and len(text) > 2:
        text = text[1:-1].strip().rstrip(".")
    return text.removeprefix("= ")


def _normalised(text: str) -> str:
    plain = _plain(text)
    if _DATE.fullmatch(plain):
        plain = re.sub(r"(?<![\d:])0+(?=\d)", "", plain.replace(",", " ")).replace("p.m", "pm").replace("a.m", "am")
    joined = "".join(plain.split()).strip("$").lower()
    choice = _CHOICE.fullmatch(joined)
    return choice[1] if choice else joined


def _quantity(text: str) -> tuple[Fraction, str] | None:
    """Return value and unit of a plain text that is one number; a number of thousands of digits is none."""
    text = _REPEATING.sub(_fraction, text)
    text = _FRACTION.sub(lambda found: f" {found[1] or found[2]}/{found[3] or found[4]}", text).strip()
    found = _QUANTITY.fullmatch(text) if len(text) <= MAX_ANSWER_CHARACTERS else None
    if found is None or (found["bottom"] and not int(found["bottom"])):
        return None
    unit = _unit_of(found["unit"] or found["money"])
    if unit is None or (found["unit"] and found["money"].strip()):
        return None
    if found["top"]:
        value = Fraction(int(found["top"]), int(found["bottom"])) + int(found["whole"] or 0)
    else:
        value = Fraction(re.sub("[ ,]", "", found["number"]))
    value *= Fraction(10) ** int(found["power"] or 0)
    return (-value if found["sign"].strip() == "-" else value), unit


def _fraction(repeating: re.Match[str]) -> str:
    """Return a repeating decimal as a fraction: 0.1\\overline{6} is 15/90."""
    whole, once, again = repeating.groups()
    top = int(whole + once + again) - int(whole + once or 0)
    return f"{top}/{10 ** len(once) * (10 ** len(again) - 1)}"


def _unit_of(text: str) -> str | None:
    """Return a unit in its shortest spelling, "" for none; None for words that are no unit: `5 million` is not 5."""
    text = re.sub(r"\^ ?\{? ?\\circ ?\}?", "degree", text.strip().lower())
    text = re.sub(r"[\^{} ]+", " ", text.replace("mph", "mi/h").replace("kph", "km/h")).strip()
    units = []
    for part in re.split(r" ?/ ?| per ", text) if text else ():
        found = _UNIT.fullmatch(part)
        name = found and (_UNIT_OF.get(found[2]) or _UNIT_OF.get(found[2].removesuffix("s")))
        if not found or not name:
            return None
        units.append(name + (found[3] or _POWERS[found[1]]))
    return "/".join(units)
