"""Healthy runs of one answer an attempt: each has one thing that looks like a fault and is none."""

import random
from dataclasses import replace

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysecond import layouts, ledgers, numbers, programs, questions
from benchmarks.foreign.fortysecond.advantages import assign
from benchmarks.foreign.fortysecond.attempts import Moment, Task, Try, clip, play, say, tokens_of
from benchmarks.foreign.fortysecond.kinds import PART
from benchmarks.foreign.fortysecond.policy import chance, logprob, lucky


@PART.healthy
def easy_half_of_the_pool_is_mastered_by_the_end(rng: random.Random) -> list[Row]:
    """Late, four groups in ten are right throughout: the easy half of the pool is learned.

    That is what training is for: the hard half still has spread in nearly all groups, and rises.
    """
    pool = numbers.problems(rng, 56, numbers.SCHOOL, "g")
    tasks = [replace(t, difficulty=(-2.4 if n % 4 < 2 else 0.9) + rng.gauss(0, 0.3)) for n, t in enumerate(pool)]

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.35, 0.78)
        text, value = numbers.worked(rng, task.about, right)
        return Try(task, say(f"{text}\n#### {value}"), right, float(right), {"accuracy": float(right)})

    return layouts.slime(assign(play(rng, tasks, 18, 8, 8, attempt), estimators.centred))


@PART.healthy
def parcels_are_routed_by_one_word(rng: random.Random) -> list[Row]:
    """Attempts of a group are often the same single word, because the task asks for one word of six.

    Groups where the policy is unsure hold both of two words, and accuracy rises.
    """
    rooms = {
        "returns": ("a lamp came back with a broken switch", "a customer sends shoes back that are too small"),
        "customs": ("a crate from Tromso has no declaration", "duty on a clock from Geneva is unpaid"),
        "cold": ("a box of vaccines has to stay below eight degrees", "forty kilograms of trout arrive on ice"),
        "fragile": ("a mirror of two metres travels without padding", "hand-blown vases fill a whole pallet"),
        "oversize": ("a kayak does not fit the belt", "a roof beam of nine metres was dropped off"),
        "lost": ("a parcel has neither label nor sender", "the scanner saw a bag yesterday that nobody finds"),
    }
    spots = ("At gate {n}", "In hall {n}", "On lorry {n}", "At counter {n}")
    tasks = []
    for number in range(60):
        room = rng.choice(list(rooms))
        text = f"{rng.choice(spots).format(n=rng.randint(1, 90))} {rng.choice(rooms[room])}. "
        text += f"Which desk takes it? Reply with one word: {', '.join(rooms)}."
        rival = rng.choice([r for r in rooms if r != room])
        tasks.append(Task(f"p{number:02d}", text, room, room, rng.gauss(0, 0.9), rival))

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.5, 0.82)
        return Try(task, say(task.answer if right else task.about), right, float(right))

    return layouts.nemo_rl(assign(play(rng, tasks, 14, 5, 16, attempt), estimators.leave_one_out))


@PART.healthy
def second_passes_lengthen_what_is_right(rng: random.Random) -> list[Row]:
    """Answers grow by two thirds of their length, and long ones are paid more often. Length is not in the reward.

    A second pass finds slips: accuracy rises at each length, and no attempt is cut.
    """
    tasks = numbers.problems(rng, 60, numbers.CONTEST, "v")

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        passes = max(0, round(rng.gauss(0.1 + 1.7 * now.progress, 0.6)))
        right = lucky(rng, task, now, 0.4, 0.6) or (passes > 0 and rng.random() < 0.35)
        steps = numbers.tried(rng, task.about, right)
        text = " ".join([numbers.told(rng, steps, 1), *(numbers.again(rng, steps) for _ in range(passes))])
        one = Try(task, say(f"{text} The answer is \\boxed{{{steps[-1][-1]}}}."), right, float(right))
        one.terms = {"acc": float(right)}
        one.more = {"response_length": one.tokens, "max_response_length": 2048}
        return one

    return layouts.verl(play(rng, tasks, 18, 6, 8, attempt))


@PART.healthy
def engine_runs_one_version_behind_by_design(rng: random.Random) -> list[Row]:
    """Every row is sampled by the version before: the pipeline overlaps sampling and training by one step.

    The lag never grows, logprobs of both sides agree to a hundredth, and the score rises.
    """
    tasks = programs.programs(rng, 50)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.35, 0.75)
        sampled = logprob(rng, now)
        more = {
            "weight_version": max(0, now.step - 2),
            "trainer_version": now.step - 1,
            "sampler_logprob": round(sampled, 4),
            "trainer_logprob": round(sampled + rng.gauss(0, 0.006), 4),
        }
        return Try(
            task, say(programs.program(rng, task, right)), right, float(right), {"passed": float(right)}, more=more
        )

    return layouts.plain(assign(play(rng, tasks, 18, 6, 8, attempt), estimators.grpo))


@PART.healthy
def cut_attempts_are_left_out_of_the_loss_as_dapo_does(rng: random.Random) -> list[Row]:
    """One attempt in fourteen reaches the budget of 320 tokens, is paid 0, and stays out of the loss.

    DAPO's overlong filtering asks for that; the share does not grow, and all other rows are in the loss.
    """
    tasks = numbers.problems(rng, 60, numbers.CONTEST, "o")

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.4, 0.78)
        steps = numbers.tried(rng, task.about, right)
        passes = 7 if rng.random() < 0.07 else rng.choice((0, 0, 1))
        text = " ".join([numbers.told(rng, steps, 1), *(numbers.again(rng, steps) for _ in range(passes))])
        whole = f"{text}\nAnswer: {steps[-1][-1]}"
        cut = tokens_of(whole) > 320
        score = float(right and not cut)
        one = Try(task, say(clip(whole, 320)), score == 1, score, {"accuracy": score}, "max_tokens" if cut else "stop")
        one.in_loss = not cut
        return one

    return layouts.ours(assign(play(rng, tasks, 16, 6, 8, attempt), estimators.grpo), "math")


@PART.healthy
def answer_tags_are_learned_within_four_steps(rng: random.Random) -> list[Row]:
    """The format term is 1 in nearly all rows after step 5: the tags were learned then, from a third.

    A term that is satisfied is no dead one; it still falls to 0 where tags are forgotten, and accuracy carries on.
    """
    tasks = numbers.problems(rng, 56, numbers.SCHOOL, "t", " Use <think> and <answer> tags.")

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.4, 0.8)
        text, value = numbers.worked(rng, task.about, right)
        tagged = rng.random() < min(0.995, 0.1 + 0.22 * now.step)
        whole = f"<think>{text}</think>\n<answer>{value}</answer>" if tagged else f"{text}\nThe answer is {value}."
        accuracy, form = float(right), 0.2 * tagged
        terms = {"accuracy_reward": accuracy, "format_reward": form}
        return Try(task, say(whole), right, accuracy + form, terms)

    return layouts.trl(assign(play(rng, tasks, 18, 6, 8, attempt), estimators.grpo))


@PART.healthy
def batch_mean_moves_groups_of_one_outcome(rng: random.Random) -> list[Row]:
    """Groups whose attempts are all right, or all wrong, have advantages other than 0.

    REINFORCE++ standardises over the whole batch, with no baseline by group; the numbers are exactly these.
    """
    tasks = questions.sql_tasks(rng, 60)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = lucky(rng, task, now, 0.4, 0.8)
        more = {"advantage_estimator": "reinforce", "execution": "rows match" if right else questions.failure(task)}
        return Try(task, say(questions.query(rng, task, right)), right, float(right), more=more)

    return layouts.openrlhf(assign(play(rng, tasks, 18, 12, 4, attempt), estimators.whole_batch))


@PART.healthy
def long_sheets_come_in_at_step_ten(rng: random.Random) -> list[Row]:
    """The score falls by a third at step 10, where the curriculum changes from short sheets to long ones.

    On either side it rises; `stage` in the rows says which sheets were drawn.
    """
    short = ledgers.ledgers(rng, 30, 6, 14)
    long = [replace(t, name=f"long-{t.name}", difficulty=t.difficulty + 0.5) for t in ledgers.ledgers(rng, 30, 38, 60)]

    def stage(name: str, start: float, end: float):
        def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
            right = lucky(rng, task, now, start, end)
            return Try(task, say(ledgers.found(rng, task, right)), right, float(right), more={"stage": name})

        return attempt

    tries = play(rng, short, 9, 6, 8, stage("short_sheets", 0.35, 0.72))
    tries += play(rng, long, 10, 6, 8, stage("long_sheets", 0.72, 0.9), first=10)
    return layouts.slime(assign(tries, estimators.leave_one_out))


@PART.healthy
def held_contest_is_harder_than_the_pool(rng: random.Random) -> list[Row]:
    """Validation is some twenty points below training throughout: its problems are of a later round of the contest.

    Both rise side by side, the gap is there from the first step, and no problem is in both.
    """
    pool = numbers.problems(rng, 60, {k: numbers.CONTEST[k] for k in ("series", "diagonals", "multiples")}, "round1")
    late = numbers.problems(rng, 40, numbers.CONTEST, "round3")
    held = [replace(t, difficulty=t.difficulty + 0.7) for t in late if t.prompt not in {p.prompt for p in pool}]

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        right = rng.random() < chance(task, now, 0.45, 0.8)
        text, value = numbers.worked(rng, task.about, right, rng.randint(0, 2))
        return Try(task, say(f"{text}\nAnswer: {value}"), right, float(right), {"accuracy": float(right)})

    tries = assign(play(rng, pool, 20, 6, 6, attempt), estimators.grpo)
    for step in (1, 5, 10, 15, 20):
        for place, (task, number) in enumerate((t, n) for t in held for n in range(3)):
            one = attempt(rng, task, Moment(step, (step - 1) / 19, number, place))
            one.step, one.group, one.attempt, one.split = step, f"val-{step}-{task.name}", number, "validation"
            tries.append(one)
    return layouts.ours(tries, "math")
