"""Runs inside the sandbox on both sides of a pair: asking the other side, and answering what it asks meanwhile.

A question is ["ask", operation, arguments, first]: `first` are operations to be done before. Its answer is ["ok" or
"raise", form, changes]: what became of mutable containers among the arguments, which hold the same on both sides after
the answer as before the question. ["late"] says that the clock struck while the other side worked. An answer may wait
for questions of its own.
"""

# values of any type cross here, which only the run shows
# pyright: reportGeneralTypeIssues=false

import contextlib
import json
from sys import modules, stdlib_module_names

from evotrainer.domains.swe.runners.plain_inside import Shared, contents, is_changed, refill

READ_BYTES = 1 << 16


class OutOfTime(BaseException):
    """A test used up its processor time."""


class Gone(BaseException):
    """The other process has ended, or says what is no message."""


_encode, _decode = json.JSONEncoder(separators=(",", ":")).encode, json.JSONDecoder().decode


class Line:
    """One end of the stream between the two processes: messages in JSON behind their length."""

    def __init__(self, descriptor, read, write, max_bytes):
        self._descriptor, self._read, self._write, self._max_bytes = descriptor, read, write, max_bytes
        self._waiting = b""

    def send(self, message):
        """Send one message; raises Gone where the other side is gone."""
        data = _encode(message).encode()
        data = len(data).to_bytes(4, "big") + data
        try:
            while data:
                data = data[self._write(self._descriptor, data) :]
        except (BrokenPipeError, ConnectionResetError):
            raise Gone("the other process has ended") from None

    def receive(self):
        """Return the next message; raises Gone where the other side is gone, or says too much or no message."""
        size = int.from_bytes(self._take(4), "big")
        if size > self._max_bytes:
            raise Gone("too long a message")
        try:
            return _decode(self._take(size).decode())
        except (ValueError, RecursionError):
            raise Gone("no message") from None

    def _take(self, size):
        parts, held = [self._waiting], len(self._waiting)
        while held < size:
            try:
                part = self._read(self._descriptor, READ_BYTES)
            except ConnectionResetError:
                part = b""
            if not part:
                raise Gone("the other process has ended")
            parts.append(part)
            held += len(part)
        data = b"".join(parts)
        self._waiting = data[size:]
        return data[:size]


class Peer:
    """One side. `operations`: what the other may ask, by name."""

    def __init__(self, line, side, operations):
        self.shared, self._line, self._operations = Shared(side), line, operations
        self.is_working, self.is_gone, self._first = False, False, []

    def first(self, operation, *arguments):
        """Have the other side do something before it answers the next question."""
        self._first.append([operation, *arguments])

    def ask(self, operation, *arguments):
        """Return the other side's answer, or raise what it raised; raises OutOfTime and Gone."""
        form, containers = self.shared.pack(arguments)
        self.shared.side.before()
        self._line.send(["ask", operation, form, self._first])
        self._first = []
        message = self._receive()
        while message[0] == "ask":
            self.answer(message)
            message = self._receive()
        if message[0] == "late":
            raise OutOfTime
        kind, form, changes = message
        value = self.shared.unpack(form, containers)[0]
        for number, changed in changes:
            refill(containers[number], self.shared.unpack(changed, containers)[0])
        if kind == "raise":
            raise value
        return value

    def _receive(self):
        try:
            return self._line.receive()
        except Gone:
            self.is_gone = True
            raise

    def serve(self):
        """Answer until the other side is gone."""
        while True:
            try:
                message = self._line.receive()
            except Gone:
                return
            self.answer(message)

    def operate(self, operation, *arguments):
        """Carry out what the other side may ask."""
        return self._operations[operation](*arguments)

    def answer(self, message):
        """Answer one question."""
        _, operation, form, first = message
        was_working = self.is_working
        try:
            for name, *given in first:
                self._operations[name](*given)
            self._line.send(self._answer(operation, form))
        except OutOfTime:
            self._line.send(["late"])
        finally:
            self.is_working = was_working

    def _answer(self, operation, form):
        containers, befores = (), ()
        try:
            arguments, containers = self.shared.unpack(form)
            befores = [contents(value) for value in containers]
            self.is_working = True
            value, kind = self._operations[operation](*arguments), "ok"
        except (OutOfTime, Gone):
            raise
        except BaseException as error:  # whatever is raised is the answer
            value, kind = error, "raise"
        self.is_working = False
        changes = [
            [number, self.shared.pack(type(value)(value), containers)[0]]
            for number, (value, before) in enumerate(zip(containers, befores, strict=True))
            if is_changed(value, before)
        ]
        return [kind, self.shared.pack(value, containers)[0], changes]


def error_traits(shared, value):
    """Return what the other side is told of an exception, or of a class of exceptions; None for anything else."""
    if isinstance(value, BaseException):
        arguments = [item if type(item) in (str, int, float, bool) else str(item) for item in value.args]
        return {"error": [shared.pack(type(value))[0], arguments]}
    if isinstance(value, type) and issubclass(value, BaseException):
        bases = [shared.pack(base)[0] for base in value.__bases__ if issubclass(base, BaseException)]
        return {"raises": [value.__module__, value.__qualname__, bases if library_error(value) is None else []]}
    return None


def library_error(kind):
    """Return a class of exceptions where it is the standard library's, else None."""
    return find_error(kind.__module__, kind.__qualname__)


def find_error(module, name):
    """Return a class of exceptions of the standard library, or None; also for a private one: unittest holds a test that
    ended with its own for passed.
    """
    if type(module) is not str or module.partition(".")[0] not in stdlib_module_names or module not in modules:
        return None
    if type(name) is not str or name.startswith("_"):
        return None
    kind = vars(modules[module]).get(name)
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None


def error_class(shared, made, number, traits):
    """Return the class that stands for a class of exceptions of the other side; `made` by the metaclass or type."""
    module, name, forms = traits["raises"]
    known = find_error(module, name)
    if known is not None:
        return known
    bases = tuple(shared.unpack(form)[0] for form in forms) or (Exception,)
    if not all(isinstance(base, type) and issubclass(base, BaseException) for base in bases):
        raise ValueError("no class of exceptions")
    return made(str(name).rpartition(".")[2], bases, number)


def error_object(shared, traits):
    """Return the exception that stands for one of the other side."""
    form, arguments = traits["error"]
    kind = shared.unpack(form)[0]
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        raise ValueError("no class of exceptions")
    arguments = [item for item in arguments if type(item) in (str, int, float, bool)]
    try:
        error = kind.__new__(kind, *arguments)
    except Exception:  # a class of the library that wants other arguments
        error = kind.__new__(kind)
    with contextlib.suppress(Exception):  # the same; it sets what has a name, as the code of SystemExit
        kind.__init__(error, *arguments)
    error.args = tuple(arguments)
    return error
