"""Functions of small libraries, stripped of their bodies."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import hexes, say

FUNCTIONS = (
    ("chunked", "xs, n", "[xs[i : i + n] for i in range(0, len(xs), n)]", "[xs[i:n] for i in range(0, len(xs), n)]"),
    ("flatten", "xss", "[x for xs in xss for x in xs]", "sum(xss)"),
    ("clamp", "x, low, high", "max(low, min(high, x))", "min(low, max(high, x))"),
    ("rotate", "xs, k", "xs[k % len(xs) :] + xs[: k % len(xs)] if xs else xs", "xs[k:] + xs[:k + 1]"),
    ("slugify", "text", "'-'.join(text.lower().split())", "text.lower().replace('  ', '-')"),
    ("invert", "table", "{v: k for k, v in table.items()}", "dict(table.values())"),
    ("pairwise", "xs", "list(zip(xs, xs[1:]))", "list(zip(xs, xs))"),
    ("initials", "name", "''.join(w[0].upper() for w in name.split())", "name[0].upper()"),
)
LIBRARIES = (
    "tinylock",
    "pathkit",
    "rowbox",
    "cronlet",
    "mailfold",
    "geoslice",
    "tabula",
    "quillpy",
    "dustbin",
    "kettle",
)


def task(rng: Random) -> Task:
    """A library with one function to write."""
    library = rng.choice(LIBRARIES)
    name, arguments, body, wrong = rng.choice(FUNCTIONS)
    version = f"{rng.randint(0, 4)}.{rng.randint(0, 19)}.{rng.randint(0, 9)}"
    question = (
        f"The repository {library} {version} is in /workspace/{library}. The body of `{name}({arguments})` in "
        f"{library}/core.py was removed. Implement it so that tests/test_core.py passes."
    )
    facts = {"n": (library, name, arguments, body, wrong)}
    return Task(question, body, family=library, shown={"repo": library, "base_commit": hexes(rng, 12)}, facts=facts)


def look(rng: Random, task: Task) -> list[dict]:
    """The file and the test are read."""
    library, name, arguments, *_ = task.facts["n"]
    stub = f"def {name}({arguments}):\n    raise NotImplementedError"
    turns = [
        call(
            say(rng, "[First the stub|Let me read the file|I open the source]."),
            "bash",
            command=f"cat {library}/core.py",
        )
    ]
    turns.append(told("bash", stub))
    if rng.random() < 0.7:
        turns.append(
            call(
                say(rng, "[And its tests|What do the tests want?]"),
                "bash",
                command=f"grep -n {name} tests/test_core.py",
            )
        )
        turns.append(
            told("bash", f"{rng.randint(8, 60)}:def test_{name}():\n{rng.randint(61, 90)}:def test_{name}_empty():")
        )
    return turns


def dig(rng: Random, task: Task) -> list[dict]:
    """The history is asked for the removed body."""
    library, name, arguments, body, _ = task.facts["n"]
    old = hexes(rng, 7)
    return [
        call(
            say(rng, "[The history may help|Let me see the log|How did it look before?]"),
            "bash",
            command="git log --oneline",
        ),
        told("bash", f"{hexes(rng, 7)} Remove function bodies\n{old} Release\n{hexes(rng, 7)} Fix typo in the readme"),
        call(
            say(rng, "[The commit before has the code|I restore it from there]."),
            "bash",
            command=f"git show {old}:{library}/core.py",
        ),
        told("bash", f"def {name}({arguments}):\n    return {body}"),
    ]


def write(rng: Random, task: Task, body: str, right: bool) -> list[dict]:
    """The body is written and tested."""
    library, name, arguments, *_ = task.facts["n"]
    code = f"def {name}({arguments}):\n    return {body}\n"
    passed = rng.randint(4, 9)
    result = (
        f"{passed} passed in 0.0{rng.randint(2, 9)}s" if right else f"{rng.randint(1, 3)} failed, {passed - 2} passed"
    )
    return [
        call(
            say(rng, "[Now the body|I write it|This should do]."), "edit_file", path=f"{library}/core.py", content=code
        ),
        told("edit_file", "written"),
        call("", "bash", command="python -m pytest -q tests/test_core.py"),
        told("bash", result),
        speak(
            say(
                rng,
                f"[`{name}` is implemented|Done with `{name}`|The function `{name}` is in place][, the tests ran|].",
            )
        ),
    ]


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Read, write, test."""
    body, wrong = task.facts["n"][3:]
    chosen = body if right else wrong
    return Reply(look(rng, task) + write(rng, task, chosen, right), chosen)


BODIES = Domain(task, reply)
