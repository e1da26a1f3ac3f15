"""Our own code on its way into the sandbox: compiled once here, since each execution would compile it anew."""

import marshal
from functools import cache
from pathlib import Path

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
    """Return a program that is the module `name` of this folder; the sandbox runs the same interpreter as we do.

    It can import the modules `beside` it as it does here. Each has builtins of its own, which no other code patches.
    """
    package = __name__.rpartition(".")[0]
    return _HEAD.format(beside=[(f"{package}.{module}", _code(module)) for module in beside], main=_code(name))


def _code(name: str) -> str:
    path = Path(__file__).parent / f"{name}.py"
    code = compile(path.read_text(encoding="utf-8"), f"{name}.py", "exec", dont_inherit=True, optimize=2)
    return marshal.dumps(code).hex()
