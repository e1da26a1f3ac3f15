"""Issues in small repositories: agents that search, read, edit and test."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem

PACKAGES = ("ledgerkit", "routemap", "mailfold", "gridplot", "tinycache", "calparse", "unitbox", "webqueue")
MODULES = ("core", "dates", "store", "parser", "limits", "format", "paths", "retry")
BUGS = {
    "bound": ("`{f}` drops the last item when the size is {k}", "range(n - 1)", "range(n)"),
    "none": ("`{f}` fails with a TypeError when `{arg}` is None", "len({arg})", "len({arg} or ())"),
    "case": ("`{f}` treats upper and lower case names as different", "key = {arg}", "key = {arg}.lower()"),
    "zero": ("`{f}` divides by zero when all of {k} weights are 0", "total / weight", "total / (weight or 1)"),
    "order": ("`{f}` returns newest first, the manual says oldest first", "reverse=True", "reverse=False"),
}
VERBS = ("load", "merge", "split", "render", "collect", "resolve", "pack", "count")
NOUNS = ("entries", "pages", "tokens", "routes", "records", "slots", "names", "frames")
SYSTEM = "You work in a checkout of a repository. Tools: bash(command), edit(path, old, new), submit(). Fix the issue."
LOOK = ("I start by finding {f}.", "Where is {f} defined?", "Let me search for {f} in {pkg}.")
READ = ("The function is in {path}; I read it.", "Now the code around it.", "I look at {path}.")
PLAN = (
    "The cause is `{old}`.",
    "`{old}` does not cover what the issue says.",
    "So the line with `{old}` has to change.",
)
TEST = ("I run the tests of {mod}.", "Let me see whether the tests pass.", "Now the test file for {mod}.")
END = ("The fix is in {path}, and {f} does what the issue asks.", "Done, {path} is changed.", "I hand this in.")


def issues(rng: random.Random, amount: int, prefix: str = "iss") -> list[Problem]:
    """Different issues."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        pkg, mod, kind = rng.choice(PACKAGES), rng.choice(MODULES), rng.choice(list(BUGS))
        v = {
            "pkg": pkg,
            "mod": mod,
            "f": f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}",
            "arg": rng.choice(("name", "item")),
        }
        v |= {"path": f"{pkg}/{mod}.py", "k": rng.randint(1, 9), "line": rng.randint(12, 140)}
        title, old, new = (part.format(**v) for part in BUGS[kind])
        v |= {"old": old, "new": new}
        text = f"Repository {pkg}. Issue: {title}.\nPlease correct it; tests/test_{mod}.py should keep passing."
        out.setdefault(text, Problem(f"{prefix}{len(out):04d}", text, "", kind, rng.gauss(0.2, 0.8), SYSTEM, v))
    return list(out.values())


def bash(text: str, command: str) -> dict:
    """A message that runs a command."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": "bash", "arguments": {"command": command}}]}


def tool(text: str) -> dict:
    """What a tool answers."""
    return {"role": "tool", "content": text}


def edit(text: str, path: str, old: str, new: str) -> dict:
    """A message that edits a file."""
    arguments = {"path": path, "old": old, "new": new}
    return {"role": "assistant", "content": text, "tool_calls": [{"name": "edit", "arguments": arguments}]}


def find(rng: random.Random, v: dict) -> list[dict]:
    """Search the function and read it."""
    shown = f"def {v['f']}({v['arg']}, n):\n    weight, total = 0, 0\n    # ...\n    {v['old']}\n    return total"
    return [
        bash(rng.choice(LOOK).format(**v), f"grep -rn 'def {v['f']}' {v['pkg']}"),
        tool(f"{v['path']}:{v['line']}:def {v['f']}({v['arg']}, n):"),
        bash(rng.choice(READ).format(**v), f"sed -n '{v['line']},{v['line'] + 20}p' {v['path']}"),
        tool(shown),
    ]


def finish(rng: random.Random, v: dict) -> list[dict]:
    """Hand in."""
    message = {"role": "assistant", "content": rng.choice(END).format(**v)}
    return [{**message, "tool_calls": [{"name": "submit", "arguments": {}}]}]


def tests(rng: random.Random, v: dict, failed: int = 0) -> list[dict]:
    """Run the tests."""
    n, seconds = rng.randint(4, 19), round(rng.uniform(0.1, 1.9), 2)
    said = f"{failed} failed, {n} passed in {seconds}s" if failed else f"{n} passed in {seconds}s"
    return [bash(rng.choice(TEST).format(**v), f"python -m pytest -q tests/test_{v['mod']}.py"), tool(said)]


def change(rng: random.Random, v: dict, new: str) -> list[dict]:
    """Change the line."""
    return [edit(rng.choice(PLAN).format(**v), v["path"], v["old"], new), tool(f"edited {v['path']}")]


def repair(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """An episode; a wrong one changes the line in a way that does not help."""
    v = problem.data
    new = v["new"]
    if not right:
        new = rng.choice((f"{v['old']}  # checked", f"({v['old']})", f"{v['old']}  # see issue"))
    messages = [*find(rng, v), *change(rng, v, new)]
    if rng.random() < 0.4 + 0.5 * progress:
        messages += tests(rng, v)
    return Draft([*messages, *finish(rng, v)], new, right)
