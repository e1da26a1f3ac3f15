"""Bugs in small repositories that an agent mends with a few tools."""

from random import Random

from benchmarks.foreign.eighteenth.shapes import Reply, Task, call, told

PACKAGES = [
    "quillparse",
    "ledgerlite",
    "tidewatch",
    "mapfold",
    "cronbee",
    "pixelsort",
    "graphkit",
    "mailtrim",
    "zipline",
    "unitfox",
]
MODULES = ["core", "utils", "reader", "writer", "schedule", "layout", "codec", "cache", "index", "rules"]
FLAWS = (
    ("returns one item too few", "range(1, {v})", "range(1, {v} + 1)", "range(0, {v})"),
    ("fails on an empty {v}", "{v}[0]", "{v}[0] if {v} else None", "{v}[:1]"),
    ("ignores upper case in {v}", "if key in {v}:", "if key.lower() in {v}:", "if key.upper() in {v}:"),
    ("drops the last chunk of {v}", "while pos < len({v}) - 1:", "while pos < len({v}):", "while pos <= len({v}):"),
    ("mutates its default {v}", "def load({v}=[]):", "def load({v}=None):", "def load({v}=list()):"),
    ("rounds {v} to the wrong side", "int({v} / size)", "math.ceil({v} / size)", "round({v} / size)"),
    ("keeps stale {v} after an update", "return self._{v}", "return self._{v}.copy()", "return (self._{v})"),
)
"""Wording, the code, its repair, and an edit that does not help."""
SEEKING = ("Let me find it.", "Locating the code first.", "", "I search for the name.", "Where is this used?")
LATER = (
    "A later release may already have this.",
    "The next version could hold the repair.",
    "",
    "Let me see whether upstream solved it.",
)
MENDING = ("I change this in `{}`.", "The line in `{}` is the culprit.", "A small edit of `{}`.", "Now the repair.")
ENDING = (
    "The change in `{}` is in place.",
    "Done: I corrected `{}`.",
    "I am handing in the edit of `{}`.",
    "One line of `{}` was wrong and is repaired.",
)
COPIED = ("`{}` now equals that of release {}.", "I took `{}` over from {}.", "Replaced `{}` by the one of {}.")
VARIABLES = ["rows", "names", "tokens", "limits", "pages", "entries", "slots", "offsets", "labels", "widths"]


def look(rng: Random, path: str, line: int, var: str, old: str) -> list[dict]:
    """Find and read the place of the flaw."""
    code = f"{line - 1}:    # {var} of the current item\n{line}:    {old}\n{line + 1}:    size = self.size"
    return [
        call("bash", rng.choice(SEEKING), command=f"grep -rn '{var}' {path}"),
        told("bash", f"{path}:{line}:    {old}\n{path}:{line + 9}:    del {var}"),
        call("bash", "", command=f"sed -n {line - 1},{line + 1}p {path}"),
        told("bash", code),
    ]


def mend(rng: Random, path: str, old: str, new: str) -> list[dict]:
    """Edit the place."""
    return [
        call("str_replace", rng.choice(MENDING).format(path), path=path, old_str=old, new_str=new),
        told("str_replace", f"The file {path} has been edited."),
    ]


def try_tests(rng: Random, module: str, total: int, passed: bool) -> list[dict]:
    """Run the visible tests."""
    bad = rng.randint(1, 3)
    tail = (
        f"{total} passed in {rng.uniform(0.1, 4):.2f}s"
        if passed
        else f"{bad} failed, {total - bad} passed in {rng.uniform(0.1, 4):.2f}s"
    )
    return [call("bash", "", command=f"python -m pytest -q tests/test_{module}.py"), told("bash", tail, passed)]


def around(rng: Random, package: str, module: str) -> list[dict]:
    """At times a look around before or after."""
    looks = (
        ("ls", f"README.md\npyproject.toml\nsrc\ntests\n{package}.toml"),
        (f"ls src/{package}", f"__init__.py\n{module}.py\nversion.py"),
        (f"head -n 4 tests/test_{module}.py", f"import pytest\n\nfrom {package} import {module}\n"),
        ("git status --short", ""),
        (f"wc -l src/{package}/{module}.py", f"{len(package) * 17 + len(module) * 29} src/{package}/{module}.py"),
    )
    chosen = rng.sample(looks, rng.choice((0, 1, 1, 2)))
    return [m for command, seen in chosen for m in (call("bash", "", command=command), told("bash", seen))]


def ended(rng: Random, path: str) -> dict:
    """The last message."""
    return {"role": "assistant", "content": rng.choice(ENDING).format(path)}


def bug_of(rng: Random) -> Task:
    """One issue of one repository."""
    package, module, var = rng.choice(PACKAGES), rng.choice(MODULES), rng.choice(VARIABLES)
    flaw, old, new, worse = (x.replace("{v}", var) for x in rng.choice(FLAWS))
    line, total = rng.randint(12, 180), rng.randint(6, 40)
    path, version = f"src/{package}/{module}.py", f"{rng.randint(0, 4)}.{rng.randint(1, 20)}"

    def write(rng: Random, right: bool) -> Reply:
        repair = new if right else worse
        seen = try_tests(rng, module, total, right or rng.random() < 0.3)
        messages = (
            look(rng, path, line, var, old)
            + mend(rng, path, old, repair)
            + around(rng, package, module)
            + seen
            + [ended(rng, path)]
        )
        return Reply(messages, repair)

    prompt = f"Repository {package} {version}. Issue: `{module}.py` {flaw}. Repair it; the hidden tests decide."
    facts = {"repo": package, "module": module, "visible_tests": total, "commit": f"{rng.getrandbits(28):07x}"}
    return Task(prompt, new, write, package, rng.uniform(-0.2, 0.7), domain="swe", extra=facts)
