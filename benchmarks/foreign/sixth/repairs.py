"""A world of small repositories with a bug that an agent repairs: it looks, edits, runs the tests and hands in."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.sixth.calls import Talk
from benchmarks.foreign.sixth.runs import Message, Problem, system, user


@dataclass(frozen=True)
class Bug:
    """A module with one bad line, the line that repairs it, and one that does not."""

    path: str
    asked: str
    head: str
    bad: str
    good: str
    useless: str
    check: Callable[[int, int, int], str]
    """An assertion that holds for the repaired module, of three positive numbers."""


BUGS = (
    Bug(
        "cart/totals.py",
        "Vouchers are applied twice when the cart has more than {n} lines",
        "def total(lines, voucher):",
        "    return sum(lines) - voucher - voucher",
        "    return sum(lines) - voucher",
        "    return sum(lines) - 2 * voucher",
        lambda a, b, c: f"total([{a}, {b}, 30], {c}) == {a + b + 30 - c}",
    ),
    Bug(
        "feeds/parse.py",
        "Dates before year {n} lose their leading zero in the exported feed",
        "def stamp(y, m, d):",
        "    return f'{y}-{m}-{d}'",
        "    return f'{y:04d}-{m:02d}-{d:02d}'",
        "    return f'{y}-{m:02d}-{d}'",
        lambda a, b, c: f"stamp({a * 35}, {b}, {c}) == '{a * 35:04d}-{b:02d}-{c:02d}'",
    ),
    Bug(
        "geo/tiles.py",
        "Tiles at zoom {n} are shifted by one column to the east",
        "def column(lon, zoom):",
        "    return int((lon + 180) / 360 * 2**zoom) + 1",
        "    return int((lon + 180) / 360 * 2**zoom)",
        "    return round((lon + 180) / 360 * 2**zoom) + 1",
        lambda a, b, c: f"column({a}, {b}) == {int((a + 180) / 360 * 2**b)}",
    ),
    Bug(
        "mailer/queue.py",
        "With {n} workers a message is sometimes sent twice",
        "def take(queue):",
        "    return queue[0]",
        "    return queue.pop(0)",
        "    return queue[-1]",
        lambda a, b, c: f"take(queue := [{a}, {b}, {c}]) == {a} and queue == [{b}, {c}]",
    ),
    Bug(
        "audio/gain.py",
        "Files louder than -{n} dB are clipped instead of scaled",
        "def scale(samples, peak):",
        "    return [min(s, peak) for s in samples]",
        "    return [s * peak / max(samples) for s in samples]",
        "    return [max(s, peak) for s in samples]",
        lambda a, b, c: f"scale([{a}, {2 * a}], {2 * c}) == [{c}.0, {2 * c}.0]",
    ),
    Bug(
        "auth/tokens.py",
        "Tokens stay valid for {n} seconds after they have expired",
        "def is_valid(now, expires, skew):",
        "    return now < expires + skew",
        "    return now < expires",
        "    return now <= expires + skew",
        lambda a, b, c: f"not is_valid({a + b}, {a}, {b + c}) and is_valid({a}, {a + b}, {c})",
    ),
    Bug(
        "text/wrap.py",
        "Lines of exactly {n} characters are broken in two",
        "def fits(line, width):",
        "    return len(line) < width",
        "    return len(line) <= width",
        "    return len(line) + 1 < width",
        lambda a, b, c: f"fits('{'x' * (b + 1)}', {b + 1}) and not fits('{'y' * (b + 2)}', {b + 1})",
    ),
    Bug(
        "stats/rank.py",
        "With {n} equal scores the first rank is never given",
        "def rank(scores, mine):",
        "    return sum(s >= mine for s in scores)",
        "    return 1 + sum(s > mine for s in scores)",
        "    return 1 + sum(s >= mine for s in scores)",
        lambda a, b, c: f"rank([{a}, {a}, {a + b}], {a}) == 2 and rank([{a}, {a}], {a + c}) == 1",
    ),
)
TOOLS = "You work in the repository at /repo. Tools: bash(command), edit(path, old, new), submit()."
_PROMPT = f"{TOOLS} Repair the issue; the tests are run after you submit."
_LOOK = {
    "grep -rn '{f}' .": "./{p}:1:{h}\n./{t}:3:from {m} import {f}",
    "ls -R | head -40": ".:\nREADME.md\nsetup.cfg\n{d}\ntests\n\n./{d}:\n__init__.py\n{b}\n\n./tests:\n{t}",
    "git status --short && ls": "README.md\n{d}\nsetup.cfg\ntests",
    "cat setup.cfg; ls {d}": "[metadata]\nname = {d}\nversion = 0.4.1\n__init__.py\n{b}",
}
_THOUGHTS = ("Let me find the code.", "I look around first.", "Where is this handled?", "")
_PLANS = ("This line is wrong.", "The issue comes from here.", "That explains the report.", "I change one line.")


def draw_repair(rng: Random, number: int) -> Problem:
    """Draw a repository's issue."""
    bug = rng.choice(BUGS)
    name = bug.path.split("/")[0]
    asked = f"[{name} #{rng.randint(100, 4000)}] {bug.asked.format(n=rng.randint(2, 40))}. Please repair it."
    facts = {"bug": bug, "test": f"tests/test_{bug.path.split('/')[1]}", "dir": name}
    return Problem(f"{name}-{number:04d}", [system(_PROMPT), user(asked)], bug.good, rng.gauss(0, 0.9), facts)


def look(rng: Random, problem: Problem, talk: Talk) -> None:
    """Add the calls that find the bug."""
    bug, facts = problem.facts["bug"], problem.facts
    function, module = bug.head.split("(")[0].removeprefix("def "), bug.path.removesuffix(".py").replace("/", ".")
    named = {"f": function, "p": bug.path, "h": bug.head, "t": facts["test"], "d": facts["dir"], "m": module}
    named["b"] = bug.path.rpartition("/")[2]
    for command, shown in rng.sample(list(_LOOK.items()), rng.randint(1, 2)):
        talk.call(rng.choice(_THOUGHTS), "bash", {"command": command.format(**named)}, shown.format(**named))
    talk.call("", "bash", {"command": f"cat {bug.path}"}, f"{bug.head}\n{bug.bad}\n")


def edit(rng: Random, problem: Problem, talk: Talk, is_right: bool) -> None:
    """Add the edit of the line."""
    bug = problem.facts["bug"]
    new = bug.good if is_right else bug.useless
    talk.call(rng.choice(_PLANS), "edit", {"path": bug.path, "old": bug.bad, "new": new}, f"{bug.path}: 1 line changed")


def run_tests(rng: Random, problem: Problem, talk: Talk, is_right: bool) -> None:
    """Add a run of the tests with its outcome."""
    count = rng.randint(4, 19)
    outcome = f"{count} passed in 0.{rng.randint(11, 98)}s" if is_right else f"1 failed, {count - 1} passed"
    talk.call(
        rng.choice(("Run the tests.", "Check.", "")),
        "bash",
        {"command": f"python -m pytest -q {problem.facts['test']}"},
        outcome,
    )


def repair(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Look, edit, test and hand in; a wrong attempt edits without effect and hands in all the same."""
    talk = Talk()
    look(rng, problem, talk)
    edit(rng, problem, talk, is_right)
    if is_right or rng.random() < 0.7:
        run_tests(rng, problem, talk, is_right)
    talk.call("", "submit", {}, "submitted")
    return talk.say(rng.choice(("The issue is repaired.", "Done: one line changed.", "I handed in the change.")))
