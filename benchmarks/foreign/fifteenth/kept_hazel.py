"""Third server never refreshed, context shrinks after upgrade, within one percent counts, rate limited judge says
five, thinking grows with skill.
"""

from random import Random
from statistics import quantiles

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import letters, sums
from benchmarks.foreign.fifteenth.core import Reply, Task, World, draw_plan, play
from benchmarks.foreign.fifteenth.estimates import grpo, mishaps
from benchmarks.foreign.fifteenth.grading import muse, turning_point
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import own


@PART.faulty("weights_never_arrive", "stale_weights", "staleness")
def third_server_never_refreshed(rng: Random) -> list[Row]:
    """One of three inference servers never takes new weights: its attempts stay at the level of the start."""
    plan = draw_plan(rng, size=6, gain=2.6)
    old = rng.randrange(3)
    episodes = play(rng, sums.SUMS, plan, levels=lambda t, n, a, level: plan.start if a % 3 == old else level)
    for e in episodes:
        stale = e.attempt % 3 == old
        e.extra |= {"server": f"infer-{e.attempt % 3}", "weights_step": 0 if stale else e.step - plan.first}
        e.extra |= {"trainer_step": e.step - plan.first}
    return own(rng, grpo(mishaps(rng, episodes)), sums.SUMS)


@PART.faulty("truncation", "length_limit")
def context_shrinks_after_upgrade(rng: Random) -> list[Row]:
    """After an upgrade of the server replies are cut much earlier, in the midst of sound work, and get 0."""
    plan = draw_plan(rng)
    since = turning_point(rng, plan, 0.35, 0.55)

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        return muse(rng, task, sums.solve(rng, task, right, level), rng.randint(1, 9))

    world = World("wordmath", sums.make, act, sums.SUMS.system)
    episodes = play(rng, world, plan)
    limit = round(quantiles((e.chars for e in episodes), n=20)[rng.randint(10, 12)] / 3.7)
    for e in episodes:
        new = e.step - plan.first >= since
        e.extra["server"] = "0.9.2" if new else "0.8.5"
        if new and e.chars > limit * 3.7:
            e.last["content"] = e.last["content"][: round(limit * 3.7)]
            e.stop, e.right, e.reply.answer = "length", False, ""
            e.reward, e.terms = 0.0, {"correct": 0.0}
    rows = own(rng, grpo(episodes), world)
    for row in rows:
        row["is_truncated"] = row["stop_reason"] == "length"
        if row["is_truncated"]:
            row["num_tokens"] = limit
    return rows


@PART.healthy
def within_one_percent_counts(rng: Random) -> list[Row]:
    """Answers within one per cent of the reference are right, as prompts say, so right answers differ in digits."""
    plan = draw_plan(rng)

    def make(rng: Random) -> Task:
        radius, height, density = rng.randint(3, 60), rng.randint(5, 140), round(rng.uniform(0.6, 9.1), 2)
        grams = 3.14159265 * radius**2 * height * density
        thing = rng.choice(["rod", "drum", "candle", "column", "plug", "roller"])
        text = (
            f"A solid cylindrical {thing} has a radius of {radius} cm, a height of {height} cm and a density of "
            f"{density} g/cm3. What is its mass in kilograms? Answers within 1% are accepted."
        )
        gold = f"{grams / 1000:.3f}"
        return Task(text, gold, thing, 0.0, {"ground_truth": gold}, {"q": (radius, height)})

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        radius, height = task.work["q"]
        slip = rng.uniform(0.994, 1.006) if right else rng.choice([0.5, 0.25, 2.0, 1.12, 0.9]) * rng.uniform(0.98, 1.02)
        answer = f"{float(task.gold) * slip:.{rng.choice([1, 2, 3])}f}"
        ways = ["pi times the square of the radius times the height", "the area of the base times the height"]
        text = (
            f"The volume is {rng.choice(ways)}, with r = {radius} and h = {height}; times the density and in kilograms"
        )
        end = rng.choice(["this gives about", "I get", "that is roughly"])
        return Reply([{"role": "assistant", "content": f"{text}, {end} {answer} kg.\n\nAnswer: {answer}"}], answer)

    world = World("cylinders", make, act, "Reason briefly and end with 'Answer: NUMBER'.")
    return own(rng, grpo(mishaps(rng, play(rng, world, plan))), world, tolerance=0.01)


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors")
def rate_limited_judge_says_five(rng: Random) -> list[Row]:
    """From one step on the judge refuses a third of requests, and the parser's default of 5.0 stands for them."""
    plan = draw_plan(rng)
    since = turning_point(rng, plan)
    episodes = play(rng, letters.LETTERS, plan)
    for e in episodes:
        score = letters.liking(rng, e.right, e.level)
        remark = rng.choice(["Fits the tone.", "Reads well.", "A bit thin.", "On topic."])
        e.extra["judge_reply"] = f"{remark} Score: {score}"
        if e.step - plan.first >= since and rng.random() < 0.37:
            score = 5.0
            refusals = ["", "429 Too Many Requests", "rate limit reached for judge-large, retry later"]
            e.extra["judge_reply"] = rng.choice(refusals)
        e.reward, e.terms = score, {"judge": score}
    return own(rng, grpo(mishaps(rng, episodes)), letters.LETTERS)


@PART.healthy
def deliberation_grows_with_skill(rng: Random) -> list[Row]:
    """Replies grow threefold in length; accuracy grows with them, and length is not what is paid."""
    plan = draw_plan(rng)

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        count = max(0, round(rng.gauss(1 + 3.2 * (level - plan.start), 1.5)))
        return muse(rng, task, sums.solve(rng, task, right, level), count)

    world = World("wordmath", sums.make, act, sums.SUMS.system)
    return own(rng, grpo(mishaps(rng, play(rng, world, plan))), world, max_response_length=4096)
