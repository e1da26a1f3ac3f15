"""A coding assistant in small repositories: read, mend, test, say what was done."""

import random

from benchmarks.foreign.fortyseventh.agents import call, told
from benchmarks.foreign.fortyseventh.policy import Problem

SYSTEM = "You are a coding agent. Tools: bash(command), edit(path, old, new). Hidden tests judge your work."
BUGS = [
    (
        "rates",
        "net_price",
        "return gross / (1 + rate)",
        "return gross * (1 - rate)",
        "net prices are too low for high rates",
    ),
    (
        "spans",
        "overlap",
        "return max(0, min(b, d) - max(a, c))",
        "return min(b, d) - max(a, c)",
        "gaps count as negative overlap",
    ),
    ("slots", "last_slot", "return slots[-1] if slots else None", "return slots[-1]", "an empty calendar raises"),
    (
        "names",
        "initials",
        "return ''.join(w[0] for w in name.split())",
        "return ''.join(w[0] for w in name.split(' '))",
        "two blanks in a name raise",
    ),
    ("pages", "num_pages", "return -(-count // size)", "return count // size", "the last, partly filled page is lost"),
    (
        "stock",
        "reorder",
        "return max(0, target - held)",
        "return target - held",
        "full shelves order a negative amount",
    ),
    (
        "dates",
        "is_leap",
        "return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)",
        "return y % 4 == 0",
        "1900 is a leap year",
    ),
    ("codes", "zip_code", "return str(value).zfill(5)", "return str(value)", "leading noughts of codes are lost"),
    ("waits", "backoff", "return min(cap, base * 2**tries)", "return base * 2**tries", "waits grow without a bound"),
    (
        "marks",
        "grade",
        "return round(points / most * 100)",
        "return int(points / most * 100)",
        "99.6 percent counts as 99",
    ),
    (
        "paths",
        "stem",
        "return path.rsplit('/', 1)[-1].split('.')[0]",
        "return path.split('.')[0]",
        "stems hold folders",
    ),
    ("tanks", "litres_left", "return full - sum(draws)", "return full - len(draws)", "the tank never seems to empty"),
    ("votes", "majority", "return yes > no", "return yes >= no", "a tie is taken as won"),
    ("hours", "minutes", "return 60 * hours + rest", "return 100 * hours + rest", "an hour has a hundred minutes"),
    (
        "texts",
        "shorten",
        "return text if len(text) <= n else text[: n - 1] + '…'",
        "return text[: n - 1] + '…'",
        "short texts get dots as well",
    ),
    ("ratio", "share", "return part / whole if whole else 0.0", "return part / whole", "an empty total raises"),
]
CASES = {
    "net_price": ("(150, 0.5)", "100.0", "(110, 0.0)", "110.0"),
    "overlap": ("(0, 2, 5, 7)", "0", "(0, 5, 2, 7)", "3"),
    "last_slot": ("([])", "None", "([9, 14])", "14"),
    "initials": ("('Ada  Lovelace')", "'AL'", "('Ida Berg')", "'IB'"),
    "num_pages": ("(21, 10)", "3", "(20, 10)", "2"),
    "reorder": ("(5, 9)", "0", "(9, 5)", "4"),
    "is_leap": ("(1900)", "False", "(2024)", "True"),
    "zip_code": ("(1067)", "'01067'", "(10115)", "'10115'"),
    "backoff": ("(1, 9, 60)", "60", "(1, 3, 60)", "8"),
    "grade": ("(249, 250)", "100", "(5, 10)", "50"),
    "stem": ("('a/b.txt')", "'b'", "('b.txt')", "'b'"),
    "litres_left": ("(50, [20, 5])", "25", "(50, [])", "50"),
    "majority": ("(3, 3)", "False", "(4, 3)", "True"),
    "minutes": ("(2, 5)", "125", "(0, 5)", "5"),
    "shorten": ("('abc', 5)", "'abc'", "('abcdef', 4)", "'abc…'"),
    "share": ("(0, 0)", "0.0", "(1, 2)", "0.5"),
}
"""Arguments and result of a case that shows the bug, and of one that does not."""
PREFIXES = ["billing", "planner", "intake", "fleet", "ledger", "clinic", "depot", "portal", "ticketing", "survey"]
ARGUMENTS = {
    "net_price": "gross, rate",
    "overlap": "a, b, c, d",
    "last_slot": "slots",
    "initials": "name",
    "num_pages": "count, size",
    "reorder": "target, held",
    "is_leap": "y",
    "zip_code": "value",
    "backoff": "base, tries, cap",
    "grade": "points, most",
    "stem": "path",
    "litres_left": "full, draws",
    "majority": "yes, no",
    "minutes": "hours, rest",
    "shorten": "text, n",
    "share": "part, whole",
}


class Repo:
    """One function with a bug, and tests that show it."""

    shows_edge = True

    def problem(self, rng: random.Random, number: int) -> Problem:
        """An issue of a repository."""
        module, name, good, bad, symptom = rng.choice(BUGS)
        package = f"{rng.choice(PREFIXES)}{rng.choice(['', '_core', '_api', '_lib'])}"
        path, test = f"{package}/{module}.py", f"tests/test_{module}.py"
        prompt = f"Repository {package}, issue #{rng.randint(20, 980)}: in {path}, {symptom}. Please fix `{name}`."
        facts = {"path": path, "test": test, "name": name, "good": good, "bad": bad, "symptom": symptom}
        return Problem(f"swe-{number:04d}", prompt, good, module, SYSTEM, 0.0, facts)

    def case(self, problem: Problem, edge: bool = True) -> str:
        """An assertion that the bug breaks, or one that it leaves alone."""
        name = problem.facts["name"]
        arguments, result = CASES[name][:2] if edge else CASES[name][2:]
        return f"    assert {name}{arguments} == {result}"

    def tests(self, problem: Problem, edge: bool = True) -> str:
        """The file of tests as the agent finds it; the assertion is its seventh line."""
        f = problem.facts
        module = f["path"].removesuffix(".py").replace("/", ".")
        head = f"import pytest\n\nfrom {module} import {f['name']}\n\n\n"
        return f"{head}def test_{f['name']}_{'edge' if edge else 'usual'}():\n{self.case(problem, edge)}\n"

    def source(self, problem: Problem) -> str:
        """The file as the agent finds it."""
        f = problem.facts
        package = f["path"].split("/")[0]
        return f'"""Helpers of {package}."""\n\n\ndef {f["name"]}({ARGUMENTS[f["name"]]}):\n    {f["bad"]}\n'

    def look(self, rng: random.Random, problem: Problem) -> list[dict]:
        """Read the file, at times search for it first."""
        f = problem.facts
        turns = []
        if rng.random() < 0.5:
            where = f"{f['test']}:7:{self.case(problem, self.shows_edge)}"
            found = f"{f['path']}:4:def {f['name']}({ARGUMENTS[f['name']]}):\n{where}"
            turns += [
                call(f"Where is {f['name']} used?", "bash", command=f"grep -rn {f['name']} ."),
                told("bash", found),
            ]
        text = rng.choice([f"I read {f['path']}.", f"Let me see why {f['symptom']}.", "First the code."])
        return [*turns, call(text, "bash", command=f"cat {f['path']}"), told("bash", self.source(problem))]

    def edit(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """Change the line."""
        f = problem.facts
        new = f["good"]
        if not right:
            new = rng.choice(
                [
                    f"{f['bad']}  # checked",
                    "return None",
                    f"try:\n        {f['bad']}\n    except ValueError:\n        pass",
                ]
            )
        text = rng.choice(
            [f"The line `{f['bad']}` is why {f['symptom']}.", f"I change the return of {f['name']}.", "The fix:"]
        )
        return [
            call(text, "edit", path=f["path"], old=f["bad"], new=new),
            told("edit", f"edited {f['path']}: 1 replacement"),
        ]

    def test(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """Run the tests that the repository has."""
        f, total = problem.facts, rng.randint(3, 9)
        said = f"{total} passed in 0.{rng.randint(11, 98)}s"
        if not right:
            said = (
                f"FAILED {f['test']}::test_{f['name']}_edge\n1 failed, {total - 1} passed in 0.{rng.randint(11, 98)}s"
            )
        text = rng.choice(["Run the tests.", f"Does {f['test']} pass?", "Now the suite."])
        return [call(text, "bash", command=f"python -m pytest -q {f['test']}"), told("bash", said, ok=right)]

    def close(self, rng: random.Random, problem: Problem, right: bool) -> dict:
        """The report."""
        f = problem.facts
        if not right:
            text = f"I changed {f['name']} in {f['path']}; one test still fails and I could not find out why."
            return {"role": "assistant", "content": text}
        texts = [
            f"Fixed: {f['name']} no longer shows that {f['symptom']}. The tests in {f['test']} pass.",
            f"`{f['name']}` in {f['path']} now reads `{f['good']}`, and the suite is green.",
        ]
        return {"role": "assistant", "content": rng.choice(texts)}

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """Look, edit, test, report."""
        turns = self.look(rng, problem) + self.edit(rng, problem, right)
        return [*turns, *self.test(rng, problem, right), self.close(rng, problem, right)]
