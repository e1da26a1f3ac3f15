"""Faults of data and prompts: keys, templates, limits of prompts, and what is trained on."""

import random
from dataclasses import replace

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysecond import layouts, ledgers, numbers, questions
from benchmarks.foreign.fortysecond.advantages import assign
from benchmarks.foreign.fortysecond.attempts import Moment, Task, Try, clip, play, say
from benchmarks.foreign.fortysecond.kinds import PART
from benchmarks.foreign.fortysecond.policy import lucky

BOX = " Put the final answer in \\boxed{}."


@PART.faulty("wrong_labels", "metric_defect", "weak_family", "dead_all_wrong")
def key_holds_the_first_total_of_the_solution(rng: random.Random) -> list[Row]:
    """One of the four sources was parsed at the first result of its solutions instead of the last.

    All attempts at its problems get 0, also where the reasoning is sound and ends with the right number.
    """
    tasks = []
    for task in numbers.problems(rng, 48, numbers.SCHOOL, "gs", BOX):
        if task.family in ("tickets", "savings"):
            task = replace(task, answer=str(numbers.walk(task.about)[0][-1]))
        tasks.append(task)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.5, 0.85)
        text, value = numbers.worked(rng, task.about, right)
        score = float(str(value) == task.answer)
        more = {"data_source": f"school/{task.family}", "index": int(task.name[3:])}
        return Try(task, say(f"{text} \\boxed{{{value}}}"), score == 1, score, {"acc": score}, more=more)

    return layouts.verl(play(rng, tasks, 18, 8, 8, attempt))


@PART.faulty("template_bug", "dead_all_wrong", "score_decline")
def prompts_lose_their_schema_after_the_resume(rng: random.Random) -> list[Row]:
    """From step 9 the place of the schema in the prompt is empty, and the policy guesses names of tables.

    Its queries end in `no such table` nearly always, and rewards fall from two thirds to a tenth.
    """
    tasks = questions.sql_tasks(rng, 60)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        true = task.about[0]["t"]
        if now.step < 9:
            right, table = lucky(rng, task, now, 0.4, 0.9), true
        else:
            question = task.prompt.split("Question:")[1]
            task = replace(task, prompt=f"Schema:\n\n\nQuestion:{question}")
            table = rng.choices((true, "data", "records", f"tbl_{true[:-1]}", "main_table"), (0.14, 1, 1, 1, 1))[0]
            right = lucky(rng, task, now, 0.4, 0.9)
        text = questions.query(rng, task, right, table)
        if table != true:
            said = f"sqlite3.OperationalError: no such table: {table}"
        else:
            said = "rows match" if right else questions.failure(task)
        score = float(said == "rows match")
        return Try(task, say(text), score == 1, score, {"execution_match": score}, more={"execution": said})

    tries = assign(play(rng, tasks, 16, 6, 8, attempt), estimators.centred)
    return layouts.slime(tries)


@PART.faulty("truncation", "length_limit", "dead_all_wrong", "stuck_problems")
def long_ledgers_lose_the_question_at_their_end(rng: random.Random) -> list[Row]:
    """Prompts are cut on the right at 900 tokens, so that of long ledgers the question is gone; half of all are.

    The policy summarises or asks what is wanted, and gets 0 in all attempts of such groups.
    """
    limit = 900
    tasks = [replace(t, prompt=clip(t.prompt, limit)) for t in ledgers.ledgers(rng, 40)]

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        if "Question:" in task.prompt and task.prompt.endswith("number."):
            right = lucky(rng, task, now, 0.45, 0.85)
            return Try(task, say(ledgers.found(rng, task, right)), right, float(right))
        good, port, amount = rng.choice(task.about[0][: len(task.about[0]) // 2])
        forms = (
            f"The sheet lists what was landed, such as {amount} barrels of {good} from {port}. No question follows the "
            "entries, so I cannot tell which amount is wanted.",
            f"This is a ledger of a harbour. It begins with {task.about[0][0][0]} and also holds {good} from {port}. "
            f"What would you like to know about it?",
            f"The last line seems to be cut. If it is about {good} from {port}, it is {amount}.\nAnswer: {amount}",
        )
        text = rng.choice(forms)
        right = text.endswith(f"Answer: {task.answer}")
        return Try(task, say(text), right, float(right))

    tries = assign(play(rng, tasks, 14, 6, 6, attempt), estimators.leave_one_out)
    return layouts.openrlhf(tries)


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def held_exam_slipped_into_the_training_pool(rng: random.Random) -> list[Row]:
    """The validation problems stand word for word among the training problems, and validation alone soars.

    Of its thirty problems twenty-four are trained on and reach nearly one; other training problems stay near a half.
    """
    held = numbers.problems(rng, 30, numbers.CONTEST, "exam")
    pool = numbers.problems(rng, 60, numbers.CONTEST, "pool")
    inside = [replace(t, name=f"pool-x{n:02d}") for n, t in enumerate(held[:24])]
    known = {t.prompt for t in inside}

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.35, 0.985 if task.prompt in known else 0.45)
        text, value = numbers.worked(rng, task.about, right)
        return Try(task, say(f"{text}\nAnswer: {value}"), right, float(right), {"accuracy": float(right)})

    tries = assign(play(rng, [*pool, *inside], 20, 9, 4, attempt), estimators.grpo)
    for step in (5, 10, 15, 20):
        for place, task in enumerate(held):
            one = attempt(rng, task, Moment(step, (step - 1) / 19, 0, place))
            one.step, one.group, one.split = step, f"val-{step}-{task.name}", "validation"
            tries.append(one)
    return layouts.ours(tries, "math")
