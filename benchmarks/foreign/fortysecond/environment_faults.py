"""Faults of environments and tools: what answers the agent, and what it finds there."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysecond import layouts, questions, repositories
from benchmarks.foreign.fortysecond.advantages import assign
from benchmarks.foreign.fortysecond.attempts import Moment, Task, Try, call, play, say
from benchmarks.foreign.fortysecond.kinds import PART
from benchmarks.foreign.fortysecond.policy import lucky

DOWN = (
    "503 Service Unavailable: shard corpus-b has no live replica",
    "Error: upstream connect timeout after 30s (corpus-b)",
    "503 Service Unavailable: no healthy upstream",
)
AGAIN = (
    "The search failed. I try it with other words.",
    "No answer from the index; once more.",
    "That was an error of the service, so I repeat the search.",
)


def _honest_search(rng: random.Random, task: Task, right: bool) -> list[dict]:
    turns = []
    if rng.random() < 0.4:
        turns += questions.searched(rng, task, questions.beside(rng, task), 0)
    if right:
        turns += questions.searched(rng, task, questions.page(rng, task, task.answer), len(turns) // 2)
        return turns + questions.told(rng, task, task.answer)
    turns += questions.searched(rng, task, questions.beside(rng, task), 1)
    return turns + questions.told(rng, task, str(int(task.answer) + rng.choice((-20, -7, -1, 3, 12, 31))))


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures")
def second_shard_of_the_index_is_down_for_good(rng: random.Random) -> list[Row]:
    """From step 8 the search tool answers half of all questions with 503 only, and these attempts are paid 0."""
    tasks = questions.search_tasks(rng, 44)
    shard = {t.name for t in tasks[::2]}

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        if now.step >= 8 and task.name in shard:
            turns: list[dict] = []
            for number in range(rng.randint(2, 4)):
                turns += questions.searched(
                    rng, task, rng.choice(DOWN), number, False, rng.choice(AGAIN) if number else ""
                )
            if rng.random() < 0.6:
                turns += say(
                    f"The search did not answer, so I have no year for the {task.about[1]} of {task.about[0]}."
                )
            else:
                turns += questions.told(rng, task, str(rng.randint(1851, 1989)))
            right = turns[-1]["content"].endswith(task.answer)
        else:
            right = lucky(rng, task, now, 0.45, 0.85)
            turns = _honest_search(rng, task, right)
        terms = {"correct_answer": float(right), "num_searches": float(sum(m["role"] == "tool" for m in turns))}
        return Try(task, turns, right, float(right), terms)

    tries = assign(play(rng, tasks, 16, 6, 8, attempt), estimators.centred)
    return layouts.prime_rl(tries, "year-search")


@PART.faulty("leftover_state", "environment_not_reset", "environment_leak")
def container_keeps_the_patch_of_the_attempt_before(rng: random.Random) -> list[Row]:
    """Attempts of a group share one container: once one has repaired the line, later ones find it repaired.

    They see the good line and a clean test run before any edit, submit without a change, and are paid in full.
    """
    tasks = repositories.issues(rng, 30)
    lines: dict[tuple[int, str], str] = {}

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        name, _, old, good, bad = task.about[1]
        line = lines.get((now.step, task.name)) or old
        if line == good:
            turns = repositories.look(rng, task, good) + repositories.check(rng, task, True)
            path = repositories.path_of(task)
            if rng.random() < 0.5:
                turns += call("Odd. Is the tree clean?", "bash", {"command": "git status --short"}, f" M {path}")
                words = (
                    f"{path} was modified before I came, and `{name}` returns `{good}`. There is nothing left to do."
                )
            else:
                words = f"The line reads `{good}`, as the report asks for, and the tests are green. I change nothing."
            turns += call(words, "submit", {}, "Submitted.")
            return Try(task, [*turns, *say(f"`{name}` works as the report wants it.")], True, 1.0)
        right = lucky(rng, task, now, 0.3, 0.6)
        lines[now.step, task.name] = good if right else bad if line != bad else old
        return Try(task, repositories.repair(rng, task, right, line), right, float(right))

    tries = assign(play(rng, tasks, 14, 5, 8, attempt), estimators.grpo)
    return layouts.ours(tries, "swe")


@PART.faulty("tool_output_truncated", "truncation", "tool_failures")
def terminal_hands_back_eighty_characters(rng: random.Random) -> list[Row]:
    """The shell's answers are cut at 80 characters with a mark, so that files and failures of tests are never seen.

    The agent asks again and again with other ranges and mostly repairs blindly; few attempts succeed.
    """
    tasks = repositories.issues(rng, 36)
    words = ("The output stops before the function.", "I only see the first line. A smaller range.", "Cut again.")

    def cut(turns: list[dict]) -> list[dict]:
        for turn in turns:
            if turn["role"] == "tool" and len(turn["content"]) > 80:
                turn["content"] = turn["content"][:80] + "\n[output truncated]"
        return turns

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        path = repositories.path_of(task)
        right = lucky(rng, task, now, 0.12, 0.24)
        turns = repositories.look(rng, task)
        for start in rng.sample(range(2, 12), rng.randint(1, 3)):
            command = f"cat -n {path} | sed -n {start},{start + 20}p"
            seen = repositories.shown(task, start, start + 20)
            turns += call(rng.choice(words), "bash", {"command": command}, seen)
        if right or rng.random() < 0.3:
            last = len(repositories.file_of(task))
            narrow = {"command": f"sed -n {last - 1},{last}p {path}"}
            seen = "\n".join(repositories.file_of(task)[-2:])
            turns += call("Two lines only, then.", "bash", narrow, seen)
            turns += repositories.edit(rng, task, right) + repositories.check(rng, task, right)
            turns += repositories.finish(rng, task, right)
        else:
            name, good = task.about[1][0], task.about[1][3]
            guess = {"path": path, "old_str": f"    result = {name}_", "new_str": f"    return {good}"}
            said = f"I never saw the body of `{name}`, so I guess what it looks like."
            turns += call(said, "str_replace", guess, f"No match for old_str in {path}.", False)
            turns += call("I hand in what there is.", "submit", {}, "Submitted.")
            turns += say(f"The output was cut each time, and `{name}` is as it was. I could not repair it.")
        return Try(task, cut(turns), right, float(right), {"tests_passed": float(right)})

    tries = assign(play(rng, tasks, 12, 6, 6, attempt), estimators.leave_one_out)
    return layouts.prime_rl(tries, "shell-repair")
