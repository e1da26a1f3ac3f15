"""Our own code on its way into the sandbox: compiled once here, since each execution would compile it anew."""

import marshal
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_HEAD = """\
import builtins, marshal, sys, types
for name, code in {beside}:
    module = sys.modules[name] = types.ModuleType(name)
    module.__builtins__ = dict(vars(builtins))
    exec(marshal.loads(bytes.fromhex(code)), vars(module))
exec(marshal.loads(bytes.fromhex("{main}")))
"""


@cache
def inside_source(name: str, *beside: str) -> str:
    """Return a program that is a module of this package, by its full name; the sandbox runs the same interpreter.

    It can import the modules `beside` it as it does here. Each has builtins of its own, which no other code patches.
    """
    return _HEAD.format(beside=[(module, _code(module)) for module in beside], main=_code(name))


def _code(name: str) -> str:
    path = (_ROOT / name.replace(".", "/")).with_suffix(".py")
    code = compile(path.read_text(encoding="utf-8"), path.name, "exec", dont_inherit=True, optimize=2)
    return marshal.dumps(code).hex()
