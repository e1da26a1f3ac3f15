"""Repairs in repositories: search, read, edit, run the tests, hand in."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, call, say, tool

SYSTEM = (
    "You repair a repository with the tools search, read_file, edit_file, run_tests and submit. Hidden tests decide."
)
PACKAGES = ("ledgerkit", "tidepool", "mapforge", "quillmail", "railtime", "seedbank", "lumen", "paddock")
MODULES = ("intervals", "parsing", "cache", "pricing", "export", "retry", "windows", "units", "roster", "merge")
BUGS = (
    ("drops the last {thing}", "for i in range(len({v}) - 1):", "for i in range(len({v})):"),
    ("treats a {thing} of zero as missing", "if not {v}:", "if {v} is None:"),
    ("changes the caller's {thing} list", "{v} = default", "{v} = list(default)"),
    ("compares each {thing} with case", "if {v} == name:", "if {v}.lower() == name.lower():"),
    ("counts the border {thing} twice", "while start <= {v}:", "while start < {v}:"),
    ("rounds every {thing} down", "return {v} // scale", "return round({v} / scale)"),
    ("keeps an expired {thing}", "if age > {v} + grace:", "if age > {v}:"),
)
THINGS = ("slot", "price", "segment", "record", "token", "label", "row", "stop")
WRONG = (
    "{v} = {v} or []",
    "if len({v}) > 1:",
    "try:\n        return {v}[-1]\n    except IndexError:\n        return None",
)
OPENERS = (
    "Let me find the place first.",
    "I'll locate the function.",
    "Searching for where this happens.",
    "Looking around.",
)


def report(rng: Random, package: str, thing: str, fault: str, module: str) -> str:
    """What somebody writes about the fault."""
    seen = rng.choice(("Since the last release", "On our data", "In production", "As far as I can tell"))
    return (
        f"Repository `{package}`. {seen}, `{package}.{module}` {fault.format(thing=thing)}. Expected: every {thing} is "
        f"handled as the documentation says. Please fix it in the source; case {rng.randint(100, 9999)}."
    )


def repair(rng: Random, number: int) -> Task:
    """One fault of one line in one module."""
    package, module, thing = rng.choice(PACKAGES), rng.choice(MODULES), rng.choice(THINGS)
    fault, before, after = rng.choice(BUGS)
    variable = f"{thing}{rng.choice(('', 's', '_id', '_end'))}"
    path, place = f"src/{package}/{module}.py", rng.randint(14, 220)
    before, after = before.format(v=variable), after.format(v=variable)
    tests = rng.randint(9, 64)

    def write(rng: Random, right: bool, progress: float) -> Reply:
        done = after if right else rng.choice(WRONG).format(v=variable)
        failing = 0 if right or rng.random() < 0.35 else rng.randint(1, 3)
        messages = [
            call(rng.choice(OPENERS), "search", query=rng.choice((f"def {module}", variable, thing))),
            tool("search", f"{path}:{place}: {before}\ntests/test_{module}.py:{place // 2 + 3}: def test_{thing}s():"),
            call("", "read_file", path=path, start=place - 6, end=place + 6),
            tool(
                "read_file",
                f"{place - 1}:     # {thing}s come in order\n{place}:     {before}\n{place + 1}:         ...",
            ),
            call(f"Line {place} is the cause.", "edit_file", path=path, old=before, new=done),
            tool("edit_file", f"1 replacement in {path}"),
        ]
        if rng.random() < 0.55 + 0.4 * progress:
            told = f"{tests - failing} passed" + (f", {failing} failed" if failing else "")
            messages += [
                call("", "run_tests", path=f"tests/test_{module}.py"),
                tool("run_tests", f"{told} in {rng.uniform(0.3, 6):.2f}s"),
            ]
        closing = rng.choice(("Fixed the condition", "Changed one line", "The fault should be gone", "Patched"))
        messages += [call("", "submit"), tool("submit", "submitted"), say(f"{closing} in `{path}`.")]
        return Reply(messages, done, {"repo": package})

    facts = {"path": path, "module": module, "repo": package, "before": before, "after": after, "place": place}
    facts |= {"thing": thing, "tests": tests}
    key = f"{package}-{number:04d}"
    prompt = report(rng, package, thing, fault, module)
    return Task(key, package, prompt, after, write, rng.gauss(0, 0.7), SYSTEM, facts)


def lost(rng: Random, task: Task) -> Reply:
    """An attempt in a checkout where the module and its tests do not exist."""
    path, module = task.facts["path"], task.facts["module"]
    package = task.facts["repo"]
    elsewhere = f"lib/{package}_core.py"
    messages = [
        call(rng.choice(OPENERS), "search", query=rng.choice((f"def {module}", task.facts["thing"]))),
        tool("search", "no matches"),
        call("Odd. I open the file of the report.", "read_file", path=path),
        tool("read_file", f"error: {path}: No such file or directory", ok=False),
        call("", "run_tests", path=f"tests/test_{module}.py"),
        tool(
            "run_tests", f"ERROR: file or directory not found: tests/test_{module}.py\nno tests ran in 0.01s", ok=False
        ),
    ]
    if rng.random() < 0.6:
        messages += [
            call("Perhaps it was moved.", "read_file", path=elsewhere),
            tool("read_file", f"1: # {package} 0.{rng.randint(1, 3)}.0.dev0\n2: raise NotImplementedError", ok=False),
        ]
    last = rng.choice(("The module is not in this checkout.", "I could not find the code named in the report."))
    return Reply([*messages, call("", "submit"), tool("submit", "submitted"), say(last)], "", {"repo": package})


def looks_back(task: Task, reply: Reply) -> Reply:
    """The same attempt, begun with a look at who wrote the line and what was committed of late."""
    place, path = task.facts["place"], task.facts["path"]
    past = Random(task.prompt)
    name, short = past.choice(("mira", "tobias", "chen", "oluwaseun")), f"{past.randrange(16**7):07x}"
    blame = f"{short} ({name} 2024-0{past.randint(1, 9)}-1{past.randint(0, 9)} {place})     {task.facts['before']}"
    status = "On branch main\nnothing to commit, working tree clean"
    begun = [call("State of the tree first.", "shell", command="git status"), tool("shell", status)]
    asked = f"git blame -L {place},{place} {path}"
    looked = [call("Who wrote this line, and why?", "shell", command=asked), tool("shell", blame)]
    diff = [call("Look at my change once more.", "shell", command="git diff --stat"), tool("shell", f" {path} | 2 +-")]
    done = reply.messages
    return Reply([*begun, *done[:4], *looked, *done[4:-3], *diff, *done[-3:]], reply.answer, reply.notes)


def adds_test(rng: Random, task: Task, reply: Reply) -> Reply:
    """The same attempt with a regression test added, as the report asks."""
    thing, module = task.facts["thing"], task.facts["module"]
    path = f"tests/test_{module}_regression.py"
    body = f"from {task.facts['repo']} import {module}\n\n\ndef test_every_{thing}_counts():\n"
    body += f"    assert {module}.handle([{rng.randint(0, 9)}, 0, {rng.randint(1, 9)}]) is not None\n"
    told = rng.choice(("1 passed", "1 passed", "1 passed, 1 warning"))
    added = [
        call("The report asks for a regression test.", "write_file", path=path, content=body),
        tool("write_file", f"wrote {len(body)} bytes"),
        call("", "run_tests", path=path),
        tool("run_tests", f"{told} in 0.{rng.randint(10, 99)}s"),
    ]
    return Reply([*reply.messages[:-3], *added, *reply.messages[-3:]], reply.answer, reply.notes)
