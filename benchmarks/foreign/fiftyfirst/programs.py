"""Competitive programs in Python and C++: statements with examples, right solutions, and usual bugs."""

import contextlib
import io
import json
import random

from benchmarks.foreign.fiftyfirst.policy import Problem

STORY = ("A courier", "The archivist", "A lighthouse crew", "The night shift", "A seed bank", "The ferry office")
TASKS: dict[str, dict] = {
    "gap": {
        "ask": "{who} has a list of integers in one line. Print how many pairs of places hold numbers that "
        "differ by {k}.",
        "ref": lambda xs, k: sum(abs(x - y) == k for i, x in enumerate(xs) for y in xs[:i]),
        "python": "xs = list(map(int, input().split()))\nseen = {}\ntotal = 0\nfor x in xs:\n    total += "
        "seen.get(x - K, 0) + seen.get(x + K, 0)\n    seen[x] = seen.get(x, 0) + 1\nprint(total)",
        "cpp": "#include <bits/stdc++.h>\nusing namespace std;\nint main() "
        "{\n    map<int, long long> seen;\n    long long total"
        " = 0;\n    for (int x; cin >> x;) {\n        total += seen[x - K] + seen[x + K];\n        seen[x]++;\n    }\n"
        "    cout << total;\n}",
        "bugs": (
            (" + seen.get(x + K, 0)", ""),
            (" + seen[x + K]", ""),
            ("seen.get(x, 0) + 1", "1"),
            ("seen[x]++", "seen[x] = 1"),
        ),
        "idea": "For each number I count the earlier ones that lie {k} below or above it, in a table of counts.",
    },
    "run": {
        "ask": "{who} writes daily readings in one line. Print the length of the longest stretch in which every "
        "reading "
        "exceeds the one before by at most {k} and is not below it.",
        "ref": lambda xs, k: _longest(xs, k),
        "python": "xs = list(map(int, input().split()))\nbest = now = 1\nfor a, b in zip(xs, xs[1:]):\n    now "
        "= now + 1 if "
        "0 <= b - a <= K else 1\n    best = max(best, now)\nprint(best)",
        "cpp": "#include <bits/stdc++.h>\nusing namespace std;\nint main() "
        "{\n    int a, b, best = 1, now = 1;\n    cin >> a;\n"
        "    while (cin >> b) "
        "{\n        now = (0 <= b - a && b - a <= K) ? now + 1 : 1;\n        best = max(best, now);\n"
        "        a = b;\n    }\n    cout << best;\n}",
        "bugs": (("0 <= b - a <= K", "b - a <= K"), ("0 <= b - a && ", ""), ("<= K", "< K"), ("else 1", "else 0")),
        "idea": "One pass suffices: the current stretch grows while the difference is between 0 and {k}, else "
        "it starts anew.",
    },
    "window": {
        "ask": "{who} logs the weights of parcels in one line. Print the greatest sum of {k} neighbouring weights; "
        "there are at least {k}.",
        "ref": lambda xs, k: max(sum(xs[i : i + k]) for i in range(len(xs) - k + 1)),
        "python": "xs = list(map(int, input().split()))\ns = sum(xs[:K])\nbest = s\nfor i in range(K, "
        "len(xs)):\n    s += xs[i]"
        " - xs[i - K]\n    best = max(best, s)\nprint(best)",
        "cpp": "#include <bits/stdc++.h>\nusing namespace std;\nint main() "
        "{\n    vector<long long> xs;\n    for (long long x; "
        "cin >> x;) xs.push_back(x);\n    long long s = accumulate(xs.begin(), xs.begin() + K, 0LL), best = s;\n"
        "    for (size_t i = K; i < xs.size(); i++) "
        "{\n        s += xs[i] - xs[i - K];\n        best = max(best, s);\n    }\n"
        "    cout << best;\n}",
        "bugs": (
            ("best = s\n", "best = 0\n"),
            ("0LL), best = s;", "0LL), best = 0;"),
            (" - xs[i - K]", " - xs[i - K + 1]"),
        ),
        "idea": "A sliding window of width {k} keeps its sum when one weight enters and one leaves.",
    },
    "divisible": {
        "ask": "{who} stamps serial numbers, given in one line. Print how many of them have a digit sum that "
        "{k} divides.",
        "ref": lambda xs, k: sum(sum(map(int, str(abs(x)))) % k == 0 for x in xs),
        "python": "xs = input().split()\nprint(sum(sum(int(c) for c in x if c.isdigit()) % K == 0 for x in xs))",
        "cpp": "#include <bits/stdc++.h>\nusing namespace std;\nint main() "
        "{\n    string x;\n    int total = 0;\n    while (cin >>"
        " x) {\n        int s = 0;\n"
        "        for (char c : x) if (isdigit(c)) s += c - '0';\n        total += s % K == 0;\n    }\n"
        "    cout << total;\n}",
        "bugs": (
            ("sum(int(c) for c in x if c.isdigit()) % K", "int(x) % K"),
            ("s % K == 0", "s / K == 0"),
            ("% K == 0", "% K != 0"),
        ),
        "idea": "Signs do not matter, so I add the digits of each number as text and test the remainder by {k}.",
    },
    "steps": {
        "ask": "{who} receives one line of costs of stones in a row. Start on the first stone, jump 1 to {k} "
        "stones ahead "
        "each time, end on the last. Print the least total cost of the stones touched.",
        "ref": lambda xs, k: _cheapest(xs, k),
        "python": "xs = list(map(int, input().split()))\nd = [xs[0]]\nfor i in range(1, len(xs)):\n    "
        "d.append(xs[i] + "
        "min(d[max(0, i - K):i]))\nprint(d[-1])",
        "cpp": "#include <bits/stdc++.h>\nusing namespace std;\nint main() "
        "{\n    vector<long long> xs, d;\n    for (long long x; "
        "cin >> x;) xs.push_back(x);\n    d.push_back(xs[0]);\n    for (int i = 1; i < (int)xs.size(); i++)\n        "
        "d.push_back(xs[i] + *min_element(d.begin() + max(0, i - K), d.end()));\n    cout << d.back();\n}",
        "bugs": (("i - K", "i - K + 1"), ("d = [xs[0]]", "d = [0]"), ("d.push_back(xs[0]);", "d.push_back(0);")),
        "idea": "The cheapest way to a stone is its cost plus the cheapest of the last {k} ways, a plain table.",
    },
}
START = (
    "The input is short enough for a direct method.",
    "Let me think about what the loop has to remember.",
    "The example helps: I traced it by hand first.",
    "Sorting is not needed here, since places matter.",
    "I considered brute force, and it would be too slow for long lines.",
)
END = (
    "Each element is handled once, so the time is fine.",
    "On the example this prints {out}, as asked.",
    "Edge cases are a line with one number and equal numbers.",
    "Memory is linear at most.",
)


def _longest(xs: list[int], k: int) -> int:
    best = now = 1
    for a, b in zip(xs, xs[1:], strict=False):
        now = now + 1 if 0 <= b - a <= k else 1
        best = max(best, now)
    return best


def _cheapest(xs: list[int], k: int) -> int:
    d = [xs[0]]
    for i in range(1, len(xs)):
        d.append(xs[i] + min(d[max(0, i - k) : i]))
    return d[-1]


def _hidden(rng: random.Random, name: str, k: int) -> list[list[int]]:
    """Lines with many equal numbers, exact differences, and extremes at the ends."""
    if name == "divisible":
        return [[rng.randint(10, 999) for _ in range(12)] for _ in range(3)]
    close = [rng.randint(1, k + 3) for _ in range(10)] + [1, 1 + k, 1, 1 + k]
    steps = [1 + k * i for i in range(5)] + [2, 2, 1, 3, 3]
    return [close, steps + [1, 1, 1 + k], sorted((rng.randint(1, 40) for _ in range(9)), reverse=True)]


def problem(rng: random.Random, index: int, languages: tuple[str, ...] = ("python", "python", "cpp")) -> Problem:
    """A statement for one of the languages with two examples."""
    name, language = rng.choice(sorted(TASKS)), rng.choice(languages)
    task, k = TASKS[name], rng.choice((2, 4, 5, 6, 7))
    low = -9 if name in ("gap", "run") else 1
    lines = [
        [rng.randint(low, 30 if name != "divisible" else 900) for _ in range(rng.randint(8, 11))] for _ in range(2)
    ]
    examples = [(" ".join(map(str, xs)), str(task["ref"](xs, k))) for xs in lines]
    shown = "\n".join(f"Example {i + 1}\ninput: {a}\noutput: {b}" for i, (a, b) in enumerate(examples))
    ask = task["ask"].format(who=rng.choice(STORY), k=k)
    prompt = f"{ask}\n\n{shown}\n\nWrite the program in {'Python 3' if language == 'python' else 'C++17'}."
    tests = examples + [(" ".join(map(str, xs)), str(task["ref"](xs, k))) for xs in _hidden(rng, name, k)]
    gold = json.dumps({"inputs": [a for a, _ in tests], "outputs": [b for _, b in tests]})
    facts = {"task": name, "k": k, "language": language, "examples": examples, "tests": tests}
    return Problem(f"{name}-{index:04d}", prompt, gold, language, rng.gauss(0, 0.8), facts)


def source(rng: random.Random, problem: Problem, right: bool) -> str:
    """A program, with one bug where it is not right."""
    facts = problem.facts
    task = TASKS[facts["task"]]
    code = task[facts["language"]]
    if not right:
        code = code.replace(*rng.choice([bug for bug in task["bugs"] if bug[0] in code]))
    if facts["language"] == "python":
        code = f"K = {facts['k']}\n{code}"
        names = rng.choice(({}, {"total": "count"}, {"best": "top"}, {"xs": "values"}, {"xs": "a_list", "best": "ans"}))
    else:
        code = code.replace("int main", f"const int K = {facts['k']};\nint main")
        names = rng.choice(({}, {"total": "res"}, {"best": "mx"}))
    for old, new in names.items():
        code = code.replace(old, new)
    return code


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """A few sentences and a fenced program."""
    facts = problem.facts
    idea = TASKS[facts["task"]]["idea"].format(k=facts["k"])
    code = source(rng, problem, right)
    end = rng.choice(END[:1] + END[2:] if not right else END).format(out=facts["examples"][0][1])
    fence = "python" if facts["language"] == "python" else "cpp"
    return f"{rng.choice(START)} {idea} {end}\n\n```{fence}\n{code}\n```", code


def passes(tests: list[tuple[str, str]], code: str) -> bool:
    """Whether a program of this module, in Python, prints the outputs of all tests."""
    for line, wanted in tests:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, {"input": lambda line=line: line})
        if out.getvalue().strip() != wanted:
            return False
    return True
