"""Chores in repositories: what is broken in which file, and an agent that reads, edits and tests."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task, say, told

REPOS = ["gridcal", "tidepool", "ledgerline", "papermill-x", "hopwise", "snowgauge"]
FAULTS = [
    ("dates.py", "parse_day", "day.split('/')", "day.strip().split('/')", "dates with blanks around them raise"),
    ("retry.py", "backoff", "delay * tries", "delay * 2 ** tries", "the delay grows by addition only"),
    ("pages.py", "last_page", "total // size", "-(-total // size)", "the last page is cut off"),
    ("units.py", "to_feet", "metres * 3.2", "metres * 3.28084", "heights come out too small"),
    ("cache.py", "expired", "age > limit", "age >= limit", "entries live one second too long"),
    ("names.py", "slug", "name.lower()", "name.lower().replace(' ', '-')", "slugs hold blanks"),
    (
        "stats.py",
        "median",
        "values[len(values) // 2]",
        "sorted(values)[len(values) // 2]",
        "the median needs sorted input",
    ),
    ("money.py", "net", "round(gross / 1.19)", "round(gross / 1.19, 2)", "cents are lost"),
    ("paths.py", "join", "a + '/' + b", "a.rstrip('/') + '/' + b", "paths hold two slashes"),
    ("queue.py", "pop_next", "items.pop()", "items.pop(0)", "the newest job runs first"),
]
SHOWS = {
    "parse_day": "parse_day(' 3/4 ')[0] == '3'",
    "backoff": "backoff(delay=1, tries=4) == 16",
    "last_page": "last_page(total=21, size=10) == 3",
    "to_feet": "round(to_feet(1000)) == 3281",
    "expired": "expired(age=60, limit=60)",
    "slug": "slug('Old Mill') == 'old-mill'",
    "median": "median([9, 1, 5]) == 5",
    "net": "net(10) == 8.4",
    "join": "join('a/', 'b') == 'a/b'",
    "pop_next": "pop_next([1, 2, 3]) == 1",
}
"""What a test that shows the fault asserts."""
LOOK = ["I open the file first.", "Let me read the function that the report names.", "First I look at the code."]
CAUSE = ["The cause is this expression:", "That explains the report:", "So the culprit is", "It must be this:"]
DONE = [
    "The suite is green, so I hand it in.",
    "All pass; the change is small and local.",
    "Done, nothing else was touched.",
]


def chores(rng: Random, number: int, name: str = "fix") -> list[Task]:
    """Reports of a fault in a repository."""
    out = []
    for i in range(number):
        file, func, old, new, what = rng.choice(FAULTS)
        repo, ticket = rng.choice(REPOS), rng.randint(100, 999)
        prompt = f"Repository {repo}, ticket {ticket}: in src/{file}, {func}() misbehaves: {what}. Please fix it."
        data = {"file": file, "func": func, "old": old, "new": new, "repo": repo, "what": what, "ticket": ticket}
        out.append(Task(f"{name}-{i:03d}", prompt, "", rng.gauss(0, 0.8), repo, data))
    return out


def work(rng: Random, task: Task, right: bool) -> list[dict]:
    """Turns of an agent that reads the file, edits it and runs the tests; a wrong one leaves a test failing."""
    d = task.data
    file, tests = f"src/{d['file']}", f"tests/test_{d['file']}"
    new = d["new"] if right else rng.choice([f"({d['old']})", d["old"] + "  # checked", f"str({d['old']})"])
    passed = rng.randint(9, 40)
    turns = [
        say(rng.choice(LOOK), read_file={"path": file}),
        told("read_file", f"def {d['func']}(*args):\n    ...\n    return {d['old']}\n"),
        say(
            f"{rng.choice(CAUSE)} `{d['old']}`, since {d['what']}.",
            edit_file={"path": file, "old": d["old"], "new": new},
        ),
        told("edit_file", f"1 replacement in {file}"),
        say("Now the tests of this module.", run={"command": f"pytest -q {tests}"}),
    ]
    if right:
        return [*turns, told("run", f"{passed} passed in 0.{passed}s"), say(rng.choice(DONE))]
    bad = f"FAILED {tests}::test_{d['func']} - AssertionError\n1 failed, {passed} passed"
    end = rng.choice(
        ["One test still fails, and I do not see why. I hand in what I have.", "I leave it at this state."]
    )
    return [*turns, told("run", bad, ok=False), say(end)]
