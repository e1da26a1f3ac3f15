"""Small faults in made-up packages, mended with a shell and an editor."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

PACKAGES = [
    "ledgerly",
    "tidewatch",
    "parcelnet",
    "mosslog",
    "quillcsv",
    "railtime",
    "beanstore",
    "opalconf",
    "fernpool",
]
MODULES = ["parse", "rates", "window", "slots", "totals", "stamps", "routes", "limits", "quota", "labels", "units"]
FUNCTIONS = ["normalise", "next_slot", "split_fee", "clip_range", "round_half", "merge_keys", "days_between", "scale"]
FAULTS = {
    "boundary": ("an item exactly at the limit is left out", "if value < limit:", "if value <= limit:"),
    "rounding": ("halves are rounded down", "return int(value * factor)", "return int(value * factor + 0.5)"),
    "default": ("a list given as default is shared between calls", "seen = defaults", "seen = list(defaults)"),
    "missing": ("a missing key raises KeyError", "value = table[key]", "value = table.get(key, 0)"),
    "order": ("the result depends on the order of insertion", "for key in table:", "for key in sorted(table):"),
}


def make(rng: Random) -> Task:
    """An issue on one function of a package."""
    package, module, function = rng.choice(PACKAGES), rng.choice(MODULES), rng.choice(FUNCTIONS)
    family = rng.choice(list(FAULTS))
    complaint, old, new = FAULTS[family]
    path, suite = f"{package}/{module}.py", f"tests/test_{module}.py"
    ticket = rng.randint(11, 2900)
    text = (
        f"Repository `{package}` (checked out in /srv/{package}). Issue #{ticket}: in `{path}`, `{function}` is wrong: "
        f"{complaint}. {rng.choice(['Reported by two users.', 'Seen since the last release.', 'Please fix.', ''])} "
        f"`{suite}` should pass when you are done."
    )
    lead = rng.choice(['    """See the manual."""', "    # kept simple on purpose", "    check(locals())"])
    work = {"lead": lead, "count": rng.randint(4, 38), "expected": f"{rng.randint(2, 90)}.{rng.choice('257')}"}
    work |= {"package": package, "path": path, "suite": suite, "function": function, "old": old, "new": new}
    return Task(text, "", family, rng.gauss(0, 0.3), extra={"issue": ticket}, work=work)


def bash(rng: Random, command: str, said: str = "") -> dict:
    """A call of the shell."""
    return {"role": "assistant", "content": said, "tool_calls": [{"name": "bash", "arguments": {"command": command}}]}


def out(text: str, ok: bool = True) -> dict:
    """What the shell says."""
    return {"role": "tool", "tool_name": "bash", "content": text, "ok": ok}


def listing(task: Task) -> str:
    """The source around the fault."""
    w = task.work
    args = "value, limit, factor=1.0" if w["old"].startswith(("if", "return")) else "table, key=None, defaults=()"
    tail = "        ...\n\n\ndef check(names):\n    return bool(names)"
    return f"def {w['function']}({args}):\n{w['lead']}\n    {w['old']}\n{tail}"


def look(rng: Random, task: Task) -> list[dict]:
    """The fault is looked at."""
    w = task.work
    said = rng.choice(["Let me look at the code first.", "I'll read the function.", "Where is it defined?", ""])
    command = rng.choice(
        [f"cat {w['path']}", f"sed -n '1,60p' {w['path']}", f"grep -n -A12 'def {w['function']}' {w['path']}"]
    )
    return [bash(rng, command, said), out(listing(task))]


def edit(rng: Random, task: Task, path: str, old: str, new: str, said: str = "") -> list[dict]:
    """A line is replaced."""
    arguments = {"path": path, "old_str": old, "new_str": new}
    call = {"role": "assistant", "content": said, "tool_calls": [{"name": "str_replace", "arguments": arguments}]}
    return [
        call,
        {"role": "tool", "tool_name": "str_replace", "content": f"The file {path} has been edited.", "ok": True},
    ]


def run_tests(rng: Random, task: Task, passed: bool) -> list[dict]:
    """The suite is run."""
    count, seconds = task.work["count"], rng.uniform(0.08, 3.2)
    failed = 0 if passed else rng.randint(1, 3)
    if passed:
        text = f"{'.' * count}\n{count} passed in {seconds:.2f}s"
    else:
        text = (
            f"{'.' * (count - failed)}{'F' * failed}\nFAILED {task.work['suite']}::test_{task.work['function']} - "
            f"AssertionError\n{failed} failed, {count - failed} passed in {seconds:.2f}s"
        )
    command = rng.choice(["python -m pytest -q ", "pytest -q ", "pytest -x -q "]) + task.work["suite"]
    return [bash(rng, command, rng.choice(["", "Now the tests.", "Run the suite."])), out(text, passed)]


def done(rng: Random, task: Task, right: bool) -> dict:
    """The message that hands in."""
    w = task.work
    good = [
        f"`{w['function']}` is fixed; the suite passes.",
        f"Changed one line in `{w['path']}`.",
        "Done, tests are green.",
    ]
    bad = [
        "I changed the condition; one test still fails.",
        "This should address the report.",
        "I could not find more.",
    ]
    return {"role": "assistant", "content": rng.choice(good if right else bad)}


def wrong_fix(rng: Random, task: Task) -> str:
    """A line that does not mend the fault."""
    return rng.choice([task.work["old"].replace("value", "abs(value)"), task.work["old"] + "  # as before", "pass"])


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """Look, edit, test, hand in; a failed run may be followed by a second edit."""
    w = task.work
    messages = look(rng, task)
    if rng.random() < 0.3:
        messages += [bash(rng, "git status --short"), out("")]
    if not right or rng.random() < 0.25:
        bad = wrong_fix(rng, task)
        messages += edit(rng, task, w["path"], w["old"], bad) + run_tests(rng, task, False)
        if right:
            messages += edit(rng, task, w["path"], bad, w["new"], "That was not it.")
    else:
        messages += edit(rng, task, w["path"], w["old"], w["new"])
    if right:
        messages += run_tests(rng, task, True)
    return Reply([*messages, done(rng, task, right)], "")


REPOS = World("fixrepo", make, solve, "You are an engineer with a shell. Mend the issue; do not change its tests.")
