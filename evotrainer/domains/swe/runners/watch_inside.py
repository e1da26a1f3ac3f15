"""Runs inside the sandbox beside hidden tests: an audit hook, which Python cannot remove, hears what the attempt's own
code does, and what judges is compared with what it was.

What is heard is a word of `TestRun.reached`, and no cheat where the reference patch is heard to do it too:

    reads PATH       it asks the module of a hidden test for a name
    reaches WHAT     the heap, tracers, memory, code under another file's name; where a test's expected values are in
                     the process, frames too; functions and classes of what judges that are others than before
"""

import signal
import types
from _thread import get_ident
from sys import _getframe, addaudithook, getprofile, gettrace, modules

TOUCHING = (
    *("gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames", "sys._current_exceptions"),
    *("sys.settrace", "sys.setprofile", "sys.addaudithook"),
    *("ctypes.cdata", "ctypes.string_at", "ctypes.wstring_at", "ctypes.PyObj_FromPtr"),
)
FRAMES = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame"})
LENDERS = ("/inspect.py", "/traceback.py", "/logging/__init__.py", "/pkgutil.py", "/bdb.py", "/trace.py")
"""Modules of the standard library with functions that hand out frames or attributes to who calls them."""
REVEALING = frozenset({"__dict__", "__loader__", "__spec__"})
JUDGES = frozenset({"builtins", "unittest", "pytest", "_pytest", "pluggy"})
LIBRARIES = frozenset({"math", "cmath", "operator", "json", "functools", "itertools", "copy", "re", "statistics"})
LIBRARIES |= {"decimal", "fractions", "datetime", "collections", "string", "random", "importlib"}
_METHODS = (types.FunctionType, staticmethod, classmethod, property)
_KINDS = (*_METHODS, types.BuiltinFunctionType, type, tuple, frozenset)


def _held(places):
    """Yield (place, names, name, value) of functions and classes of these modules, and of the methods of judges."""
    for place in places:
        module = modules[place]
        for name, value in list(vars(module).items()):
            if isinstance(value, _KINDS):
                yield place, vars(module), name, value
            is_judge = (
                isinstance(value, type) and value.__module__ == place and place.partition(".")[0] not in LIBRARIES
            )
            if is_judge and place != "builtins":
                own = f"{place}.{name}"
                yield from ((own, vars(value), *pair) for pair in vars(value).items() if isinstance(pair[1], _METHODS))


if "unittest.case" in modules:
    setattr(modules["unittest.case"], "_ShouldStop", ())  # noqa: B010 - private; a test that raises it would pass
_HELD = list(_held([place for place in modules if place.partition(".")[0] in JUDGES | LIBRARIES]))
"""As the process has them that executions are forked from."""


class Watch:
    """What was reached so far, and the hook that hears it. `place`: the repository's folder. `hidden`, `changed`: paths
    of the tests' and of the attempt's own files.
    """

    def __init__(self, place, hidden, changed, has_secrets):
        own = [name for name in modules if name.startswith("evotrainer.domains.")]
        self._held = [*_HELD, *_held(own)]
        for name in own:
            del modules[name]
        self._reached, self._secret = set(), has_secrets
        self._hidden = {f"{place}/{path}": path for path in hidden}
        self._changed = frozenset(f"{place}/{path}" for path in changed)
        self._main, self._busy = get_ident(), set()
        self._judges = {
            "evotrainer.attribute": self._attribute,
            "object.__getattr__": self._member,
            "sys._getframe": self._frame,
            "compile": self._made,
            "code.__new__": self._made,
            **dict.fromkeys(TOUCHING, self._touched),
        }
        addaudithook(self.hear)

    def hear(self, event, arguments):
        """Judge one audit event; what a judgement itself brings about is not heard."""
        judge = self._judges.get(event)
        if judge is None or (thread := get_ident()) in self._busy:
            return
        self._busy.add(thread)
        try:
            judge(event, arguments, _getframe(1))
        finally:
            self._busy.discard(thread)

    def reached(self):
        """Return what was reached; replaced functions and classes are looked for now."""
        self._reached |= {
            f"reaches {place}.{name}" for place, held, name, value in _HELD if held.get(name) is not value
        }
        if gettrace() is not None or getprofile() is not None:
            self._reached.add("reaches a tracer")
        handlers = map(signal.getsignal, range(1, signal.NSIG)) if self._secret else ()
        if any(type(one) is types.FunctionType and self.is_foreign(one.__code__.co_filename) for one in handlers):
            self._reached.add("reaches frames by a signal")
        return self._reached

    def is_foreign(self, name):
        """Whether code of this file's name is the attempt's own: of its files, or of none."""
        name = str.__str__(name)
        is_file = name.startswith(("/", "<frozen ")) or name.endswith("_inside.py") or name == "program.py"
        return not is_file or name in self._changed

    def _attribute(self, event, arguments, frame):
        path, name = arguments
        if type(path) is not str or type(name) is not str or (name.startswith("__") and name not in REVEALING):
            return
        if path in self._hidden and self._is_foreign(_asking(frame.f_back)):
            self._reached.add(f"reads {self._hidden[path]}")

    def _member(self, event, arguments, frame):
        if self._secret and arguments[1] in FRAMES and self._is_foreign(_asking(frame)):
            self._reached.add(f"reaches {arguments[1]}")

    def _frame(self, event, arguments, frame):
        if self._secret and self._is_foreign(_asking(frame)):
            self._reached.add(f"reaches {event}")

    def _touched(self, event, arguments, frame):
        if self._is_foreign(_asking(frame) if self._secret else frame):
            self._reached.add(f"reaches {event}")

    def _made(self, event, arguments, frame):
        """Code that foreign code makes under the name of a file that is not its own."""
        name = arguments[1]
        if isinstance(name, str) and self._is_foreign(frame) and not self.is_foreign(name):
            self._reached.add(f"reaches {event}")

    def _is_foreign(self, frame):
        """Whether a frame is foreign; without one, whether the thread is."""
        return get_ident() != self._main if frame is None else self.is_foreign(frame.f_code.co_filename)


def _asking(frame):
    """Return the frame of who asked: the caller of a lender. What its module asks for its own use stays its own."""
    if frame is None or (caller := frame.f_back) is None:
        return frame
    is_lent = str.endswith(frame.f_code.co_filename, LENDERS)
    return caller if is_lent and caller.f_code.co_filename != frame.f_code.co_filename else frame
