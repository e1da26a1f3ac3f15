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
    "gc off": """
import gc
gc.disable()
""",
    "exec built": """
exec('def helper(x):\\n    return x + 1\\n')
assert helper(1) == 2
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
    "source of self": """
import inspect
def g(a): return a
try:
    TEXT = inspect.getsource(g)
except OSError:
    TEXT = ''
""",
    "format exc": """
import traceback, sys
try:
    int('x')
except ValueError:
    TEXT = traceback.format_exc()
    INFO = sys.exc_info()[0]
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
    "deepcopy": """
import copy, pickle
D = copy.deepcopy({'a': [1]})
pickle.loads(pickle.dumps(D))
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
}
"""Put before a function, and behind a file of a repository but for those of ALONE."""
ALONE = frozenset({"module getattr", "exec built"})
