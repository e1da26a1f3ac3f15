"""Our own code on its way into the sandbox: compiled once here, since each execution would compile it anew."""

import marshal
from functools import cache
from pathlib import Path


@cache
def inside_source(name: str) -> str:
    """Return a program that is the module `name` of this folder; the sandbox runs the same interpreter as we do."""
    path = Path(__file__).parent / f"{name}.py"
    code = compile(path.read_text(encoding="utf-8"), f"{name}.py", "exec", dont_inherit=True)
    return f"import marshal\nexec(marshal.loads(bytes.fromhex('{marshal.dumps(code).hex()}')))\n"
