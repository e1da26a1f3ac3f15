"""Runs inside the sandbox: what rewritten tests (assertions.py) call, and how they and the runners speak to the judge.

HELPERS lie in the constants of a test's code. `send` sends the values of an assertion, `opened` the truth of one that
runs here; the others show the judge (judge_inside.py) a value that enters the test. All that is said is an audit event.
A helper names nothing but what it is given as a default, so that no frame of it leads to a name that could be changed.
"""

import types
from sys import audit

from evotrainer.domains.swe.runners.judge_inside import CONTAINERS, NEVER_NAN, QUIET, READ_ONCE


def sealed(function):
    """Return a function without globals: it names only its defaults, and no frame of it leads to a module of ours."""
    return types.FunctionType(function.__code__, {}, function.__name__, function.__defaults__)


class HiddenModule(types.ModuleType):
    """The module of a hidden test: who asks it for an attribute is heard."""

    @sealed
    def __getattribute__(self, name, audit=audit, get=types.ModuleType.__getattribute__):
        """Return an attribute, and say that it was asked for."""
        audit("evotrainer.attribute", get(self, "__dict__").get("__file__"), name)
        return get(self, name)

    @sealed
    def __setattr__(
        self, name, value, audit=audit, get=types.ModuleType.__getattribute__, put=types.ModuleType.__setattr__
    ):
        """Set an attribute, and say so."""
        audit("evotrainer.attribute", get(self, "__dict__").get("__file__"), name)
        put(self, name, value)


@sealed
def tell(event, given, audit=audit):
    """Say something to the judge."""
    audit(f"evotrainer.{event}", *given)


@sealed
def seen(value, audit=audit, quiet=NEVER_NAN, kind=type, identity=id):
    """Return a value that the judge looks at, and into."""
    if identity(kind(value)) not in quiet:
        audit("evotrainer.seen", value)
    return value


@sealed
def top(value, audit=audit, quiet=QUIET | CONTAINERS, kind=type, identity=id):
    """Return a value whose class alone the judge looks at."""
    if identity(kind(value)) not in quiet:
        audit("evotrainer.top", value)
    return value


@sealed
def borrowed(module, name, value, audit=audit):
    """Return what a test takes from a module by this name."""
    audit("evotrainer.borrowed", module, name, value)
    return value


@sealed
def _relayed(values, seen=seen):
    for value in values:
        yield seen(value)


@sealed
def handed(
    value, relayed=_relayed, seen=seen, map=map, once=READ_ONCE, kind=type, identity=id, generator=types.GeneratorType
):
    """Return what a test hands on; of what is read once, each item is seen as it comes."""
    if identity(kind(value)) not in once:
        return value
    return relayed(value) if kind(value) is generator else map(seen, value)


@sealed
def each(items, seen=seen, map=map, containers=CONTAINERS, kind=type, identity=id):
    """Return what a test goes through."""
    return items if identity(kind(items)) in containers else map(seen, items)


@sealed
def _answers(kind, mro=type.__dict__["__mro__"].__get__, names=type.__dict__["__dict__"].__get__):
    for one in mro(kind):  # noqa: SIM110 - a function without globals has no `any`
        if "__contains__" in names(one):
            return True
    return False


@sealed
def among(
    items, seen=seen, map=map, once=READ_ONCE, plain=QUIET | CONTAINERS, answers=_answers, kind=type, identity=id
):
    """Return what a test takes apart or looks for a value in; what says itself what it holds stays as it is."""
    if identity(kind(items)) in once or not (identity(kind(items)) in plain or answers(kind(items))):
        return map(seen, items)
    return items


@sealed
def send(site, leaves, audit=audit, any_error=Exception):
    """Tell the values of an assertion; in the place of one that raises, what it raises."""
    values = []
    for leaf in leaves:
        try:
            values.append(leaf())
        except any_error as error:  # the parent may not need this value: `x is None or x.size == 3`
            values.append(error)
    audit("evotrainer.send", site, values)


@sealed
def opened(site, truth, audit=audit, bool=bool):
    """Tell and return whether an assertion holds that runs here."""
    truth = bool(truth)
    audit("evotrainer.opened", site, truth)
    return truth


@sealed
def callee(function, audit=audit):
    """Return a function that asserts."""
    audit("evotrainer.callee", function)
    return function


HELPERS = {
    f"@evotrainer.{one.__name__}": one for one in (seen, top, borrowed, handed, each, among, send, opened, callee)
}
