"""Agents in repositories: broken snapshots, tests that are asked for, the commit that broke a thing."""

from random import Random

from benchmarks.foreign.twentyfirst.messages import call, say, told
from benchmarks.foreign.twentyfirst.rollouts import Now, Reply, Task

PARTS = [
    "DatePicker",
    "PriceTag",
    "UserBadge",
    "CartRow",
    "SearchBox",
    "Pager",
    "Toast",
    "Avatar",
    "Stepper",
    "TabBar",
    "Tooltip",
    "Slider",
]
FLAWS = (
    ("shows the {0} one too low", "{0} - 1", "{0}"),
    ("drops the last {0}", "list.slice(0, -1)", "list"),
    ("renders an empty label when {0} is 0", "{0} || ''", "{0} ?? ''"),
    ("compares {0} as text", "String({0}) > limit", "Number({0}) > limit"),
    ("ignores a negative {0}", "Math.max({0}, 0)", "{0}"),
)
FIELDS = ["count", "index", "offset", "price", "total", "stock", "page", "rating"]
MODULES = [
    "ledger",
    "parser",
    "router",
    "cache",
    "planner",
    "mailer",
    "billing",
    "geometry",
    "tariff",
    "roster",
    "archive",
    "quota",
]
PEOPLE = ["mira", "jonas", "adeola", "kenji", "lucia", "tomasz", "farah", "piet"]


def component(rng: Random, number: int) -> Task:
    """A component with a flaw, and its tests."""
    part, field = rng.choice(PARTS), rng.choice(FIELDS)
    flaw, bad, good = (text.format(field) for text in rng.choice(FLAWS))
    prompt = (
        f"Issue #{rng.randint(100, 4999)}: <{part}> {flaw}. Fix the component in src/; `npx jest {part}` must pass."
    )
    data = {"part": part, "bad": bad, "good": good, "field": field}
    return Task(f"ui{number:04d}", prompt, "", None, 0.0, "react", data=data)


def mend(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Read, edit, test, hand in."""
    part, bad, good = task.data["part"], task.data["bad"], task.data["good"]
    path = f"src/{part}.tsx"
    source = f"export function {part}({{ {task.data['field']}, list, limit }}: Props) {{\n  const shown = {bad};\n"
    source += f"  return <span className='{rng.choice(('tag', 'cell', 'chip'))}'>{{shown}}</span>;\n}}"
    messages = []
    if rng.random() < 0.6:
        messages += [
            call("bash", rng.choice(("Where is it?", "Look first.", "")), command=f"grep -rn {part} src | head")
        ]
        messages += [told("bash", f"{path}:1:export function {part}\nsrc/App.tsx:{rng.randint(4, 90)}: <{part}")]
    messages += [call("read_file", path=path), told("read_file", source)]
    new = good if right else rng.choice((f"{task.data['field']}", "list.length", f"{good} + 1"))
    messages += [call("edit_file", f"The line with `{bad}` is at fault.", path=path, old=bad, new=new)]
    messages += [told("edit_file", f"edited {path}, 1 line")]
    passed = rng.randint(3, 9)
    result = f"Tests: {passed} passed" if right else f"Tests: {rng.randint(1, 2)} failed, {passed} passed"
    messages += [
        call("bash", command=f"npx jest {part}"),
        told("bash", f"{result}\nTime: {rng.uniform(1, 6):.2f} s", right),
    ]
    return Reply([*messages, say(rng.choice((f"Changed {path}.", f"<{part}> is mended.", "Done.")))], "")


def untested(rng: Random, number: int) -> Task:
    """A module that lacks tests; writing them is the task."""
    module, field = rng.choice(MODULES), rng.choice(FIELDS)
    limit = rng.randint(3, 90)
    prompt = (
        f"`{module}.py` has no tests. Write tests/test_{module}.py for `clip_{field}(x)`, "
        f"which must stay within 0 and {limit}. "
        "You are graded on mutants: your tests must pass on the module and fail on its broken copies."
    )
    return Task(
        f"mt{number:04d}", prompt, "", None, 0.0, "mutants", data={"module": module, "field": field, "limit": limit}
    )


def cover(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Read the module, write its tests, run them."""
    module, field, limit = task.data["module"], task.data["field"], task.data["limit"]
    path, name = f"tests/test_{module}.py", f"clip_{field}"
    inner = rng.randint(1, limit - 1)
    cases = [f"    assert {name}({inner}) == {inner}", f"    assert {name}(-{rng.randint(1, 9)}) == 0"]
    cases += [f"    assert {name}({limit + rng.randint(1, 50)}) == {limit}", f"    assert {name}({limit}) == {limit}"]
    kept = cases if right else rng.sample(cases, rng.randint(1, 2))
    text = (
        f"from {module} import {name}\n\n\ndef test_{rng.choice(('bounds', 'clip', 'limits', field))}():\n"
        + "\n".join(kept)
    )
    body = f"def {name}(x):\n    return min(max(x, 0), {limit})"
    messages = [call("read_file", path=f"{module}.py"), told("read_file", body)]
    messages += [call("write_file", rng.choice(("Bounds first.", "Edges matter.", "")), path=path, content=text)]
    messages += [told("write_file", f"wrote {path}"), call("bash", command=f"python -m pytest -q {path}")]
    messages += [told("bash", f"1 passed in 0.{rng.randint(10, 90)}s")]
    return Reply([*messages, say(f"{path} holds {len(kept)} assertions.")], "")


def blame(rng: Random, number: int) -> Task:
    """The commit that broke a thing, to be found in the history."""
    module, field = rng.choice(MODULES), rng.choice(FIELDS)
    commits = [
        (f"{rng.getrandbits(28):07x}", rng.choice(PEOPLE), rng.choice(MODULES)) for _ in range(rng.randint(5, 8))
    ]
    at = rng.randrange(len(commits))
    commits[at] = (commits[at][0], commits[at][1], module)
    prompt = (
        f"Since some commit `{module}.{field}()` returns the wrong sign. Use git "
        "log, git show and git bisect as you like, and "
        "answer with the short hash of the commit that broke it."
    )
    return Task(
        f"gb{number:04d}", prompt, commits[at][0], None, 0.0, "bisect", data={"commits": commits, "field": field}
    )


def search_history(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Look through the history, show some commits, name one."""
    commits, field = task.data["commits"], task.data["field"]
    log = "\n".join(f"{sha} {who}: touch {what}" for sha, who, what in commits)
    messages = [call("bash", command=f"git log --oneline -{len(commits)}"), told("bash", log)]
    others = [sha for sha, _, _ in commits if sha != task.gold]
    for sha in rng.sample(others, rng.randint(1, 3)) + ([task.gold] if right else []):
        sign = (
            f"-    return {field}\n+    return -{field}"
            if sha == task.gold
            else f"+    {rng.choice(FIELDS)} = {rng.randint(1, 99)}"
        )
        messages += [call("bash", command=f"git show {sha}"), told("bash", f"commit {sha}\n{sign}")]
    answer = task.gold if right else rng.choice(others)
    return Reply([*messages, say(f"{rng.choice(('It was', 'Broken by', 'The commit is'))} {answer}")], answer)
