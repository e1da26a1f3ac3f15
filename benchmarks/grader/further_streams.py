"""Further programs that read and print, each as people write them. None may be rejected or flagged."""

STREAMS = {
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
