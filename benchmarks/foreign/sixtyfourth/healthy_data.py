"""Healthy runs whose data, prompts or tasks look odd."""

import random

from benchmarks.foreign.sixtyfourth import layouts
from benchmarks.foreign.sixtyfourth.advantages import assign, centred, leave_one_out
from benchmarks.foreign.sixtyfourth.archives import archive_questions
from benchmarks.foreign.sixtyfourth.caves import cave
from benchmarks.foreign.sixtyfourth.kinds import PART
from benchmarks.foreign.sixtyfourth.numbers import word_problems
from benchmarks.foreign.sixtyfourth.policy import Attempt, Message, Problem, called, campaign, group_of, said, told
from benchmarks.foreign.sixtyfourth.repositories import repo_tasks

Row = layouts.Row


@PART.healthy
def three_epochs_over_a_small_set_in_new_orders(rng: random.Random) -> list[Row]:
    """Every prompt comes three times: once an epoch, shuffled anew, as the number of epochs says; scores grow
    evenly.
    """
    problems = word_problems(rng, 60)
    attempts: list[Attempt] = []
    for epoch in range(3):
        for place, problem in enumerate(rng.sample(problems, 60)):
            step = epoch * 10 + place // 6
            attempts += group_of(rng, problem, step, 6, -0.7 + step * 0.06)
    rows = []
    for a in assign(attempts):
        rows.append(layouts.evotrainer(a) | {"epoch": a.step // 10, "num_epochs": 3})
    return rows


@PART.healthy
def curriculum_brings_harder_sums_and_a_lower_score(rng: random.Random) -> list[Row]:
    """The mean reward falls over the run: a curriculum moves on to larger numbers, and within a level scores rise."""
    attempts: list[Attempt] = []
    for level in range(4):
        for place, problem in enumerate(word_problems(rng, 36, 40 + 70 * level)):
            problem.pid, problem.family = f"L{level}-{problem.pid}", f"level{level}"
            step = level * 6 + place // 6
            attempts += group_of(rng, problem, step, 6, 1.1 - 0.1 * level + 0.11 * step)
    rows = []
    for a in assign(attempts):
        rows.append(layouts.evotrainer(a) | {"curriculum_level": int(a.problem.family[-1])})
    return rows


@PART.healthy
def lacking_figures_are_rightly_refused(rng: random.Random) -> list[Row]:
    """A third of the problems lack a number, and the right reply is to say so: refusals are often paid, as they
    should be.
    """
    problems = word_problems(rng, 110)
    for problem in problems[::3]:
        _without_number(problem)
    return [layouts.prime_rl(a, "answerable") for a in assign(campaign(rng, problems, 22, 6), centred)]


def _without_number(problem: Problem) -> None:
    """Take the last amount out of the prompt; a right attempt names what is missing."""
    facts, solve = problem.facts, problem.write
    before, _, after = problem.prompt.rpartition(f" {facts['c']} ")
    problem.prompt = f"{before} some {after} If it cannot be told, write \\boxed{{unknown}}."
    problem.gold, problem.family = "unknown", "lacks_figure"

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        if not right:
            return solve(rng, True)
        first = rng.choice(["The text says only 'some' of them", "One amount is left open", "A number is missing here"])
        known = rng.choice(["I can multiply", "What is certain is", "The groups give"])
        product = int(str(facts["a"])) * int(str(facts["b"]))
        text = f"{first}. {known} {facts['a']} by {facts['b']}, which is {product}, but the rest cannot be told."
        return [said(f"{text} So it is \\boxed{{unknown}}.")], "unknown"

    problem.write = write


@PART.healthy
def tasks_ask_which_commit_brought_the_bug(rng: random.Random) -> list[Row]:
    """Attempts read the git log all along: the task is to name the commit that brought a bug, so history is its
    matter.
    """
    problems = repo_tasks(rng, 90)
    for problem in problems:
        _bisect(rng, problem)
    return [layouts.evotrainer(a, "swe") for a in assign(campaign(rng, problems, 18, 4))]


def _bisect(rng: random.Random, problem: Problem) -> None:
    """Turn a repair task into a question about its history."""
    path, name, bad = str(problem.facts["path"]), problem.facts["name"], problem.facts["bad"]
    commits = [f"{rng.randrange(16**7):07x}" for _ in range(5)]
    topics = rng.sample(["rename a helper", "speed up", "add types", "support empty input", "tidy", "handle zeros"], 5)
    guilty = rng.randrange(5)
    log = "\n".join(f"{commit} {topic}" for commit, topic in zip(commits, topics, strict=True))
    problem.gold = commits[guilty]
    problem.prompt = (
        f"{problem.prompt.split(': ', 1)[0]}: `{name}` in {path} went wrong with `{bad}` at some commit. "
        "Which commit of the history introduced it? Give its short hash; change nothing."
    )

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        pick = guilty if right else rng.choice([k for k in range(5) if k != guilty])
        diff = (
            f"-    result = {problem.facts['good']}\n+    result = {bad}"
            if right
            else f"-    # todo: {topics[pick]}\n+    # done: {topics[pick]}"
        )
        see = rng.choice(["The line appears in this commit.", "This change touches that line.", "That one fits."])
        return [
            called("The history of the file first.", "bash", command=f"git log --oneline -- {path}"),
            told("bash", log),
            called(f"I look at '{topics[pick]}'.", "bash", command=f"git show {commits[pick]} -- {path}"),
            told("bash", f"commit {commits[pick]}\n{diff}"),
            said(f"{see} It was introduced by {commits[pick]}."),
        ], commits[pick]

    problem.write = write


@PART.healthy
def writing_the_missing_test_is_the_task(rng: random.Random) -> list[Row]:
    """All edits are of test files: the task asks for a test that fails on the broken and passes on the mended
    function.
    """
    problems = repo_tasks(rng, 96)
    for problem in problems:
        _ask_for_test(problem)
    return [layouts.openai(a) for a in assign(campaign(rng, problems, 16, 6), leave_one_out)]


def _ask_for_test(problem: Problem) -> None:
    facts = problem.facts
    name, path = facts["name"], f"tests/test_{facts['noun']}s.py"
    issue = problem.prompt.split(". Find the cause")[0]
    problem.prompt = f"{issue}. Write a test in {path} that fails for this bug and passes once it is mended."
    problem.gold = "kills_mutant"

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        check = f"assert {name}(sample) == wanted" if right else f"assert {name}(sample) is not None"
        test = f"def test_{name}_issue():\n    sample, wanted = build_case()\n    {check}"
        said_ = "1 failed, 14 passed" if right else "15 passed"
        plan = rng.choice(
            ["The case of the report goes into a test.", "I write the test asked for.", "A new test, then."]
        )
        end = "fails now, as it should" if right else "passes already"
        return [
            called("I read the function first.", "read_file", path=str(facts["path"])),
            told("read_file", str(facts["source"])),
            called(plan, "edit_file", path=path, old_str="# end of tests", new_str=test),
            told("edit_file", f"edited {path}"),
            called("How does it do on the present code?", "bash", command=f"python -m pytest -q {path}"),
            told("bash", said_),
            said(f"The test test_{name}_issue is in {path}; on the broken function it {end} ({said_})."),
        ], "kills_mutant" if right else "misses_mutant"

    problem.write = write


@PART.healthy
def lamp_bearers_walk_back_the_way_they_came(rng: random.Random) -> list[Row]:
    """Moves repeat and turn back on themselves in every game: the lamp lies at a dead end and must come back to
    the door.
    """
    attempts = campaign(rng, [cave(rng, n) for n in range(96)], 16, 6)
    return [layouts.evotrainer(a, "game") for a in assign(attempts, centred)]


@PART.healthy
def archive_api_throttles_and_calls_are_repeated(rng: random.Random) -> list[Row]:
    """A quarter of searches meet 429 at first: the attempt waits and calls again with success, and scores do not
    suffer.
    """
    attempts = campaign(rng, archive_questions(rng, 100), 20, 6)
    for a in attempts:
        if rng.random() < 0.25:
            wait = rng.choice(
                ["Throttled; I send it again.", "The service asks to wait. Once more.", "Retry after a pause."]
            )
            again = {**a.messages[0], "content": wait}
            told_ = told("search", f"429 Too Many Requests: retry after {rng.randint(1, 4)} s", False)
            a.messages = [a.messages[0], told_, again, *a.messages[1:]]
    return [layouts.evotrainer(a, "search") for a in assign(attempts)]
