"""Programs in one process: who might leave something behind is refused, the others answer as they do alone."""

import builtins
import math
from collections.abc import Iterator
from typing import Any

import pytest

from evotrainer.domains.code.grading import program_tests
from evotrainer.domains.code.grading.ended import Ended
from evotrainer.domains.code.grading.program_tests import run_programs
from evotrainer.domains.code.grading.pure import batches
from evotrainer.domains.code.grading.pure.batches import Job, answers_together
from evotrainer.domains.code.grading.pure.vocabulary_inside import MODULES, Shared, fresh_builtins, fresh_module
from evotrainer.domains.code.problems.record import PRELUDE
from evotrainer.errors import SandboxError
from evotrainer.sandbox import BACKENDS, Limits, Sandbox

pytestmark = pytest.mark.slow

LIMITS = Limits(cpu_seconds=1.0, wall_seconds=20.0, memory_bytes=256 * 1024**2, output_bytes=10_000)


@pytest.fixture(params=BACKENDS, autouse=True, scope="module")
def sandbox(request: pytest.FixtureRequest) -> Iterator[None]:
    try:
        opened = Sandbox(request.param, own_modules=batches._INSIDE).__enter__()
    except SandboxError as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        for module in (batches, program_tests):
            patch.setattr(module, "grading_sandbox", lambda: opened)
        yield
    opened.__exit__(None, None, None)


def reading(source: str, *inputs: str, prelude: str = PRELUDE) -> Job:
    return Job(prelude, source, None, inputs or ("3 1 2\n", "", "5\r\n6\n"), 9, LIMITS)


def function(source: str, *inputs: list[Any], prelude: str = PRELUDE) -> Job:
    return Job(prelude, source, "f", inputs or ([1], [2], [0]), 9, LIMITS)


REFUSED = [
    "import os",
    "import collections.abc",
    "from functools import wraps",
    "from os import *",
    "math.tau = 1",
    "sys.stdin = 1",
    "x = math",
    "x = Counter",
    "x = Counter\nx.update = 1",
    "Counter.update = 1",
    "x = Counter.update",
    "class A:\n    def __radd__(self, other): other.zz = 1\nCounter += A()",
    "from collections import Counter as C\nx = [C]",
    "from math import gcd as Counter\nx = Counter",
    "def g(): return lru_cache",
    "class A(Counter): pass",
    "class A(metaclass=int): pass",
    "class A:\n    def __del__(self): print(1)",
    "class A:\n    __del__ = print",
    "class A:\n    def __getattr__(self, name): return 1",
    "def g():\n    try:\n        yield\n    finally:\n        print(1)",
    "class A:\n    def __exit__(self, *a): print(1)\n    __slots__ = ()\ndef g():\n    with A():\n        yield",
    "class A:\n    def __iter__(self): return self\n    def close(self): print(1)\ndef g():\n    yield from A()",
    "async def g(): pass",
    "x = ().__class__",
    "x = (lambda: 0).__globals__",
    "x = [].__iter__",
    "def g(): yield\nx = g().gi_frame",
    "try:\n    1 / 0\nexcept Exception as e:\n    x = e.__traceback__",
    "def g(t): return t.tb_frame",
    "x = int.mro()",
    "x = '{0.real}'.format(1)",
    "x = '{[0]}'.format('a')",
    "x = '{:{}}'.format(1, 2)",
    "x = str.format",
    "x = f'{1 .__class__}'",
    "x = getattr(1, 'real')",
    "x = operator.attrgetter('real')",
    "x = operator.methodcaller('bit_length')",
    "x = type(1)",
    "x = vars()",
    "exec('x = 1')",
    "x = eval('1')",
    "x = open(0).read()",
    "x = __builtins__",
    "x = __import__('os')",
    "global __builtins__\n__builtins__ = {}",
    "del __name__",
    "sys.stdout.close = print",
    "y = sys.stdout\ny.close = print",
    "sys.stdout.buffer.getvalue()",
    "x = sys.modules",
    "sys.set_int_max_str_digits(0)",
    "x = List",
    "w = 1\ndef g(a: List[w]): pass",
    "def g(a: print(1)): pass",
    "match 1:\n    case int(real=1): pass",
    "x = id(1)",
    "random.choice = 1",
    "x = unknown",
    "x = ｓetattr",  # noqa: RUF001 - Python reads it as setattr
    "x = ().__ｃlass__",  # noqa: RUF001
    "string = 'a'\ntry:\n    print(string)\nexcept Exception:\n    pass",
    "class A: __slots__ = ('a', '__del__')",
    "class A: __slots__ = '__deepcopy__'",
    "names = ['a']\nclass A: __slots__ = names",
    "class A:\n    __slots__ = names = ['a']",
    "class A:\n    for __slots__ in ['a']: pass",
    "import copy\nclass M(dict):\n    def get(self, key, shared): shared.append(1)\ncopy.deepcopy(1, M())",
    "from copy import deepcopy\nx = deepcopy([1], memo={})",
    "from copy import deepcopy\nx = deepcopy(*[1, {}])",
    "class A:\n    def __and__(self, flag): flag.zz = 1\nre.compile('a', A())",
    "from re import sub\nclass A(str):\n    def __eq__(self, other): return True\nsub('a', A('b'), 'c')",
    "@cache\ndef g(): return 1\ng.cache_info()._field_defaults['a'] = 1",
    "super = lambda: Counter()\nx = super().__init__",
    "x = super(**{}).__init__",
    "class A: pass\nA = 1\ndef g(a: List[A]): pass",
    "@print\nclass A: pass\ndef g(a: Optional[A]): pass",
    "class A:\n    def __ror__(self, kept): pass\na = A()\ndef g(b: List[int] | a): pass",
]

SAME = [
    reading("print(sorted(map(int, input().split())))"),
    reading("import sys\nfor line in sys.stdin: print(line.strip()[::-1])"),
    reading("import sys\ninput = sys.stdin.readline\nprint(repr(input()))"),
    reading("print(sys.stdin.buffer.read())"),
    reading("data = sys.stdin.read().split()\nprint(len(data), *data, sep='\\n')\nsys.stderr.write('x')"),
    reading("a = int(input())\nprint(10 // a)", "5\n", "0\n", "x\n"),
    reading("n = input()\nif not n: exit()\nprint(n)\nsys.exit(3)", "1\n", "\n"),
    reading("exit('Wrong: input')"),
    reading("print('a')\nraise SystemExit(256)"),
    reading("class E(ValueError):\n    def __str__(self): return 'two\\nlines'\nraise E"),
    reading("class E(Exception):\n    def __str__(self): raise KeyboardInterrupt\nraise E"),
    reading("raise KeyboardInterrupt"),
    reading("import random\nprint(random.random(), random.randint(1, 99))\nx = [1, 2, 3]\nrandom.shuffle(x)\nprint(x)"),
    reading("print(Counter(input()), OrderedDict(a=1), deque([1]), defaultdict(list))"),
    reading("string = input()\nprint(string.upper())"),
    reading("count = 0\nfor e in input().split(): count += 1\nprint(count, pi, gcd(4, 6))"),
    reading("if __name__ == '__main__':\n    print('main')"),
    reading("print('\\ud800')"),
    reading("print(input('prompt '))"),
    reading("sys.setrecursionlimit(10000)\ndef g(n): return n and 1 + g(n - 1)\nprint(g(5000))"),
    reading("def g(n): return g(n + 1)\nprint(g(0))"),
    reading("print('x' * 20_000)"),
    reading("x = [0] * 10 ** 9\nprint(len(x))"),
    reading("while True: pass", "1\n"),
    reading("print(1"),
    reading("return 1"),
    reading("print('a\\0b')\n\0"),
    reading("x: int = 1\ndef g(a: List[int], b: 'Later' = None) -> Optional[str]: return a\nprint(g([x]))"),
    reading("seen = []\nseen.append(input())\nprint(seen)"),
    reading("class N: pass\ndef g(a: N, b: Optional[N] = None, c: 'N' = 1) -> List[N] | None: return a\nprint(g(1))"),
    reading("print(re.findall(r'\\d+', input()), re.compile('a').pattern)"),
    reading("sys.stdout.close()"),
    reading("print(heapq.nlargest(2, map(int, input().split())), list(itertools.pairwise('abc')))"),
    reading("print('{:>5.2f}|{}'.format(1.5, 'x'), f'{3:03d}', '%s' % 4)"),
    reading("from bisect import *\nimport bisect as b\nprint(b.bisect_left([1, 2], 2))"),
    reading("A = [1]\ndef start(): return input()", prelude="LIMIT = []\nimport math\n"),
    reading("LIMIT.append(1)\nprint(LIMIT)", prelude="LIMIT = []\n"),
    function("def f(x): return [x, (x,), {'a': None}, 1.5, True, 'é']"),
    function("def f(x): return {x}"),
    function("def f(x): return x if x else {1: 2}"),
    function("calls = []\ndef f(x):\n    calls.append(x)\n    return len(calls)"),
    function("calls = []\ndef f(x):\n    calls.append(x)\n    return len(calls) // x"),
    function("def f(x):\n    if x == 2: exit()\n    return x"),
    function("def f(x):\n    x.append(1)\n    return x", [[1]], [[2]]),
    function("def f(x):\n    x.append(1)\n    return len(x) // x[0]", [[1]], [[0]]),
    function("class Solution:\n    def f(self, x): return x"),
    function("def f(x): return input()"),
    function("def f(x): return g(x)"),
    function("def f(x): return x.real"),
    function("def f(x, y): return x"),
    function("def f(x):\n    while x == 2: pass\n    return x"),
    function("@lru_cache(None)\ndef f(x): return f(x - 1) + x if x > 0 else 0"),
    function("class I(int):\n    def __eq__(self, o): return True\n    __hash__ = None\ndef f(x): return I(x)"),
    function("def f(x):\n    print('x' * 20_000)\n    return x"),
]


def end(one: Ended) -> tuple[Any, ...]:
    """Return what a grade reads of an end."""
    failed = one.outcome not in ("ok", "not_json", "timeout", "memory", "output_limit", "no_result")
    last = (one.stderr.strip().splitlines() or [""])[-1] if failed else ""
    return one.outcome, repr(one.value), one.has_left, last


def test_nothing_is_taken_that_might_leave_something_behind() -> None:
    found = answers_together([reading(source) for source in REFUSED])
    assert [source for source, ends in zip(REFUSED, found, strict=True) if any(ends)] == []


def test_programs_answer_together_as_alone() -> None:
    together = run_programs(SAME)
    known = answers_together(SAME)
    assert sum(any(ends) for ends in known) > 0.6 * len(SAME)
    for job, ends in zip(SAME, together, strict=True):
        alone = program_tests._completed(job, [None] * len(job.inputs))
        assert list(map(end, ends)) == list(map(end, alone)), job.source


HOLDERS = [
    "x = [bytearray(120_000_000)]\nx.append(x)",
    "class A: held = bytearray(120_000_000)",
    "def g():\n    held = bytearray(120_000_000)\n    yield g\nx = [g()]\nnext(x[0])\nx.append(x)",
]
NEEDY = "try: print(len(bytearray(120_000_000)))\nexcept Exception: print('none left')"
LEAVERS = [
    "class F(int):\n    def __eq__(self, other):\n        print('other')\n        return True\n"
    "    def __hash__(self): return 0\ntry:\n    re.compile('a', F(0))\nexcept Exception:\n    print(1)",
    "sys.setrecursionlimit(60)",
    "random.seed(7)",
    "sys.stdin.close()",
    "def g():\n    yield 1\n    print('late')\nx = g()\nnext(x)\nx.send(None) if 0 else None",
    "x = []\nx.append(x)",
    "x = int\nint = str",
    "def print(*a): return 5",
    "import math\nmath2 = [math.pi]",
]
WITNESS = "print(re.compile('a').flags, random.random(), int('7'), sys.stdin.read().strip(), math.tau)"


def test_no_program_meets_what_another_left() -> None:
    jobs = [job for source in LEAVERS for job in (reading(source, "1\n"), reading(WITNESS, "4\n"))]
    found = answers_together([reading(WITNESS, "4\n"), *jobs])
    assert [ends[0] for ends in found[2::2]] == [found[0][0]] * len(LEAVERS)


def test_a_program_has_the_memory_that_another_held() -> None:
    jobs = [job for source in HOLDERS for job in (reading(source, "1\n"), reading(NEEDY, "4\n"))]
    found = answers_together([reading(NEEDY, "4\n"), *jobs])
    assert all(ends[0] == Ended("ok", "120000000\n") for ends in found[::2])


def test_chance_starts_anew_however_its_name_is_written() -> None:
    source = "import ｒandom\nprint(ｒandom.getrandbits(64), ｒandom.seed(7))"  # noqa: RUF001 - Python reads it as random
    ends = answers_together([reading(source, prelude="")])[0]
    assert ends[0] is not None
    assert ends == [ends[0]] * 3


def test_a_batch_goes_on_behind_a_program_that_ends_its_process() -> None:
    endless, honest = function("def f(x):\n    while True: pass"), function("def f(x): return x")
    found = answers_together([honest, endless, honest, endless, honest])
    assert [any(ends) for ends in found] == [True, False, True, False, True]


@pytest.mark.parametrize("name", ["print", "zzz"])
def test_a_change_of_what_programs_share_is_seen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    shared = Shared()
    assert shared.is_intact()
    monkeypatch.setattr(builtins, name, lambda *a: None, raising=False)
    assert not shared.is_intact()


def test_a_change_that_claims_to_be_equal_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Shared()
    monkeypatch.setattr(math, "pi", type("Equal", (float,), {"__eq__": lambda self, other: True})())
    assert not shared.is_intact()


def test_a_star_gives_no_name_that_python_would_not_give() -> None:
    for module, kinds in MODULES.items():
        given: dict[str, Any] = {}
        exec(f"from {module} import *" if module != "__future__" else "from __future__ import annotations", given)
        assert kinds.keys() <= given.keys() | {"exit", "quit"}, module


def test_a_program_has_modules_and_builtins_of_its_own() -> None:
    assert fresh_module("math") is not fresh_module("math")
    assert not {"open", "eval", "exec", "getattr", "type", "__loader__"} & fresh_builtins().keys()
