"""Answers that are expressions of given numbers: whether they reach the number asked for, and use others than given.

The prompt gives a list of three numbers and more, and the target stands beside it. Expressions hold numbers, the four
signs and brackets. Numbers count as given where they stand anywhere in the prompt, but for the target itself.
"""

import ast
import re
from fractions import Fraction

_LIST = re.compile(r"\d+(?:[\s,;，、]+(?:[^\W\d_]{1,3}\s+)?\d+){2,}")
_NUMBER = re.compile(r"\d+")
_PLAIN = re.compile(r"[\d\s+\-*/().]+")
_OPERATOR = re.compile(r"\d\s*\)*\s*[+\-*/]")
_MAX_CHARS, _MAX_PROMPT = 200, 4000


def expression_use(prompt: str, answer: str) -> str:
    """Return `given` or `other` for an expression that reaches its target, `off` for one that does not, else nothing.

    `other` uses a number that the prompt does not give.
    """
    text = _plain(answer)
    given = _LIST.search(prompt[:_MAX_PROMPT]) if text else None
    if given is None:
        return ""
    numbers = set(_NUMBER.findall(given.group()))
    beside = set(_NUMBER.findall(prompt[: given.start()] + " " + prompt[given.end() : _MAX_PROMPT]))
    value = _value(text)
    if value is None or not beside:
        return ""
    if not any(value == Fraction(one) for one in beside):
        return "off"
    used = set(_NUMBER.findall(text))
    allowed = numbers | {one for one in beside if value != Fraction(one)}
    return "given" if used <= allowed else "other"


def _plain(answer: str) -> str:
    """Return an expression in plain signs, without what it equals; nothing for another text."""
    text = answer[:_MAX_CHARS].replace("\\times", "*").replace("\\cdot", "*").replace("\\div", "/")
    text = text.translate(str.maketrans("×÷−·", "*/-*")).split("=")[0].strip()
    return text if _PLAIN.fullmatch(text) and _OPERATOR.search(text) and "**" not in text and "//" not in text else ""


def _value(text: str) -> Fraction | None:
    """Return the exact value of an expression; None for a malformed one."""
    try:
        return _of(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _of(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        return -_of(node.operand) if isinstance(node.op, ast.USub) else _of(node.operand)
    if not isinstance(node, ast.BinOp):
        raise ValueError
    one, other = _of(node.left), _of(node.right)
    if isinstance(node.op, ast.Add):
        return one + other
    if isinstance(node.op, ast.Sub):
        return one - other
    if isinstance(node.op, ast.Mult):
        return one * other
    if isinstance(node.op, ast.Div):
        return one / other
    raise ValueError
