"""Code as a setting: a key's value is `file:<sha256>`, the hash of the text of a small Python file.

A file defines one function: which one follows from the key, or the key from it. Its text travels with the intervention
that introduced it, and lies frozen beside the version that runs it. The value of the key alone says what is run, so
equal recipes have equal hashes, and another text is another recipe.

What can be seen without running the file is checked here: that it parses, defines its function, and imports nothing
but modules that compute. What only a run can show is examined on stored rows (algorithm/code/examination.py).
"""

import ast
import hashlib
import re
from collections.abc import Mapping
from operator import attrgetter

from evotrainer.config import limits
from evotrainer.config.schema import Config
from evotrainer.errors import InterventionError

FILE_SIGN = "file:"

CODE_KEYS: dict[str, str] = dict(limits.declared(Config, limits.CODE))
"""{key: name of the function that its file defines}."""

CODE_TERM = "code"
"""Reward term under which the value of reward.code is recorded."""
CORRECTION_TERM = "correction"
"""Reward term under which the value of reward.correction is recorded."""
CODE_TERMS = (CODE_TERM, CORRECTION_TERM)
"""Terms that no grader gives: a replay computes them anew."""

MAX_CHARACTERS = 20_000
"""Of a file: a function of a row, no data set."""

# fmt: off
MODULES = frozenset({
    "__future__", "bisect", "collections", "dataclasses", "decimal", "difflib", "enum", "fractions", "functools",
    "heapq", "itertools", "json", "math", "operator", "re", "statistics", "string", "textwrap", "typing", "unicodedata",
})
# fmt: on
"""What a file may import: no clock, no draws, no hashes, nothing of the machine."""

_REFERENCE = re.compile(rf"{FILE_SIGN}[0-9a-f]{{64}}")
_UNSTABLE = frozenset({"id", "hash", "open", "input", "eval", "exec", "compile", "globals", "vars", "__import__"})


def reference(source: str) -> str:
    """Return the value of a key whose code is this text."""
    return FILE_SIGN + hashlib.sha256(source.encode()).hexdigest()


def is_reference(value: str) -> bool:
    """Return whether a value has the form file:<sha256>."""
    return _REFERENCE.fullmatch(value) is not None


def code_of(config: Config) -> dict[str, str]:
    """Return {key: reference} of the code that a recipe runs."""
    return {key: value for key in CODE_KEYS if (value := attrgetter(key)(config))}


def source_of(value: str, sources: Mapping[str, str]) -> str:
    """Return the text of a reference; raises InterventionError where it is missing or is another one."""
    if value not in sources:
        raise InterventionError(f"the text of {short(value)} is not there: submit it with the intervention")
    if reference(sources[value]) != value:
        raise InterventionError(f"the text of {short(value)} has another hash: it was changed after it was named")
    return sources[value]


def short(value: str) -> str:
    """Return a reference as a person reads it."""
    return value[: len(FILE_SIGN) + 12]


def key_of(source: str) -> str:
    """Return the key that a file is for, by the function that it defines; raises InterventionError."""
    defined = {node.name for node in _parsed(source).body if isinstance(node, ast.FunctionDef)}
    keys = [key for key, function in CODE_KEYS.items() if function in defined]
    if len(keys) != 1:
        names = ", ".join(f"{function} ({key})" for key, function in CODE_KEYS.items())
        raise InterventionError(f"a file defines one function of {names}; this one defines {len(keys)} of them")
    return keys[0]


def check_source(key: str, source: str) -> None:
    """Raise InterventionError where a file cannot be the code of `key`, with what to change."""
    if len(source) > MAX_CHARACTERS:
        raise InterventionError(f"{key}: the file has {len(source)} characters, {MAX_CHARACTERS} are allowed")
    tree = _parsed(source)
    function = CODE_KEYS[key]
    if not any(isinstance(node, ast.FunctionDef) and node.name == function for node in tree.body):
        raise InterventionError(f"{key}: the file defines no function {function}")
    for node in ast.walk(tree):
        for name in _imported(node):
            if name not in MODULES:
                raise InterventionError(f"{key}: the file imports {name}; it may import {', '.join(sorted(MODULES))}")
        if isinstance(node, ast.Name) and node.id in _UNSTABLE:
            raise InterventionError(f"{key}: the file uses {node.id}, which is no function of a row")


def string_constants(source: str) -> set[str]:
    """Return the texts that stand in a file as constants, f-strings' parts among them."""
    nodes = ast.walk(_parsed(source))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise InterventionError(f"the file is no Python: {' '.join(str(error).split())}") from None


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["." if node.level else (node.module or "").partition(".")[0]]
    return []
