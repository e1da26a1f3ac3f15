"""Whether a function's values would pass under `==`, where they are no JSON values and so cannot be compared outside.

Only the program's own process can ask such a value what it holds itself for equal to. It is asked there, by a driver
that knows inputs alone; what an output should be never enters a sandbox. The driver answers with a stand-in a value:

* a JSON value stands for itself, and a list or a dictionary for what it holds;
* a value that equals both of two different values of a type equals anything of that type;
* a value that equals its own int, float, str, list or dict (Decimal, Fraction, UserList, ...) is that one;
* anything else equals nothing. A value that is right only by a comparison that converts to none of these (a wrapper
  around the right number without `__int__`, a complex number) is therefore not seen.

The stand-ins are the program's word, and compared here. It can forge them, and gets one check wrong by that.
"""

from typing import Any

from evotrainer.domains.code.grading.program_tests import TestSet
from evotrainer.sandbox import Program
from evotrainer.sandbox.shared import shared_sandbox

_DRIVER = """
PAIRS = {
    "NoneType": (None, object()), "bool": (False, True), "int": (-90210, 31337), "float": (-0.625, 1e300),
    "str": ("\\0", "~~"), "list": ([-90210], ["~~"]), "dict": ({"\\0": 1}, {"~~": 2}),
}
PLAIN = (type(None), bool, int, float, str)

def stand_ins(sources, function, inputs):
    module = {"__name__": "program"}
    for source in sources:
        exec(compile(source, "program.py", "exec"), module)
    head, _, method = function.partition(".")
    call = (lambda given: getattr(module[head](), method)(*given)) if method else lambda given: module[head](*given)
    return [stand_in(call(given)) for given in inputs]

def stand_in(value):
    if isinstance(value, PLAIN):
        return ["is", value]
    if isinstance(value, list):
        return ["list", [stand_in(item) for item in value]]
    if isinstance(value, dict):
        is_named = all(isinstance(key, str) for key in value)
        return ["dict", [[key, stand_in(item)] for key, item in value.items()]] if is_named else ["other"]
    if type(value).__eq__ is object.__eq__:
        return ["other"]
    kinds = [kind for kind, pair in PAIRS.items() if all(equals(value, other) for other in pair)]
    return ["any", kinds] if kinds else twin(value)

def twin(value):
    for convert in (int, float, str, list, dict):
        try:
            found = convert(value)
        except Exception:  # the attempt wrote this conversion: it may raise anything
            continue
        if equals(value, found):
            return stand_in(found)
    return ["other"]

def equals(value, other):
    try:
        return bool(value == other)
    except Exception:  # the attempt wrote this comparison: it may raise anything
        return False
"""


def loosely_equal(tests: TestSet, program: str, function: str) -> tuple[bool, bool]:
    """Return whether a function's values pass all hidden tests under `==`, and whether one of them equals anything.

    Raises SandboxError when the sandbox failed.
    """
    arguments = ([tests.prelude, program], function, [test["input"] for test in tests.hidden])
    execution = shared_sandbox().run(Program(_DRIVER, function="stand_ins", arguments=arguments), tests.limits)
    said = execution.value
    if execution.outcome != "ok" or not isinstance(said, list) or len(said) != len(tests.hidden):
        return False, False
    seen: list[str] = []
    pairs = zip(tests.hidden, said, strict=True)
    is_equal = all(any(_agrees(output, stand_in, seen) for output in test["outputs"]) for test, stand_in in pairs)
    return is_equal, bool(seen)


def _agrees(expected: Any, stand_in: Any, seen: list[str]) -> bool:
    """Return whether a stand-in, of whatever form, equals a JSON value; no deeper than that value is.

    `seen` gets the type of each value that something met which equals anything of that type.
    """
    match stand_in:
        case ["is", value]:
            return value == expected
        case ["list", [*items]] if isinstance(expected, list) and len(items) == len(expected):
            return all(map(_agrees, expected, items, [seen] * len(items)))
        case ["dict", [*pairs]] if isinstance(expected, dict) and len(pairs) == len(expected):
            return all(_agrees_at_key(expected, pair, seen) for pair in pairs)
        case ["any", [*kinds]] if type(expected).__name__ in kinds:
            seen.append(type(expected).__name__)
            return True
    return False


def _agrees_at_key(expected: dict[str, Any], pair: Any, seen: list[str]) -> bool:
    match pair:
        case [str(key), stand_in] if key in expected:
            return _agrees(expected[key], stand_in, seen)
    return False
