"""Healthy runs of games, robots and shops whose rewards, lengths or references move for good reasons."""

import random
from dataclasses import replace

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyeighth import layouts
from benchmarks.foreign.thirtyeighth.advantages import weigh, weighed
from benchmarks.foreign.thirtyeighth.core import Attempt, Plan, Talk, Task, pool, run
from benchmarks.foreign.thirtyeighth.kinds import PART
from benchmarks.foreign.thirtyeighth.layouts import Row
from benchmarks.foreign.thirtyeighth.world_games import maze_play, maze_task
from benchmarks.foreign.thirtyeighth.world_service import basket, browser_play, browser_task


def _nim_task(rng: random.Random, i: int) -> Task:
    heap = rng.choice([n for n in range(13, 40) if n % 4])
    prompt = f"Match {i + 1}: {heap} stones. Each takes 1 to 3 in turn, you first; the last stone wins. Use `take`."
    return Task(f"match-{i + 1}", prompt, "win", data={"heap": heap})


def _nim_once(rng: random.Random, task: Task, care: float) -> Attempt:
    heap, talk, won = task.data["heap"], Talk(), False
    while heap > 0:
        best = heap % 4
        take = best if best and rng.random() < care else rng.randint(1, min(3, heap))
        before, heap = heap, heap - take
        answer = 0
        if heap:
            answer = heap % 4 if heap % 4 and rng.random() < 0.8 else rng.randint(1, min(3, heap))
        text = rng.choice((f"{before} stones; I leave {heap}.", f"I take {take}.",
                           f"With {before} on the table, {take} seems good.",
                           f"{heap} should be awkward for them." if heap else "That empties the table."))  # fmt: skip
        won = heap == 0
        said = "You took the last stone." if won else f"Opponent takes {answer}, {heap - answer} left."
        talk.call(text, "take", {"stones": take}, said)
        heap -= answer
    talk.say(rng.choice(("I won this one.", "The last stone was mine.")) if won else rng.choice(
        ("The opponent took the last stone.", "Lost: I let them reach a multiple of four.")))  # fmt: skip
    return Attempt(task, talk.messages, "win" if won else "loss", float(won), tool_seconds=1.0)


def _nim_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """Play until a match ends as it should."""
    while True:
        a = _nim_once(rng, task, 0.95 if right else 0.45)
        if a.right == right:
            return a


@PART.healthy
def opponent_of_the_league_grows_too(rng: random.Random) -> list[Row]:
    """Self-play: the opponent is a recent self, so the share of wins stays near a half while both gain rating."""
    steps = run(rng, pool(rng, _nim_task, 80), _nim_play, Plan(steps=22, start=0.0, end=0.05))
    rows = []
    for a in weighed(rng, steps, estimators.centred):
        rating = round(1000 + 22 * a.step - 0.3 * a.step**2 + 4 * ((a.step * 7) % 5))
        a.extra = {"elo": rating, "opponent": f"self-{max(0, a.step - 2)}", "opponent_elo": rating - 30}
        rows.append(layouts.evidence(a, "game"))
    return rows


def _shaped(rng: random.Random, a: Attempt) -> None:
    a.reward = round(-0.1 * (a.turns - 1) - (0.0 if a.right else 2.0), 2)
    a.terms = {"shaped": a.reward}


@PART.healthy
def rewards_below_zero_all_along(rng: random.Random) -> list[Row]:
    """Each move costs a tenth and a missed shelf two: no reward is ever positive, and the mean climbs towards zero."""
    steps = run(rng, pool(rng, maze_task, 60), maze_play, Plan(steps=20), _shaped)
    return [
        layouts.openrlhf(a, step=a.step, advantage=a.advantage) for a in weighed(rng, steps, estimators.whole_batch)
    ]


def _hall(size: int, hardness: float):
    def make(rng: random.Random, i: int) -> Task:
        task = maze_task(rng, i + 100 * size, size)
        task.hardness = hardness
        return task

    return make


@PART.healthy
def halls_grow_as_the_robot_learns(rng: random.Random) -> list[Row]:
    """A curriculum: whenever a size of hall is mastered, a larger one follows, and the success falls back each time."""
    steps = []
    for level, size in enumerate((4, 5, 6, 7)):
        tasks = pool(rng, _hall(size, 0.9 * level), 30)
        start = -0.6 + 0.9 * level
        plan = Plan(steps=6, start=start, end=start + 1.7, first=1 + 6 * level)
        for batch in run(rng, tasks, maze_play, plan):
            for a in batch:
                a.extra = {"family": f"hall-{size}x{size}", "level": level + 1}
            steps.append(batch)
    return [layouts.evidence(a, "robot") for a in weighed(rng, steps, estimators.grpo)]


def _detours(rng: random.Random, task: Task, right: bool) -> Attempt:
    path = list(task.data["path"])
    back = {"north": "south", "south": "north", "east": "west", "west": "east"}
    share = max(0.0, 0.75 - task.data["step"] / 24)
    for k in reversed(range(len(path) - 1)):
        if rng.random() < share:
            path[k:k] = [path[k], back[path[k]]]
    longer = replace(task, data={**task.data, "path": path})
    if not right:
        return replace(maze_play(rng, longer, False), task=task)
    a = maze_play(rng, longer, True)
    a.task = task
    return a


def _hurry(rng: random.Random, a: Attempt) -> None:
    a.terms = {"reached": float(a.right), "speed": round(-0.01 * (a.turns - 1), 2)}
    a.reward = round(sum(a.terms.values()), 4)


@PART.healthy
def detours_vanish_and_episodes_shrink(rng: random.Random) -> list[Row]:
    """The robot stops going back and forth: episodes lose a third of their turns while success rises."""
    steps = run(rng, pool(rng, maze_task, 60), _detours, Plan(steps=22), _hurry)
    return [layouts.trl(a) for a in weighed(rng, steps, estimators.grpo)]


def _drop_task(rng: random.Random, i: int) -> Task:
    height, wind = rng.randint(40, 180), rng.randint(3, 14)
    prompt = (
        f"Flight {i + 1}: drop the parcel from {height} m into the circle (radius 5 m). Wind {wind} m/s from the west "
        "on average, gusts are random. Call `release` with a lead in metres."
    )
    ideal = round(wind * (2 * height / 9.81) ** 0.5 * 0.6)
    return Task(f"flight-{i + 1}", prompt, "in the circle", data={"ideal": ideal, "height": height, "wind": wind})


def _drop_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """The lead is near the ideal by skill; gusts add what nobody can know."""
    d, talk = task.data, Talk()
    lead = d["ideal"] + (rng.randint(-1, 1) if right else rng.choice((-7, -6, -5, 5, 6, 8)))
    fall = (2 * d["height"] / 9.81) ** 0.5
    text = rng.choice((f"The fall lasts about {fall:.1f} s at this height.",
                       f"{d['wind']} m/s over {fall:.1f} s, less the drag.",
                       f"From {d['height']} m the drift is a little over half of wind times time."))  # fmt: skip
    gust = round(rng.gauss(0, 2), 1)
    miss = lead - d["ideal"] - 1.8 * gust
    hit = abs(miss) <= 5
    said = f"Gust {gust} m/s. Landed {abs(miss):.1f} m {'east' if miss < 0 else 'west'} of the centre."
    talk.call(text, "release", {"lead_m": lead}, said)
    talk.say(
        rng.choice(
            (f"Released with a lead of {lead} m.", f"A lead of {lead} m was my estimate.", f"Done, lead {lead} m.")
        )
    )
    return Attempt(task, talk.messages, str(lead), float(hit), tool_seconds=fall)


@PART.healthy
def gusts_decide_between_equal_releases(rng: random.Random) -> list[Row]:
    """The world itself is random, as the task says: the same lead hits in one attempt and misses in the next."""
    steps = run(rng, pool(rng, _drop_task, 60), _drop_play, Plan(steps=20, per_step=6, size=8, start=-0.8, end=1.8))
    rows: list[Row] = []
    for batch in steps:
        for a in weigh(rng, batch, estimators.leave_one_out):
            rows.append(layouts.prime_rl(a, "parcel-drop"))
    return rows


def _today(rng: random.Random, task: Task, right: bool) -> Attempt:
    """The shop as it is on the day of the step."""
    day = (task.data["step"] - 1) // 8
    prices = {ware: price + (day * (len(ware) + price)) % 5 for ware, price in task.data["prices"].items()}
    data = {**task.data, "prices": prices}
    return browser_play(rng, replace(task, data=data, gold=str(basket(data))), right)


@PART.healthy
def prices_move_between_days(rng: random.Random) -> list[Row]:
    """A live shop changes its prices over night: one question has three right answers in a run, each on its day."""
    steps = run(rng, pool(rng, browser_task, 36), _today, Plan(steps=24))
    return [layouts.verl(a, day=(a.step - 1) // 8 + 1) for a in weighed(rng, steps, estimators.grpo)]


SHARES = ("the bakery", "the van", "the workshop", "the field", "the press", "the boat")


def _bargain_task(rng: random.Random, i: int) -> Task:
    what, pot = rng.choice(SHARES), rng.choice((20, 30, 40, 50))
    prompt = f"Deal {i + 1}: you own {what} with a partner and split {pot} thousand. "
    prompt += "Bargain; what you gain over half, they lose."
    return Task(f"deal-{i + 1}", prompt, "", data={"pot": pot, "what": what})


def _bargain_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    pot, what = task.data["pot"], task.data["what"]
    half = pot // 2
    mine = min(pot - 1, half + rng.randint(1, 5)) if right else max(1, half - rng.randint(0, 5))
    ask = min(pot - 1, mine + rng.randint(1, 5))
    talk = Talk()
    talk.say(rng.choice((f"I kept {what} running all winter. I propose {ask} for me.",
                          f"Let us be quick: {ask} thousand, and you keep the keys.",
                         f"My work went into {what}, so {ask} of the {pot} is fair.")))  # fmt: skip
    talk.user(
        rng.choice(
            (
                f"{ask} is too much. I thought of {pot - ask} for you.",
                "You forget who paid the repairs.",
                "Come down a little.",
            )
        )
    )
    if rng.random() < 0.5:
        middle = (ask + mine) // 2
        talk.say(rng.choice((f"Then {middle}, and I take the debts.", f"I can live with {middle}.")))
        talk.user(rng.choice(("Nearly.", f"Less than {middle} and we are done.", "One last step, please.")))
    talk.say(
        rng.choice(
            (f"{mine} for me, {pot - mine} for you. Agreed?", f"My last word: {mine}.", f"So {mine} and {pot - mine}.")
        )
    )
    talk.user("Agreed.")
    gain = (mine - half) / half
    return Attempt(task, talk.messages, str(mine), float(mine > half), extra={"share": mine, "gain": round(gain, 3)})


@PART.healthy
def bargaining_sums_to_nothing(rng: random.Random) -> list[Row]:
    """Both partners are the policy: the gain of one is the loss of the other, and the mean reward is zero for ever."""
    rows: list[Row] = []

    def zero_sum(rng: random.Random, a: Attempt) -> None:
        a.reward = a.extra["gain"]
        a.terms = {"gain": a.reward}

    for batch in run(
        rng,
        pool(rng, _bargain_task, 50),
        _bargain_play,
        Plan(steps=18, size=4, per_step=6, start=0.15, end=0.2),
        zero_sum,
    ):
        for a in batch:
            a.group = f"{a.group}-{a.place}"
        both = []
        for a in batch:
            other = _mirrored(rng, a)
            both += [a, other]
        for a in weigh(rng, both, estimators.whole_batch):
            rows.append(layouts.slime(a, len(rows), advantage=a.advantage))
    return rows


def _mirrored(rng: random.Random, a: Attempt) -> Attempt:
    """The same talk from the chair of the partner."""
    pot, what = a.task.data["pot"], a.task.data["what"]
    turned = {"assistant": "user", "user": "assistant"}
    talk = [{**m, "role": turned[m["role"]]} for m in a.talk]
    prompt = f"{a.task.prompt} Your partner opens: {talk[0]['content']}"
    task = replace(a.task, id=f"{a.task.id}-b", prompt=prompt)
    share = pot - int(a.answer)
    gain = round((share - pot // 2) / (pot // 2), 3)
    extra = {"share": share, "gain": gain, "of": what}
    b = Attempt(task, talk[1:], str(share), float(gain > 0), extra=extra)
    b.step, b.place, b.group, b.seconds = a.step, a.place, f"{a.group}-b", a.seconds
    b.reward, b.terms = gain, {"gain": gain}
    return b
