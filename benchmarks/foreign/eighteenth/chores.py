"""Chores in repositories other than bugs: tests to write, notes of a release to gather from the log."""

from random import Random

from benchmarks.foreign.eighteenth.bugs import MODULES, PACKAGES, VARIABLES
from benchmarks.foreign.eighteenth.people import NAMES
from benchmarks.foreign.eighteenth.shapes import Reply, Task, call, told

HEADS = ("## Fixes since {}", "Fixed since {}:", "### Bug fixes ({} to HEAD)", "Changes that mend something, since {}:")
WORK = ("handle", "speed up", "describe", "drop")


def tests_of(rng: Random) -> Task:
    """Write tests of a module; they are graded by the mutants that they kill."""
    package, module, var = rng.choice(PACKAGES), rng.choice(MODULES), rng.choice(VARIABLES)
    path, number, mutants = f"tests/test_{module}.py", rng.randint(100, 999), rng.randint(8, 24)

    def write(rng: Random, right: bool) -> Reply:
        killed = round(mutants * (rng.uniform(0.8, 1.0) if right else rng.uniform(0.2, 0.75)))
        places = rng.sample(range(12), rng.randint(4, 6) if right else rng.randint(1, 3))
        body = "\n\n".join(
            f"def test_{var}_at_{n}():\n    assert {module}.{var}({n}) == {n * number % 97}" for n in places
        )
        messages = [
            call("bash", rng.choice(("", "First the module.")), command=f"cat src/{package}/{module}.py"),
            told("bash", f"def {var}(n):\n    '''{var.title()} of n.'''\n    return n * {number} % 97"),
            call("write_file", "Now the tests.", path=path, content=f"from {package} import {module}\n\n\n{body}\n"),
            told("write_file", f"{path} written"),
            call("bash", "", command=f"python -m pytest -q {path}"),
            told("bash", f"{len(places)} passed in 0.{rng.randint(10, 90)}s"),
            {"role": "assistant", "content": f"I wrote {len(places)} tests of `{var}` in `{path}`."},
        ]
        return Reply(messages, path, {"mutants_killed": killed, "mutants": mutants})

    prompt = (
        f"Repository {package}: the module `{module}.py` (revision {number}) has no tests of `{var}`. Write them into "
        f"`{path}`. They are graded by the share of {mutants} mutants that they find."
    )
    return Task(prompt, f"{mutants} mutants", write, f"tests_{module}", rng.uniform(-0.3, 0.5), domain="swe")


def notes_of(rng: Random) -> Task:
    """Release notes from the log of commits, which the task asks to read."""
    package, since = rng.choice(PACKAGES), f"v{rng.randint(0, 5)}.{rng.randint(0, 30)}"
    kinds = [rng.choice(("fix", "feat", "docs", "perf")) for _ in range(rng.randint(5, 9))]
    log = [
        f"{rng.getrandbits(28):07x} {kind}({rng.choice(MODULES)}): {rng.choice(WORK)} "
        f"{rng.choice(VARIABLES)} ({rng.choice(NAMES)})"
        for kind in kinds
    ]
    gold = kinds.count("fix")

    def write(rng: Random, right: bool) -> Reply:
        listed = [x for x in log if " fix(" in x]
        if not right:
            listed = (
                listed[:-1] if listed and rng.random() < 0.5 else [*listed, next(x for x in log if x not in listed)]
            )
        seen = rng.choice(log)
        text = "\n".join(f"- {line.split(' ', 1)[1]}" for line in listed) or "- none"
        messages = [
            call("bash", "", command=f"git log --oneline {since}..HEAD"),
            told("bash", "\n".join(log)),
            call(
                "bash",
                rng.choice(("", "A look at one of them.", "What did this one touch?")),
                command=f"git show --stat {seen.split()[0]}",
            ),
            told("bash", f" src/{package}/{seen.split('(')[1].split(')')[0]}.py | {rng.randint(2, 60)} +++--"),
            {
                "role": "assistant",
                "content": f"{rng.choice(HEADS).format(since)}\n{text}\nNumber of fixes: {len(listed)}",
            },
        ]
        return Reply(messages, str(len(listed)))

    prompt = f"Read the git log of {package} since {since} and write the list of fixes for the release notes."
    task = Task(prompt, str(gold), write, "release_notes", rng.uniform(-0.3, 0.5), domain="swe")
    task.extra["commits"] = len(log)
    return task if gold < len(kinds) else notes_of(rng)
