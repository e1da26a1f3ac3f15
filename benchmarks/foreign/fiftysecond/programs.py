"""Small functions to write: prompts, tests, and programs that pass them or not."""

import random

from benchmarks.foreign.fiftysecond.learning import Task, ease

_BANK: tuple[tuple[str, str, str, tuple[str, str], tuple[str, str]], ...] = (
    (
        "longest_run",
        "Return the length of the longest run of neighbours in the list `ARG` that are all at least NUM.",
        "assert longest_run([NUM, NUM, 0, NUM, NUM, NUM]) == 3\nassert longest_run([]) == 0",
        (
            "best = now = 0\nfor x in ARG:\n    now = now + 1 if x >= NUM else 0\n"
            "    best = max(best, now)\nreturn best",
            "from itertools import groupby\n"
            "return max((len(list(g)) for k, g in groupby(ARG, lambda x: x >= NUM) if k), default=0)",
        ),
        ("return sum(x >= NUM for x in ARG)", "return max(len([x for x in ARG if x > NUM]), 0)"),
    ),
    (
        "merge_spans",
        "Merge spans (start, end) in `ARG` that overlap or are at most NUM apart, and return them in order.",
        "assert merge_spans([(1, 3), (3 + NUM, 900), (9990, 9999)]) == [(1, 900), (9990, 9999)]\n"
        "assert merge_spans([(1, 50), (2, 3)]) == [(1, 50)]",
        (
            "out = []\nfor s, e in sorted(ARG):\n    if out and s - out[-1][1] <= NUM:\n"
            "        out[-1] = (out[-1][0], max(e, out[-1][1]))\n    else:\n"
            "        out.append((s, e))\nreturn out",
            "out = []\nfor s, e in sorted(ARG):\n    if not out or out[-1][1] + NUM < s:\n"
            "        out.append((s, e))\n"
            "    else:\n        out[-1] = (out[-1][0], max(out[-1][1], e))\nreturn out",
        ),
        (
            "out = []\nfor s, e in sorted(ARG):\n    if out and s - out[-1][1] <= NUM:\n"
            "        out[-1] = (out[-1][0], e)\n"
            "    else:\n        out.append((s, e))\nreturn out",
            "return sorted(set(ARG))",
        ),
    ),
    (
        "shorten",
        "Cut the text `ARG` to at most NUM signs at the end of a word; add nothing, and strip blanks at the end.",
        "assert shorten('a ' * NUM + 'b').endswith('a')\nassert shorten('x' * NUM) == 'x' * NUM\n"
        "assert len(shorten('ab ' * NUM)) % 3 == 2",
        (
            "if len(ARG) <= NUM:\n    return ARG.rstrip()\nhead = ARG[: NUM + 1]\n"
            "return head[: head.rfind(' ')].rstrip() if ' ' in head else ''",
            "out = ''\nfor w in ARG.split(' '):\n    new = w if not out else out + ' ' + w\n"
            "    if len(new) > NUM:\n"
            "        break\n    out = new\nreturn out.rstrip()",
        ),
        ("return ARG[: NUM - 1].rstrip()", "return ' '.join(ARG.split()[:-1])"),
    ),
    (
        "change_ways",
        "In how many ways can the amount `ARG` be paid with coins of 1 and NUM?",
        "assert change_ways(NUM) == 2\nassert change_ways(0) == 1\nassert change_ways(3 * NUM + 1) == 4",
        (
            "ways = [1] + [0] * ARG\nfor coin in (1, NUM):\n    for t in range(coin, ARG + 1):\n"
            "        ways[t] += ways[t - coin]\nreturn ways[ARG]",
            "return ARG // NUM + 1",
        ),
        (
            "ways = [1] + [0] * ARG\nfor t in range(1, ARG + 1):\n    for coin in (1, NUM):\n"
            "        if t >= coin:\n"
            "            ways[t] += ways[t - coin]\nreturn ways[ARG]",
            "return ARG // NUM",
        ),
    ),
    (
        "is_balanced",
        "Say whether the brackets () and [] in `ARG` are balanced and nested at most NUM deep.",
        "assert is_balanced('a(b[c])')\nassert not is_balanced('([)]')\nassert not is_balanced('(' * 200 + ')' * 200)",
        (
            "pairs = {')': '(', ']': '['}\nstack = []\nfor c in ARG:\n    if c in '([':\n"
            "        stack.append(c)\n"
            "        if len(stack) > NUM:\n            return False\n"
            "    elif c in pairs and (not stack or stack.pop() != pairs[c]):\n"
            "        return False\nreturn not stack",
            "want = []\nfor c in ARG:\n    if c in '([':\n"
            "        want.append(')' if c == '(' else ']')\n    elif c in ')]':\n"
            "        if not want or want.pop() != c:\n            return False\n    if len(want) > NUM:\n"
            "        return False\nreturn not want",
        ),
        (
            "return ARG.count('(') == ARG.count(')') and ARG.count('[') == ARG.count(']')",
            "depth = 0\nfor c in ARG:\n    depth += c in '(['\n    depth -= c in ')]'\n"
            "    if depth < 0 or depth > NUM:\n"
            "        return False\nreturn depth == 0",
        ),
    ),
    (
        "rotate_left",
        "Return the list `ARG` rotated to the left by NUM places, whatever its length.",
        "assert rotate_left([7]) == [7]\n"
        "assert rotate_left(list(range(NUM + 3)))[:3] == [NUM, NUM + 1, NUM + 2]\n"
        "assert rotate_left([]) == []",
        (
            "if not ARG:\n    return []\nk = NUM % len(ARG)\nreturn ARG[k:] + ARG[:k]",
            "n = len(ARG)\nreturn [ARG[(i + NUM) % n] for i in range(n)]",
        ),
        ("return ARG[-NUM:] + ARG[:-NUM]", "return [ARG[i + NUM] for i in range(len(ARG) - NUM)]"),
    ),
)
NAMES = ("values", "data", "items", "given", "source", "xs", "entry", "record")
TALK = (
    "The empty case decides the shape here, so I think about that first.",
    "One pass is enough if I keep what came before.",
    "I go by the examples and then look at the edges.",
    "There is a short way to say this in Python.",
    "Sorting is not the hard part; what happens at the border is.",
    "I would rather be plain than clever with this one.",
)


def program_task(rng: random.Random, place: int) -> Task:
    """A function to write; its number differs for 131 places."""
    name, ask, tests, right, wrong = rng.choice(_BANK)
    argument, number = rng.choice(NAMES), str(4 + place * 37 % 131)
    tests = tests.replace("NUM", number)
    asked = ask.replace("ARG", argument).replace("NUM", number)
    prompt = f"Write a Python function `{name}({argument})`. {asked}\nFor example:\n{tests.splitlines()[0]}"
    data = {"name": name, "argument": argument, "number": number, "right": right, "wrong": wrong, "tests": tests}
    return Task(f"fn-{place:04d}", name, prompt, tests, ease(rng), data=data)


def body(rng: random.Random, task: Task, right: bool) -> str:
    """The program alone."""
    inside = rng.choice(task.data["right" if right else "wrong"])
    inside = inside.replace("ARG", task.data["argument"]).replace("NUM", task.data["number"])
    lines = "\n".join("    " + line for line in inside.splitlines())
    return f"def {task.data['name']}({task.data['argument']}):\n{lines}"


def answer(rng: random.Random, task: Task, right: bool) -> str:
    """A few words and the program in a fence."""
    return f"{' '.join(rng.sample(TALK, rng.choice([1, 2, 2])))}\n```python\n{body(rng, task, right)}\n```"
