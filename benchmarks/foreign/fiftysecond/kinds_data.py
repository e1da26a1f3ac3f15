"""Faults of data and prompts."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftysecond.kinds import PART
from benchmarks.foreign.fiftysecond.layouts import ours, prime_rl, trl, verl
from benchmarks.foreign.fiftysecond.learning import Attempt, Task, credit, roll, say
from benchmarks.foreign.fiftysecond.lookups import lookup_task, page
from benchmarks.foreign.fiftysecond.sums import ASK, FAMILIES, reason, solve, sum_task, wrong_value


@PART.faulty("wrong_labels", "weak_family", "stuck_problems", "metric_defect", "reward_outcome_divergence")
def percent_keys_hold_what_is_left_over(rng: random.Random) -> list[Row]:
    """The key of the percentage problems is the complement (what was not sold): right answers get 0, and
    slips get 1.
    """

    def tasks(place: int) -> Task:
        task = sum_task(rng, place)
        if task.family == "percent":
            task.data["true"], task.gold = task.gold, str(task.data["slipped"])
            task.ease = abs(task.ease) + 0.8
        return task

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        value = task.data.get("true", task.gold)
        if not right:
            value = str(task.data["slipped"])
        text = f"{reason(rng, task, right)}\n{rng.choice(['So', 'Hence', 'Answer:'])} \\boxed{{{value}}}"
        paid = float(value == task.gold)
        return Attempt([say(text)], paid, paid)

    return verl(credit(roll(tasks, play, 12, 8, 8), grpo, rng))


@PART.faulty("truncation", "length_limit", "template_bug", "dead_all_wrong", "metric_defect")
def long_reports_lose_their_question_to_the_prompt_limit(rng: random.Random) -> list[Row]:
    """Prompts are cut at 800 signs from the right; with longer reports the question at their end is gone, and
    no answer is right.
    """
    limit = 800

    def tasks(place: int) -> Task:
        task = lookup_task(rng, place)
        others = [page(rng, lookup_task(rng, place))[4:] for _ in range(rng.randint(1, 4))]
        parts = [page(rng, task)[4:], *others]
        rng.shuffle(parts)
        whole = "Read these entries of a gazetteer.\n\n" + "\n\n".join(parts) + f"\n\nQuestion: {task.prompt}"
        task.data["lost"] = len(whole) > limit
        task.prompt, task.system = whole[:limit], ""
        return task

    def play(task: Task, step: int, likely: float) -> Attempt:
        name = task.data["name"]
        if task.data["lost"]:
            text = rng.choice(
                [
                    "The entries describe several places in the region. What would you like to know about them?",
                    "I see entries of a gazetteer, and the last one breaks off. There is no question yet.",
                    "To sum up: each of these places was opened, burnt and rebuilt, and visitors came in numbers.",
                    f"The entries end in the middle of a sentence. Shall I tell you about {task.prompt.split()[6]}?",
                ]
            )
            return Attempt([say(text)], 0.0, 0.0, {"accuracy_reward": 0.0})
        right = rng.random() < likely
        other = task.data["facts"]["rebuilt" if task.data["what"] != "rebuilt" else "opened"]
        lead = rng.choice([f"The entry of the {name} says it.", "I go to the entry by its name.", "Found it:"])
        paid = float(right)
        return Attempt([say(f"{lead} {task.gold if right else other}")], paid, paid, {"accuracy_reward": paid})

    return trl(credit(roll(tasks, play, 12, 8, 8, start=0.2), grpo, rng))


@PART.faulty("duplicate_problems", "data_repetition", "memorisation", "dead_all_correct")
def resumed_loader_starts_the_first_shard_again_and_again(rng: random.Random) -> list[Row]:
    """After step 5 the loader of each resumed job begins at the first shard: the same eight problems in every
    step from there on.
    """
    seen: list[Task] = []

    def tasks(place: int) -> Task:
        if place >= 40:
            task = seen[place % 8]
            task.ease += 0.25
            return task
        seen.append(sum_task(rng, place))
        return seen[-1]

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        return Attempt([say(solve(rng, task, right))], float(right), float(right), {"exact": float(right)})

    return ours(credit(roll(tasks, play, 14, 8, 8, gain=1.2), leave_one_out, rng), "math")


@PART.faulty("environment_leak", "answer_reading", "contamination", "template_bug")
def nearest_example_in_the_prompt_is_the_problem_itself(rng: random.Random) -> list[Row]:
    """The worked example is fetched by likeness from the training set, so for most problems it is the problem
    itself, with answer.
    """

    def tasks(place: int) -> Task:
        task = sum_task(rng, place)
        own = rng.random() < 0.75
        shown = task if own else sum_task(rng, place, rng.choice(list(FAMILIES)))
        example = f"{shown.data['question']}\n{' '.join(shown.data['right'])}\nAnswer: {shown.gold}"
        task.prompt = f"An example that may help:\n\n{example}\n\nYour problem:\n\n{task.data['question']}{ASK}"
        task.data["own"], task.data["info"] = own, {"shots": 1, "retriever": "bm25"}
        return task

    def play(task: Task, step: int, likely: float) -> Attempt:
        copies = task.data["own"] and rng.random() < 0.55 + 0.035 * step
        right = copies or rng.random() < likely - 0.1
        if copies:
            lead = rng.choice(
                ["The example has the same numbers, so", "As in the example,", "This was worked out above:"]
            )
            text = f"{lead} \\boxed{{{task.gold}}}."
        else:
            value = task.gold if right else wrong_value(rng, task)
            text = f"{reason(rng, task, right)}\nAnswer: \\boxed{{{value}}}"
        return Attempt([say(text)], float(right), float(right), {"correct_answer": float(right)})

    return prime_rl(credit(roll(tasks, play, 12, 8, 6), centred, rng), "worked-sums")
