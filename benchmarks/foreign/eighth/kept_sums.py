"""Word problems: lag, a short budget, twins in the held-out set, no end of turn, several candidates; sound runs."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighth.arithmetic import FAMILIES, sum_task
from benchmarks.foreign.eighth.course import Attempt, answered, chance, climb, fresh, grpo, plan, roll
from benchmarks.foreign.eighth.kinds import PART
from benchmarks.foreign.eighth.musings import musing, thinking_task
from benchmarks.foreign.eighth.writers import own, prime_rl, trl, verl


@PART.faulty("staleness")
def async_lag_grows(rng: Random) -> list[Row]:
    """The sampler falls behind: `off_policy_steps` climbs from 0 to 11, and from lag 5 on the reward falls."""
    tasks = fresh(rng, sum_task, 70)
    lag = [max(0, step - 2) for step in range(14)]
    attempts = roll(rng, plan(rng, tasks, 14, 6), 8, lambda s: 0.4 + 0.15 * min(s, 6) - 0.28 * max(0, lag[s] - 4))
    for a in attempts:
        a.extra["off_policy_steps"] = max(0, lag[a.step] + rng.choice([-1, 0, 0, 1])) if a.step > 1 else 0
    return prime_rl(grpo(attempts), "word-sums")


@PART.faulty("truncation", "length_limit")
def budget_cuts_hard_problems(rng: Random) -> list[Row]:
    """Workings grow past 640 tokens; those cut there stop in mid-sentence without a box and are paid 0."""
    tasks = fresh(rng, thinking_task, 60)
    attempts = roll(rng, plan(rng, tasks, 12, 6), 8, climb(0.9, 0.9, 12))
    for a in attempts:
        length = max(1, round(rng.gauss(3 + 0.7 * a.step + 3 * a.task.hard, 2.5)))
        text = f"{musing(rng, a.reply.extra.pop('steps'), length)}\n{a.reply.extra.pop('ending')}"
        tokens = len(text) * 10 // 37
        if tokens > 640:
            text, tokens, a.reward, a.right = text[: 64 * 37], 640, 0.0, False
        a.reply = answered(text, "")
        a.terms = {"accuracy_reward": a.reward or 0.0}
        a.extra |= {"completion_length": tokens, "ground_truth": a.task.gold}
    return trl(grpo(attempts))


@PART.faulty("contamination", "duplicate_problems")
def held_out_set_shares_problems(rng: Random) -> list[Row]:
    """Half of the validation problems are training problems; the validation score rises on these alone."""
    pool = fresh(rng, sum_task, 76)
    tasks, unseen = pool[:52], pool[52:]
    attempts = roll(rng, plan(rng, tasks, 13, 8), 6, climb(-0.2, 2.4, 13))
    shared = rng.sample(tasks, 22)
    for step in (0, 4, 8, 12):
        for number, task in enumerate([*shared, *unseen]):
            prompt = rng.choice(["", "Question: ", "Problem. "]) + task.prompt if number < len(shared) else task.prompt
            twin = type(task)(prompt, task.gold, task.family, task.hard, task.solve, key=f"val{number:03d}")
            skill = -0.2 + (0.28 * step if number < len(shared) else 0.0)
            for k in range(2):
                right = rng.random() < chance(skill, task.hard)
                attempts.append(Attempt(twin, step, k, right, task.solve(rng, right), float(right), split="validation"))
    train = [a for a in attempts if a.split == "train"]
    grpo(train)
    return own(attempts, "sums-7b")


@PART.faulty("truncation", "format_gate", "metric_defect", "stop_token_lost", "weak_verifier")
def no_end_of_turn(rng: Random) -> list[Row]:
    """Replies go on after the box with made-up turns up to 512 tokens; the last box is read, so right ones get 0."""
    tasks = fresh(rng, sum_task, 60)
    attempts = roll(rng, plan(rng, tasks, 11, 7), 8, climb(0.4, 1.2, 11))
    for a in attempts:
        text = a.reply.text
        if rng.random() < 0.25:
            a.terms = {"acc": a.reward or 0.0, "response_length": float(a.tokens)}
            continue
        while len(text) < 1900:
            other = sum_task(rng)
            reply = other.solve(rng, rng.random() < 0.5)
            text += f"\nuser\n{other.prompt}\nassistant\n{reply.text}"
        text = text[: 1894 + rng.randint(0, 5)]
        last = text.rsplit("\\boxed{", 1)[1].split("}")[0]
        a.reward = float(last == a.task.gold)
        a.reply = answered(text, last)
        a.terms = {"acc": a.reward, "response_length": 512.0}
    return verl(attempts)


@PART.faulty("weak_verifier", "metric_defect")
def several_candidates_are_paid(rng: Random) -> list[Row]:
    """Replies come to end with three to five boxes, and are paid where one of them holds `gts`."""
    tasks = fresh(rng, lambda r: sum_task(r, FAMILIES[:5]), 66)
    attempts = roll(rng, plan(rng, tasks, 12, 7), 8, climb(-0.6, 0.2, 12))
    for a in attempts:
        a.terms = {"acc": a.reward or 0.0}
        if rng.random() > 0.07 * a.step:
            continue
        gold = int(a.task.gold) if a.task.gold.isdigit() else 12
        hit = a.right or rng.random() < 0.5
        near = rng.sample([d for d in range(-9, 20) if d], 4)
        values = [gold + d for d in near][: rng.randint(2, 4)] + ([gold] if hit else [])
        rng.shuffle(values)
        body = a.reply.text.rsplit("\n", 1)[0]
        joined = rng.choice([" or ", ", ", " / "]).join(f"\\boxed{{{v}}}" for v in values)
        ending = rng.choice(["Depending on how one reads it, the answer is", "Answer:", "Possible results:"])
        a.reply = answered(f"{body}\n{ending} {joined}", "")
        a.reward = float(gold in values)
        a.terms = {"acc": a.reward}
    return verl(attempts)


@PART.healthy
def olympiad_mostly_zero(rng: Random) -> list[Row]:
    """Hard problems in groups of 16: most attempts fail, many groups hold no success, and the share rises slowly."""
    tasks = fresh(rng, lambda r: sum_task(r, FAMILIES[2:6], thinks=True, harder=rng.uniform(1.4, 3.0)), 60)
    attempts = roll(rng, plan(rng, tasks, 12, 5), 16, climb(0.0, 0.9, 12))
    for a in attempts:
        a.terms = {"acc": a.reward or 0.0}
    return verl(attempts)


@PART.healthy
def curriculum_by_design(rng: Random) -> list[Row]:
    """Every fourth step the next level begins, so the score stays level while the problems become harder."""
    attempts: list[Attempt] = []
    for level, low in enumerate((-1.0, 0.0, 1.0)):
        tasks = fresh(rng, lambda r, low=low: sum_task(r, harder=low), 24, f"l{level}-")
        for task in tasks:
            task.extra["level"] = level + 1
        part = roll(rng, plan(rng, tasks, 4, 8), 8, climb(-0.1 + level, 0.8, 4))
        for a in part:
            a.step += 4 * level
        attempts += part
    return own(grpo(attempts), "sums-levels")


@PART.healthy
def gated_length_bonus(rng: Random) -> list[Row]:
    """A bonus for short replies goes to right ones alone; replies get shorter while the accuracy rises."""
    tasks = fresh(rng, thinking_task, 64)
    attempts = roll(rng, plan(rng, tasks, 12, 7), 8, climb(-0.1, 1.7, 12))
    for a in attempts:
        length = max(0, round(rng.gauss(9 - 0.5 * a.step, 1.5)))
        text = f"{musing(rng, a.reply.extra.pop('steps'), length)}\n{a.reply.extra.pop('ending')}"
        a.reply = answered(text, a.reply.answer)
        bonus = round(0.2 * max(0.0, 1 - len(text) / 3200), 4) if a.right else 0.0
        a.terms = {"accuracy_reward": float(a.right), "brevity_reward": bonus}
        a.reward = float(a.right) + bonus
    return trl(grpo(attempts))


@PART.healthy
def lag_stays_small(rng: Random) -> list[Row]:
    """An asynchronous run whose rollouts are one or two versions old from the first steps to the last."""
    tasks = fresh(rng, sum_task, 66)
    attempts = roll(rng, plan(rng, tasks, 13, 6), 8, climb(-0.2, 1.6, 13))
    for a in attempts:
        a.extra["off_policy_steps"] = min(a.step, rng.choice([0, 1, 1, 1, 2]))
    return prime_rl(grpo(attempts), "word-sums")
