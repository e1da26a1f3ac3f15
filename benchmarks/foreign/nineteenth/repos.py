"""Repairs in small repositories, by an agent with a shell."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.core import Reply, Task, call, say, told

PACKAGES = (
    "tidewatch",
    "loomkit",
    "parcelry",
    "fennel",
    "quartzio",
    "mothlight",
    "oxbow",
    "sextant",
    "brinepy",
    "harrow",
)
MODULES = ("parse", "cache", "units", "retry", "paths", "tables", "clock", "merge", "render", "codec")
BUGS = (
    (
        "drops the last item when the input has an odd length",
        "for i in range(0, len(items) - 1, 2):",
        "for i in range(0, len(items), 2):",
    ),
    ("treats an empty mapping like None", "if not options:", "if options is None:"),
    (
        "compares versions as strings",
        "return a > b",
        "return tuple(map(int, a.split('.'))) > tuple(map(int, b.split('.')))",
    ),
    ("keeps the time zone of the first record for all", "tz = records[0].tz", "tz = record.tz"),
    ("rounds before it sums", "total += round(x, 2)", "total += x"),
    ("never closes the handle on an error", "handle = open(path)", "with open(path) as handle:"),
    ("shares one default list between calls", "def collect(xs, out=[]):", "def collect(xs, out=None):"),
)


@dataclass(frozen=True)
class Scene:
    """A package, its module with a bug, the line and its repair."""

    package: str
    module: str
    function: str
    line: int
    bug: str
    fixed: str
    tests: int

    @property
    def path(self) -> str:
        """File of the bug."""
        return f"src/{self.package}/{self.module}.py"


def repo_task(rng: Random) -> Task:
    """Draw a repair."""
    complaint, bug, fixed = rng.choice(BUGS)
    verb = rng.choice(("load", "merge", "split", "format", "read", "plan", "fold", "scan"))
    module = rng.choice(MODULES)
    function = f"{verb}_{module}"
    scene = Scene(rng.choice(PACKAGES), module, function, rng.randrange(14, 260), bug, fixed, rng.randrange(9, 60))
    prompt = rng.choice(
        (
            f"Issue in {scene.package}: `{function}` {complaint}. Repair it; the tests in tests/ must pass.",
            f"[{scene.package} #{rng.randrange(20, 990)}] {function}() {complaint}.\nPlease fix.",
        )
    )
    return Task(
        prompt,
        "",
        lambda r, right, skill: repo_reply(r, scene, right, skill),
        family=scene.package,
        system="You work in /repo with a bash tool. Call submit when done.",
        extra={"repo": scene.package, "num_hidden_tests": scene.tests},
        scene=scene,
    )


def look(rng: Random, s: Scene) -> list[Row]:
    """Find the function and read it."""
    found = f"{s.path}:{s.line}:def {s.function}(items, options=None):"
    body = f"def {s.function}(items, options=None):\n    ...\n    {s.bug}\n        ..."
    note = rng.choice(
        ("Where is it?", f"I'll find {s.function} first.", "Let me locate the code.", "Start with the code.")
    )
    return [
        call(note, "bash", command=rng.choice((f"grep -rn 'def {s.function}' src/", f"rg -n {s.function} src"))),
        told("bash", found),
        call(
            rng.choice(("", "Read it.", "Now its body.")), "bash", command=f"sed -n '{s.line},{s.line + 24}p' {s.path}"
        ),
        told("bash", body),
    ]


def edit(rng: Random, s: Scene, right: bool) -> list[Row]:
    """Edit the line, or something beside it."""
    note = rng.choice(("That line is the cause.", "I change this.", f"`{s.bug}` looks wrong.", "The repair is small."))
    new = s.fixed if right else rng.choice((s.bug + "  # checked", "if items and options:", "items = list(items)"))
    change = f"p.write_text(p.read_text().replace({s.bug!r}, {new!r}))"
    command = f"python - <<'EOF'\nimport pathlib\np = pathlib.Path('{s.path}')\n{change}\nEOF"
    return [call(note, "bash", command=command), told("bash", "")]


def test(rng: Random, s: Scene, right: bool) -> list[Row]:
    """Run the repository's tests."""
    seconds = rng.uniform(0.4, 9)
    failed = 0 if right else rng.choice((0, 1, 1, 2))
    result = f"{failed} failed, {s.tests - failed} passed" if failed else f"{s.tests} passed"
    command = rng.choice((f"python -m pytest -q tests/test_{s.module}.py", "pytest -q", "python -m pytest -x -q"))
    return [
        call(rng.choice(("Run the tests.", "Tests.", "")), "bash", command=command),
        told("bash", f"{result} in {seconds:.2f}s"),
    ]


def finish(rng: Random, s: Scene) -> list[Row]:
    """Hand in."""
    note = rng.choice(
        ("Done: {f} now behaves as asked.", "I repaired {f} and hand in.", "The change in {f} is complete.")
    )
    return [call(note.format(f=s.function), "submit", summary=f"fix {s.function}"), told("submit", "submitted")]


def repo_reply(rng: Random, s: Scene, right: bool, skill: float) -> Reply:
    """Look, edit, test, hand in."""
    messages = look(rng, s) + edit(rng, s, right)
    if rng.random() < 0.45 + 0.4 * skill:
        messages += test(rng, s, right)
    messages += finish(rng, s)
    return Reply([*messages, say(rng.choice(("Finished.", "Submitted the repair.", "All done.")))], "")
