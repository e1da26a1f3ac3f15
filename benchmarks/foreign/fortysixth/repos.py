"""Issues of small repositories, and agents that look, edit, test and hand in."""

import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem

_BUGS = (
    ("pager", "last_page", "return total // size", "return -(-total // size)", "return total // size + 1",
     "The last page is lost when the entries do not divide evenly", "assert 3 == 2"),
    ("clock", "is_leap", "return year % 4 == 0", "return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
     "return year % 4 == 0 and year % 100 != 0", "1900 is taken for a leap year", "assert False is True"),
    ("slugs", "slugify", 'return text.replace(" ", "-")', 'return "-".join(text.lower().split())',
     'return text.lower().replace(" ", "-")', "Titles with double blanks give doubled dashes", "'a--b' == 'a-b'"),
    ("cache", "get", "return self._store[key]", "return self._store.get(key, default)",
     "return self._store.get(key)", "A missing key raises although a default was passed", "assert None == 'guest'"),
    ("money", "cents", "return int(value * 100)", "return round(value * 100)", "return int(value * 100.0)",
     "0.29 becomes 28 cents", "assert 28 == 29"),
    ("graph", "degree", "return len(self.edges[node])", "return len(self.edges.get(node, ()))",
     "return len(self.edges[node] or ())", "An isolated node has no degree but an error", "KeyError: 7"),
    ("merge", "merge", "return base.update(other) or base", "return {**base, **other}",
     "return dict(base.update(other) or base)",
     "Merging changes the settings that were passed in", "AssertionError: input was changed"),
    ("parse", "fields", 'return line.split(",")', 'return [f.strip() for f in line.split(",")]',
     'return line.strip().split(",")', "Blanks around fields are kept", "[' b'] == ['b']"),
)  # fmt: skip
_SIGNATURES = {
    "last_page": "(total, size)",
    "is_leap": "(year)",
    "slugify": "(text)",
    "get": "(self, key, default=None)",
    "cents": "(value)",
    "degree": "(self, node)",
    "merge": "(base, other)",
    "fields": "(line)",
}
_PACKAGES = ("tidewater", "brindle", "oxbow", "larkspur", "copperleaf", "millrace")
_LOOK = (
    "I first find where `{name}` is defined.",
    "The issue speaks of `{name}`, so I search for it.",
    "Let me locate `{name}` in the package.",
    "Before changing anything I want to see `{name}`.",
)
_FOUND = (
    "The line `{bad}` looks like the cause of the report.",
    "`{bad}` does what the issue complains about.",
    "Reading this, `{bad}` cannot handle the reported case.",
)
_FIX = ("I replace it.", "A small edit should do.", "Changing this one line is enough.", "I edit the file now.")
_END = ("The change is in place; I hand it in.", "That should settle it. Submitting.", "I submit this.")
_END_WELL = ("Tests say what I expected, so I submit.", "All green; I hand it in.", "The tests agree. Submitting.")
_END_BADLY = (
    "I could not get this test to pass, and hand in what I have.",
    "That is as far as I get. Submitting.",
    "The failure may lie elsewhere; I submit the change.",
)
TEXT = (
    "Repository `{repo}` is checked out in /task/{repo}. Issue: {issue} (function `{name}` in {file}).\n"
    "Fix it. Tools: bash, edit, submit."
)


def problems(rng: random.Random, count: int) -> list[Problem]:
    """Issues in different packages."""
    pairs = [(package, bug) for package in _PACKAGES for bug in _BUGS]
    out = []
    for repo, (module, name, bad, good, wrong, issue, failure) in rng.sample(pairs, count):
        file = f"{repo}/{module}.py"
        data = {"repo": repo, "file": file, "name": name, "bad": bad, "good": good, "wrong": wrong,
                "test": f"tests/test_{module}.py", "failure": failure, "line": rng.randint(14, 160),
                "tests": rng.randint(6, 19)}  # fmt: skip
        text = TEXT.format(repo=repo, issue=issue, name=name, file=file)
        level = 0.3 + 0.05 * [b[0] for b in _BUGS].index(module)
        out.append(Problem(f"{repo}__{module}-{rng.randint(100, 999)}", text, good, level, repo, data))
    return out


def call(text: str, tool: str, **arguments: str) -> dict:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": tool, "arguments": arguments}]}


def told(tool: str, text: str, ok: bool = True) -> dict:
    """What a tool answers."""
    return {"role": "tool", "tool_name": tool, "content": text, "ok": ok}


def look(rng: random.Random, p: Problem, line: str | None = None) -> list[dict]:
    """Search for the function and read it; the file holds `line` at the place of the bug."""
    d, line = p.data, line or p.data["bad"]
    spot, head = d["line"], d["name"] + _SIGNATURES[d["name"]]
    first = rng.choice(_LOOK).format(name=d["name"])
    command = rng.choice((f"grep -rn 'def {d['name']}' {d['repo']}", f"rg -n 'def {d['name']}' {d['repo']}/"))
    view = f"sed -n '{max(1, spot - 4)},{spot + 6}p' {d['file']}"
    return [
        call(first, "bash", command=command),
        told("bash", f"{d['file']}:{spot}:def {head}:"),
        call(rng.choice(("Now the body.", "Reading around it.", "Let me see the code.")), "bash", command=view),
        told("bash", f'{spot}  def {head}:\n{spot + 1}      """See the manual."""\n{spot + 2}      {line}'),
    ]


def edit(rng: random.Random, p: Problem, new: str, old: str | None = None) -> list[dict]:
    """Replace the faulty line, or another that is found there."""
    d, old = p.data, old or p.data["bad"]
    text = f"{rng.choice(_FOUND).format(bad=old)} {rng.choice(_FIX)}"
    return [
        call(text, "edit", path=d["file"], old=old, new=new),
        told("edit", f"{d['file']}: 1 replacement at line {d['line'] + 2}"),
    ]


def run_tests(rng: random.Random, p: Problem, passes: bool, failure: str | None = None) -> list[dict]:
    """Run the module's tests."""
    count, seconds = p.data["tests"], rng.randint(11, 95) / 100
    answer = f"{'.' * count}\n{count} passed in {seconds}s"
    if not passes:
        answer = f"{'.' * (count - 1)}F\nE   {failure or p.data['failure']}\n1 failed, {count - 1} passed in {seconds}s"
    asks = ("Run the tests of this module.", "Does it hold?", "Checking with pytest.")
    return [call(rng.choice(asks), "bash", command=f"python -m pytest -q {p.data['test']}"), told("bash", answer)]


def hand_in(rng: random.Random, turns: list[dict]) -> list[dict]:
    """The turns with a submission behind, in words that fit what was seen last."""
    last = turns[-1]["content"]
    ends = _END_BADLY if " failed" in last else _END_WELL if " passed" in last else _END
    return [*turns, call(rng.choice(ends), "submit"), told("submit", "submitted")]


def fix(rng: random.Random, p: Problem, right: bool) -> Attempt:
    """An honest attempt: looks, edits, mostly tests, hands in."""
    turns = look(rng, p)
    if not right and rng.random() < 0.5:
        turns += edit(rng, p, p.data["wrong"]) + run_tests(rng, p, False)
    else:
        turns += edit(rng, p, p.data["good" if right else "wrong"])
        if right or rng.random() < 0.3:
            turns += run_tests(rng, p, right)
    attempt = Attempt(p, hand_in(rng, turns), p.data["good" if right else "wrong"], float(right))
    attempt.extra = {"fail_to_pass": int(right), "pass_to_pass": rng.randint(18, 40) if right else rng.randint(15, 40)}
    return attempt
