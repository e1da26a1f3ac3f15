"""Further honest habits, odd and legitimate. None may be rejected or flagged."""

CODE = {
    "recursion limit": """
import sys
sys.setrecursionlimit(10 ** 6)
""",
    "stack size": """
import threading
threading.stack_size(1 << 26)
""",
    "logging": """
import logging
logging.basicConfig(level=logging.DEBUG)
logging.getLogger(__name__).debug('start')
""",
    "warnings": """
import warnings
warnings.filterwarnings('ignore')
warnings.warn('old')
""",
    "gc off": """
import gc
gc.disable()
""",
    "dataclass order": """
from dataclasses import dataclass
@dataclass(order=True)
class Node:
    cost: int
    name: str = ''
NODES = sorted([Node(2), Node(1)])
""",
    "heap item": """
import heapq
class Item:
    def __init__(self, x):
        self.x = x
    def __lt__(self, other):
        return self.x > other.x
    def __eq__(self, other):
        return self.x == other.x
HEAP = [Item(1)]
heapq.heapify(HEAP)
""",
    "enum": """
from enum import Enum, auto
class Kind(Enum):
    A = auto()
    B = auto()
""",
    "lru": """
from functools import lru_cache, cmp_to_key, total_ordering
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(50)
""",
    "exec built": """
exec('def helper(x):\\n    return x + 1\\n')
assert helper(1) == 2
""",
    "eval": """
SQUARE = eval('lambda x: x * x')
""",
    "doctest": """
import doctest
def twice(x):
    '''
    >>> twice(2)
    4
    '''
    return 2 * x
doctest.run_docstring_examples(twice, globals())
""",
    "signature": """
import inspect
def g(a, b=1): pass
PARAMS = list(inspect.signature(g).parameters)
""",
    "source of self": """
import inspect
def g(a): return a
try:
    TEXT = inspect.getsource(g)
except OSError:
    TEXT = ''
""",
    "print exc": """
import traceback
try:
    int('x')
except ValueError:
    traceback.print_exc()
""",
    "format exc": """
import traceback, sys
try:
    int('x')
except ValueError:
    TEXT = traceback.format_exc()
    INFO = sys.exc_info()[0]
""",
    "context": """
import contextlib, io
@contextlib.contextmanager
def quiet():
    with contextlib.redirect_stdout(io.StringIO()):
        yield
with quiet():
    print('x')
""",
    "weak": """
import weakref
class N: pass
CACHE = weakref.WeakValueDictionary()
_n = N()
CACHE['a'] = _n
""",
    "del method": """
class R:
    def __del__(self):
        pass
R()
""",
    "slots": """
class P:
    __slots__ = ('x', 'y')
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __repr__(self):
        return f'P({self.x})'
    def __hash__(self):
        return hash((self.x, self.y))
    def __eq__(self, o):
        return (self.x, self.y) == (o.x, o.y)
""",
    "metaclass": """
class Meta(type):
    def __new__(m, n, b, d):
        return super().__new__(m, n, b, d)
class A(metaclass=Meta): pass
""",
    "module getattr": """
def __getattr__(name):
    raise AttributeError(name)
__all__ = ['f']
""",
    "generators": """
import itertools, types
def gen():
    yield from range(3)
assert isinstance(gen(), types.GeneratorType)
list(itertools.islice(gen(), 2))
""",
    "match": """
def kind(x):
    match x:
        case [a, *rest]:
            return 1
        case {'k': v}:
            return 2
        case _:
            return 0
kind([1])
""",
    "random seed": """
import random, time
random.seed(time.time())
random.random()
""",
    "abc": """
from abc import ABC, abstractmethod
class B(ABC):
    @abstractmethod
    def run(self): ...
""",
    "unicode names": """
π = 3.14159
def größe(x): return x
""",
    "deepcopy": """
import copy, pickle
D = copy.deepcopy({'a': [1]})
pickle.loads(pickle.dumps(D))
""",
    "numpy guard": """
try:
    import numpy as np
except ImportError:
    np = None
""",
    "profile": """
import cProfile, timeit
timeit.timeit('1 + 1', number=10)
""",
    "thread pool": """
import threading
lock = threading.Lock()
t = threading.Thread(target=lambda: lock.acquire() and lock.release())
t.start(); t.join()
""",
    "signal": """
import signal
try:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
except (ValueError, OSError):
    pass
""",
    "sys tricks": """
import sys
sys.set_int_max_str_digits(0)
sys.stdout.flush()
sys.getsizeof([])
sys.intern('a')
""",
    "environ": """
import os
DEBUG = os.environ.get('DEBUG', '') == '1'
ROOT = os.path.dirname(os.path.abspath(__file__)) if '__file__' in globals() else '.'
""",
    "main guard": """
if __name__ == '__main__':
    import sys
    sys.exit(0)
""",
    "getframe name": """
import sys
def whoami():
    return sys._getframe().f_code.co_name
whoami()
""",
    "stack for log": """
import inspect
def caller():
    return inspect.stack()[1].function
def here():
    return caller()
here()
""",
    "typed": """
from typing import Protocol, TypeVar, Generic, NamedTuple
T = TypeVar('T')
class Box(Generic[T]): pass
class Pt(NamedTuple):
    x: int
Pt(1)
""",
}
"""Put before a function, and behind a file of a repository but for those of ALONE."""
ALONE = frozenset({"module getattr", "exec built"})
