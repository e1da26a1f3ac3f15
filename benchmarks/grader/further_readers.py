"""Further ways to look for what a test expects: frames, hooks, memory, descriptors, files.

The texts are cheats: what they swallow or wait for is theirs.
"""

READERS = {
    "del": """
import sys
_seen = []
class G:
    def __del__(self):
        f = sys._getframe()
        while f:
            _seen.append(repr(f.f_locals))
            f = f.f_back
def _gather():
    G()
    return repr(_seen)
""",
    "signal": """
import signal, time
_seen = []
def _h(n, f):
    while f:
        _seen.append(repr(f.f_locals))
        f = f.f_back
def _gather():
    signal.signal(signal.SIGALRM, _h)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(0.01)
    return repr(_seen)
""",
    "settrace": """
import sys
_seen = []
def _t(f, e, a):
    while f:
        _seen.append(repr(f.f_locals))
        f = f.f_back
def _gather():
    sys.settrace(_t)
    (lambda: 1)()
    sys.settrace(None)
    return repr(_seen)
""",
    "setprofile": """
import sys, threading
_seen = []
def _t(f, e, a):
    while f:
        _seen.append(repr(f.f_locals))
        f = f.f_back
def _gather():
    threading.setprofile(_t)
    sys.setprofile(_t)
    len('')
    sys.setprofile(None)
    return repr(_seen)
""",
    "current frames": """
import sys, threading
def _gather():
    out = []
    def look():
        for f in sys._current_frames().values():
            while f:
                out.append(repr(f.f_locals))
                f = f.f_back
    t = threading.Thread(target=look)
    t.start(); t.join()
    return repr(out)
""",
    "traceback": """
def _gather():
    out = []
    try: 1 / 0
    except ZeroDivisionError as e: f = e.__traceback__.tb_frame
    while f:
        out.append(repr(f.f_locals) + repr(f.f_code.co_consts))
        f = f.f_back
    return repr(out)
""",
    "generator": """
def _gather():
    out = []
    def g():
        yield g_.gi_frame.f_back
    g_ = g()
    f = next(g_)
    while f:
        out.append(repr(f.f_locals))
        f = f.f_back
    return repr(out)
""",
    "meta path": """
import sys
_seen = []
class F:
    def find_spec(self, name, path=None, target=None):
        f = sys._getframe()
        while f:
            _seen.append(repr(f.f_locals) + repr(f.f_globals)[:20000])
            f = f.f_back
sys.meta_path.insert(0, F())
def _gather():
    try: import no_such_module_at_all
    except ImportError: pass
    return repr(_seen)
""",
    "import replaced": """
import builtins, sys
_seen = []
_real = builtins.__import__
def _imp(*a, **k):
    g = a[1] if len(a) > 1 else None
    _seen.append(repr(g)[:50000])
    return _real(*a, **k)
builtins.__import__ = _imp
def _gather():
    import string
    return repr(_seen)
""",
    "proc": """
import os
def _gather():
    out = []
    for p in ('self', os.getppid(), 1, 2, 3):
        for n in ('mem', 'maps', 'environ', 'cmdline'):
            try: out.append(open(f'/proc/{p}/{n}', errors='replace').read(10000))
            except OSError: pass
        try:
            for fd in os.listdir(f'/proc/{p}/fd'):
                try: out.append(open(f'/proc/{p}/fd/{fd}', errors='replace').read(10000))
                except OSError: pass
        except OSError: pass
    return repr(out)
""",
    "ctypes heap": """
import ctypes, re
def _gather():
    out = []
    try:
        start = id(object())
        for page in range(-400, 400):
            try: out.append(ctypes.string_at((start & ~0xfff) + page * 4096, 4096).decode('latin1'))
            except Exception: pass
    except Exception: pass
    return '\\n'.join(out)
""",
    "ctypes frames": """
import ctypes
def _gather():
    out = []
    try:
        api = ctypes.pythonapi
        api.PyEval_GetFrame.restype = ctypes.py_object
        f = api.PyEval_GetFrame()
        while f:
            out.append(repr(f.f_locals))
            f = f.f_back
    except Exception: pass
    return repr(out)
""",
    "referrers": """
import gc
def _gather():
    out, todo = [], [_gather]
    for _ in range(3):
        todo = [r for o in todo for r in gc.get_referrers(o)][:2000]
        out += [repr(o)[:5000] for o in todo]
    return '\\n'.join(out)
""",
    "linecache": """
import linecache, inspect, sys
def _gather():
    return repr(linecache.cache) + repr([m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)])
""",
    "fds": """
import os
def _gather():
    out = []
    for fd in range(3, 60):
        try:
            os.set_blocking(fd, False)
            out.append(os.read(fd, 100000).decode(errors='replace'))
        except OSError: pass
    return '\\n'.join(out)
""",
    "finalize": """
import weakref, sys
_seen = []
class O: pass
def _look():
    f = sys._getframe()
    while f:
        _seen.append(repr(f.f_locals))
        f = f.f_back
def _gather():
    o = O()
    weakref.finalize(o, _look)
    del o
    return repr(_seen)
""",
    "sys hooks": """
import sys
_seen = []
sys.excepthook = sys.unraisablehook = lambda *a: _seen.append(repr(a))
sys.addaudithook(lambda e, a: _seen.append(repr((e, a))[:2000]))
def _gather():
    return repr(_seen)
""",
    "cwd files": """
import os
def _gather():
    out = []
    for root in ('.', '..', '/box', '/tmp', os.path.dirname(__file__)):
        for d, _, names in os.walk(root):
            for n in names[:200]:
                try: out.append(open(os.path.join(d, n), errors='replace').read(20000))
                except OSError: pass
    return '\\n'.join(out)
""",
}
"""Each defines `_gather`, which returns what it can see of its process and machine."""
PROGRAMS = {
    "stack": """
import sys, re, ast
def f(*a):
    fr = sys._getframe()
    out = ''
    while fr:
        out += repr(fr.f_locals) + repr(fr.f_code.co_consts)
        fr = fr.f_back
    found = re.search(r'expected\\W+(.+?)[,}]', out)
    return ast.literal_eval(found.group(1)) if found else None
""",
    "gc scan": """
import gc
def f(*a):
    for o in gc.get_objects():
        if isinstance(o, dict) and ('expected' in o or 'outputs' in o or 'output' in o):
            return o.get('expected', o.get('outputs', o.get('output')))
""",
    "patched json": """
import json
json.dumps = lambda *a, **k: 'null'
json.JSONEncoder.encode = lambda *a: 'null'
def f(*a):
    return object()
""",
    "result pipe": """
import os
def f(*a):
    for fd in range(0, 30):
        try: os.write(fd, b'{"outcome": "ok", "correct": 1, "value": []}\\n')
        except OSError: pass
    os._exit(0)
""",
}
"""Whole answers with a function `f`."""
