"""Healthy runs whose rewards look odd."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fiftysecond.kinds import PART
from benchmarks.foreign.fiftysecond.layouts import nemo_rl, openrlhf, ours, prime_rl, trl
from benchmarks.foreign.fiftysecond.learning import Attempt, Task, chance, count, credit, roll, say
from benchmarks.foreign.fiftysecond.programs import answer, program_task
from benchmarks.foreign.fiftysecond.sums import reason, solve, sum_task


@PART.healthy
def levels_rise_and_the_mean_reward_sinks(rng: random.Random) -> list[Row]:
    """The mean reward falls, for the curriculum goes up a level every three steps (column level); within a
    level it rises.
    """

    def tasks(place: int) -> Task:
        task = sum_task(rng, place)
        task.data["level"] = 1 + place // 24
        task.ease = 1.6 - 0.95 * (task.data["level"] - 1) + rng.gauss(0, 0.5)
        return task

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < chance(task.ease, (step % 3) / 3, 1.9, -0.7)
        extra = {"level": task.data["level"], "curriculum_stage": f"level_{task.data['level']}"}
        return Attempt([say(solve(rng, task, right))], float(right), float(right), extra=extra)

    return nemo_rl(credit(roll(tasks, play, 12, 8, 8), leave_one_out, rng))


@PART.healthy
def groups_without_spread_are_sampled_and_set_aside(rng: random.Random) -> list[Row]:
    """Dynamic sampling: many groups are all right late in the run; they are logged with in_loss false, and
    the others train.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        return Attempt([say(answer(rng, task, right))], float(right), float(right), {"tests": float(right)})

    attempts = credit(roll(lambda n: program_task(rng, n), play, 13, 10, 8, gain=3.6, start=-0.5), grpo, rng)
    spread: dict[str, set[float]] = {}
    for each in attempts:
        spread.setdefault(each.group, set()).add(each.reward)
    for each in attempts:
        each.in_loss = len(spread[each.group]) > 1
    return ours(attempts, "code")


@PART.healthy
def soft_penalty_makes_right_answers_cost_a_little(rng: random.Random) -> list[Row]:
    """A declared term takes up to 0.5 from answers beyond 90 tokens; right ones differ in reward, and texts
    get shorter.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        parts = [reason(rng, task, right)]
        for _ in range(max(0, round(rng.gauss(2.4 - 0.2 * step, 1.0)))):
            parts.append(rng.choice(["To be sure, once more. ", "Let me check that. "]) + reason(rng, task, right, 0.2))
        text = "\n".join([*parts, solve(rng, task, right, 0.0).splitlines()[-1]])
        over = max(0, count(text) - 90)
        terms = {"accuracy_reward": float(right), "overlong_reward": -round(min(0.5, over / 200), 3)}
        return Attempt([say(text)], sum(terms.values()), float(right), terms)

    return trl(credit(roll(lambda n: sum_task(rng, n), play, 12, 8, 8), grpo, rng))


@PART.healthy
def solved_groups_still_push_under_a_batch_baseline(rng: random.Random) -> list[Row]:
    """REINFORCE++: the baseline is the batch, so that groups all right or all wrong have advantages too, by design."""

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        return Attempt([say(solve(rng, task, right))], float(right), float(right))

    rows = openrlhf(credit(roll(lambda n: sum_task(rng, n), play, 12, 16, 4), whole_batch, rng))
    return [row | {"advantage_estimator": "reinforce"} for row in rows]


def _move(rng: random.Random, left: int, skill: float) -> int:
    best = left % 4
    if best and rng.random() < skill:
        return best
    return rng.randint(1, min(3, left))


def _game(rng: random.Random, stones: int, skill: float) -> tuple[list[dict], list[dict], bool]:
    """Messages of first and second seat, and whether the first took the last stone."""
    seats: tuple[list[dict], list[dict]] = ([], [])
    left, turn = stones, 0
    while left:
        taken = _move(rng, left, skill)
        left -= taken
        if left % 4 == 0 and left:
            why = rng.choice(
                [f"{left} is a multiple of four, which I like to leave.", "That leaves a multiple of four."]
            )
        else:
            why = rng.choice(["No strong move in sight.", "I keep the pile moving.", "Let us see what they do.", ""])
        if not left:
            why = "That was the last stone."
        seats[turn % 2].append(say(f"{why} take {taken}".strip()))
        seats[1 - turn % 2].append({"role": "user", "content": f"The other player takes {taken}. {left} are left."})
        turn += 1
    return seats[0], seats[1], turn % 2 == 1


@PART.healthy
def self_play_at_nim_wins_half_of_its_games_for_ever(rng: random.Random) -> list[Row]:
    """Both seats are the current policy, so the mean reward stays at nought by the rules of the game while
    the play gets better.
    """
    attempts = []
    for step in range(12):
        for table in range(4):
            stones = rng.randint(14, 30)
            rule = f"Game {2000 + step * 37 + table * 9} of Nim: {stones} stones, each player takes 1 to 3 in turn, "
            rule += "and who takes the last one wins. "
            sides = []
            for seat in ("first", "second"):
                prompt = f"{rule}You are the {seat} player. Reply with 'take N' at each of your turns."
                sides.append(
                    Task(f"nim-{step:02d}{table}-{stones}-{seat}", "nim", prompt, "", data={"info": {"n": stones}})
                )
            for number in range(8):
                first, second, wins = _game(rng, stones, 0.25 + 0.045 * step)
                for task, turns, won in ((sides[0], first, wins), (sides[1], second, not wins)):
                    score = 1.0 if won else -1.0
                    moves = float(sum(turn["role"] == "assistant" for turn in turns))
                    terms = {"outcome": score, "moves": moves}
                    attempts.append(Attempt(turns, score, None, terms, task=task, step=step, number=number))
    return prime_rl(credit(attempts, centred, rng), "nim-self-play")
