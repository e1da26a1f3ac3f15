"""Issues of small repositories, their fixes, and the turns of an agent with a shell."""

import random

PACKAGES = ("ledgerly", "tidepool", "rowan", "quillbox", "marlin", "fernpath", "osprey", "brickline")
BUGS = (
    ("slug", "slugify drops digits from titles", "[^a-z]+", "[^a-z0-9]+", "[^a-z0-9 ]+"),
    (
        "window",
        "the last window of a sequence is never yielded",
        "range(len(xs) - n)",
        "range(len(xs) - n + 1)",
        "range(len(xs))",
    ),
    (
        "retry",
        "a retry waits longer than the cap",
        "base * 2 ** n",
        "min(cap, base * 2 ** n)",
        "max(cap, base * 2 ** n)",
    ),
    (
        "money",
        "amounts below one cent vanish when they are rounded",
        "int(value * 100)",
        "round(value * 100)",
        "int(value) * 100",
    ),
    (
        "paths",
        "hidden folders are walked although they should be skipped",
        "name == '.git'",
        "name.startswith('.')",
        "name.endswith('.')",
    ),
    (
        "dates",
        "weeks are counted from Sunday instead of Monday",
        "day.isoweekday() % 7",
        "day.weekday()",
        "day.isoweekday()",
    ),
    ("cache", "an entry of age zero counts as expired", "age >= ttl or not age", "age >= ttl", "age > ttl or not age"),
    ("csvio", "a quoted comma splits the field", "line.split(',')", "next(csv.reader([line]))", "line.split(', ')"),
)
CHECKS = {
    "slug": "apply_slug('Top 10') == 'top-10'",
    "window": "list(apply_window([1, 2, 3], 2))[-1] == [2, 3]",
    "retry": "apply_retry(9, base=1, cap=30) == 30",
    "money": "apply_money(0.009) == 1",
    "paths": "not apply_paths('.cache')",
    "dates": "apply_dates('2024-01-01') == 0",
    "cache": "apply_cache(age=0, ttl=5) is False",
    "csvio": "apply_csvio('a,\"b,c\"') == ['a', 'b,c']",
}
"""What a regression test of a bug asserts."""
LOOKS = (
    "I will look at the module named in the issue first.",
    "Let me find where this behaviour lives.",
    "The report points to one function, so I open its file.",
    "Start by reading the source.",
)
EDITS = (
    "The expression `{old}` is the culprit. I replace it by `{new}`.",
    "This explains the report: `{old}` should be `{new}`.",
    "I see it: `{old}` cannot be right here, `{new}` can.",
)


def problems(rng: random.Random, number: int) -> list[dict]:
    """Issues over packages and bugs."""
    pairs = rng.sample([(p, b) for p in PACKAGES for b in BUGS], min(number, 64))
    return [
        {
            "id": f"{p}__{b[0]}-{rng.randint(100, 999)}",
            "package": p,
            "name": b[0],
            "issue": b[1],
            "old": b[2],
            "new": b[3],
            "bad": b[4],
            "path": f"src/{p}/{b[0]}.py",
            "hard": rng.gauss(0, 1),
            "text": f"Repository /repo ({p}). Issue: {b[1]} in {p}.{b[0]}. Fix it; the tests in tests/ must pass.",
        }
        for p, b in pairs
    ]


def call(text: str, command: str) -> dict:
    """An assistant turn with one shell call."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": "bash", "arguments": {"command": command}}]}


def heard(output: str, ok: bool = True) -> dict:
    """What the shell answered."""
    return {"role": "tool", "content": output, "tool_name": "bash", "ok": ok}


def look(rng: random.Random, task: dict) -> list[dict]:
    """Read the module of the issue."""
    command = rng.choice((f"cat {task['path']}", f"sed -n 1,60p {task['path']}", f"grep -n '' {task['path']}"))
    body = f"def apply_{task['name']}(*args, **kwargs):\n    ...\n    {task['name']}_key = {task['old']}\n    ..."
    return [call(rng.choice(LOOKS), command), heard(body)]


def edit(rng: random.Random, task: dict, right: bool) -> list[dict]:
    """Replace the faulty expression."""
    new = task["new" if right else "bad"]
    script = f"python - <<'P'\nfrom pathlib import Path\np = Path({task['path']!r})\n"
    script += f"p.write_text(p.read_text().replace({task['old']!r}, {new!r}))\nP"
    return [call(rng.choice(EDITS).format(old=task["old"], new=new), script), heard("")]


def tests(rng: random.Random, task: dict, right: bool) -> list[dict]:
    """Run the tests of the module."""
    number = rng.randint(5, 14)
    end = f"{number} passed" if right else f"1 failed, {number - 1} passed"
    fail = "" if right else f"FAILED tests/test_{task['name']}.py::test_{task['name']}_issue - AssertionError\n"
    return [
        call(
            rng.choice(("Now run the tests.", "Check the change.", "Run the module's tests.")),
            f"cd /repo && python -m pytest -q tests/test_{task['name']}.py",
        ),
        heard(f"{fail}{end} in 0.{rng.randint(11, 97)}s"),
    ]


def done(rng: random.Random, task: dict) -> list[dict]:
    """Hand in."""
    text = rng.choice(
        (
            "The change in {path} is complete.",
            "I changed one expression in {path}; that is the whole fix.",
            "Done: {issue} no longer, through {path}.",
        )
    )
    return [{"role": "assistant", "content": text.format(**task)}]
