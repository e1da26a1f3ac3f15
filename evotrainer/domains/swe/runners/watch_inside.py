"""Runs inside the sandbox beside hidden tests: it alone holds their code, and hears who asks for it.

An audit hook cannot be taken away, and nothing leads to this one: the module has builtins of its own and leaves
`sys.modules` when it starts, so that code under test neither patches nor finds it unheard. The rest of the runner asks
it by `sys.audit`. Foreign is code from a file that the attempt changed, or made from text at run time; the rest of the
repository, libraries and tests may do as they like. What is heard changes no result: it is noted, in the words of
`TestRun.reached`. No judgement calls what foreign code may have written: meanwhile nothing would be heard.
"""

from _thread import get_ident
from importlib.machinery import SourceFileLoader
from operator import is_not
from sys import _getframe, addaudithook, modules
from types import FunctionType

CODE, ATTRIBUTE, COMPARED = "evotrainer.code", "evotrainer.attribute", "evotrainer.compared"
OURS = (
    "program.py",
    "light_inside.py",
    "pytest_inside.py",
    "hidden_inside.py",
    "watch_inside.py",
    "code_inside.py",
    "pair_inside.py",
    "plain_inside.py",
    "fresh_inside.py",
    "kept_inside.py",
)
OPENING = ("open", "os.rename", "os.link", "os.symlink")
TOUCHING = (
    "gc.get_objects",
    "gc.get_referrers",
    "gc.get_referents",
    "sys._current_frames",
    "sys._current_exceptions",
    "sys.settrace",
    "sys.setprofile",
    "marshal.loads",
)
FRAMES = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame"})
WALKING = frozenset({"f_back", "f_locals", "f_globals", "f_builtins"})
CODES = frozenset({"__code__", "gi_code", "cr_code", "ag_code"})
LENDERS = ("/inspect.py", "/traceback.py", "/logging/__init__.py", "/pkgutil.py")
"""Modules of the standard library with functions that hand out frames or attributes to who calls them."""
SHOWING = ("/warnings.py", "/traceback.py")
TELLING = frozenset({"__dict__", "__loader__", "__spec__"})
PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None)})
CONTAINERS = (list, tuple, dict, set, frozenset)
ITERATE = {kind: vars(kind)["__iter__"] for kind in CONTAINERS}
EXTENSIBLE = (int, float, complex, str, bytes, bytearray, *CONTAINERS)
COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
MAX_PAIRS = 10_000

_member = type.__getattribute__
_mro, _names = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__


def start(place, codes, changed, loader):
    """Watch from now on and return the watch. `codes`: of hidden tests, or the errors that importing them raises; they
    go to `loader` alone. Without one there are none here: the tests are in another process.

    `place`: the repository's folder. `changed`: paths of the attempt's own files.
    """
    modules.pop(__name__, None)
    watch = Watch(place, codes, changed, loader, frozenset(_frames(_getframe(1))))
    addaudithook(watch.hear)
    return watch


class Watch:
    """What was reached so far, and the hook that hears it."""

    def __init__(self, place, codes, changed, loader, runner):
        self.reached, self._known, self._is_apart = set(), {}, loader is None
        self._codes = codes
        self._hidden = {path: path for path in codes} | {f"{place}/{path}": path for path in codes}
        self._basenames = {path.rpartition("/")[2]: path for path in codes}
        self._changed = frozenset(f"{place}/{path}" for path in changed)
        self._giving = None if loader is None else (loader.get_code.__code__, SourceFileLoader.exec_module.__code__)
        self._runner, self._main, self._busy = runner, get_ident(), set()
        self._judges = {
            CODE: self._code,
            ATTRIBUTE: self._attribute,
            COMPARED: self._compared,
            "object.__getattr__": self._member,
            "sys._getframe": self._frame,
            "compile": self._made,
            "code.__new__": self._made,
            **dict.fromkeys(OPENING, self._opened),
            **dict.fromkeys(TOUCHING, self._touched),
        }

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

    def know(self):
        """Take the classes there are for those of libraries, whose dataclasses have comparisons made from text."""
        self._known = {id(kind): kind for kind, _ in self._comparing()}

    def noted(self):
        """Return what was reached, sorted: of builtins that foreign code has taught to compare, what there is now."""
        self.reached.update(
            f"compares {base.__name__}" for kind, base in self._comparing() if id(kind) not in self._known
        )
        return sorted(self.reached)

    def heard(self):
        """Return what was heard, sorted."""
        return sorted(self.reached)

    def _comparing(self):
        """Yield each subclass of a builtin with comparisons that foreign code wrote, however it was made."""
        for base in EXTENSIBLE:
            waiting, inherited = [base], [_member(base, name) for name in COMPARISONS]
            while waiting:
                kinds = type.__subclasses__(waiting.pop())
                waiting += kinds
                for kind in kinds:
                    members = [_member(kind, name) for name in COMPARISONS]
                    if any(map(is_not, members, inherited)) and self._compares(kind):
                        yield kind, base

    def _opened(self, event, arguments, frame):
        path = arguments[0]
        if isinstance(path, bytes):
            path = bytes.decode(path, errors="replace")
        if isinstance(path, str):
            hidden = self._basenames.get(str.rpartition(path, "/")[2])
            if hidden is not None and self._is_foreign(self._nearest(frame)) and not _is_shown(frame):
                self.reached.add(f"reads {hidden}")

    def _code(self, event, arguments, frame):
        path = self._hidden.get(arguments[0]) if type(arguments[0]) is str else None
        if path is None:
            return
        is_import = frame.f_back is not None and (frame.f_code, frame.f_back.f_code) == self._giving
        if is_import and type(arguments[1]) is list:
            arguments[1].append(self._codes[path])
        if not is_import or self._is_foreign(self._nearest(frame)):
            self.reached.add(f"reads {path}")

    def _attribute(self, event, arguments, frame):
        path, name = arguments
        if type(path) is not str or type(name) is not str or (name.startswith("__") and name not in TELLING):
            return
        if path in self._hidden and self._is_foreign(_asking(frame.f_back)):
            self.reached.add(f"reads {self._hidden[path]}")

    def _member(self, event, arguments, frame):
        owner, name = arguments
        if (name in FRAMES or name in CODES) and self._is_foreign(_asking(frame)):
            path = self._hidden.get(getattr(owner, name).co_filename) if name in CODES else None
            if path is not None:
                self.reached.add(f"reads {path}")
            elif name in FRAMES and not self._is_own(getattr(owner, name), frame):
                self.reached.add(f"reaches {name}")

    def _frame(self, event, arguments, frame):
        if self._is_foreign(_asking(frame)) and not self._is_own(arguments[0], frame):
            self.reached.add(f"reaches {event}")

    def _is_own(self, found, frame):
        """Whether a frame is of foreign code itself, which does not walk on from it, in a process without tests.

        Programs name their functions so.
        """
        asking = _asking(frame)
        walks = asking is not None and not WALKING.isdisjoint(asking.f_code.co_names)
        return self._is_apart and not walks and (found is None or self._is_foreign(found))

    def _touched(self, event, arguments, frame):
        if self._is_foreign(frame):
            self.reached.add(f"reaches {event}")

    def _made(self, event, arguments, frame):
        """Code that foreign code makes under the name of a file that is not its own."""
        name = arguments[1]
        if isinstance(name, str) and self._is_foreign(frame) and not self._is_foreign_name(name):
            self.reached.add(f"reaches {event}")

    def _compared(self, event, arguments, frame):
        """Note a constant that a test compares with an object which foreign code taught to compare."""
        waiting, num_seen = [arguments], 0
        while waiting and num_seen < MAX_PAIRS:
            num_seen += 1
            left, right = waiting.pop()
            waiting += _parts(left, right)
            for one, other in ((type(left), type(right)), (type(right), type(left))):
                is_builtin = one in PLAIN or one in CONTAINERS
                if is_builtin and other not in PLAIN and other not in CONTAINERS and self._compares(other):
                    self.reached.add(f"compares {one.__name__}")

    def _compares(self, kind):
        """Whether foreign code wrote one of the comparisons that a class has."""
        found = set()
        for owner in _mro(kind):
            names = _names(owner)
            for name in COMPARISONS:
                if name in names and name not in found:
                    found.add(name)
                    if self._is_foreign_method(names[name], name):
                        return True
        return False

    def _is_foreign_method(self, method, name):
        if type(method) is FunctionType:
            return self._is_foreign_name(method.__code__.co_filename)
        return method is not None and (type(method) is not type(object.__eq__) or method.__name__ != name)

    def _nearest(self, frame):
        """Return the nearest frame of a test or of foreign code; None where there is none above the runner's."""
        while frame is not None and frame not in self._runner:
            if self._is_foreign(frame) or str.__str__(frame.f_code.co_filename) in self._hidden:
                return frame
            frame = frame.f_back
        return None

    def _is_foreign(self, frame):
        """Whether a frame is foreign; without one, whether the thread is."""
        return get_ident() != self._main if frame is None else self._is_foreign_name(frame.f_code.co_filename)

    def _is_foreign_name(self, name):
        name = str.__str__(name)
        is_file = name.startswith(("/", "<frozen ")) or name in OURS or name in self._hidden
        return not is_file or name in self._changed


def _frames(frame):
    """Yield a frame and those below it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_shown(frame):
    """Whether the standard library opens a file for a line of a warning or traceback."""
    return any(str.endswith(one.f_code.co_filename, SHOWING) for one in _frames(frame))


def _asking(frame):
    """Return the frame of who asked: the caller of a lender. What its module asks for its own use stays its own."""
    if frame is None or (caller := frame.f_back) is None:
        return frame
    is_lent = str.endswith(frame.f_code.co_filename, LENDERS)
    return caller if is_lent and caller.f_code.co_filename != frame.f_code.co_filename else frame


def _parts(left, right):
    """Return the pairs that comparing two values of one container type compares; none for other values."""
    kind = next((kind for kind in CONTAINERS if isinstance(left, kind) and isinstance(right, kind)), None)
    if kind is None:
        return []
    if isinstance(left, dict) and isinstance(right, dict):
        values = [{key: item for key, item in dict.items(side) if type(key) in PLAIN} for side in (left, right)]
        same = [(item, values[1][key]) for key, item in values[0].items() if key in values[1]]
        return same + _unplaced([*dict.keys(left)], [*dict.keys(right)])
    items = [*ITERATE[kind](left)], [*ITERATE[kind](right)]
    return _unplaced(*items) if kind in (set, frozenset) else list(zip(*items, strict=False))


def _unplaced(left, right):
    """Return pairs of a constant and what may have stood for it, where one side has fewer constants."""
    for one, other in ((left, right), (right, left)):
        constants = [item for item in one if type(item) in PLAIN]
        if len(constants) > sum(type(item) in PLAIN for item in other):
            return [(constants[0], item) for item in other if type(item) not in PLAIN]
    return []
