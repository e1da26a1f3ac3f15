"""Faults of data and prompts."""

import random

from benchmarks.foreign.sixtyfirst import layouts
from benchmarks.foreign.sixtyfirst.kinds import PART
from benchmarks.foreign.sixtyfirst.meetings import MEETINGS
from benchmarks.foreign.sixtyfirst.policy import run
from benchmarks.foreign.sixtyfirst.research import RESEARCH
from benchmarks.foreign.sixtyfirst.servers import SERVERS
from benchmarks.foreign.sixtyfirst.shop import SHOP
from benchmarks.foreign.sixtyfirst.tables import SCHEMA, TABLES, query
from benchmarks.foreign.sixtyfirst.tasks import Attempt, says, tool


@PART.faulty("template_bug", "metric_defect")
def table_prompts_leave_the_slots_of_region_unfilled(rng: random.Random) -> list[dict]:
    """Two prompts in five still hold '{region}' and '{columns}' of their template; they can only be guessed at, and
    are mostly paid 0.
    """
    hit: dict[str, bool] = {}

    def change(rng: random.Random, a: Attempt) -> None:
        region = a.task.facts["region"]
        if a.task.key not in hit:
            hit[a.task.key] = rng.random() < 0.4
            if hit[a.task.key]:
                prompt = a.task.prompt.replace(f"the region {region}", "the region {region}")
                a.task.prompt = prompt.replace(SCHEMA, "{columns}")
        if not hit[a.task.key]:
            return
        guess = rng.choice(list(a.task.facts["totals"]))
        value = a.task.facts["totals"][guess]
        statement = query(a.task, a.task.gold).replace(f"'{region}'", f"'{guess}'")
        think = rng.choice(
            (
                f"The region is not named, only a placeholder stands there. I try {guess}.",
                f"'{{region}}' seems to be left over from somewhere; I take {guess} and see.",
                f"No region is given. As a guess I sum over {guess}.",
            )
        )
        last = rng.choice((f"For {guess} the table gives this.", f"Under the assumption of {guess}:"))
        a.messages = [says(think, "run_sql", statement=statement), tool("run_sql", f"total\n{value}")]
        a.messages += [says(f"{last}\nAnswer: {value}")]
        a.answer, a.right = value, guess == region
        a.reward = float(a.right)

    return layouts.verl(run(rng, TABLES, change=change), TABLES)


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence", "stuck_problems")
def archive_key_holds_years_of_another_event(rng: random.Random) -> list[dict]:
    """In a third of the tasks the key is the year of another event of the same body, so that who reads the archive
    well is paid 0.
    """
    keys: dict[str, str] = {}

    def change(rng: random.Random, a: Attempt) -> None:
        if a.task.key not in keys:
            years = a.task.facts["years"]
            keys[a.task.key] = str(years[1]) if rng.random() < 0.35 else a.task.gold
            a.task.gold = keys[a.task.key]
        a.reward = float(a.answer == keys[a.task.key])

    return layouts.prime_rl(run(rng, RESEARCH, start=0.0, gain=2.0, change=change), RESEARCH)


@PART.faulty("contamination", "memorisation")
def held_wishes_of_shoppers_are_trained_on(rng: random.Random) -> list[dict]:
    """Most tasks of the validation split stand in the training split too, word by word under other ids."""
    pool = [SHOP.draw(rng) for _ in range(96)]
    trained = run(rng, SHOP, steps=12, groups=8, size=6, pool=pool)
    copied = rng.sample(pool, 18)
    for n, task in enumerate(copied):
        copied[n] = type(task)(f"val-{n:03d}", task.prompt, task.family, task.difficulty - 0.8, task.gold, task.facts)
    fresh = [SHOP.draw(rng) for _ in range(6)]
    held: list[Attempt] = []
    for step in (4, 8, 12):
        some = run(
            rng, SHOP, steps=1, groups=24, size=2, start=-0.7 + 0.14 * step, pool=copied + fresh, split="validation"
        )
        for one in some:
            one.step = step
        held += some
    return layouts.ours(trained + held, SHOP)


@PART.faulty("duplicate_problems", "data_repetition")
def loader_restarts_at_the_first_shard(rng: random.Random) -> list[dict]:
    """After every restart the loader begins at the first tasks again: five tasks come at nearly each step, the rest
    never returns.
    """
    first = [MEETINGS.draw(rng) for _ in range(5)]
    made: list[Attempt] = []
    for step in range(1, 15):
        pool = [*first, *[MEETINGS.draw(rng) for _ in range(1)]]
        some = run(rng, MEETINGS, steps=1, groups=6, size=8, start=-0.7 + 0.12 * step, pool=pool)
        for one in some:
            one.step = step
        made += some
    return layouts.nemo_rl(made, MEETINGS)


@PART.faulty("dead_all_wrong", "dead_groups", "low_reward_spread")
def pages_of_incidents_far_beyond_the_policy(rng: random.Random) -> list[dict]:
    """The incidents are far too hard: in four groups of five all attempts are paid 0, and no gradient comes of them."""

    def change(rng: random.Random, a: Attempt) -> None:
        a.extra["grad_norm"] = round(abs(rng.gauss(0.02, 0.008)), 4)

    return layouts.skyrl(run(rng, SERVERS, steps=12, groups=10, size=8, start=-4.1, gain=0.2, change=change), SERVERS)
