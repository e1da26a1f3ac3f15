"""Functions to write in Python, with right programs and wrong ones."""

from random import Random

from benchmarks.foreign.ninth.episodes import Reply, Task, tell
from benchmarks.foreign.ninth.wording import say

Spec = tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Name, description, arguments of examples, right bodies, wrong bodies; K is a number."""
SPECS: tuple[Spec, ...] = (
    (
        "count_above",
        "Return how many «numbers|entries» of the list `xs` are «strictly larger|greater» than K.",
        ("[K, K + 1, K + 5, 0]", "[]", "[K + 2] * 3"),
        ("return sum(x > K for x in xs)", "n = 0\nfor x in xs:\n    if x > K:\n        n += 1\nreturn n"),
        ("return sum(x >= K for x in xs)", "return len([x for x in set(xs) if x > K])"),
    ),
    (
        "rotate",
        "Rotate the list `xs` to the «right|right-hand side» by K places and return «the new list|a new list».",
        ("[1, 2, 3, 4, 5]", "list(range(K + 3))", "[]"),
        (
            "if not xs:\n    return []\nk = K % len(xs)\nreturn xs[len(xs) - k:] + xs[:len(xs) - k]",
            "n = len(xs)\nreturn [xs[(i - K) % n] for i in range(n)]",
        ),
        ("return xs[K:] + xs[:K]", "return xs[-K:] + xs[:-K]"),
    ),
    (
        "longest_run",
        "Return the length of the longest run of equal neighbours in `xs`, but «at most|never more than» K.",
        ("[1, 1, 1, 2, 2]", "[3] * (K + 4)", "[]"),
        (
            "best = run = 0\nlast = object()\nfor x in xs:\n    run = run + 1 if x == last else 1\n    last = x\n"
            "    best = max(best, run)\nreturn min(best, K)",
            "from itertools import groupby\nreturn min(K, max((len(list(g)) for _, g in groupby(xs)), default=0))",
        ),
        (
            "best = run = 1\nfor a, b in zip(xs, xs[1:]):\n    run = run + 1 if a == b else 1\n"
            "    best = max(best, run)\nreturn best",
            "return min(K, max(xs.count(x) for x in xs)) if xs else 1",
        ),
    ),
    (
        "merge_close",
        "`xs` holds «pairs|intervals» (start, end). Merge those whose gap is at most K and return them sorted.",
        ("[(1, 2), (2 + K, 9 + K)]", "[(20, 30), (1, 4)]", "[]"),
        (
            "out = []\nfor a, b in sorted(xs):\n    if out and a - out[-1][1] <= K:\n"
            "        out[-1] = (out[-1][0], max(b, out[-1][1]))\n    else:\n        out.append((a, b))\nreturn out",
            "merged = []\nfor pair in sorted(xs):\n    if not merged or pair[0] > merged[-1][1] + K:\n"
            "        merged.append(pair)\n        continue\n    s, e = merged.pop()\n"
            "    merged.append((s, max(e, pair[1])))\nreturn merged",
        ),
        (
            "out = []\nfor a, b in xs:\n    if out and a - out[-1][1] <= K:\n        out[-1] = (out[-1][0], b)\n"
            "    else:\n        out.append((a, b))\nreturn out",
            "out = []\nfor a, b in sorted(xs):\n    if out and a - out[-1][1] < K:\n"
            "        out[-1] = (out[-1][0], b)\n    else:\n        out.append((a, b))\nreturn out",
        ),
    ),
    (
        "frequent",
        "Return, sorted, the words of the string `xs` that «occur|appear» at least K times, in lower case.",
        ("'tea ' * K + 'milk'", "'A b a ' * K", "''"),
        (
            "words = xs.lower().split()\nreturn sorted(w for w in set(words) if words.count(w) >= K)",
            "from collections import Counter\nreturn sorted(w for w, n in Counter(xs.lower().split()).items() "
            "if n >= K)",
        ),
        (
            "words = xs.split()\nreturn sorted(w for w in set(words) if words.count(w) > K)",
            "words = xs.lower().split()\nreturn [w for w in words if words.count(w) >= K + 1]",
        ),
    ),
    (
        "chunks",
        "Cut the list `xs` into lists of K; the last «one may be shorter|keeps what is left».",
        ("list(range(2 * K + 1))", "[]", "[7] * K"),
        (
            "return [xs[i:i + K] for i in range(0, len(xs), K)]",
            "out = []\nfor i, x in enumerate(xs):\n    if i % K == 0:\n        out.append([])\n    out[-1].append(x)\n"
            "return out",
        ),
        (
            "return [xs[i:i + K] for i in range(0, len(xs) - K + 1, K)]",
            "return [xs[i * K:i * K + K] for i in range(len(xs) // K + 1)]",
        ),
    ),
    (
        "digit_total",
        "Return the sum of the digits of all «numbers|integers» of `xs` in base K + 1.",
        ("[K, K + 1, 3 * K]", "[0]", "[]"),
        (
            "total = 0\nfor x in xs:\n    while x:\n        total += x % (K + 1)\n        x //= K + 1\nreturn total",
            "def one(x):\n    return 0 if x == 0 else x % (K + 1) + one(x // (K + 1))\nreturn sum(map(one, xs))",
        ),
        ("return sum(int(c) for x in xs for c in str(x + 1))", "return sum(x % (K + 1) for x in xs) - 1"),
    ),
    (
        "shift_letters",
        "Shift each small letter of the string `xs` by K «places in the alphabet|letters», wrapping; keep other signs.",
        ("'abc xyz'", "'Zebra!'", "''"),
        (
            "return ''.join(chr((ord(c) - 97 + K) % 26 + 97) if 'a' <= c <= 'z' else c for c in xs)",
            "import string\nlow = string.ascii_lowercase\nk = K % 26\n"
            "return xs.translate(str.maketrans(low, low[k:] + low[:k]))",
        ),
        (
            "return ''.join(chr(ord(c) + K) for c in xs)",
            "return ''.join(chr((ord(c) - 97 + K) % 25 + 97) if c.isalpha() else c for c in xs)",
        ),
    ),
    (
        "top_values",
        "Return the K largest different values of `xs`, largest first.",
        ("[4, 4, 9, 1, 7]", "list(range(K + 2))", "[]"),
        ("return sorted(set(xs), reverse=True)[:K]", "import heapq\nreturn heapq.nlargest(K, set(xs))"),
        ("return sorted(xs, reverse=True)[:K]", "return sorted(set(xs))[-K:]"),
    ),
    (
        "moving_sums",
        "Return the sums of all windows of K «neighbours|successive entries» of `xs`.",
        ("[1, 2, 3, 4, 5, 6, 7, 8, 9]", "[1] * K", "[]"),
        (
            "return [sum(xs[i:i + K]) for i in range(len(xs) - K + 1)]",
            "if len(xs) < K:\n    return []\ns = sum(xs[:K])\nout = [s]\nfor a, b in zip(xs, xs[K:]):\n"
            "    s += b - a\n    out.append(s)\nreturn out",
        ),
        (
            "return [sum(xs[i:i + K]) for i in range(len(xs))]",
            "return [sum(xs[i:i + K]) for i in range(len(xs) - K)] + [1]",
        ),
    ),
)
SYSTEM = "You write Python. Answer with one fenced code block."


def run(body: str, name: str, argument: str, k: int) -> str:
    """What the function returns, as text."""
    space: dict = {"K": k}
    try:
        exec(source(name, body, k), space)  # noqa: S102
        return repr(space[name](eval(argument, {"K": k})))  # noqa: S307
    except Exception as error:  # whatever a wrong program raises is its answer
        return type(error).__name__


def source(name: str, body: str, k: int) -> str:
    """A function with such a body."""
    lines = "\n".join("    " + line for line in body.replace("K", str(k)).split("\n"))
    return f"def {name}(xs):\n{lines}\n"


def code_task(rng: Random) -> Task:
    """A function to write, with examples."""
    base, about, arguments, good, bad = rng.choice(SPECS)
    k = rng.randint(2, 9)
    name = rng.choice(("", "", "my_", "fast_", "get_", "do_")) + base + rng.choice(("", "", "_of", "_in", "2"))
    shown = [(eval(a, {"K": k}), run(good[0], name, a, k)) for a in arguments]  # noqa: S307
    head = "«Write|Implement|Please write|Define» a «Python function|function» "
    examples = "\n".join(f">>> {name}({value!r})\n{result}" for value, result in shown)
    prompt = say(rng, head) + f"`{name}(xs)`. " + say(rng, about).replace("K", str(k)) + f"\n\n{examples}"

    def solve(r: Random, right: bool) -> Reply:
        body = r.choice(good if right else bad)
        talk = say(
            r,
            "«The idea is simple|Here is my solution|We can do this in one pass|I go through the input "
            "once»«.|, as the "
            "examples show.|: the edge case is the empty input.| and keep the order.»",
        )
        end = say(
            r, "«|\nThis is linear in the input.|\nThe empty input gives the neutral result.|\nIt uses no imports.»"
        )
        return Reply([tell(f"{talk}\n```python\n{source(name, body, k)}```{end}")], name)

    return Task(prompt, shown[0][1], "code", solve, SYSTEM, data={"name": name, "shown": shown})
