"""Runs inside the sandbox: whether the text of a program shows that it leaves nothing behind in its process.

A list of what is taken, not of what is refused. A program is pure where

* each name is its own or one of the vocabulary, used as its kind allows (vocabulary_inside.py);
* no attribute leads to frames, code, classes or modules: none that Python reserves, none that a text could name;
* its classes have slots that the text names, and none that Python reserves;
* nothing of it runs when an object is destroyed: no `__del__`, no `close` of a stream, no `yield` beside a block that
  would be left then, or of an object that would be closed;
* it has no coroutine, no class with a metaclass and no pattern that reads attributes;
* its annotations, which `typing` remembers, hold names of the vocabulary and of its classes alone.

So all that it can change is made by itself, and goes with its namespace. A program that is refused is run alone.
"""

import ast

from evotrainer.domains.code.grading.pure.attributes_inside import (
    FORMATS,
    METHODS,
    OPERATORS,
    OWN_NAMES,
    STREAM,
    are_slots,
    is_super,
    leads_out,
    names_no_attribute,
)
from evotrainer.domains.code.grading.pure.vocabulary_inside import (
    BUILTINS,
    CALLED,
    MODULES,
    NOTED,
    PLAIN,
    SINGLE,
    VALUE,
)

# fmt: off
_TAKEN = frozenset({
    ast.Module, ast.Expr, ast.For, ast.While, ast.If, ast.Break, ast.Continue, ast.Pass, ast.Return,
    ast.Assert, ast.Raise, ast.Delete, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp,
    ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Compare, ast.FormattedValue,
    ast.JoinedStr, ast.Constant, ast.Subscript, ast.Starred, ast.List, ast.Tuple, ast.Slice, ast.comprehension,
    ast.arguments, ast.withitem, ast.Match, ast.match_case, ast.MatchValue, ast.MatchSingleton, ast.MatchSequence,
    ast.MatchOr, ast.Load, ast.Store, ast.Del, ast.And, ast.Or, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv,
    ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.BitOr, ast.BitXor, ast.BitAnd, ast.MatMult, ast.Invert, ast.Not,
    ast.UAdd, ast.USub, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn,
})
# fmt: on
_IN_NOTE = (VALUE, CALLED, NOTED)
_KEPT = "kept"
"""Among the kinds that may stand at a place: `typing` keeps what stands there."""


class ImpureError(Exception):
    """The program is not shown to be pure."""


def imports_of(tree):
    """Return name -> kind of what a prelude provides that holds imports alone, and None for any other."""
    if not all(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body):
        return None
    reading = _Reading({}, is_in_order=True)
    for node in tree.body:
        reading.take(node)
    return reading.imported


def names_to_leave_out(prelude, tree):
    """Return which names of the prelude the program must not get, since it has its own; raises ImpureError.

    `prelude`: the names that it imports, with their kinds.
    """
    reading = _Reading(prelude)
    pending = reading.pending = [tree]
    while pending:
        reading.take(pending.pop())
    if (reading.has_yield and reading.has_block) or (reading.has_yield_from and reading.has_class):
        raise ImpureError("it may go on when a generator is destroyed")
    if reading.has_super and "super" in reading.bound:
        raise ImpureError("super")
    left_out = {name for name, attribute, places in reading.uses if not reading.is_allowed(name, attribute, places)}
    if left_out and reading.has_handler:
        raise ImpureError("it might notice that a name is missing")
    return left_out


class _Reading:
    """One walk over a program: what it imports and binds, and how it uses each name."""

    def __init__(self, prelude, is_in_order=False):
        """`is_in_order`: imports are all there is, one after the other, so that the last of a name stands."""
        self.is_in_order = is_in_order
        self.prelude, self.imported, self.pending = prelude, {}, []
        self.bound, self.classes, self.others = set(), set(), set()
        """Names of the program: all, those of classes, those of anything else."""
        self.uses = []
        """(name, attribute read of it or None, kinds that may stand there)."""
        self.has_yield = self.has_yield_from = self.has_block = self.has_class = self.has_handler = False
        self.has_operator = self.has_super = False

    def take(self, node):
        """Take one node; its parts wait in `pending`."""
        kind = type(node)
        if (reader := _READERS.get(kind)) is not None:
            reader(self, node)
        elif kind in _TAKEN:
            self.pending.extend(ast.iter_child_nodes(node))
        else:
            raise ImpureError(kind.__name__)

    def is_allowed(self, name, attribute, places):
        """Return whether a use agrees with the name's kind; raises where it is not the program's own either."""
        is_own = name in self.bound
        if _KEPT in places and is_own and (name not in self.classes or name in self.others):
            raise ImpureError(name)
        provided = self.imported.get(name) or self.prelude.get(name) or BUILTINS.get(name)
        if provided is None and is_own:
            return True
        kind = provided
        if attribute is not None and isinstance(provided, tuple):
            kind = MODULES[provided[1]].get(attribute)
        elif attribute is not None and provided != VALUE:
            kind = None
        if kind in places and not (kind == PLAIN and self.has_operator):
            return True
        if not is_own or name in self.imported or name in BUILTINS:
            raise ImpureError(name)
        return False

    def bind(self, name, is_class=False):
        """Note that the program has a name of its own."""
        if name.startswith("__") and name not in OWN_NAMES:
            raise ImpureError(name)
        self.bound.add(name)
        (self.classes if is_class else self.others).add(name)

    def use(self, name, attribute=None, places=(VALUE,)):
        """Note where a name stands."""
        if name == "__name__" and attribute is None:
            return
        if name.startswith("__"):
            raise ImpureError(name)
        self.uses.append((name, attribute, places))

    def call(self, node, *further):
        """Take what is called or decorates, with further kinds that may stand there."""
        places = (VALUE, CALLED, PLAIN, *further)
        if isinstance(node, ast.Name):
            self.use(node.id, None, places)
        elif isinstance(node, ast.Attribute):
            self.attribute(node, places)
        else:
            self.pending.append(node)

    def attribute(self, node, places=(VALUE,)):
        """Take an attribute of a name or of any other value."""
        name, base = node.attr, node.value
        if name == "__init__" and is_super(base):
            self.has_super = True
            return
        if leads_out(name):
            raise ImpureError(name)
        if name in FORMATS and not names_no_attribute(base):
            raise ImpureError(name)
        if not isinstance(base, ast.Name):
            self.pending.append(base)
        elif isinstance(node.ctx, ast.Load):
            self.use(base.id, name, places)
        else:
            self.use(base.id)
        if name in STREAM and not isinstance(node.ctx, ast.Load):
            raise ImpureError(name)

    def note(self, node):
        """Take an annotation: no value of it can be had again. `typing` keeps what stands in brackets."""
        if isinstance(node, ast.Name):
            self.use(node.id, None, _IN_NOTE)
            return
        pending = [node] if node is not None else []
        while pending:
            part = pending.pop()
            if isinstance(part, ast.Name):
                self.use(part.id, None, (*_IN_NOTE, _KEPT))
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                self.use(part.value.id, part.attr, (*_IN_NOTE, _KEPT))
            elif isinstance(
                part, ast.Subscript | ast.Tuple | ast.List | ast.Constant | ast.BinOp | ast.Load | ast.BitOr
            ):
                pending.extend(ast.iter_child_nodes(part))
            else:
                raise ImpureError("annotation")


def _name(reading, node):
    if isinstance(node.ctx, ast.Load):
        reading.use(node.id)
    else:
        reading.bind(node.id)


def _call(reading, node):
    is_single = len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred)
    reading.call(node.func, *([SINGLE] if is_single else []))
    reading.pending += [*node.args, *node.keywords]


def _keyword(reading, node):
    if node.arg is not None and node.arg.startswith("_"):
        raise ImpureError(node.arg)
    reading.pending.append(node.value)


def _assign(reading, node):
    if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__slots__":
        if not are_slots(node.value):
            raise ImpureError("__slots__")
    else:
        reading.pending += node.targets
    reading.pending.append(node.value)


def _augmented(reading, node):
    if isinstance(node.target, ast.Name):
        reading.use(node.target.id)
    reading.pending += [node.target, node.value]


def _annotated(reading, node):
    reading.note(node.annotation)
    reading.pending += [node.target, *([node.value] if node.value is not None else [])]


def _argument(reading, node):
    reading.bind(node.arg)
    reading.note(node.annotation)


def _function(reading, node):
    if node.name not in METHODS:
        reading.bind(node.name)
    reading.has_operator |= node.name in OPERATORS
    for decorator in node.decorator_list:
        reading.call(decorator)
    reading.note(node.returns)
    reading.pending += [node.args, *node.body]


def _class(reading, node):
    if node.keywords:
        raise ImpureError("metaclass")
    reading.has_class = True
    reading.bind(node.name, is_class=not node.decorator_list)
    for decorator in node.decorator_list:
        reading.call(decorator)
    reading.pending += [*node.bases, *node.body]


def _import(reading, node):
    for alias in node.names:
        if alias.name not in MODULES:
            raise ImpureError(alias.name)
        _provide(reading, alias.asname or alias.name, ("module", alias.name))


def _import_from(reading, node):
    kinds = MODULES.get(node.module) if node.level == 0 else None
    if kinds is None:
        raise ImpureError(f"{node.module}")
    for alias in node.names:
        if alias.name == "*":
            for name, kind in kinds.items():
                _provide(reading, name, kind)
        elif alias.name not in kinds:
            raise ImpureError(alias.name)
        else:
            _provide(reading, alias.asname or alias.name, kinds[alias.name])


def _provide(reading, name, kind):
    """Note an import. Where in the program it stands is not asked, so a name has to mean the same at all places."""
    before = reading.imported.get(name) or reading.prelude.get(name) or BUILTINS.get(name, VALUE)
    is_same = before == kind or (before == VALUE and name not in reading.imported)
    if name.startswith("__") or not (is_same or reading.is_in_order):
        raise ImpureError(name)
    reading.imported[name] = kind


def _yield(reading, node):
    reading.has_yield = True
    reading.has_yield_from |= isinstance(node, ast.YieldFrom)
    reading.pending += [node.value] if node.value is not None else []


def _try(reading, node):
    reading.has_block = True
    reading.pending += [*node.body, *node.handlers, *node.orelse, *node.finalbody]


def _with(reading, node):
    reading.has_block = True
    reading.pending += [*node.items, *node.body]


def _handler(reading, node):
    reading.has_handler = True
    if node.name is not None:
        reading.bind(node.name)
    reading.pending += [*([node.type] if node.type is not None else []), *node.body]


def _scope(reading, node):
    for name in node.names:
        reading.bind(name)


def _pattern(reading, node):
    name = node.rest if isinstance(node, ast.MatchMapping) else node.name
    if name is not None:
        reading.bind(name)
    reading.pending += ast.iter_child_nodes(node)


_READERS = {
    ast.Name: _name,
    ast.Attribute: _Reading.attribute,
    ast.Call: _call,
    ast.keyword: _keyword,
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.AnnAssign: _annotated,
    ast.arg: _argument,
    ast.FunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.Try: _try,
    ast.With: _with,
    ast.ExceptHandler: _handler,
    ast.Global: _scope,
    ast.Nonlocal: _scope,
    ast.MatchAs: _pattern,
    ast.MatchStar: _pattern,
    ast.MatchMapping: _pattern,
}
