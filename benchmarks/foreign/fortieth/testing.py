"""Functions without tests, and agents that write some."""

import random

from benchmarks.foreign.fortieth.policy import Attempt
from benchmarks.foreign.fortieth.tasks import Task, pick_id
from benchmarks.foreign.fortieth.turns import Talk

SOURCES = (
    ("clamp", "def clamp(x, low, high):\n    return max(low, min(x, high))\n",
     ("clamp({k}, 0, 9) == {c9}", "clamp(-{k}, 0, 9) == 0"), ("clamp(5, 0, 9) == 5",)),
    ("chunks", "def chunks(items, n):\n    return [items[i:i + n] for i in range(0, len(items), n)]\n",
     ("chunks([1, 2, 3], 2) == [[1, 2], [3]]", "chunks([], {k}) == []"), ("chunks([1, 2], 2) == [[1, 2]]",)),
    ("initials", "def initials(name):\n    return ''.join(w[0].upper() for w in name.split())\n",
     ("initials('ada king') == 'AK'", "initials('  noor  de wit ') == 'NDW'"), ("len(initials('ada')) == 1",)),
    ("fare", "def fare(km):\n    return 3 if km <= 2 else 3 + 2 * (km - 2)\n",
     ("fare(2) == 3", "fare({k}) == {f}"), ("fare(1) == 3",)),
    ("leap", "def leap(y):\n    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)\n",
     ("leap(2000)", "not leap(1900)"), ("leap(2024)",)),
)  # fmt: skip
PACKAGES = ("routing", "billing", "tariffs", "roster", "stock", "library", "kiosk")


def untested(rng: random.Random) -> Task:
    """A function of a package that has no tests."""
    name, source, strong, weak = rng.choice(SOURCES)
    k, package = rng.randint(4, 30), rng.choice(PACKAGES)
    values = {"k": k, "c9": min(k, 9), "f": 3 + 2 * (k - 2)}
    prompt = (
        f"Write tests for `{name}` in src/{package}/{name}.py. Put them into tests/test_{name}.py, keep src/ as is."
        " They are graded by the mutants that they kill."
    )
    extra = {"name": name, "source": source, "package": package, "weak": list(weak)}
    extra["strong"] = [s.format(**values) for s in strong]
    return Task(pick_id(rng, "cov"), prompt, "", [], [], (), "tests", rng.uniform(-0.5, 0.5), extra)


def cover(rng: random.Random, a: Attempt) -> Attempt:
    """Reads the function, writes tests, runs them."""
    e, talk = a.task.extra, Talk()
    name, path = e["name"], f"tests/test_{e['name']}.py"
    said = rng.choice((f"I read {name} first.", "What does the function do?", f"Let me see src/{e['package']}."))
    talk.call(said, "read_file", {"path": f"src/{e['package']}/{name}.py"}, e["source"])
    checks = rng.sample(e["strong"], 2) + (e["weak"] if rng.random() < 0.5 else []) if a.right else e["weak"]
    titles = rng.sample(("edges", "usual", "limits", "small", "plain", "corner"), len(checks))
    body = "\n\n".join(f"def test_{t}():\n    assert {c}" for t, c in zip(titles, checks, strict=True))
    content = f"from {e['package']}.{name} import {name}\n\n\n{body}\n"
    plan = rng.choice(
        ("Edges matter more than the middle.", "I cover each branch.", "Two cases tell most mutants apart.")
    )
    said = plan if a.right else rng.choice(("One case shows that it works.", "A simple check will do."))
    talk.call(said, "write_file", {"path": path, "content": content}, f"wrote {len(content)} characters to {path}")
    count = len(checks)
    talk.call(rng.choice(("Run them.", "Do they pass?")), "run_tests", {"path": path}, f"{count} passed in 0.0{count}s")
    a.answer = path
    closing = rng.choice(
        (f"{path} holds {count} tests and all pass.", f"Done: {count} tests for {name}.", f"{name} is covered.")
    )
    return talk.say(closing).into(a)
