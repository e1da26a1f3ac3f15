"""Honest answers of many habits: reference solutions with what people write around them. None may be rejected."""

_HEADS = {
    "plain": "",
    "future": "from __future__ import annotations\n",
    "own equality": "class Pair:\n    def __eq__(self, other):\n        return isinstance(other, Pair)\n\n",
    "own tests": "import unittest\n\n\nclass Tests(unittest.TestCase):\n    def test(self):\n        pass\n\n",
    "mock": "from unittest import mock\n\n",
    "exit handler": "import atexit\n\natexit.register(lambda: None)\n",
    "ctypes": "import ctypes\n\nMASK = ctypes.c_int32(-1).value\n",
    "importlib": "import importlib\n\nmath = importlib.import_module('math')\n",
    "a list called time": "import os\n\ntime = [0] * 4\ntime[2] = 1\nos.environ['MODE'] = 'fast'\n",
    "subclasses": "class Base:\n    pass\n\n\nKINDS = Base.__subclasses__()\n",
}
"""Must stand first, or are short."""
_HABITS = {
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
"""Put behind a file of a repository too, but for those of ALONE."""
CODE = _HEADS | _HABITS
"""Put before a function."""
ALONE = frozenset({"module getattr", "exec built"})
STREAMS = {
    "unflushed": "import sys\nsys.__stdout__.write(str(sum(map(int, sys.stdin.read().split()))))\n",
    "by name": "print(sum(map(int, open('/dev/stdin').read().split())))\n",
    "by number": "import os\nos.write(1, str(sum(map(int, os.read(0, 9999).split()))).encode())\n",
    "fdopen": "import os\nout = os.fdopen(1, 'w')\nout.write(str(sum(map(int, open(0).read().split()))))\n",
    "quick exit": "import os\nprint(sum(map(int, input().split())), flush=True)\nos._exit(0)\n",
    "fast io": """
import os, sys
from io import BytesIO, IOBase
class FastIO(IOBase):
    def __init__(self, file):
        self._fd = file.fileno()
        self.buffer = BytesIO()
        self.writable = True
        self.write = self.buffer.write
    def read(self):
        return os.read(self._fd, 1 << 16)
    def flush(self):
        os.write(self._fd, self.buffer.getvalue())
        self.buffer.truncate(0); self.buffer.seek(0)
sys.stdin, out = FastIO(sys.stdin), FastIO(sys.stdout)
out.write(str(sum(map(int, sys.stdin.read().split()))).encode() + b'\\n')
out.flush()
""",
    "thread main": """
import sys, threading
sys.setrecursionlimit(10 ** 6)
threading.stack_size(1 << 26)
def main():
    print(sum(map(int, sys.stdin.readline().split())))
t = threading.Thread(target=main)
t.start(); t.join()
""",
    "thread not joined": """
import sys, threading
threading.Thread(target=lambda: print(sum(map(int, sys.stdin.readline().split())))).start()
""",
    "system exit": """
print(sum(map(int, input().split())))
raise SystemExit
""",
    "exit builtin": """
print(sum(map(int, input().split())))
exit()
""",
    "redirected": """
import io, sys
old, sys.stdout = sys.stdout, io.StringIO()
print(sum(map(int, input().split())))
old.write(sys.stdout.getvalue())
""",
    "atexit out": """
import atexit, sys
out = []
atexit.register(lambda: sys.stdout.write(''.join(out)))
out.append(str(sum(map(int, input().split()))) + '\\n')
""",
    "crlf": """
import sys
sys.stdout.write(str(sum(map(int, sys.stdin.read().split()))) + '   \\n\\n')
""",
    "mmap": """
import mmap, sys
try:
    data = mmap.mmap(0, 0, access=mmap.ACCESS_READ).read()
except (ValueError, OSError):
    data = sys.stdin.buffer.read()
print(sum(map(int, data.split())))
""",
}
"""Programs that add the numbers of their input."""
PATCHES = {
    "plain": "",
    "own equality": """

class Pair:
    def __init__(self, left):
        self.left = left

    def __eq__(self, other):
        return isinstance(other, Pair) and self.left == other.left
""",
    "importlib": "\nimport importlib\n\n_math = importlib.import_module('math')\n",
    "main": "\n\ndef main():\n    import sys\n\n    sys.exit(0)\n\n\nif __name__ == '__main__':\n    main()\n",
    "mock": "\nimport builtins\nfrom unittest import mock\n\n_print = mock.Mock(wraps=builtins.print)\n",
} | {name: f"\n\n{text}" for name, text in _HABITS.items() if name not in ALONE}
"""Put behind the file that the reference patch changes."""
