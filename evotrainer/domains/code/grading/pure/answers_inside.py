"""Runs inside the sandbox: what one pure program answers to each of its inputs, in this process.

Each input of a program that reads and prints meets a namespace, a set of modules and streams of its own, and so does
each of a function that does not answer all in one. How a run ends is named as the sandbox names it for a program that
runs alone. Where that is not certain (limits, what a program may have from its surroundings) nothing is said.
"""

import ast
import gc
import io
import json
import os
import random
import re
import signal
import sys
import traceback
import types
import typing
from functools import cache, partial

from evotrainer.domains.code.grading.pure.syntax_inside import ImpureError, imports_of, names_to_leave_out
from evotrainer.domains.code.grading.pure.vocabulary_inside import STREAMS, Shared, fresh_builtins, fresh_module
from evotrainer.sandbox.execution import call, run_module
from evotrainer.sandbox.result import encode_value

_UNCERTAIN = (NameError, AttributeError, ImportError, OSError, MemoryError, RecursionError, BaseExceptionGroup)
"""What a program may meet here and not alone, or the other way round."""
_FILE = "program.py"
_shared = []


def answer(prelude, source, function, inputs, num_alone, limits):
    """Return the end of each input, [outcome, answer, has left, last line of errors], None for one that is not certain.

    None where the program is not shown to be pure. `inputs` are texts, of JSON where a function is called; of those
    that do not go together `num_alone` are run. `limits`: processor time of the program, bytes of an answer.
    """
    seconds, num_bytes = limits
    if not _shared:
        _shared.append(Shared())
    streams = sys.stdin, sys.stdout, sys.stderr
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends this process: the parent goes on behind this program
    signal.setitimer(signal.ITIMER_PROF, seconds)
    sys.stderr = io.StringIO()  # of warnings of the compiler
    try:
        program = _Program(prelude, source, num_bytes)
        ends = program.answers(function, inputs, num_alone)
    except _NoProgramError as error:
        ends = [["compile_error", "", False, _last_line(error.__cause__)]] * len(inputs)
    except (ImpureError, MemoryError, RecursionError):
        ends = None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdin, sys.stdout, sys.stderr = streams
    if not _shared[0].is_intact():  # the check of the text has a hole: nothing that this process says counts
        os._exit(1)
    return ends


class _NoProgramError(Exception):
    """The source does not parse."""


class _Program:
    """A pure program, compiled once."""

    def __init__(self, prelude, source, num_bytes):
        prelude_tree, provided, first = _prelude(prelude)
        try:
            tree = _parsed(source)
            whole = tree if provided is not None else ast.Module([*prelude_tree.body, *tree.body], [])
            left_out = names_to_leave_out(provided or {}, whole)
            code = compile(tree, _FILE, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise _NoProgramError from error
        self._names = {"__builtins__": fresh_builtins()}
        self._codes = [first, code]
        if provided is not None:
            exec(self._codes.pop(0), self._names)
        for name in left_out:
            del self._names[name]
        self._of_run = _names_of_streams(self._names)
        self._num_bytes = num_bytes

    def answers(self, function, inputs, num_alone):
        """Return the end of each input."""
        if function is not None and len(inputs) > 1:
            together = self._run(function, inputs)
            if together is None or all(end[0] == "ok" for end in together):
                return together or [None] * len(inputs)
        return [(self._run(function, [text]) or [None])[0] for text in inputs[:num_alone]]

    def _run(self, function, texts):
        """Return the end of each input up to the one that ends the run; None where that is not certain.

        A function is called with all, a program that reads and prints has one.
        """
        module = types.ModuleType("program" if function else "__main__")
        vars(module).update(self._names)
        streams = _Streams("" if function else texts[0])
        vars(module).update({name: value() for name, value in self._of_run.items()})
        random.seed(0)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + _num_frames_more())
        try:
            ends = self._ends(module, function, texts)
            printed, told = streams.written()
        except BaseException:  # the program's own, of any kind: one that is not certain
            return None
        finally:
            sys.setrecursionlimit(limit)
            _forget(module)
        if max(len(printed), len(told)) > self._num_bytes:
            return None
        if not function:
            ends[0][1] = printed.decode("utf-8", "replace")
        if ends[-1][3] is None:
            ends[-1][3] = told.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
        return ends

    def _ends(self, module, function, texts):
        ends = []
        try:
            for code in self._codes:
                exec(code, vars(module))
            for text in texts if function else ():
                value = encode_value(call(module, function, json.loads(text)))
                ends.append(["not_json" if value is None else "ok", value or "", False, ""])
            return ends if function else [["ok", "", False, ""]]
        except _UNCERTAIN:
            raise
        except BaseException as error:  # the program's own, of any kind
            return [*ends, _failure(error, function)]


def _forget(module):
    """Give back what a run holds: in its module, in caches of patterns and types, in circles."""
    vars(module).clear()
    re.purge()  # it asks its keys whether they are equal
    for forget in typing._cleanups:  # type: ignore[attr-defined]  # there is no public way
        forget()
    gc.collect()


class _Streams:
    """Input and output of one run."""

    def __init__(self, given):
        self._data = io.BytesIO(), io.BytesIO()
        sys.stdin = _text(io.BytesIO(given.encode("utf-8", "surrogateescape")), "surrogateescape")
        sys.stdout, sys.stderr = _text(self._data[0], "surrogateescape"), _text(self._data[1], "backslashreplace")

    def written(self):
        """Return what was written to both outputs; raises ValueError where the program closed one."""
        sys.stdout.flush()
        sys.stderr.flush()
        return [data.getvalue() for data in self._data]


def _names_of_streams(names):
    """Return which names lead to streams, with what gives their value in a run."""
    streams = {id(getattr(sys, name)): name for name in STREAMS}
    leading = {name: partial(getattr, sys, streams[id(value)]) for name, value in names.items() if id(value) in streams}
    systems = [name for name, value in names.items() if isinstance(value, types.ModuleType) and value.__name__ == "sys"]
    return leading | dict.fromkeys(systems, partial(fresh_module, "sys"))


def _text(data, errors):
    return io.TextIOWrapper(data, encoding="utf-8", errors=errors)


@cache
def _prelude(source):
    """Return the tree of a prelude, what it provides where it only imports, and its code; raises ImpureError."""
    try:
        tree = _parsed(source)
        return tree, imports_of(tree), compile(tree, "prelude.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise ImpureError("prelude") from error


def _parsed(source):
    return ast.parse(source, _FILE)


def _failure(error, function):
    """Return the end of a run that an exception ended, as the interpreter and the sandbox would name it.

    Where it left with a text, its last line is that of all that it wrote to stderr.
    """
    if not isinstance(error, SystemExit):
        return ["nonzero_exit", "", False, _last_line(error)]
    if error.code is None or isinstance(error.code, int):
        has_failed = (error.code or 0) & 0xFF != 0
        return ["nonzero_exit", "", False, None] if has_failed else ["no_result" if function else "ok", "", True, ""]
    print(error.code, file=sys.stderr)
    return ["nonzero_exit", "", False, None]


def _last_line(error):
    return "".join(traceback.format_exception_only(error)).strip().rsplit("\n", 1)[-1]


def _num_frames_more():
    """Return how many frames more stand below a program here than below one that runs alone."""
    frame, count = sys._getframe(1), 0
    while frame is not None and frame.f_code is not run_module.__code__:
        frame, count = frame.f_back, count + 1
    return count
