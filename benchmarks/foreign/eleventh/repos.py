"""Repositories with one defect, worked on through a shell."""

from random import Random
from typing import Any

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, call, say, told

PROJECTS = ["ledgerly", "tidewatch", "parcelbox", "gridnote", "kilnpy", "mapstitch", "quaycore", "loomfs", "saltbatch"]
BUGS = [
    ("rounding", "round_half", "return int(x + 0.5)", "return math.floor(x + 0.5)", "negative amounts are rounded up"),
    (
        "paging",
        "page_slice",
        "return rows[n * size : n * size + size - 1]",
        "return rows[n * size : (n + 1) * size]",
        "the last row of each page is lost",
    ),
    (
        "dates",
        "days_left",
        "return (end - start).seconds // 86400",
        "return (end - start).days",
        "the number of days is always zero",
    ),
    (
        "merging",
        "merge_opts",
        "base.update(extra)\n    return base",
        "return {**base, **extra}",
        "defaults change after the first call",
    ),
    (
        "parsing",
        "split_pair",
        "return line.split('=')",
        "return line.split('=', 1)",
        "values that hold an equals sign break the loader",
    ),
    (
        "caching",
        "cache_key",
        "return str(args)",
        "return str((args, sorted(kwargs.items())))",
        "keyword arguments share one cache entry",
    ),
    (
        "paths",
        "join_url",
        "return root + '/' + tail",
        "return root.rstrip('/') + '/' + tail.lstrip('/')",
        "double slashes appear in links",
    ),
    (
        "limits",
        "clamp",
        "return min(low, max(high, x))",
        "return max(low, min(high, x))",
        "every value comes out as the lower bound",
    ),
]
SYSTEM = "You work in /repo through the tool `bash(command)`. Mend the issue; hidden tests are run afterwards."
MODULES = ["core", "utils", "helpers", "engine", "service", "tools"]


def make(rng: Random, name: str) -> Task:
    """An issue of one project."""
    family, function, old, new, symptom = rng.choice(BUGS)
    project, module, number = rng.choice(PROJECTS), rng.choice(MODULES), rng.randint(40, 4900)
    path = f"{project}/{module}.py"
    ask = rng.choice(["Please fix it.", "Find the cause and mend it.", "A fix with the least change is welcome."])
    prompt = f"Issue #{number} of {project}: since the last release {symptom} (see `{function}`). {ask}"
    facts: dict[str, Any] = {
        "function": function,
        "old": old,
        "new": new,
        "path": path,
        "project": project,
        "module": module,
    }
    facts["line"] = rng.randint(12, 240)
    return Task(name, prompt, new, family, system=SYSTEM, facts=facts, extra={"repo": project})


def read(rng: Random, task: Task) -> list[dict]:
    """The function is looked for and read."""
    f = task.facts
    found = f"/repo/{f['path']}:{f['line']}:def {f['function']}(...):"
    look = rng.choice([f"grep -rn 'def {f['function']}' /repo", f"grep -rn {f['function']} /repo --include=*.py"])
    show = f"sed -n '{f['line']},{f['line'] + 4}p' /repo/{f['path']}"
    return [
        call(rng.choice(["Where is it defined?", "Let me find the function.", ""]), "bash", command=look),
        told(
            "bash",
            found + rng.choice(["", f"\n/repo/tests/test_{f['module']}.py:{rng.randint(9, 80)}:    {f['function']}"]),
        ),
        call(rng.choice(["Read it.", "", "Now its body."]), "bash", command=show),
        told("bash", f"def {f['function']}(...):\n    {f['old']}"),
    ]


def edit(rng: Random, task: Task, new: str) -> list[dict]:
    """The body is replaced by a small script."""
    f = task.facts
    change = f"s=open(p).read()\ns=s.replace({f['old']!r}, {new!r})\nopen(p,'w').write(s)"
    script = f"python - <<'EOF'\np='/repo/{f['path']}'\n{change}\nEOF"
    return [
        call(rng.choice(["Replace the body.", "This is the cause.", "Apply the change."]), "bash", command=script),
        told("bash", ""),
    ]


def check(rng: Random, task: Task, passes: bool) -> list[dict]:
    """The tests of the module are run."""
    n = rng.randint(4, 31)
    end = (
        f"{n} passed in {rng.uniform(0.2, 3):.2f}s" if passes else f"1 failed, {n} passed in {rng.uniform(0.2, 3):.2f}s"
    )
    command = f"cd /repo && python -m pytest -q tests/test_{task.facts['module']}.py"
    return [
        call(rng.choice(["Run the tests.", "", "Check."]), "bash", command=command),
        told("bash", f"{'.' * n}\n{end}"),
    ]


def wrong_fix(rng: Random, task: Task) -> str:
    """A change beside the point."""
    first = task.facts["old"].split("\n")[0]
    return rng.choice(
        [
            f"# edge cases are left out\n    {first}",
            first + "  # checked",
            f"try:\n        {first}\n    except ValueError:\n        return None",
        ]
    )


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Read, edit, mostly test, and report."""
    new = task.facts["new"] if right else wrong_fix(rng, task)
    turns = read(rng, task) + edit(rng, task, new)
    if rng.random() < 0.6 + 0.25 * t:
        turns += check(rng, task, right or rng.random() < 0.5)
    turns.append(
        say(
            rng.choice(["`{f}` is mended.", "Done: the body of `{f}` was changed.", "Fixed `{f}`."]).format(
                f=task.facts["function"]
            )
        )
    )
    total = rng.randint(5, 18)
    passed = total if right else rng.randint(total // 2, total - 1)
    return Reply(turns, new, {"hidden_passed": passed, "hidden_total": total})


REPOS = Domain(make, solve)
