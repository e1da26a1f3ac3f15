"""Work on a machine: log files to read, repositories to mend."""

from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task

HOSTS = ("atlas", "bruno", "cedar", "delta", "ember", "fjord", "gale", "heron")
UNITS = ("payments", "mailer", "thumbnails", "search", "billing", "sessions", "webhooks", "imports")
REPOS = {
    "tinycal": ("calendar.py", "next_weekday"),
    "parcelbox": ("rates.py", "zone_rate"),
    "mdtable": ("render.py", "pad_cells"),
    "quietlog": ("filters.py", "level_of"),
    "geohop": ("distance.py", "haversine"),
    "slugger": ("slug.py", "slugify"),
    "retryx": ("backoff.py", "delays"),
    "csvpeek": ("sniff.py", "guess_delimiter"),
}
ISSUES = (
    "{f} returns the wrong value for an empty input",
    "{f} is off by one at the upper bound",
    "{f} raises TypeError when given None",
    "{f} ignores its second argument",
    "{f} mutates the list it is given",
    "{f} loses the sign of negative values",
)


def journal(rng: Random, key: str) -> Task:
    """How many jobs of a unit failed: a script reports it at the end of its long output."""
    host, unit, day = rng.choice(HOSTS), rng.choice(UNITS), rng.randint(1, 28)
    gold = rng.randint(3, 97)
    question = f"On {host}, how many jobs of {unit} failed on day {day}? Use the shell, then finish with `failed=<n>`."

    def write(r: Random, right: bool) -> Reply:
        said = gold if right else max(0, gold + r.choice((-9, -4, -2, -1, 1, 3, 7, 12)))
        lines = [
            f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d} {unit}[{r.randint(20, 99)}]: job {r.randrange(16**5):05x} "
            + r.choice(("ok", "ok", "retry", "failed"))
            for _ in range(r.randint(14, 24))
        ]
        shown = "\n".join(lines) + f"\nsummary: failed {gold}, retried {r.randint(1, 40)}"
        command = r.choice(
            (f"report.sh {unit} --day {day}", f"journal --unit {unit} --day {day} --summary", f"cat {unit}.{day}.log")
        )
        lead = r.choice(("Reading the journal.", f"Let me ask {host}.", "I'll run the report.", ""))
        turns = [
            {
                "role": "assistant",
                "content": lead,
                "tool_calls": [{"name": "shell", "arguments": {"command": command}}],
            },
            {"role": "tool", "content": shown, "tool_name": "shell"},
            {
                "role": "assistant",
                "content": r.choice(("The summary says", "I count", "The report ends with"))
                + f" {said}.\nfailed={said}",
            },
        ]
        return Reply(turns, str(said))

    return Task(key, question, str(gold), write, "You have a shell.", family=unit, extra={"host": host})


def bash(command: str, output: str) -> list[dict]:
    """A command of the policy without words, and what it printed."""
    call = {"name": "bash", "arguments": {"command": command}}
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": output, "tool_name": "bash"},
    ]


def mend(rng: Random, key: str) -> Task:
    """A bug in a repository: look, edit, test, hand in."""
    repo = rng.choice(tuple(REPOS))
    path, function = REPOS[repo]
    issue, number = rng.choice(ISSUES).format(f=function), rng.randint(11, 940)
    question = f"Repository /repo ({repo}). Issue #{number}: {issue}. Mend it; hidden tests decide."

    def write(r: Random, right: bool) -> Reply:
        fix = r.choice(
            (
                "if value is None: return default",
                "end = hi + 1",
                "items = list(items)",
                "return sign * result",
                "width = int(width)",
            )
        )
        turns = bash(f"cd /repo && grep -rn '{function}' src", f"src/{repo}/{path}:{r.randint(8, 90)}:def {function}(")
        turns += bash(
            f"sed -n '{r.randint(1, 9)},{r.randint(40, 80)}p' src/{repo}/{path}",
            f"def {function}(value, default=None):\n    ...\n",
        )
        if r.random() < 0.35:
            turns += bash(f"ls src/{repo}", f"__init__.py\n{path}\nerrors.py")
        if r.random() < 0.3:
            turns += bash(
                f"python -c 'import {repo}; print({repo}.__version__)'", f"0.{r.randint(1, 19)}.{r.randint(0, 9)}"
            )
        turns += bash(f"python edit.py src/{repo}/{path} --replace {function} --with '{fix}'", "1 file changed")
        if r.random() < 0.25:
            turns += bash(
                f"cat src/{repo}/{path} | head -n {r.randint(12, 50)}",
                f"import sys\n\ndef {function}(value, default=None):",
            )
        if right or r.random() < 0.5:
            failed = 0 if right else r.randint(0, 2)
            turns += bash(
                "python -m pytest -q", f"{r.randint(9, 60)} passed" + (f", {failed} failed" if failed else "")
            )
        end = r.choice(
            (
                f"{function} now handles the case of the issue.",
                f"Changed {path}; the visible tests pass.",
                "Done, see the diff.",
            )
        )
        return Reply([*turns, {"role": "assistant", "content": end}], fix)

    return Task(
        key,
        question,
        "",
        write,
        "You work in a container with bash.",
        family=repo,
        extra={"repo": repo, "issue": number},
    )
