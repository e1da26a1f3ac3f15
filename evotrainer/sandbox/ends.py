"""How an execution ended, in a sentence of ours: nothing that the program itself printed or raised is repeated.

Text of code that an agent wrote would otherwise reach reports and later prompts. Of an exception only its class is
named, and only where it is one of Python's own.
"""

import builtins

from evotrainer.sandbox.program import Execution, Limits

_ENDS = {
    "nonzero_exit": "raised {error}",
    "timeout": "took more than {seconds:g} s of processor time",
    "memory": "needs more than {megabytes} MB",
    "output_limit": "printed or returned too much",
    "killed": "was ended by a signal",
    "denied": "tried what the sandbox forbids",
    "no_result": "ended before it answered",
    "not_json": "returned no JSON value",
    "compile_error": "is no Python",
}


def describe_end(execution: Execution, limits: Limits) -> str:
    """Return how an execution that did not end well ended: the end of a sentence about its program."""
    last = (execution.stderr.strip().splitlines() or [""])[-1]
    name = last.partition(":")[0]
    known = getattr(builtins, name, None)
    error = name if isinstance(known, type) and issubclass(known, BaseException) else "an error of its own"
    megabytes = limits.memory_bytes >> 20
    return _ENDS[execution.outcome].format(error=error, seconds=limits.cpu_seconds, megabytes=megabytes)
