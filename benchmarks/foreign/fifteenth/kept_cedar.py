"""Index shard goes dark, renamed twins in holdout, critic learns slowly first, balanced batch scrambles baselines."""

from dataclasses import replace
from random import Random
from statistics import fmean, pstdev

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import lookups, mazes, notebooks, sums
from benchmarks.foreign.fifteenth.core import Reply, Task, World, chance, distinct, draw_plan, play, schedule
from benchmarks.foreign.fifteenth.estimates import groups_of, grpo, mishaps, steps_of
from benchmarks.foreign.fifteenth.grading import holdout, settle, turning_point
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import openai, own, prime_rl


@PART.faulty("tool_outage", "tool_failures", "tool_failure", "infrastructure_zeros", "infrastructure_errors")
def index_shard_goes_dark(rng: Random) -> list[Row]:
    """From one step on a shard of the search index answers 503; attempts that need it get 0 and are trained on."""
    plan = draw_plan(rng)
    dark = turning_point(rng, plan)
    steps = schedule(rng, distinct(rng, lookups.LOOKUPS, plan.steps * plan.groups), plan)
    shard = rng.randint(1, 5)
    for number, tasks in enumerate(steps):
        down = rng.sample(tasks, round(len(tasks) * rng.uniform(0.45, 0.65)))
        for task in tasks:
            task.work["down"] = number >= dark and task in down

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        if not task.work["down"] or rng.random() < 0.25:
            return lookups.solve(rng, task, right, level)
        messages: list[dict] = []
        for turn in range(rng.randint(1, 3)):
            host = f"idx-{shard}.search.internal"
            ways = [f"HTTP 503 Service Unavailable ({host})", f"503: no live replica for shard {shard} at {host}"]
            text = rng.choice(ways)
            messages += [lookups.ask(rng, lookups.query(rng, task, turn > 0)), lookups.told(text, False)]
        if rng.random() < 0.6:
            name = rng.choice(task.work["others"])
            return Reply([*messages, lookups.closing(rng, name)], name)
        text = rng.choice(["The search does not respond, so I cannot say.", "No source could be reached."])
        return Reply([*messages, {"role": "assistant", "content": f"{text}\n\n<answer>unknown</answer>"}], "unknown")

    world = World("townsearch", lookups.make, act, lookups.LOOKUPS.system)
    return prime_rl(rng, grpo(mishaps(rng, settle(play(rng, world, plan, steps)))), world)


@PART.faulty("contamination", "duplicate_problems", "memorisation")
def renamed_twins_in_holdout(rng: Random) -> list[Row]:
    """Half of the held-out problems are training problems with another person or town; only those get solved."""
    plan = draw_plan(rng, size=5)
    plan = replace(plan, groups=max(5, plan.groups - 3), pool=plan.groups * 3)
    made = World("wordmath", lambda r: sums.make(r, ("percentages", "signed")), sums.solve, sums.SUMS.system)
    tasks = distinct(rng, made, plan.pool)
    fresh = distinct(rng, made, 9)
    twins = [replace(t, extra={}, id=f"wordmath-{90000 + i}") for i, t in enumerate(rng.sample(tasks, 11))]
    for twin in twins:
        old = next(n for n in [*sums.PEOPLE, *sums.TOWNS] if n in twin.prompt)
        pool = sums.PEOPLE if old in sums.PEOPLE else sums.TOWNS
        twin.prompt = twin.prompt.replace(old, rng.choice([n for n in pool if n != old]))
    held = fresh + twins
    rng.shuffle(held)
    ids = {t.id for t in twins}
    episodes = play(rng, made, plan, schedule(rng, tasks, plan), lambda t, n, a, level: level + 0.12 * n)
    episodes += holdout(rng, made, plan, held, 2, lambda t, n, a, level: level + 0.3 * n if t.id in ids else -0.9)
    episodes.sort(key=lambda e: e.step)
    return own(rng, grpo(episodes), made)


@PART.healthy
def critic_learns_slowly_first(rng: Random) -> list[Row]:
    """The critic starts from nothing: its values tell little at first, come nearer to returns, and stay there."""
    plan = draw_plan(rng)
    warm = turning_point(rng, plan, 0.25, 0.4)
    episodes = settle(play(rng, mazes.MAZES, plan))
    for e in episodes:
        trust = min(1.0, (e.step - plan.first) / warm)
        expected = chance(e.level - e.task.hard)
        value = trust * (0.75 * expected + 0.25 * e.right) + rng.gauss(0, 0.25 - 0.17 * trust)
        e.advantage = round(e.reward - value, 5)
        e.extra |= {"value": round(value, 4), "return": e.reward, "value_loss": round((e.reward - value) ** 2, 4)}
    return own(rng, episodes, mazes.MAZES, adv_estimator="gae")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def balanced_batch_scrambles_baselines(rng: Random) -> list[Row]:
    """Since batches are balanced by length, the mean and deviation subtracted are those of another prompt's group."""
    plan = draw_plan(rng)
    since = turning_point(rng, plan, 0.2, 0.4)
    episodes = grpo(mishaps(rng, play(rng, notebooks.NOTEBOOKS, plan)))
    for batch in steps_of(episodes):
        balanced = batch[0].step - plan.first >= since
        for e in batch:
            e.extra["balance_batch"] = balanced
        if not balanced:
            continue
        groups = sorted(groups_of(batch), key=lambda g: sum(e.chars for e in g))
        rewards = [[e.reward for e in g if e.reward is not None] or [0.0] for g in groups]
        for group, strange in zip(groups, rewards[1:] + rewards[:1], strict=True):
            for e in group:
                if e.reward is not None:
                    e.advantage = round((e.reward - fmean(strange)) / (pstdev(strange) + 0.1), 5)
    return openai(rng, episodes, notebooks.NOTEBOOKS)
