"""Repairs in small repositories."""

from random import Random

from benchmarks.foreign.seventh.prose import say, token
from benchmarks.foreign.seventh.rollouts import Reply, Task, call, said, told

_BUGS = {
    "inclusive_end": (
        "        for day in range(start, end):",
        "        for day in range(start, end + 1):",
        "        for day in range(start + 1, end + 1):",
        "the last day is missing from {thing}s",
    ),
    "default_list": (
        "    def __init__(self, {thing}s=[]):\n        self.{thing}s = {thing}s",
        "    def __init__(self, {thing}s=None):\n        self.{thing}s = list({thing}s or ())",
        "    def __init__(self, {thing}s=()):\n        self.{thing}s = {thing}s",
        "{thing}s of one object show up in another",
    ),
    "case": (
        "        return self._{thing}s.get(name)",
        "        return self._{thing}s.get(name.casefold())",
        "        return self._{thing}s.get(name.upper())",
        "look-up of a {thing} depends on letter case although keys are stored in lower case",
    ),
    "rounding": (
        "        return int(total / count)",
        "        return round(total / count)",
        "        return int(total / count) + 1",
        "the mean of {thing}s is always rounded down",
    ),
    "zero": (
        "        if not limit:\n            limit = 50",
        "        if limit is None:\n            limit = 50",
        "        if limit == '':\n            limit = 50",
        "a limit of 0 {thing}s is treated as no limit",
    ),
    "encoding": (
        "        with open(path) as handle:",
        '        with open(path, encoding="utf-8") as handle:',
        '        with open(path, encoding="ascii") as handle:',
        "{thing} files with accents cannot be read on Windows",
    ),
    "sort": (
        "        return sorted(self.{thing}s, key=lambda e: str(e.size))",
        "        return sorted(self.{thing}s, key=lambda e: e.size)",
        "        return sorted(self.{thing}s, key=lambda e: e.name)",
        "{thing}s are ordered 1, 10, 2",
    ),
    "strip": (
        "        key, value = line.split('=')",
        "        key, value = line.split('=', 1)",
        "        key, value = line.rsplit('=', 1)",
        "a {thing} whose value holds '=' ends in ValueError",
    ),
}
_THINGS = (
    "bill", "booking", "ticket", "session", "parcel", "sensor", "recipe", "ledger", "shift", "voucher", "report",
    "track",
)  # fmt: skip
_PACKAGES = ("ledgerly", "harbour", "tidepool", "quillet", "rostrum", "fernlog", "packhorse", "brightbox", "almanac")


def numbered(lines: list[str], first: int) -> str:
    """Return lines with their numbers."""
    return "\n".join(f"{first + i:4d}\t{line}" for i, line in enumerate(lines))


def test_report(passed: int, failed: list[str], seconds: float) -> str:
    """Return the end of a run of pytest."""
    shown = "".join(f"FAILED {name} - AssertionError\n" for name in failed)
    counts = (f"{len(failed)} failed, " if failed else "") + f"{passed} passed"
    return f"{'.' * passed}{'F' * len(failed)}\n{shown}{counts} in {seconds:.2f}s"


def repaired(rng: Random, right: bool, bug: str, thing: str, package: str, size: tuple[int, int]) -> Reply:
    """Return a reply that looks for the line, edits it, runs the tests and closes."""
    old, good, bad, _ = (part.format(thing=thing) for part in _BUGS[bug])
    path, (first, total) = f"src/{package}/{thing}s.py", size
    new = good if right else bad
    word = old.strip().split("(")[0].split(" ")[-1].strip("'\"")[:18]
    look = say(rng, f"[grep -rn '{word}' src|ls src/{package}|grep -rn '{thing}' src/{package} --include=*.py -l]")
    listing = (
        f"{path}:{first}:{old.splitlines()[0]}" if "grep -rn '" + word in look else f"src/{package}/__init__.py\n{path}"
    )
    body = [f"    # {thing} handling", *old.splitlines(), ""]
    messages = [
        call(say(rng, "[Let me look around.|First I locate the code.|]"), "bash", command=look),
        told("bash", listing),
    ]
    messages += [call("", "view", path=path, start=first - 1), told("view", numbered(body, first - 1))]
    if rng.random() < 0.4:
        test = f"tests/test_{thing}s.py"
        messages += [
            call("Reproduce it.", "bash", command=f"python -m pytest -q {test}"),
            told("bash", test_report(total - 1, [f"{test}::test_{bug}"], rng.uniform(0.2, 3))),
        ]
    if rng.random() < 0.15:
        messages += [
            call("", "edit", path=path, old=old.strip() + "  ", new=new.strip()),
            told("edit", "error: old text not found", False),
        ]
    messages += [
        call(say(rng, "[The cause is clear.|Here is the culprit.|]"), "edit", path=path, old=old, new=new),
        told("edit", f"edited {path}"),
    ]
    if rng.random() < 0.7:
        failed = [] if right else [f"tests/test_{thing}s.py::test_{bug}"]
        messages += [
            call(say(rng, "[Run the tests.|Check.|]"), "bash", command="python -m pytest -q"),
            told("bash", test_report(total - len(failed), failed, rng.uniform(0.5, 9))),
        ]
    messages.append(
        said(
            say(
                rng,
                f"[I changed {path}: one place.|Fixed in {path}; the rest is as it was.|The fix is in {path}."
                f"|Done. Only {path} is touched.]",
            )
        )
    )
    return Reply(
        messages, new.strip(), {"commit": token(rng, 10), "hidden_tests": "passed" if right else f"failed: test_{bug}"}
    )


def repository_task(rng: Random, name: str) -> Task:
    """Draw an issue with one wrong line."""
    bug, thing, package = rng.choice(list(_BUGS)), rng.choice(_THINGS), rng.choice(_PACKAGES)
    report = _BUGS[bug][3].format(thing=thing)
    ticket, size = rng.randint(12, 2400), (rng.randint(12, 140), rng.randint(9, 30))
    prompt = say(
        rng,
        f"Repository {package}, issue #{ticket}: {report}. "
        "[Please fix it.|Find and repair the cause.|Fix the bug; hidden tests will check.]",
    )
    gold = _BUGS[bug][1].format(thing=thing).strip()
    return Task(
        name,
        bug,
        "swe",
        prompt,
        gold,
        lambda r, ok: repaired(r, ok, bug, thing, package, size),
        "You work in /repo with the tools bash, view and edit.",
        rng.gauss(0.1, 0.8),
        {"suite_size": size[1]},
        identity=bug + thing + package,
    )
