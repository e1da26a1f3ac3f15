"""Bugs in small repositories, mended with a shell."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Task, World, Written, call, say, told

PROJECTS = [
    "ledgerly",
    "oxcart",
    "tidepool",
    "papermill",
    "quillbox",
    "hopscotch",
    "brambles",
    "lanternfish",
    "cobbler",
    "mudlark",
]
BUGS: tuple[tuple[str, str, str, str, str], ...] = (
    (
        "pricing",
        "discount",
        "return price * (1 - rate / {k}0)",
        "return price * (1 - rate / {k}00)",
        "discounts too big",
    ),
    ("pages", "last_page", "return total // {k}", "return -(-total // {k})", "the last page is missing"),
    (
        "retry",
        "delays",
        "return [{k}**n for n in range(tries - 1)]",
        "return [{k}**n for n in range(tries)]",
        "one retry few",
    ),
    ("dates", "is_due", "return age > {k}", "return age >= {k}", "items are not due on the very day"),
    ("slugs", "shorten", "return text[: {k} - 1]", "return text[:{k}]", "slugs are one sign short"),
    ("quota", "left", "return max(used, {k})", "return max({k} - used, 0)", "the quota never falls"),
    ("colors", "mix", "return (a + b) // {k}", "return (a + b) // 2 % {k}", "mixed channels run over"),
)
FIRST = (
    "Let me look at the code first.",
    "I will start with the file in question.",
    "Looking around.",
    "Start: the source.",
)
THEN = ("The return line is off.", "I see the fault.", "This line does not match the report.", "Let me mend that line.")
LAST = ("The fix is in `{}`.", "Done: `{}` now behaves as described.", "Mended `{}`; the suite says the rest.")


def _make(rng: Random) -> Task:
    module, function, bad, good, report = rng.choice(BUGS)
    k, project = rng.randint(3, 48), rng.choice(PROJECTS)
    number = rng.randint(11, 990)
    prompt = (
        f"Repository `{project}` is in /repo. Issue #{number}: {report} (`{project}/{module}.py`, `{function}`, "
        f"setting {k}). Fix it so that the test suite passes."
    )
    extra = {"path": f"{project}/{module}.py", "function": function, "bad": bad.format(k=k), "good": good.format(k=k)}
    return Task(
        prompt, good.format(k=k), module, 0.3, "You work in a sandbox through `bash`.", extra | {"module": module}
    )


def shown(task: Task, line: str) -> str:
    """The file as `cat` shows it."""
    return (
        f'"""Part of {task.secret["path"].split("/")[0]}."""\n\n\ndef {task.secret["function"]}(*args):\n    {line}\n'
    )


def look(rng: Random, task: Task, line: str) -> list[Row]:
    """The file is read."""
    tool = rng.choice(
        (f"cat {task.secret['path']}", f"sed -n 1,40p {task.secret['path']}", f"cat -n {task.secret['path']}")
    )
    return [say(rng.choice(FIRST), call("bash", command=tool)), told("bash", shown(task, line))]


def edit(rng: Random, task: Task, line: str, old: str = "") -> list[Row]:
    """The line, or what became of it, is replaced."""
    command = f"sed -i 's|{old or task.secret['bad']}|{line}|' {task.secret['path']}"
    return [say(rng.choice(THEN), call("bash", command=command)), told("bash", "")]


def suite(rng: Random, task: Task, passed: bool) -> list[Row]:
    """The tests are run."""
    total, bad = Random(task.prompt).randint(9, 40), Random(task.prompt).randint(1, 3)
    took = rng.uniform(0.2, 3.0)
    name = f"tests/test_{task.secret['module']}.py"
    good = f"{name} ......\n{total} passed in {took:.2f}s"
    case = f"{name}::test_{task.secret['function']}"
    fail = f"{name} ..F..\nFAILED {case}\n{bad} failed, {total - bad} passed in {took:.2f}s"
    tool = rng.choice(("python -m pytest -q", "pytest -q tests", f"pytest {name}"))
    said = rng.choice(("Run the tests.", "Now the suite.", "Check.", "Let me see what the tests say."))
    return [say(said, call("bash", command=tool)), told("bash", good if passed else fail, ok=passed)]


def close(rng: Random, task: Task) -> list[Row]:
    """The last word."""
    return [say(rng.choice(LAST).format(task.secret["function"]))]


def guess(rng: Random, task: Task) -> str:
    """A line that does not mend the bug."""
    bad = task.secret["bad"]
    return rng.choice(
        (bad.replace("return ", "return 1 + "), bad + " or 0", bad.replace("return ", "return 0 * "), "return None")
    )


def _write(rng: Random, task: Task, right: bool) -> Written:
    turns = look(rng, task, task.secret["bad"])
    if rng.random() < 0.35:
        said = rng.choice(("Who calls it?", "Where is this used?", "Check callers."))
        found = f"{task.secret['path']}:4:def {task.secret['function']}(*args):"
        turns += [say(said, call("bash", command=f"grep -rn {task.secret['function']} .")), told("bash", found)]
    old = ""
    if not right or rng.random() < 0.25:
        old = guess(rng, task)
        turns += edit(rng, task, old) + suite(rng, task, False)
    if right:
        turns += edit(rng, task, task.secret["good"], old) + suite(rng, task, True)
    return turns + close(rng, task), ""


REPOSITORIES = World("swe-", _make, _write)
