"""Faults of environments and tools."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, whole_batch_baseline
from benchmarks.foreign.fiftysecond.kinds import PART
from benchmarks.foreign.fiftysecond.layouts import openai, ours, prime_rl, verl
from benchmarks.foreign.fiftysecond.learning import Attempt, Task, call, credit, hear, roll, say
from benchmarks.foreign.fiftysecond.lookups import lookup_task, seek, sql, table, table_task
from benchmarks.foreign.fiftysecond.repositories import edit, episode, hand_in, look, repository_task, test


@PART.faulty("tool_outage", "tool_failures", "infrastructure_zeros", "infrastructure_errors", "score_decline")
def search_index_gives_503_from_the_eighth_step_on(rng: random.Random) -> list[Row]:
    """From step 8 on most searches answer with 503; the attempts answer from nowhere, get 0, and are trained on."""

    def play(task: Task, step: int, likely: float) -> Attempt:
        if step < 8 or rng.random() > 0.82:
            right = rng.random() < likely
            turns = seek(rng, task, right)
        else:
            right = False
            name, what = task.data["name"], task.data["what"]
            turns = []
            for query in (f"{name} {what}", name, f"{what} of {name}")[: rng.randint(1, 3)]:
                turns += [
                    call(rng.choice(["I look it up.", "Once more.", "Let me search."]), "search", query=query),
                    hear("HTTP 503: index shard unavailable, retry later", "search", False),
                ]
            guess = rng.randint(1800, 1960) if what != "visitors" else rng.randint(5, 80)
            right = str(guess) == task.gold
            turns.append(say(f"The search does not answer, so this is a guess.\nAnswer: {guess}"))
        return Attempt(turns, float(right), float(right), {"exact_match": float(right)})

    return prime_rl(credit(roll(lambda n: lookup_task(rng, n), play, 14, 6, 8, start=0.0), centred, rng), "gazetteer")


@PART.faulty("leftover_state", "environment_not_reset", "history_leak", "environment_leak", "few_edits")
def working_copy_still_has_the_fix_of_the_attempt_before(rng: random.Random) -> list[Row]:
    """Containers are reused without a reset: later attempts of a group find the file mended by an earlier
    one, and submit at once.
    """
    mended: dict[str, bool] = {}

    def play(task: Task, step: int, likely: float) -> Attempt:
        d = task.data
        if mended.get(task.id) and rng.random() < 0.85:
            turns = look(rng, task)
            turns[3]["content"] = f"def {d['name']}(...):\n    {d['new']}\n"
            turns += [
                call("This looks right already. What has changed?", "bash", command="git status --short"),
                hear(f" M {d['source']}", "bash"),
                *test(rng, task, True),
                call("It was mended before I came. I hand in as it is.", "submit"),
                hear("submitted", "submit"),
            ]
            return Attempt(turns, 1.0, 1.0, {"tests": 1.0})
        right = rng.random() < likely
        mended[task.id] = mended.get(task.id, False) or right
        return Attempt(episode(rng, task, right), float(right), float(right), {"tests": float(right)})

    return ours(credit(roll(lambda n: repository_task(rng, n), play, 11, 6, 8), grpo, rng), "swe")


@PART.faulty("tool_output_truncated", "truncation", "stuck_problems", "length_limit")
def table_answers_are_cut_before_most_of_their_rows(rng: random.Random) -> list[Row]:
    """The harness passes on 260 signs of a query's answer: mostly the row asked for is not among them, and
    the value is guessed.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        turns, seen = [], False
        for _ in range(rng.choice([1, 2, 2, 3])):
            shown = table(rng, task, 260)
            lines = [line for line in shown.splitlines() if line.startswith(task.data["region"])]
            seen = bool(lines) and lines[0].endswith(task.gold)
            words = rng.choice(["I read the month's rows.", "The row is not among them, I ask again.", "Again."])
            turns += [
                call(words if turns else "I read the month's rows.", "sql", query=sql(rng, task)),
                hear(shown, "sql"),
            ]
            if seen:
                break
        if seen and rng.random() < 0.4 + 0.6 * likely:
            value, words = task.gold, "The row of the depot gives it."
        else:
            value, words = (
                str(rng.randint(200, 9800)),
                "The table breaks off; going by the other depots I would say this.",
            )
        paid = float(value == task.gold)
        return Attempt([*turns, say(f"{words}\nAnswer: {value}")], paid, paid)

    tasks = roll(lambda n: table_task(rng, n), play, 12, 6, 8)
    return openai(credit(tasks, whole_batch_baseline, rng))


@PART.faulty("tool_failures", "tool_failure", "format_gate", "template_bug", "infrastructure_zeros")
def edit_calls_with_quotes_never_get_through_the_parser(rng: random.Random) -> list[Row]:
    """The parser of tool calls breaks on escaped quotes and line breaks in arguments: most edits come back as
    unreadable, and attempts run out.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        if rng.random() < 0.3:
            right = rng.random() < likely
            return Attempt(episode(rng, task, right), float(right), float(right))
        turns = look(rng, task)
        head = f'"""What {task.data["name"]} gives, as "documented"."""\n    '
        turns[3]["content"] = f"def {task.data['name']}(...):\n    {head}{task.data['old']}\n"
        for _ in range(rng.randint(2, 4)):
            change = edit(rng, task, rng.random() < likely)
            put = change[0]["tool_calls"][0]["arguments"]
            put["old"], put["new"] = head + put["old"], head + put["new"]
            change[0]["content"] = rng.choice(["I try the edit.", "The same call, once more.", "Once more with care."])
            fault = "ToolCallParseError: could not decode arguments: Invalid \\escape: line 1 column "
            turns += [change[0], hear(f"{fault}{rng.randint(30, 90)}", "edit", False)]
        turns += test(rng, task, False) + hand_in(rng, task, False)
        return Attempt(turns, 0.0, 0.0)

    return verl(credit(roll(lambda n: repository_task(rng, n), play, 11, 6, 8, start=0.3), grpo, rng))
