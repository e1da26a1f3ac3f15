"""Our own code on its way into the sandbox: compiled once here, since each execution would compile it anew."""

import builtins
import marshal
import sys
import types
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[2]


@cache
def inside_source(name: str) -> str:
    """Return a program that is a module of this package, by its full name; the sandbox runs the same interpreter."""
    return f'import marshal\nexec(marshal.loads(bytes.fromhex("{marshal.dumps(_code(name)).hex()}")))\n'


def calling(name: str, function: str) -> str:
    """Return a program that has a function of a module which the sandbox has loaded (`own_modules`)."""
    return f"import sys\n{function} = sys.modules[{name!r}].{function}\n"


def module_codes(names: Sequence[str]) -> list[tuple[str, types.CodeType]]:
    """Return modules of this package by name, compiled."""
    return [(name, _code(name)) for name in names]


def load_modules(codes: Iterable[tuple[str, types.CodeType]]) -> None:
    """Load modules for all executions to come. Each has builtins of its own, which no other code patches."""
    for name, code in codes:
        module = sys.modules[name] = types.ModuleType(name)
        vars(module)["__builtins__"] = dict(vars(builtins))
        exec(code, vars(module))


def _code(name: str) -> types.CodeType:
    path = (_ROOT / name.replace(".", "/")).with_suffix(".py")
    return compile(path.read_text(encoding="utf-8"), path.name, "exec", dont_inherit=True, optimize=2)
