"""The git emulation against real git: random histories, random edits, random commands, in a checkout beside it.

Ids, answers and working trees must be equal. What the emulation refuses is not asked of real git, save for commands
that only read: those real git must refuse too.
"""

import shlex
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evotrainer.domains.swe.checkout.git_process import checked_git, run_git_process
from evotrainer.domains.swe.checkout.real_checkout import RealPlace
from evotrainer.records import Problem

PATHS = ("a.py", "b.py", "pkg/c.py", "pkg/sub/d.py", "pkg.txt", "pkg-x.py", "z z.txt", "caf\u00e9.py")
LINES = ("def f(x):", "    return x", "", "    y = 1", "class A:", "        pass", "# note", "    if y:")
texts = st.tuples(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(("\n", ""))).map(
    lambda parts: "\n".join(parts[0]) + parts[1]
)
messages = st.sampled_from(("Fix it", "Add x\n\nLonger body\nof two lines", "Refactor\nwrapped subject"))
revisions = st.sampled_from(("HEAD", "HEAD~1", "HEAD^", "main", "origin/main", "@", "stash", "main~2", "nosuch"))
paths = st.sampled_from((*PATHS, ".", "pkg", "nosuch.py"))

READS = (
    "log",
    "log --oneline",
    "log --oneline --all",
    "log --all -p",
    "log -2 --stat",
    "log --name-only -- {path}",
    "log --oneline {rev}",
    "log {rev}..{rev} --oneline",
    "log --format=%h|%s|%an",
    "log --reverse --oneline -p",
    "log --grep=Fix --oneline --all",
    "log -Sy --oneline",
    "show {rev}",
    "show {rev}:{file}",
    "show --stat {rev}",
    "diff",
    "diff --cached",
    "diff {rev}",
    "diff {rev} {rev}",
    "diff --stat {rev} -- {path}",
    "diff --name-status {rev}",
    "rev-list {rev}",
    "rev-parse {rev}",
    "rev-parse --short {rev}:{file}",
    "blame HEAD -- {path}",
    "grep -n return",
    "grep -l y {rev}",
    "cat-file -p {rev}",
    "cat-file -p {rev}:{file}",
    "cat-file -p {rev}^{{tree}}",
    "ls-files",
    "ls-tree -r {rev}",
    "ls-tree {rev}",
    "branch -a",
    "branch -v",
    "reflog",
)
CHANGES = (
    "checkout {rev} -- {path}",
    "checkout {path}",
    "checkout -- {path}",
    "checkout {rev}",
    "checkout -f {rev}",
    "checkout -b topic",
    "switch --detach {rev}",
    "switch main",
    "restore {path}",
    "restore --staged {path}",
    "restore --source {rev} {path}",
    "restore -SW --source={rev} -- {path}",
    "reset --hard {rev}",
    "reset {rev}",
    "reset --soft {rev}",
    "reset {rev} -- {path}",
    "add -A",
    "add {path}",
    "add -u",
    "commit -am work",
    "status",
    "status -s",
    "stash",
    "stash list",
    "stash show -p",
    "merge --ff-only {rev}",
    "cherry-pick {rev}",
)
WORDED_OTHERWISE = ("stash pop", "stash apply", "stash drop")
"""Change files as git does, and say so in their own words."""


@st.composite
def histories(draw: st.DrawFn) -> Problem:
    files: dict[str, str] = {}
    commits = []
    for _ in range(draw(st.integers(1, 5))):
        changes = draw(st.dictionaries(st.sampled_from(PATHS), st.none() | texts, min_size=1, max_size=3))
        changes = {path: text for path, text in changes.items() if files.get(path) != text}
        for path, text in changes.items():
            files.pop(path, None) if text is None else files.__setitem__(path, text)
        commits.append(({"message": draw(messages), "changes": changes}, dict(files)))
    cut = draw(st.integers(1, len(commits)))
    data = {
        "files": commits[cut - 1][1],
        "history": [commit for commit, _ in commits[:cut]],
        "future": [commit for commit, _ in commits[cut:]],
    }
    return Problem(problem_id="p", domain="swe", family="f", split="train", prompt="p", answer="", data=data)


def _quoted(path: str) -> str:
    return shlex.quote(path)


commands = st.builds(
    lambda form, revs, path: _filled(form, revs, path),
    st.sampled_from((*READS, *CHANGES, *WORDED_OTHERWISE)),
    st.tuples(revisions, revisions),
    paths,
)
edits = st.tuples(st.sampled_from((*PATHS, "new.py", "fresh/e.py")), texts)


def _filled(form: str, revs: tuple[str, str], path: str) -> str:
    first, _, rest = form.partition("{rev}")
    text = f"{first}{revs[0]}{rest.replace('{rev}', revs[1])}" if "{rev}" in form else form
    return (
        text.replace("{{tree}}", "{tree}")
        .replace("{path}", _quoted(path))
        .replace("{file}", _quoted("a.py" if path == "." else path))
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(), st.booleans(), st.lists(commands | edits, min_size=1, max_size=10))
def test_the_emulation_answers_as_real_git(problem: Problem, sanitize: bool, steps):
    with tempfile.TemporaryDirectory() as folder:
        place = RealPlace(problem, Path(folder), sanitize)
        for step in steps:
            if isinstance(step, tuple):
                place.write(*step)
                continue
            emulated, real = place.git_twice(step)
            if emulated.ok:
                assert real.ok, f"git {step}: {real.text}"
                assert step in WORDED_OTHERWISE or emulated.text == real.text, f"git {step}"
            elif step.split()[0] in {form.split()[0] for form in READS} and "grep" not in step:
                refused = run_git_process(Path(folder), shlex.split(step))
                assert refused.returncode != 0, f"git {step} is refused with: {emulated.text}"
            place.check()
            assert place.differences == [], f"after git {step}"


@settings(max_examples=5, deadline=None)
@given(histories())
def test_the_commits_are_sound_to_real_git(problem: Problem):
    with tempfile.TemporaryDirectory() as folder:
        RealPlace(problem, Path(folder), sanitize=False)
        assert checked_git(Path(folder), "fsck", "--strict", "--no-dangling") == b""


LINES_SEARCHED = (
    "def f(x):",
    "  return x*2",
    "a+b = {3} [c] (d) | e",
    "",
    "caf\u00e9 = 1",
    "\t# foo_bar foobar",
    "x^2 $ y\\z",
    "aaa",
    "Foo.bar(baz)",
    "a{2}",
    "b-]c",
    "if x == 3:\r",
    "one two_three",
    "aXbXc",
)
PIECES = (
    "a",
    "b",
    "x",
    "f",
    "o",
    "o",
    "é",
    "3",
    " ",
    "_",
    ".",
    "*",
    "+",
    "?",
    "^",
    "$",
    "|",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "-",
    "\\(",
    "\\)",
    "\\|",
    "\\+",
    "\\?",
    "\\{",
    "\\}",
    "\\.",
    "\\*",
    "\\\\",
    "\\b",
    "\\B",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "{2}",
    "{1,2}",
    "{,1}",
    "{2,}",
    "\\{2\\}",
    "\\{1,\\}",
    "[a-c]",
    "[^a-c]",
    "[]b]",
    "[^]a]",
    "[[:alpha:]_]",
    "[\\d]",
    "[[:space:]]",
    "[[.-.]a]",
    "[a",
    "[c-a]",
    "[[:odd:]]",
    "foo",
    "bar",
    "(a|b)",
    "\\(a\\|b\\)",
    "\n",
    "\\q",
    "=",
)
SHELL = ("|", "||")
"""Words that are refused wherever they stand: pipes are not there."""
patterns = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
options = st.sampled_from(("", "-E", "-F", "-i", "-n", "-E -i -n", "-l", "-w", "-E -w -i"))


@settings(max_examples=30, deadline=None)
@given(st.permutations(LINES_SEARCHED), st.lists(st.tuples(options, patterns), min_size=10, max_size=10))
def test_patterns_find_the_lines_that_real_git_finds(lines, searches):
    files = {"a.py": "\n".join(lines[:7]) + "\n", "b.py": "\n".join(lines[7:])}
    data = {"files": files, "history": [{"message": "All", "changes": files}], "future": []}
    problem = Problem(problem_id="p", domain="swe", family="f", split="train", prompt="p", answer="", data=data)
    with tempfile.TemporaryDirectory() as folder:
        place = RealPlace(problem, Path(folder), sanitize=True)
        for flags, pattern in searches:
            step = f"grep {flags} -e {shlex.quote(pattern)}"
            emulated, real = place.git_twice(step)
            assert emulated.text == real.text, step
            if not emulated.ok and pattern not in SHELL:
                refused = run_git_process(Path(folder), shlex.split(step))
                assert refused.returncode == (1 if emulated.text == "no match" else 128), f"{step}: {emulated.text}"
