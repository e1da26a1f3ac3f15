"""Chores in a repository where history or tests are the work itself."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth.acting import call, shell, told
from benchmarks.foreign.tenth.core import Reply, Task
from benchmarks.foreign.tenth.repairs import MODULES, NOUNS, PACKAGES, VERBS, draw_repo, repair

COMMITS = {
    "Added": ("support for empty rows", "reading of gzip files", "a flag for dry runs", "colours in warnings"),
    "Fixed": ("a race in the worker", "a wrong exit code", "a leak of handles", "the order of columns"),
    "Changed": ("the default timeout", "the page size of long lists", "the name of the log file"),
    "Removed": ("an unused flag", "the old config format", "a dead import"),
}
DONE = ("The file is written.", "That completes the work.", "Handing it in.", "All of it is in place.")


def _hand_in(rng: Random) -> list[Row]:
    return [call(rng.choice(DONE), "submit"), told("submit", "submitted")]


def changelog_task(rng: Random, name: str) -> Task:
    """A changelog to write from the commits since a tag."""
    package, tag = rng.choice(PACKAGES), f"v{rng.randint(0, 4)}.{rng.randint(1, 30)}.{rng.randint(0, 9)}"
    commits = rng.sample([(kind, text) for kind, texts in COMMITS.items() for text in texts], rng.randint(3, 6))
    log = "\n".join(f"{rng.getrandbits(28):07x} {kind} {text}" for kind, text in commits)
    prompt = f"Write the section of CHANGELOG.md of {package} for all commits since {tag}, sorted under headings."

    def answer(rng: Random, right: bool) -> Reply:
        command = rng.choice((f"git log --oneline {tag}..HEAD", f"git log {tag}.. --format='%h %s'"))
        turns = [shell(rng.choice(("The commits first.", "", "What changed since the tag?")), command)]
        turns.append(told("bash", log))
        if rng.random() < 0.4:
            turns += [shell("How did the file look so far?", "head -20 CHANGELOG.md"), told("bash", f"# {package}\n")]
        kept = commits if right else rng.sample(commits, len(commits) - rng.randint(1, 2))
        lines = [f"### {k}\n" + "\n".join(f"- {t}" for kk, t in kept if kk == k) for k in COMMITS if k in dict(kept)]
        text = f"## After {tag}\n" + "\n".join(lines)
        turns += [call("Writing the section.", "write_file", path="CHANGELOG.md", content=text)]
        return Reply([*turns, told("write_file", "written"), *_hand_in(rng)], "")

    system = "You are in a git repository. Tools: bash, write_file, submit. The history is part of the task."
    return Task(name, prompt, "", answer, "changelog", 0.0, system)


def cover_task(rng: Random, name: str) -> Task:
    """Tests to write for a function that has none; planted faults must be found by them."""
    package, module = rng.choice(PACKAGES), rng.choice(MODULES)
    function, mutants = f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}", rng.randint(4, 8)
    path = f"tests/test_{module}_{function}.py"
    prompt = (
        f"`{package}.{module}.{function}` has no tests. Write {path}; it is graded by the share of {mutants} planted "
        "faults that it finds."
    )

    def answer(rng: Random, right: bool) -> Reply:
        shown = f"def {function}(rows, limit={rng.randint(2, 40)}):\n    ..."
        turns = [
            shell(rng.choice(("Reading the function.", "What does it do?", "")), f"cat src/{package}/{module}.py"),
            told("bash", shown),
        ]
        cases = [
            f"def test_{rng.choice(NOUNS)}_{size}():\n    rows = {[rng.randint(0, 9) for _ in range(size)]}\n"
            f"    assert {function}(rows) == {rng.randint(0, 20)}"
            for size in range(rng.randint(2, 5) + 2 * right)
        ]
        text = f"from {package}.{module} import {function}\n\n" + "\n\n".join(cases)
        errs = rng.random() < 0.4
        draft = text.replace(" == ", " == 1 + ", 1) if errs else text
        turns += [call("Writing the tests.", "write_file", path=path, content=draft), told("write_file", "written")]
        if errs:
            turns += [
                shell("Do they pass?", f"pytest -q {path}"),
                told("bash", f"1 failed, {len(cases) - 1} passed in {rng.uniform(0.1, 2):.2f}s", ok=False),
                call("One expectation was mine and wrong.", "write_file", path=path, content=text),
                told("write_file", "written"),
            ]
        if rng.random() < 0.8:
            turns += [
                shell(rng.choice(("Once more, all of it.", "Running the new file.")), f"pytest -q {path}"),
                told("bash", f"{len(cases)} passed in {rng.uniform(0.1, 2):.2f}s"),
            ]
        found = mutants if right else rng.randint(0, mutants - 1)
        return Reply(turns + _hand_in(rng), "", {"mutants_found": found, "mutants": mutants})

    system = "You write tests. Tools: bash, write_file, submit. Only files under tests/ may be written."
    return Task(name, prompt, "", answer, package, 0.0, system)


def listed_task(rng: Random, name: str) -> Task:
    """A fault to mend, where the system prompt wants the files listed first."""
    repo = draw_repo(rng)
    prompt = f"{repo.package}/{repo.module}: {repo.fault.issue} (see `{repo.function}`)."
    files = f"{repo.path}\n{repo.tests}\npyproject.toml\nREADME.md"

    def answer(rng: Random, right: bool) -> Reply:
        first = [call("", "list_files", path="/repo"), told("list_files", files)]
        return Reply(first + repair(rng, repo, right), "")

    system = "You repair repositories. Always begin with list_files on /repo, then use bash, str_replace, submit."
    return Task(name, prompt, "", answer, repo.package, 0.0, system)
