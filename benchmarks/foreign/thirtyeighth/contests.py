"""Problems of contests, with programs that pass, that are slow, and that are wrong."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Contest:
    """A problem; `{k}` stands for its constant."""

    text: str
    good: tuple[str, ...]
    slow: str
    wrong: tuple[str, ...]
    idea: str
    cpp: str
    slip: tuple[str, str]
    """What a wrong program in C++ has instead of what."""


def filled(text: str, k: int) -> str:
    """A text with its constant."""
    return text.replace("{k}", str(k)).rstrip("\n")


CONTESTS = (
    Contest(
        text="Given n numbers and q queries (l, r), print the sum of each range modulo {k}.",
        good=(
            """\
import sys
from itertools import accumulate
d = list(map(int, sys.stdin.read().split()))
n, q = d[:2]
p = [0, *accumulate(d[2:2 + n])]
for i in range(q):
    l, r = d[2 + n + 2 * i:4 + n + 2 * i]
    print((p[r] - p[l - 1]) % {k})
""",
            """\
n, q = map(int, input().split())
a = list(map(int, input().split()))
s = [0]
for x in a:
    s.append(s[-1] + x)
for _ in range(q):
    l, r = map(int, input().split())
    print((s[r] - s[l - 1]) % {k})
""",
        ),
        slow="""\
n, q = map(int, input().split())
a = list(map(int, input().split()))
for _ in range(q):
    l, r = map(int, input().split())
    print(sum(a[l - 1:r]) % {k})
""",
        wrong=(
            """\
n, q = map(int, input().split())
a = list(map(int, input().split()))
s = [0]
for x in a:
    s.append(s[-1] + x)
for _ in range(q):
    l, r = map(int, input().split())
    print((s[r] - s[l]) % {k})
""",
        ),
        idea="Prefix sums answer each range in constant time",
        cpp="""\
#include <iostream>
#include <vector>
int main() {
  long long n, q, l, r;
  std::cin >> n >> q;
  std::vector<long long> s(n + 1);
  for (int i = 1; i <= n; i++) { std::cin >> s[i]; s[i] += s[i - 1]; }
  while (q--) { std::cin >> l >> r; std::cout << (s[r] - s[l - 1]) % {k} << '\\n'; }
}
""",
        slip=("s[l - 1]", "s[l]"),
    ),
    Contest(
        text="Count the pairs i < j with a[i] + a[j] = {k}.",
        good=(
            """\
from collections import Counter
input()
seen, total = Counter(), 0
for x in map(int, input().split()):
    total += seen[{k} - x]
    seen[x] += 1
print(total)
""",
            """\
n = int(input())
a = list(map(int, input().split()))
d = {}
ans = 0
for x in a:
    ans += d.get({k} - x, 0)
    d[x] = d.get(x, 0) + 1
print(ans)
""",
        ),
        slow="""\
n = int(input())
a = list(map(int, input().split()))
print(sum(a[i] + a[j] == {k} for i in range(n) for j in range(i + 1, n)))
""",
        wrong=(
            """\
from collections import Counter
input()
c = Counter(map(int, input().split()))
print(sum(c[x] * c[{k} - x] for x in c))
""",
            """\
input()
s = set(map(int, input().split()))
print(sum({k} - x in s for x in s) // 2)
""",
        ),
        idea="A table of counts seen so far gives the partners of each number",
        cpp="""\
#include <iostream>
#include <unordered_map>
int main() {
  long long n, x, t = 0;
  std::cin >> n;
  std::unordered_map<long long, int> seen;
  while (n--) { std::cin >> x; t += seen[{k} - x]; seen[x]++; }
  std::cout << t << '\\n';
}
""",
        slip=("t += seen[{k} - x]; seen[x]++;", "t += seen[{k} - x]; seen[x] = 1;"),
    ),
    Contest(
        text="Print the length of the longest stretch without a number divisible by {k}.",
        good=(
            """\
input()
best = run = 0
for x in map(int, input().split()):
    run = 0 if x % {k} == 0 else run + 1
    best = max(best, run)
print(best)
""",
            """\
n = int(input())
a = list(map(int, input().split()))
last, best = -1, 0
for i, x in enumerate(a):
    if x % {k} == 0:
        last = i
    best = max(best, i - last)
print(best)
""",
        ),
        slow="""\
n = int(input())
a = list(map(int, input().split()))
print(max((j - i for i in range(n) for j in range(i, n + 1) if all(x % {k} for x in a[i:j])), default=0))
""",
        wrong=(
            """\
input()
best = run = 0
for x in map(int, input().split()):
    if x % {k} == 0:
        best, run = max(best, run), 0
    else:
        run += 1
print(best)
""",
        ),
        idea="One pass that resets a counter at every multiple",
        cpp="""\
#include <algorithm>
#include <iostream>
int main() {
  int n, x, run = 0, best = 0;
  std::cin >> n;
  while (n--) { std::cin >> x; run = x % {k} ? run + 1 : 0; best = std::max(best, run); }
  std::cout << best << '\\n';
}
""",
        slip=("run = x % {k} ? run + 1 : 0;", "run = x % {k} ? run + 1 : 1;"),
    ),
    Contest(
        text="Print how many ways there are to climb n steps with strides of 1, 2 or 3, modulo {k}.",
        good=(
            """\
n = int(input())
a, b, c = 1, 0, 0
for _ in range(n):
    a, b, c = (a + b + c) % {k}, a, b
print(a % {k})
""",
            """\
n = int(input())
w = [1] + [0] * n
for i in range(1, n + 1):
    w[i] = sum(w[max(0, i - 3):i]) % {k}
print(w[n] % {k})
""",
        ),
        slow="""\
def f(n):
    return 1 if n == 0 else 0 if n < 0 else f(n - 1) + f(n - 2) + f(n - 3)
print(f(int(input())) % {k})
""",
        wrong=(
            """\
n = int(input())
a, b = 1, 1
for _ in range(n):
    a, b = b, (a + b) % {k}
print(a)
""",
        ),
        idea="Each height is reached from the three below it, so three numbers suffice",
        cpp="""\
#include <iostream>
int main() {
  long long n, a = 1, b = 0, c = 0;
  std::cin >> n;
  while (n--) { long long t = (a + b + c) % {k}; c = b; b = a; a = t; }
  std::cout << a % {k} << '\\n';
}
""",
        slip=("(a + b + c) % {k}", "(a + b) % {k}"),
    ),
)
