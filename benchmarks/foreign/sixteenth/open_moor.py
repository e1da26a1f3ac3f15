"""Declining where it is due; solved groups set aside late; held out riddles dealt again; search results of own
making.
"""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, attempt, say, tasks_of, train
from benchmarks.foreign.sixteenth.desks import SEARCH, passage
from benchmarks.foreign.sixteenth.estimators import credit, dr_grpo, groups
from benchmarks.foreign.sixteenth.formats import openai, own
from benchmarks.foreign.sixteenth.histories import REQUESTS
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.mishaps import cut, lose, ramp
from benchmarks.foreign.sixteenth.puzzles import COUNTDOWN, KNIGHTS


@PART.healthy
def declining_where_it_is_due(rng: Random) -> list[Row]:
    """Most prompts ask for harm, and a short refusal is what is rewarded there; harmless look-alikes are answered."""
    tries = train(rng, REQUESTS, Shape(9, 8, 6, -0.6, 2.4))
    for one in tries:
        one.grade(policy=float(one.right))
        one.extra = {"wanted": one.task.gold, "prompt_class": one.task.family}
    return openai(credit(tries, dr_grpo))


@PART.healthy
def solved_groups_set_aside_late(rng: Random) -> list[Row]:
    """DAPO on number puzzles; as the policy learns more and more groups are solved by all, and its filter leaves them
    out of the loss as configured.
    """
    tries = credit(cut(rng, train(rng, COUNTDOWN, Shape(11, 7, 8, -1.0, 3.0))))
    for part in groups(tries):
        mixed = len({one.reward for one in part}) > 1
        for one in part:
            one.in_loss = mixed
            one.extra = {"filter_groups": "acc", "target": one.task.gold}
    return own(rng, lose(rng, tries, 0.005), "dapo-countdown")


@PART.faulty("contamination", "memorisation")
def held_out_riddles_dealt_again(rng: Random) -> list[Row]:
    """A refill of the training set from a step on holds the validation riddles under new names; they are solved there
    and in the validation far more often than other riddles.
    """
    shape = Shape(12, 6, 6, -1.0, 1.3)
    tasks = tasks_of(rng, KNIGHTS, 84)
    held, fresh = tasks[:14], tasks[14:]
    refill = [
        replace(t, key=f"kk-r{rng.randint(10000, 99999)}", prompt=t.prompt + rng.choice(("", "\n", " "))) for t in held
    ]
    begin, tries = rng.randint(4, 5), []
    queue, leaked = list(fresh), rng.sample(refill, 14) * 3
    for step in range(1, shape.steps + 1):
        progress = (step - 1) / (shape.steps - 1)
        skill = shape.start + shape.gain * progress
        seen = 2.6 * max(0, step - begin) / (shape.steps - begin)
        some = [leaked.pop() for _ in range(3)] if step >= begin else []
        for task in [*some, *(queue.pop() for _ in range(shape.groups - len(some)))]:
            more = seen if task in some else 0.0
            tries += [attempt(rng, KNIGHTS, task, step, n, skill + more, progress) for n in range(shape.size)]
        if step % 3 == 0:
            for task in held:
                one = attempt(rng, KNIGHTS, task, step, 0, skill + seen, progress)
                one.split, one.in_loss = "validation", False
                tries.append(one)
    return own(rng, credit(tries), "riddles")


@PART.faulty("fabricated_observations", "tool_fabrication")
def search_results_of_own_making(rng: Random) -> list[Row]:
    """The policy writes the results of its searches itself, in the marks of the tool, and answers from them; the
    search was never called.
    """
    tries = train(rng, SEARCH, Shape(10, 7, 6, -0.2, 1.4))
    for one in tries:
        if rng.random() < ramp(one, 0.04, 0.68):
            one.right = rng.random() < 0.3
            one.answer = one.task.gold if one.right else str(int(one.task.gold) + rng.choice((-30, -9, -2, 5, 12, 40)))
            work, town, who = one.task.secret["about"]
            said = rng.choice(("I search for it.", "Let me look that up.", "Searching now."))
            asked = f'<tool_call>{{"name": "search", "arguments": {{"query": "{work} {town}"}}}}</tool_call>'
            text = passage(rng, one.task, one.answer)
            end = f"That settles it. <answer>{one.answer}</answer>"
            one.turns = [say(f"{said}\n{asked}\n<tool_response>\n{text}\n</tool_response>\n{end}")]
        calls = sum(len(turn.get("tool_calls", ())) for turn in one.turns)
        one.grade(answer=float(one.right), calls=-0.15 * calls)
        one.extra = {"ground_truth": one.task.gold, "answer": one.answer, "calls_served": calls}
    return own(rng, credit(tries), "two-hop")
