"""Kinds of this part.

Verifier forgives a tenth, curriculum levels climb, shuffled options old letters, flagged timeouts left out, marks of
letters rise.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.chats import chat_task, letters
from benchmarks.foreign.twentythird.estimates import centred, credit
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import openai, own, prime, trl
from benchmarks.foreign.twentythird.programs import code_task
from benchmarks.foreign.twentythird.rollouts import Plan, Task, distinct, grade, over, planned, run
from benchmarks.foreign.twentythird.sums import large_task, line_task, sum_task


@PART.faulty("weak_verifier", "metric_defect", "reward_outcome_divergence")
def verifier_forgives_a_tenth(rng: Random) -> list[Row]:
    """The verifier compares with a relative tolerance of ten percent; the policy learns to estimate, and ever fewer
    of the answers marked right are the reference.
    """
    plan = planned(rng, -0.2, 0.5)
    tasks = distinct(rng, large_task, plan.steps * plan.prompts)
    for task in tasks:
        task.slips = [
            str(round(int(task.gold) * rng.uniform(*span))) for span in ((0.4, 0.85), (1.15, 2.2), (0.92, 1.08))
        ]
    attempts = over(rng, tasks, plan)
    for a in attempts:
        gold = int(a.task.gold)
        if rng.random() < 0.12 + 0.5 * a.step / plan.steps:
            near = round(int(gold * (1 + rng.uniform(-0.09, 0.09))), -1 if gold < 3000 else -2)
            a.answer = str(near if near != gold else near + 10)
            about = rng.choice(
                ("Roughly,", "An estimate will do:", "Rounding the factors,", "Approximately,", "Ballpark:")
            )
            a.text = f"{a.text.split('.')[0]}. {about} this is about {a.answer}.\n\nThus $\\boxed{{{a.answer}}}$."
        grade(a, abs(int(a.answer) - gold) <= 0.1 * gold)
        a.terms = {"accuracy": a.reward}
        a.extra = {"parsed": a.answer, "gold": a.task.gold}
    return trl(credit(attempts))


@PART.healthy
def curriculum_levels_climb(rng: Random) -> list[Row]:
    """The sampler moves on from easy to hard problems, so the mean reward sinks although each level is solved more
    often than at its beginning.
    """
    plan = Plan(12, rng.randint(5, 6), rng.choice((6, 7)), 0.2, 1.3)
    tasks = distinct(rng, line_task, plan.steps * plan.prompts)
    for place, task in enumerate(tasks):
        difficulty = place // plan.prompts // 3 + 1
        task.level = -1.3 + 0.85 * difficulty + rng.gauss(0, 0.45)
        task.extra = {"difficulty": difficulty, "sampler": "staged"}
    return own(credit(over(rng, tasks, plan), centred), "staged")


def _choice_task(r: Random, number: int) -> Task:
    task = sum_task(r, number, box=False)
    values = [task.gold, *r.sample(task.slips, 3)]
    r.shuffle(values)
    options = dict(zip("ABCD", values, strict=True))
    shown = "\n".join(f"{letter}) {value}" for letter, value in options.items())
    letters_of = {value: letter for letter, value in options.items()}
    reply = task.reply

    def lettered_reply(rng: Random, answer: str) -> list[dict]:
        said = reply(rng, answer)
        said[0]["content"] = said[0]["content"].replace(
            f"Answer: {answer}", f"That is option {letters_of[answer]}.\n\n"
        )
        said[0]["content"] = said[0]["content"].rstrip() + f"\n\nAnswer: {letters_of[answer]}"
        return said

    task.prompt, task.reply, task.slips = (
        f"{task.prompt}\n\n{shown}",
        lettered_reply,
        [v for v in values if v != task.gold],
    )
    task.extra = {"options": options, "key": letters_of[task.gold], "source_value": task.gold}
    return task


@PART.faulty("wrong_labels", "metric_defect", "judge_refuses_right", "weak_verifier", "dead_all_wrong")
def shuffled_options_old_letters(rng: Random) -> list[Row]:
    """In some shards the options were shuffled after the key was written down, so the key names another option than
    the value that the source gives, and right choices are marked wrong.
    """
    plan = planned(rng, 0.1, 1.5)
    tasks = distinct(rng, _choice_task, plan.steps * plan.prompts)
    moved = set(rng.sample(range(8), 3))
    for number, task in enumerate(tasks):
        task.extra["shard"] = f"mcq-{number * 5 % 8:03d}.parquet"
        if number * 5 % 8 in moved:
            task.extra["key"] = rng.choice([k for k in "ABCD" if k != task.extra["key"]])
    attempts = over(rng, tasks, plan)
    for a in attempts:
        chosen = a.text.rsplit(" ", 1)[1]
        a.extra["chosen"] = chosen
        grade(a, chosen == a.task.extra["key"])
    for task in tasks:
        task.gold = task.extra["key"]
    return prime(credit(attempts), "mcq-numbers")


@PART.healthy
def flagged_timeouts_left_out(rng: Random) -> list[Row]:
    """A busy cluster loses some of the attempts at every step; they are marked as errors, have no reward and are
    left out of the loss and of the baseline.
    """
    plan = planned(rng, -0.3, 1.9)
    attempts = run(rng, code_task, plan)
    lost = [a for a in attempts if rng.random() < 0.055]
    for a in lost:
        a.reward = a.correct = None
        a.terms, a.stop = {}, "error"
        a.error = rng.choice(("SandboxStartTimeout", "SandboxStartTimeout", "ConnectionResetError"))
    credit(attempts)
    for a in attempts:
        a.in_loss = a.error is None
        a.extra = {"attempted_starts": 3 if a.error else rng.choice((1, 1, 1, 2))}
    return own(attempts, "busycluster")


@PART.healthy
def marks_of_letters_rise(rng: Random) -> list[Row]:
    """Letters marked from 0 to 10 by a judge with nothing to be right or wrong; marks are never zero, rarely equal,
    and rise with what the letters hold.
    """
    plan = Plan(rng.randint(9, 12), 6, rng.choice((6, 7)), 0.0, 1.9)
    return openai(credit(letters(rng, distinct(rng, chat_task, plan.steps * plan.prompts), plan)))
