"""Repositories with a failing test, worked on in a shell."""

from random import Random

from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.rollouts import Message, Task

SYSTEM = "You work in /repo with the tool `bash`. Mend the issue. When you are done, say SUBMIT."
CRATES = [
    "tidewater",
    "lanternfs",
    "gridlock",
    "papercut",
    "osprey",
    "copperline",
    "mossy",
    "quillon",
    "saltbox",
    "thimble",
]
UNITS = ["parser", "cache", "scheduler", "router", "tokenizer", "ledger", "codec", "planner", "sampler", "watcher"]
ISSUES = (
    ("off by one in the last {u} window", "i <= n", "i < n"),
    ("{u} loses entries when the key is empty", "if key.is_empty() { return; }", "if key.is_empty() { self.flush(); }"),
    ("{u} panics on zero-length input", "buf[0]", "*buf.first().unwrap_or(&0)"),
    ("{u} rounds negative values the wrong way", "(x + 0.5) as i64", "x.round() as i64"),
)


def repair(rng: Random, index: int) -> Task:
    """An issue in a Rust crate; `answer` is the text that goes into the source."""
    crate, unit = rng.choice(CRATES), rng.choice(UNITS)
    issue, old, new = rng.choice(ISSUES)
    line, number = rng.randint(18, 240), rng.randint(60, 2400)
    prompt = (
        f"Issue #{number} in `{crate}`: {issue.format(u=unit)}. The failing test is tests/{unit}.rs::issue_{number}."
    )
    task = Task(
        f"{crate}-{number}",
        crate,
        prompt,
        new,
        rng.gauss(0.2, 0.8),
        lambda rng: old.replace("0", "1") + " /* todo */",
        _none,
        SYSTEM,
    )
    task.extra = {"unit": unit, "line": line, "old": old, "test": f"issue_{number}"}

    def work(rng: Random, answer: str, right: bool) -> list[Message]:
        return [*searched(rng, task), *edited(rng, task, answer), *tested(rng, task, right), said(submits(rng, task))]

    task.work = work
    return task


def _none(rng: Random, answer: str, right: bool) -> list[Message]:
    return []


def searched(rng: Random, task: Task) -> list[Message]:
    """Look for the place."""
    unit, line, old = task.extra["unit"], task.extra["line"], task.extra["old"]
    grep = rng.choice(
        (
            f"grep -n '{old[:6]}' src/{unit}.rs",
            f"rg -n '{old[:8]}' src",
            f"sed -n '{line - 8},{line + 8}p' src/{unit}.rs",
        )
    )
    say = rng.choice(
        ("Let me find the code.", "Where is that?", "I look at the source first.", "Starting with a search.")
    )
    return [said(say, call("bash", command=grep)), heard("bash", f"src/{unit}.rs:{line}:        {old}")]


def edited(rng: Random, task: Task, answer: str) -> list[Message]:
    """Change the line."""
    unit, line = task.extra["unit"], task.extra["line"]
    lines = (
        "cat > /tmp/fix.py <<'EOF'",
        f"p='src/{unit}.rs'",
        "L=open(p).read().split(chr(10))",
        f"L[{line - 1}]='        {answer}'",
        "open(p,'w').write(chr(10).join(L))",
        "EOF",
        "python3 /tmp/fix.py",
    )
    command = "\n".join(lines)
    return [
        said(rng.choice(("Changing that line.", "This should mend it.", "Edit:")), call("bash", command=command)),
        heard("bash", ""),
    ]


def tested(rng: Random, task: Task, passes: bool, name: str = "") -> list[Message]:
    """Run the test of the issue, or the one of this name."""
    unit, test, ms = task.extra["unit"], name or task.extra["test"], rng.randint(1, 90) / 100
    verdict = "ok" if passes else "FAILED"
    counted = f"{int(passes)} passed; {int(not passes)} failed; finished in {ms:.2f}s"
    text = f"running 1 test\ntest {test} ... {verdict}\n\ntest result: {verdict}. {counted}"
    command = rng.choice((f"cargo test --test {unit} {test}", f"cargo test -q {test}"))
    return [
        said(rng.choice(("Now the test.", "Running it.", "Check:")), call("bash", command=command)),
        heard("bash", text),
    ]


def submits(rng: Random, task: Task) -> str:
    """The last words."""
    return rng.choice(("SUBMIT", f"The {task.extra['unit']} is changed. SUBMIT", "I leave it at that. SUBMIT"))
