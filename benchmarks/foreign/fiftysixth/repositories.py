"""Small repositories with a defect, and sessions of an agent that works in them with a shell."""

import random
from dataclasses import dataclass

from benchmarks.foreign.fiftysixth.policy import Attempt, Problem, count

PACKAGES = ("tidelog", "parcelkit", "brewsheet", "mapfold", "rosterly", "seedbank", "claimdesk", "lumen")
DEFECTS = (
    ("ranges", "split_range", "drops the last item when the size divides the length", "stop = n - 1", "stop = n"),
    ("dates", "week_of", "is one week late in years that begin on a Friday", "days // 7 + 1", "(days + shift) // 7"),
    ("money", "round_cents", "rounds half a cent down for negative sums", "int(x * 100)", "floor(x * 100 + 0.5)"),
    ("names", "slug", "keeps a dash at the end of a title", 's.replace(" ", "-")', 's.strip().replace(" ", "-")'),
    ("cache", "evict", "throws out the newest entry first", "keys[-1]", "keys[0]"),
    ("paths", "join_all", "loses a leading slash", '"/".join(parts)', '"/" + "/".join(parts)'),
)
SYSTEM = "You work in a checkout of the repository. Use the tool `bash`. Say what you changed when you are done."


@dataclass
class Repository:
    """A checkout with one defect."""

    package: str
    module: str
    function: str
    symptom: str
    before: str
    after: str

    @property
    def path(self) -> str:
        """The file with the defect."""
        return f"{self.package}/{self.module}.py"


def draw(rng: random.Random, number: int) -> tuple[Problem, Repository]:
    """A repository and its issue."""
    package = rng.choice(PACKAGES)
    module, function, symptom, before, after = rng.choice(DEFECTS)
    version = f"{rng.randint(0, 4)}.{rng.randint(1, 19)}.{rng.randint(0, 9)}"
    prompt = (
        f"In {package} {version}, `{module}.{function}` {symptom}. "
        + rng.choice(("A customer saw it last week. ", "It came up in a review. ", "Nobody has had time for it. "))
        + f"Mend it without changing what else `{module}` does."
    )
    problem = Problem(f"{package}-{number:03d}", prompt, "tests pass", module, rng.gauss(0, 1), system=SYSTEM)
    return problem, Repository(package, module, function, symptom, before, after)


def many(rng: random.Random, amount: int) -> list[tuple[Problem, Repository]]:
    """So many repositories."""
    return [draw(rng, number) for number in range(amount)]


def call(number: int, thought: str, command: str) -> dict:
    """A message that calls the shell."""
    return {
        "role": "assistant",
        "content": thought,
        "tool_calls": [{"id": f"call_{number}", "name": "bash", "arguments": {"command": command}}],
    }


def answer(number: int, text: str, ok: bool = True) -> dict:
    """What the shell answered."""
    return {"role": "tool", "tool_name": "bash", "tool_call_id": f"call_{number}", "content": text, "ok": ok}


def look(rng: random.Random, repo: Repository) -> list[tuple[str, str, str]]:
    """Thought, command and answer of the first looks around."""
    line = rng.randint(14, 160)
    first = (
        f"I look for `{repo.function}` first.",
        f"grep -n 'def {repo.function}' -r {repo.package}",
        f"{repo.path}:{line}:def {repo.function}({rng.choice(('n, size', 'value', 'parts', 'x'))}):",
    )
    second = (
        rng.choice((f"Now the body of `{repo.function}`.", "Let me read what is around it.", "I read this part.")),
        f"sed -n {line},{line + 12}p {repo.path}",
        f'def {repo.function}(*args):\n    """See the manual of {repo.package}."""\n    ...\n    v = {repo.before}\n'
        f"    return v",
    )
    listing = (
        f"Which files does {repo.package} have?",
        f"ls {repo.package} tests",
        f"{repo.package}:\n__init__.py  {repo.module}.py  cli.py\n\ntests:\ntest_{repo.module}.py",
    )
    return [listing, first, second] if rng.random() < 0.4 else [first, second]


def mend(rng: random.Random, repo: Repository, right: bool) -> list[tuple[str, str, str]]:
    """The edit, and a run of the repository's tests; a wrong edit passes the visible tests but not the hidden ones."""
    other = rng.choice((f"abs({repo.before})", f"({repo.before}) or 0", f"max(0, {repo.before})"))
    new = repo.after if right else other
    tests = rng.randint(6, 31)
    return [
        (
            rng.choice(
                (
                    f"The expression `{repo.before}` is the reason that it {repo.symptom}.",
                    f"I think `{repo.before}` has to become `{new}`.",
                    f"So `{repo.function}` {repo.symptom} because of `{repo.before}`.",
                )
            ),
            f"python - <<'P'\nimport pathlib\np = pathlib.Path('{repo.path}')\n"
            f"p.write_text(p.read_text().replace('''{repo.before}''', '''{new}'''))\nP",
            "",
        ),
        (
            rng.choice(("Now the tests.", f"I run the tests of {repo.module}.", "Does anything else break?")),
            f"python -m pytest -q tests/test_{repo.module}.py",
            f"{'.' * tests} [100%]\n{tests} passed in {rng.uniform(0.1, 2.4):.2f}s",
        ),
    ]


def close(rng: random.Random, repo: Repository, new: str) -> str:
    """The last message."""
    return rng.choice(
        (
            f"`{repo.function}` now uses `{new}`, so it no longer {repo.symptom}.",
            f"I changed one expression in {repo.path}: `{repo.before}` became `{new}`. Tests of {repo.module} pass.",
            f"Done. The cause that {repo.module}.{repo.function} {repo.symptom} was `{repo.before}`.",
        )
    )


def play(attempt: Attempt, turns: list[tuple[str, str, str]], end: str, failed: tuple[int, ...] = ()) -> Attempt:
    """Write turns into the attempt's messages; those numbered in `failed` are answers of a call that failed."""
    attempt.messages = []
    for number, (thought, command, told) in enumerate(turns):
        attempt.messages += [call(number, thought, command), answer(number, told, number not in failed)]
    attempt.messages.append({"role": "assistant", "content": end})
    spoken = [t + c for t, c, _ in turns]
    attempt.tokens = sum(count(s) for s in [*spoken, end])
    return attempt


def session(rng: random.Random, attempt: Attempt, repo: Repository) -> Attempt:
    """An ordinary session, right or wrong as the attempt is."""
    turns = look(rng, repo) + mend(rng, repo, attempt.right)
    new = repo.after if attempt.right else "another expression"
    return play(attempt, turns, close(rng, repo, new))
