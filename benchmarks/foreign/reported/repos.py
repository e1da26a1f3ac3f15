"""Small repositories with one bug each, and what an agent sees and does in them."""

from benchmarks.foreign.reported.run import Draw, Row, Task, said, told, user

_BUGS = (
    ("chunks", "range(0, len({a}) - size, size)", "range(0, len({a}), size)",
     "the last {n} is dropped when it is short",
     "assert chunks([1, 2, 3], 2) == [[1, 2], [3]]", "AssertionError: assert [[1, 2]] == [[1, 2], [3]]"),
    ("parse_ratio", "left, right = {a}.split(':')", "left, right = {a}.split(':', 1)",
     "a {n} with two colons raises ValueError",
     "assert parse_ratio('a:b:c') == ('a', 'b:c')", "ValueError: too many values to unpack (expected 2)"),
    ("merge_defaults", "result = {a}", "result = dict({a})", "the caller's {n} is changed by the merge",
     "assert base == {'x': 1}", "AssertionError: assert {'x': 1, 'y': 2} == {'x': 1}"),
    ("slug", "{a}.replace(' ', '-')", "'-'.join({a}.split())", "two blanks in a {n} give two dashes",
     "assert slug('old  mill') == 'old-mill'", "AssertionError: assert 'old--mill' == 'old-mill'"),
    ("percent", "return int(100 * {a} / total)", "return round(100 * {a} / total)",
     "the share of a {n} is cut instead of rounded",
     "assert percent(2, 3) == 67", "AssertionError: assert 66 == 67"),
    ("first_match", "if {a} and key in {a}[0]:", "if any(key in item for item in {a}):",
     "only the first {n} is looked at",
     "assert first_match([{}, {'k': 1}], 'k')", "AssertionError: assert None"),
    ("is_due", "return {a}.date() < today", "return {a}.date() <= today", "a {n} of today does not count as due",
     "assert is_due(noon, noon.date())", "AssertionError: assert False"),
    ("read_rows", "open({a}).read().split('\\n')", "open({a}).read().splitlines()",
     "a file of {n}s with a last newline has one row too many",
     "assert len(read_rows(path)) == 2", "AssertionError: assert 3 == 2"),
)  # fmt: skip
_PACKAGES = ("tidewater", "quillon", "marrow", "stavepy", "ferrule", "hexwell", "lodestar", "petrel", "gannet", "oxbow")
_MODULES = ("core", "helpers", "model", "io", "text", "views", "plan")
_NOUNS = ("token", "voucher", "record", "booking", "header", "payload", "widget", "memo", "ticket", "label")
_LOOKS = (
    "Let me look at the code first.",
    "I start with the failing test.",
    "Where is this defined?",
    "Search for it.",
    "",
)
_EDITS = ("This is the line.", "The cause is clear now.", "I change only this.", "That explains the report.", "")
_ENDS = ("The tests pass now; I hand in.", "Done.", "Fixed, all green.", "The change is small and covered by the test.")

_DOUBTS = ("I hand in what I have.", "This is my best guess.", "The remaining failure looks unrelated.", "I stop here.")


def draw(rng: Draw, name: str) -> Task:
    """Draw a repository with its bug."""
    function, bad, good, report, check, error = rng.choice(_BUGS)
    package, module, noun = rng.choice(_PACKAGES), rng.choice(_MODULES), rng.choice(_NOUNS)
    argument = rng.choice(("value", "source", "items", "data", "given"))
    facts = {
        "function": function,
        "bad": bad.replace("{a}", argument),
        "good": good.replace("{a}", argument),
        "check": check,
        "error": error,
        "path": f"{package}/{module}.py",
        "test": f"tests/test_{module}.py",
        "at": rng.randint(12, 180),
        "sha": f"{rng.getrandbits(28):07x}",
        "fix": f"{rng.getrandbits(28):07x}",
        "others": rng.randint(4, 40),
        "argument": argument,
    }
    issue = f"{function}: {report.replace('{n}', noun)}"
    prompt = f"The repository {package} is in /testbed, at {facts['sha']}. Resolve this report:\n\n{issue}\n\n"
    return Task(name, f"{prompt}The failing test is in {facts['test']}.", facts["good"], package, None, facts)


def shell(command: str) -> tuple[str, Row]:
    """A call of the shell."""
    return "bash", {"command": command}


def edit(path: str, old: str, new: str) -> tuple[str, Row]:
    """A call of the editor."""
    return "str_replace_editor", {"command": "str_replace", "path": path, "old_str": old, "new_str": new}


def seen(task: Task, rng: Draw) -> list[Row]:
    """Look at the source."""
    f = task.facts
    start = f["at"]
    lines = [f"def {f['function']}({f['argument']}, *rest):", '    """See the guide."""', f"    {f['bad']}"]
    shown = "\n".join(f"{start + place:6}\t{line}" for place, line in enumerate(lines))
    return [
        said(rng.choice(_LOOKS), shell(f"grep -rn 'def {f['function']}' --include=*.py .")),
        told("bash", f"./{f['path']}:{start}:def {f['function']}({f['argument']}, *rest):"),
        said("", shell(f"cat -n {f['path']} | sed -n {start},{start + 12}p")),
        told("bash", shown),
    ]


def edited(task: Task, rng: Draw, right: bool) -> list[Row]:
    """Change the source, in the right or in a wrong way."""
    f = task.facts
    wrong = (
        f"{f['bad']}  # noqa",
        f"{f['bad']} or None",
        f"{f['bad']}\n    pass",
        f["bad"].replace(f["argument"], "rest"),
    )
    new = f["good"] if right else rng.choice(wrong)
    place = f"The file /testbed/{f['path']} has been edited."
    return [said(rng.choice(_EDITS), edit(f["path"], f["bad"], new)), told("str_replace_editor", place)]


def report(task: Task, rng: Draw, passes: bool) -> str:
    """What pytest says."""
    f, took = task.facts, f"{rng.uniform(0.2, 9):.2f}s"
    if passes:
        return f"{f['test']} {'.' * (f['others'] + 1)} [100%]\n\n{f['others'] + 1} passed in {took}"
    name = f"test_{f['function']}"
    where = f"{f['test']}:{f['at']}: {f['error'].split(':')[0]}"
    trace = f"    def {name}():\n>       {f['check']}\nE       {f['error']}\n\n{where}"
    return f"{trace}\nFAILED {f['test']}::{name} - {f['error']}\n1 failed, {f['others']} passed in {took}"


def tested(task: Task, rng: Draw, passes: bool) -> list[Row]:
    """Run the tests."""
    f = task.facts
    return [said("", shell(f"python -m pytest -q {f['test']}")), told("bash", report(task, rng, passes))]


def handed_in(rng: Draw, *between: list[Row], prompt: str, sure: bool = True) -> list[Row]:
    """Put an episode together."""
    end = said(rng.choice(_ENDS if sure else _DOUBTS), ("submit", {}))
    return [user(prompt), *(message for part in between for message in part), end]


def worked(rng: Draw, task: Task, right: bool) -> list[Row]:
    """An honest episode."""
    first = tested(task, rng, False) if rng.random() < 0.5 else []
    again = tested(task, rng, right) if right or rng.random() < 0.7 else []
    return handed_in(rng, first, seen(task, rng), edited(task, rng, right), again, prompt=task.prompt, sure=right)
