"""Repositories with a bug: agents that search, edit, test and hand in."""

import random

from benchmarks.foreign.thirtyninth.policy import Problem, call, say, tool

BUGS = (
    (
        (
            "slots",
            "free_slots",
            "if start <= end:",
            "if start < end:",
            "a booking that ends when the next begins",
            "3",
            "2",
        ),
        "def free_slots(day):\n    found = []\n    for end, start in day.gaps():\n        if start <= end:\n"
        "            continue\n        found.append((end, start))\n    return found",
        ("if end <= start:", "if start <= end and found:"),
    ),
    (
        (
            "fees",
            "late_fee",
            "days * rate",
            "max(0, days - grace) * rate",
            "books returned within the grace period",
            "0",
            "4",
        ),
        "def late_fee(days, rate, grace=3):\n    if days < 0:\n        raise ValueError(days)\n    return days * rate",
        ("max(0, days) * rate", "(days + grace) * rate"),
    ),
    (
        (
            "routes",
            "merge_stops",
            "stops + extra",
            "list(dict.fromkeys(stops + extra))",
            "a stop on both lists",
            "5",
            "6",
        ),
        "def merge_stops(stops, extra):\n    if not extra:\n        return stops\n    return stops + extra",
        ("list(stops) + list(extra)", "sorted(stops + extra)"),
    ),
    (
        ("labels", "short_label", "text[:width]", "text[:width].rstrip()", "a label cut at a blank", "'oak'", "'oak '"),
        "def short_label(text, width=4):\n    if len(text) <= width:\n        return text\n    return text[:width]",
        ("text.lstrip()[:width]", "text[: width + 1]"),
    ),
    (
        ("crates", "pack", "weight > limit", "weight + crate.weight > limit", "a crate that is nearly full", "3", "2"),
        "def pack(crates, limit):\n    loads, weight = [[]], 0\n    for crate in crates:\n        if weight > limit:\n"
        "            loads.append([])\n            weight = 0\n        loads[-1].append(crate)\n"
        "        weight += crate.weight\n    return loads",
        ("weight > limit + 1", "crate.weight > limit"),
    ),
    (
        ("quotas", "share", "total // people", "round(total / people)", "a total that does not divide", "4", "3"),
        "def share(total, people):\n    if people == 0:\n        return 0\n    return total // people",
        ("int(total / people)", "total // max(1, people)"),
    ),
)
OWNERS = ("harbour", "orchard", "clinic", "tramway", "library", "bakery", "theatre", "quarry", "ferry", "school")
LOOKS = (
    "I look for {function} first.",
    "The report speaks of {function}, so that is where I begin.",
    "Let me see where {function} is defined.",
    "First I want to read the code around {function}.",
)
FIXES = (
    "The condition does not cover {case}; I change that line.",
    "This is the line: it treats {case} wrongly.",
    "So {case} is what goes wrong here, and one line decides it.",
    "Only one line of {function} has to change.",
    "I see: nothing in {function} accounts for {case}.",
    "A small edit in {path} should do.",
)
BODIES = ("Now the body.", "I read the lines of {function}.", "What does it do there?", "The function itself, then.")
RUNS = (
    "I run the tests of the module.",
    "Now {test}.",
    "Does the test for {function} agree?",
    "Time to check with pytest.",
)
LASTS = (
    "{function} now handles {case}; the tests of {package} were run.",
    "I changed one line of {path} so that {case} works.",
    "Done: {case} is handled in {function}.",
    "The edit is in {path}, nothing else was touched.",
    "I leave it at this one line in {function}.",
    "The issue about {case} should be closed by this.",
)


def bug(rng: random.Random, number: int) -> Problem:
    """One bug of a package, as its issue tells it."""
    (module, function, old, new, case, wanted, got), body, wrong = BUGS[number % len(BUGS)]
    package = OWNERS[(number // len(BUGS)) % len(OWNERS)]
    v = {
        "module": module,
        "function": function,
        "old": old,
        "new": new,
        "case": case,
        "wanted": wanted,
        "got": got,
        "package": package,
        "path": f"{package}/{module}.py",
        "test": f"tests/test_{module}.py",
        "line": rng.randint(14, 120),
        "body": body,
        "wrong": wrong,
    }
    text = (
        f"Repository {package}-tools. Issue #{rng.randint(20, 900)}: {function} is wrong for {case}. "
        f"Expected {wanted}, got {got}. Please fix it."
    )
    return Problem(f"{package}-{module}-{number}", module, text, f"{old} -> {new}", rng.gauss(0, 0.8), parts={"v": v})


def wrong_line(draw: random.Random, v: dict) -> str:
    """An edit that looks like a fix and is none."""
    return draw.choice(v["wrong"])


def look(draw: random.Random, v: dict) -> list[dict]:
    """Search for the function and read it."""
    return [
        call(draw.choice(LOOKS).format(**v), "bash", command=f"grep -rn 'def {v['function']}' {v['package']}"),
        tool("bash", f"{v['path']}:{v['line']}:def {v['function']}("),
        call(draw.choice(BODIES).format(**v), "bash", command=f"sed -n '{v['line']},{v['line'] + 9}p' {v['path']}"),
        tool("bash", v["body"]),
    ]


def change(draw: random.Random, v: dict, line: str) -> list[dict]:
    """Edit the line."""
    return [
        call(draw.choice(FIXES).format(**v), "str_replace", path=v["path"], old_str=v["old"], new_str=line),
        tool("str_replace", f"{v['path']}: 1 replacement made"),
    ]


def test(draw: random.Random, v: dict, passes: bool, said: str = "") -> list[dict]:
    """Run the tests that the repository has."""
    seconds = draw.randint(2, 90) / 10
    failed = f"FAILED {v['test']}::test_{v['function']} - assert {v['got']} == {v['wanted']}"
    failed += f"\n1 failed, 7 passed in {seconds}s"
    return [
        call(said or draw.choice(RUNS).format(**v), "bash", command=f"python -m pytest -q {v['test']}"),
        tool("bash", f"8 passed in {seconds}s" if passes else failed, passes),
    ]


def close(draw: random.Random, v: dict) -> list[dict]:
    """Say what was done."""
    return [say(draw.choice(LASTS).format(**v))]


def episode(draw: random.Random, problem: Problem, right: bool) -> list[dict]:
    """A usual episode: look, edit, test, hand in."""
    v = problem.parts["v"]
    turns = look(draw, v)
    if draw.random() < 0.3:
        turns += test(draw, v, False, "First I reproduce it.")
    turns += change(draw, v, v["new"] if right else wrong_line(draw, v))
    turns += test(draw, v, right)
    return turns + close(draw, v)
