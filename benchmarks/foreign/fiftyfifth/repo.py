"""Repositories with one bug each: an agent lists, reads, edits, runs the tests and hands in."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, call, pick, say, told

SYSTEM = (
    "You fix one issue in the repository under /workspace. Tools: list_files, read_file, edit_file, run_tests, shell. "
    "Finish with a short message when the fix is in place. Hidden tests decide."
)
NOUNS = ("orders", "invoices", "tickets", "readings", "parcels", "bookings", "shipments", "badges", "meters", "claims")
BUGS = (
    ("paginate", "xs, page, size", "start = page * size", "start = (page - 1) * size", "start = page * size - 1",
     "return xs[start : start + size]", "Page 1 skips the first entries, pages are counted from 1."),
    ("windows", "xs, size", "last = len(xs) - size", "last = len(xs) - size + 1", "last = len(xs) - 1",
     "return [xs[i : i + size] for i in range(last)]", "The last sliding window is always missing."),
    ("discount", "xs, percent", "factor = 1 - percent", "factor = 1 - percent / 100", "factor = percent / 100",
     "return [x * factor for x in xs]", "A discount of 15 percent gives negative prices."),
    ("clamp", "xs, low, high", "bound = low", "bound = high", "bound = high - low",
     "return [max(low, min(bound, x)) for x in xs]", "Every value comes out as low, whatever it was."),
    ("middle", "xs, size", "at = len(xs) // 2 - 1", "at = len(xs) // 2", "at = len(xs) - 2",
     "return sorted(xs)[at]", "For an odd number of entries the median is one place too low."),
    ("retry", "xs, limit", "tries = range(limit - 1)", "tries = range(limit)", "tries = range(1, limit)",
     "return [xs[0] for _ in tries]", "One attempt fewer than the configured limit is made."),
    ("chunk", "xs, size", "count = len(xs) // size", "count = -(-len(xs) // size)", "count = len(xs) // size + 1",
     "return [xs[i * size : (i + 1) * size] for i in range(count)]", "A last chunk that is not full gets lost."),
)  # fmt: skip


def problem(rng: random.Random, number: int) -> Problem:
    """An issue in a small project."""
    verb, params, bad, good, poor, rest, issue = rng.choice(BUGS)
    noun, other = rng.sample(NOUNS, 2)
    package = rng.choice(("depot", "harbour", "ledger", "quarry", "beacon", "orchard")) + str(rng.randint(2, 99))
    name = f"{verb}_{noun}"
    text = (
        f'"""Helpers for {noun} and {other}."""\n\n\ndef count_{other}(xs):\n    return len([x for x in xs if x])\n\n\n'
        f"def {name}({params}):\n    {bad}\n    {rest}\n"
    )
    seen = pick(rng, "Seen in production since the last release.", "A customer reported it.", "Found in review.")
    data = {"name": name, "bad": bad, "good": good, "poor": poor, "package": package, "noun": noun, "text": text,
            "path": f"{package}/{noun}.py", "test": f"tests/test_{noun}.py", "rest": rest,
            "params": params.split(", ")}  # fmt: skip
    prompt = f"Repository: {package}\n\nIssue: `{name}` is wrong. {issue} {seen} Please fix it in {data['path']}."
    return Problem(f"{package}-{number}", verb, SYSTEM, prompt, good, data)


def look(rng: random.Random, problem: Problem) -> list[dict]:
    """The agent finds its way to the file."""
    d = problem.data
    listing = f"README.md\npyproject.toml\n{d['package']}/__init__.py\n{d['path']}\n{d['test']}"
    first = pick(
        rng, f"Let me see how {d['package']} is laid out.", "First the layout of the project.", "From the root."
    )
    then = pick(
        rng,
        f"`{d['name']}` should be in {d['path']}; I read it.",
        f"The issue names {d['noun']}, so I open {d['path']}.",
        f"Now the source of `{d['name']}`.",
    )
    return [
        call(first, "list_files", path="."),
        told("list_files", listing),
        call(then, "read_file", path=d["path"]),
        told("read_file", d["text"]),
    ]


def edit(rng: random.Random, problem: Problem, right: bool) -> list[dict]:
    """The agent changes the line that it holds for the cause."""
    d = problem.data
    new = d["good"] if right else d["poor"]
    why = pick(
        rng,
        f"The line `{d['bad']}` does not do what the issue describes. With `{new}` the result follows.",
        f"Tracing `{d['name']}` by hand on three entries, the trouble starts at `{d['bad']}`. I change it to `{new}`.",
        f"In `{d['name']}` I suspect `{d['bad']}`. Everything after it is fine, so only this line changes.",
    )
    return [
        call(why, "edit_file", path=d["path"], old=d["bad"], new=new),
        told("edit_file", f"{d['path']}: 1 replacement"),
    ]


def test(rng: random.Random, problem: Problem, passes: bool) -> list[dict]:
    """The agent runs the visible tests."""
    d, count = problem.data, rng.randint(3, 9)
    seconds = rng.randint(11, 95) / 100
    failed = f"FAILED {d['test']}::test_{d['name']} - AssertionError\n1 failed, {count - 1} passed in {seconds}s"
    say_so = pick(rng, "I run the tests of this module.", "Does the suite agree?", f"Checking with {d['test']}.")
    return [
        call(say_so, "run_tests", path=d["test"]),
        told("run_tests", f"{count} passed in {seconds}s" if passes else failed, passes),
    ]


def close(rng: random.Random, problem: Problem, passes: bool, tested: bool = True) -> dict:
    """The last message."""
    d = problem.data
    if not tested:
        done = f"I changed `{d['name']}` in {d['path']}; I have not run the tests."
        return say(pick(rng, done, f"The change for {d['noun']} should do what the issue asks."))
    if passes:
        return say(
            pick(
                rng, f"Fixed `{d['name']}` in {d['path']}; its tests pass.", f"Done: one line of {d['path']} was wrong."
            )
        )
    return say(
        pick(
            rng,
            f"I changed `{d['name']}` as described, though test_{d['name']} still fails; I could not find out why.",
            f"My change to {d['path']} is in place. One test is still red, perhaps it expects the old behaviour.",
        )
    )


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """One attempt; a wrong one changes the line to something else that does not help."""
    messages = look(rng, problem) + edit(rng, problem, right)
    tested = right or rng.random() < 0.7
    if tested:
        messages += test(rng, problem, right)
    messages.append(close(rng, problem, right, tested))
    return messages, problem.data["good" if right else "poor"]
