"""Jinja for templates of somebody else: what one operation of a template makes stays small enough to be ended.

A limit of time comes between two instructions of Python (`evotrainer/engines/time_limit.py`), so a single long
operation would outlast it. What each makes is estimated first: products, powers, formats, padding, replacing, joining,
and values that hold themselves many times. Whatever is left out here ends in the check before a campaign, which renders
in a process of its own (`flows/workspace/checks/template.py`).
"""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jinja2 import TemplateRuntimeError, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_NUMBER = 1_000_000
"""A width, a count or a number of bits that an operation is asked for."""
MAX_SIZE = 20_000_000
"""Signs and items of what an operation makes; a prompt of a million tokens has a quarter of it."""

_COUNTED = frozenset(
    {"batch", "center", "expandtabs", "generate_lorem_ipsum", "indent", "ljust", "rjust", "slice", "wordwrap", "zfill"}
)
"""Filters and methods of which a number says how much they make."""


class _Generator(CodeGenerator):
    """Compiles `~` and literal lists, tuples and dicts to calls that bound what they make."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 (jinja calls it so)
        self._bounded("environment.joined((", node.nodes, frame, "))")

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802 (jinja calls it so)
        self._bounded("environment.bounded([", node.items, frame, "])")

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802 (jinja calls it so)
        if node.ctx == "store":
            super().visit_Tuple(node, frame)
        else:
            self._bounded("environment.bounded((", node.items, frame, "))")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 (jinja calls it so)
        self.write("environment.bounded(")
        super().visit_Dict(node, frame)
        self.write(")")

    def _bounded(self, opening: str, items: Iterable[nodes.Expr], frame: Frame, end: str) -> None:
        self.write(opening)
        for item in items:
            self.visit(item, frame)
            self.write(", ")
        self.write(end)


class TemplateSandbox(ImmutableSandboxedEnvironment):
    """The sandbox of jinja, with a bound on what single operations make; raises TemplateRuntimeError beyond it."""

    intercepted_binops = frozenset({"**", "*", "%", "+"})
    code_generator_class = _Generator

    def __init__(self, **options: Any) -> None:
        super().__init__(finalize=bounded, **options)
        self.filters = {name: _guarded(name, function) for name, function in self.filters.items()}

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Return the value of an operation."""
        limit = MAX_SIZE if operator == "+" else MAX_NUMBER
        if _size(operator, left, right) > limit:
            raise TemplateRuntimeError(f"an operation `{operator}` makes a value of more than {limit} signs")
        return super().call_binop(context, operator, left, right)

    def call(self, context: Any, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Return what a method or function of the template returns."""
        name = getattr(obj, "__name__", "call")
        _check(name, (getattr(obj, "__self__", None), *args, *kwargs.values()))
        return super().call(context, obj, *args, **kwargs)

    @staticmethod
    def concat(texts: Iterable[str]) -> str:
        """Return texts as one: what a block, a macro or the whole template wrote."""
        return "".join(_limited(texts))

    @staticmethod
    def joined(values: Iterable[Any]) -> str:
        """Return values as one text."""
        return "".join(_limited(str(bounded(value)) for value in values))

    @staticmethod
    def bounded(value: Any) -> Any:
        """Return a value that is not too large."""
        return bounded(value)


def bounded(value: Any) -> Any:
    """Return a value as it is; raises TemplateRuntimeError where it is too large to be written out."""
    if not isinstance(value, str) and _weight(value) > MAX_SIZE:
        raise TemplateRuntimeError(f"a value has more than {MAX_SIZE} signs")
    return value


def _weight(value: Any) -> int:
    """Return how many signs and items a value has, each as often as it stands there; no more than are too many."""
    total, rest = 0, [value]
    while rest and total <= MAX_SIZE:
        item = rest.pop()
        total += len(item) if isinstance(item, str | bytes) else 1
        if isinstance(item, Mapping):
            rest += item.keys()
            rest += item.values()
        elif isinstance(item, list | tuple | set | frozenset):
            rest += item
    return total


def _limited(texts: Iterable[str]) -> list[str]:
    found, total = [], 0
    for text in texts:
        found.append(text)
        total += len(text)
        if total > MAX_SIZE:
            raise TemplateRuntimeError(f"a text has more than {MAX_SIZE} signs")
    return found


def _guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)  # and with it what jinja wants to pass to the filter
    def checked(*args: Any, **kwargs: Any) -> Any:
        args = tuple(list(value) if isinstance(value, Iterator) else value for value in args)
        _check(name, (*args, *kwargs.values()))
        if name == "sum" and isinstance(kwargs.get("start", args[-1]), list | tuple) and len(args) + len(kwargs) > 2:
            raise TemplateRuntimeError("sum adds numbers only")
        return function(*args, **kwargs)

    return checked


def _check(name: str, values: Iterable[Any]) -> None:
    """Raise TemplateRuntimeError where a filter, method or function would make too much of these values."""
    values = [value for value in values if isinstance(value, str | int | list | tuple | Mapping)]
    texts = [value for value in values if isinstance(value, str)]
    numbers = [abs(value) for value in values if isinstance(value, int)] if name in _COUNTED else []
    if any(number > MAX_NUMBER for number in numbers) or (name == "format" and _width(texts) > MAX_NUMBER):
        raise TemplateRuntimeError(f"{name} is asked for a number above {MAX_NUMBER}")
    if _made(name, texts, values) > MAX_SIZE or sum(map(_weight, values)) > MAX_SIZE:
        raise TemplateRuntimeError(f"{name} makes or takes more than {MAX_SIZE} signs")


def _made(name: str, texts: list[str], values: list[Any]) -> int:
    """Return at least how long a text is that is made of each place of another one; 0 for what makes none."""
    if name == "replace" and len(texts) > 2:
        return texts[0].count(texts[1]) * len(texts[2])
    if name == "join":
        return max(map(len, texts), default=0) * max(
            (len(value) for value in values if isinstance(value, list)), default=0
        )
    if name in ("expandtabs", "indent", "translate"):
        sizes = sorted(value if isinstance(value, int) else _weight(value) for value in values)
        return sizes[-1] * sizes[-2] if len(sizes) > 1 else 0
    return 0


def _width(texts: Iterable[str]) -> int:
    """Return the largest number in a format."""
    return max((int(digits) for text in texts for digits in re.findall(r"\d{1,18}", text)), default=0)


def _size(operator: str, left: Any, right: Any) -> float:
    """Return at least how long a value is that an operation makes; 0 where it is no longer than what it is made of."""
    if operator == "%":
        return _width([left]) if isinstance(left, str) else 0
    if operator == "**":
        return left.bit_length() * right if isinstance(left, int) and isinstance(right, int) else 0
    sized = [len(value) for value in (left, right) if isinstance(value, str | list | tuple)]
    if operator == "+":
        return sum(sized)
    counts = [value for value in (left, right) if isinstance(value, int)]
    return sized[0] * counts[0] if sized and counts else 0
