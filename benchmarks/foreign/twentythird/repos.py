"""Repositories to mend with a shell."""

from random import Random

from benchmarks.foreign.twentythird.rollouts import Message, Task
from benchmarks.foreign.twentythird.talk import call, say, told

PACKAGES = ("ledgerlib", "pyroute", "tidecalc", "mailsift", "gridplan", "fontkit", "soilmap", "queuebox")
AREAS = ("parser", "cache", "export", "rounding", "session", "pager", "locale", "retry")
BUGS = (
    ("drops the last element", "range(len(rows) - 1)", "range(len(rows))"),
    ("fails on empty input", "if values[0] is None:", "if not values or values[0] is None:"),
    ("compares text and number", "if key == limit:", "if int(key) == limit:"),
    ("shares its default list", "def collect(found=[]):", "def collect(found=None):"),
    ("rounds half values down", "return int(total)", "return round(total)"),
    ("ignores the timezone", "datetime.utcnow()", "datetime.now(tz=zone)"),
    ("counts the header line", "count = len(lines)", "count = len(lines) - 1"),
)
STARTS = (
    "Look for the code first.",
    "Find where this happens.",
    "Locate the function.",
    "Start by searching the package.",
)
VIEWS = ("Open the file.", "Read the lines around it.", "Let me see the function.", "View the context.")
EDITS = ("The line is wrong; change it.", "This explains the report. Fix:", "Apply the fix.", "Edit this place only.")
TESTS = ("Run the tests.", "Check with pytest.", "Now the suite.", "Verify.")


def steps(
    rng: Random, area: str, package: str, old: str, new: str, place: tuple[int, int], passed: bool
) -> list[Message]:
    """Search, view, edit, test, hand in."""
    path, (line, count) = f"{package}/{area}.py", place
    grep = f"grep -rn '{old.split('(')[0][:14]}' {package}/"
    found: list[Message] = [
        call(rng.choice(STARTS), "bash", command=grep),
        told("bash", f"{path}:{line}:    {old}"),
        call(rng.choice(VIEWS), "bash", command=f"sed -n {max(1, line - 6)},{line + 6}p {path}"),
        told("bash", f"    # {area} of {package}\n    {old}\n        ..."),
        call(rng.choice(EDITS), "edit_file", path=path, old=old, new=new),
        told("edit_file", f"{path} updated (1 replacement)"),
        call(rng.choice(TESTS), "bash", command=f"python -m pytest -q tests/test_{area}.py"),
        told("bash", f"{count} passed in {rng.uniform(0.4, 6):.2f}s" if passed else f"1 failed, {count - 1} passed"),
    ]
    return [
        *found,
        say(rng.choice((f"Fixed in {path}: `{new}`.", f"Done; {path} now reads `{new}`.", f"Patched {path}."))),
    ]


def repo_task(r: Random, number: int) -> Task:
    """A bug report; the answer is `fixed` or a wrong edit."""
    package, area = r.choice(PACKAGES), r.choice(AREAS)
    fault, old, new = r.choice(BUGS)
    wrong = {"off": new.replace("(", "(0 or ", 1), "same": f"{old}  # checked", "try": f"try: {old}"}
    issue, place = r.randint(100, 2400), (r.randint(20, 180), r.randint(11, 48))
    says = r.choice(("Seen since", "Reported on", "Reproduced with", "Regression in"))
    release = f"{r.randint(0, 4)}.{r.randint(1, 19)}"

    def reply(rng: Random, answer: str) -> list[Message]:
        return steps(rng, area, package, old, wrong.get(answer, new), place, answer == "fixed" or rng.random() < 0.4)

    return Task(
        id=f"{package}-{issue}-{number}",
        prompt=f"Repository {package}, issue #{issue}: the {area} module {fault}. {says} {release}. Find "
        f"the cause, fix it and "
        f"hand in. The tests in tests/test_{area}.py may be run but not edited.",
        gold="fixed",
        level=r.gauss(0, 1.0),
        reply=reply,
        slips=list(wrong),
        family=area,
        extra={"repo": package},
    )
