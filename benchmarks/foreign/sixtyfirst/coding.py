"""Small repositories with a bug: read, edit, run the tests. Hidden unit tests are the check."""

import random

from benchmarks.foreign.sixtyfirst.tasks import Message, Task, World, code_of, says, tool

_BUGS = {
    "clamp": (
        "return max(low, max(high, value))",
        "return max(low, min(high, value))",
        "return min(low, min(high, value))",
    ),
    "mean": (
        "return sum(values) / (len(values) - 1)",
        "return sum(values) / len(values)",
        "return sum(values) // len(values)",
    ),
    "initials": (
        "return ''.join(w[1] for w in name.split())",
        "return ''.join(w[0] for w in name.split())",
        "return name[0]",
    ),
    "last_page": ("return total // size", "return (total + size - 1) // size", "return total // size + 1"),
    "is_leap": (
        "return year % 4 == 0",
        "return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
        "return year % 4 == 0 and year % 100 != 0",
    ),
    "dedupe": ("return list(set(items))", "return list(dict.fromkeys(items))", "return sorted(set(items))"),
    "slug": (
        "return title.replace(' ', '-')",
        "return '-'.join(title.lower().split())",
        "return title.lower().replace(' ', '-')",
    ),
}
_HEADS = {
    "clamp": "value, low, high",
    "mean": "values",
    "initials": "name",
    "last_page": "total, size",
    "is_leap": "year",
    "dedupe": "items",
    "slug": "title",
}
_PACKAGES = ("ledgerkit", "farebox", "notemill", "gridpost", "tinycrm", "pagewright", "cargo_desk", "mailsift")


def draw(rng: random.Random) -> Task:
    """A package, a module, and one function that is wrong."""
    name, package, module = (
        rng.choice(list(_BUGS)),
        rng.choice(_PACKAGES),
        rng.choice(("utils", "core", "helpers", "format")),
    )
    number = rng.randrange(11, 990)
    prompt = rng.choice(
        (
            (
                f"Issue #{number} in {package}: {name}() gives wrong results for some "
                f"inputs. Fix it in {package}/{module}.py."
            ),
            (
                f"{package}/{module}.py: users report that {name}() is wrong (#{number}). "
                "Repair it so that the tests pass."
            ),
            f"Please fix {name}() of {package}/{module}.py, see ticket #{number}. Keep the signature.",
        )
    )
    facts = {
        "name": name,
        "path": f"{package}/{module}.py",
        "test": f"tests/test_{module}.py",
        "bug": _BUGS[name],
        "head": _HEADS[name],
        "total": rng.randrange(3, 14),
    }
    return Task(code_of(rng, "repo"), prompt, name, rng.gauss(0, 1), _BUGS[name][1], facts)


def play(rng: random.Random, task: Task, right: bool) -> tuple[list[Message], str]:
    """Read the file, edit it, run the tests, hand in."""
    f = task.facts
    new = f["bug"][1] if right else f["bug"][2]
    begin = rng.choice(
        (
            f"I read {f['path']} first.",
            f"Where is {f['name']}? I open the module.",
            "Let me see the code before I change it.",
        )
    )
    why = rng.choice(
        (
            f"The body of {f['name']} does not do what its name says, so I replace the return.",
            f"`{f['bug'][0]}` is the line at fault: it breaks on ordinary inputs.",
            f"I change the expression in {f['name']} and leave the signature alone.",
        )
    )
    said: list[Message] = [says(begin, "bash", command=f"cat {f['path']}")]
    said += [tool("bash", f"def {f['name']}({f['head']}):\n    {f['bug'][0]}\n")]
    said += [
        says(why, "str_replace", path=f["path"], old_str=f["bug"][0], new_str=new),
        tool("str_replace", f"edited {f['path']}"),
    ]
    said += [
        says(
            rng.choice(("Now the tests.", f"I run {f['test']} to see.")),
            "bash",
            command=f"python -m pytest -q {f['test']}",
        )
    ]
    total, spent = f["total"], rng.randrange(3, 90) / 100
    said += [
        tool("bash", f"{total} passed in {spent:.2f}s" if right else f"1 failed, {total - 1} passed in {spent:.2f}s")
    ]
    said += [
        says(
            rng.choice(
                (
                    f"{f['name']} is mended by `{new}`.",
                    f"I changed one line in {f['path']}: `{new}`.",
                    f"Done: {f['name']} now does `{new}`.",
                )
            )
        )
    ]
    return said, new


CODING = World(
    "coding",
    "You mend a repository. Tools: bash, str_replace, append_file. End with a message without a call.",
    draw,
    play,
)
"""Small repositories."""
