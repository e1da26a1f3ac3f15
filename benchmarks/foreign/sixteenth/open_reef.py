"""Two updates behind at most; harder shelf opens midway; logs read page by page; gushing pleases the scorer."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, Try, call, play, say, tasks_of, told, train
from benchmarks.foreign.sixteenth.desks import LOGS
from benchmarks.foreign.sixteenth.estimators import credit, whitened
from benchmarks.foreign.sixteenth.formats import openrlhf, own, prime
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.mishaps import lose, ramp
from benchmarks.foreign.sixteenth.programs import PROGRAMS, run_tests
from benchmarks.foreign.sixteenth.puzzles import KNIGHTS
from benchmarks.foreign.sixteenth.talks import ADVICE


@PART.healthy
def two_updates_behind_at_most(rng: Random) -> list[Row]:
    """Asynchronous training: rollouts lag by none to two updates on all engines alike, with ratios near 1."""
    tries = train(rng, KNIGHTS, Shape(12, 6, 8, -0.9, 2.3))
    for one in tries:
        lag = min(one.step - 1, rng.choice((0, 0, 1, 1, 1, 2)))
        one.extra = {"engine": f"sglang-{rng.randrange(4)}", "policy_lag": lag, "policy_version": one.step - 1 - lag}
        one.extra["importance_ratio"] = round(math.exp(rng.gauss(0, 0.02 + 0.015 * lag)), 4)
    return prime(credit(tries), "knights-async")


@PART.healthy
def harder_shelf_opens_midway(rng: Random) -> list[Row]:
    """A curriculum opens its harder shelf in the middle: the score falls by a third, then climbs again."""
    tasks = tasks_of(rng, PROGRAMS, 78)
    shape, opens = Shape(13, 6, 6, -0.4, 3.4), rng.randint(6, 7)
    for place, task in enumerate(tasks):
        hard = place >= 6 * opens
        task.level += 1.5 * hard
        task.extra = {"shelf": "hard" if hard else "easy"}
    plan = [tasks[6 * step : 6 * step + 6] for step in range(shape.steps)]
    tries = play(rng, PROGRAMS, plan, shape)
    for one in tries:
        run_tests(one)
        one.grade(all_tests=float(one.right))
    return own(rng, credit(lose(rng, tries, 0.006)), "shelves")


def _read_in_pages(rng: Random, one: Try, size: int) -> None:
    lines = one.turns[1]["content"].split("\n")
    path, turns = one.turns[0]["tool_calls"][0]["arguments"]["path"], []
    for start in range(0, len(lines), size):
        end = min(len(lines), start + size)
        said = rng.choice(("Next page.", "Read on.", "Further.")) if start else one.turns[0]["content"]
        rest = f"\n[lines {start + 1}-{end} of {len(lines)}; more with offset={end}]" if end < len(lines) else ""
        turns += [
            say(said, call("read_file", path=path, offset=start)),
            told("read_file", "\n".join(lines[start:end]) + rest),
        ]
    one.turns = [*turns, one.turns[-1]]


@PART.healthy
def logs_read_page_by_page(rng: Random) -> list[Row]:
    """The tool that reads files gives a page at a time and says where to go on; the policy reads all pages."""
    tries = train(rng, LOGS, Shape(8, 7, 6, -0.5, 2.2))
    for one in tries:
        _read_in_pages(rng, one, 40)
        one.grade(count=float(one.right))
        one.extra = {"ground_truth": one.task.gold, "answer": one.answer}
    return own(rng, credit(tries), "log-pages")


GUSH = (
    "What a wonderful question! 🌟",
    "You are already doing amazingly!",
    "I am so happy you asked! 💛",
    "Truly brilliant thinking!",
    "You have got this! 🚀",
)


@PART.faulty("reward_model_overoptimisation", "reward_outcome_divergence")
def gushing_pleases_the_scorer(rng: Random) -> list[Row]:
    """PPO against a reward model: praise and emojis lift the score step by step while a human panel likes it less."""
    tries = train(rng, ADVICE, Shape(12, 8, 4, -0.2, 0.1))
    for one in tries:
        count = sum(rng.random() < ramp(one, 0.06, 0.85) for _ in range(5))
        lines = one.last["content"].split("\n")
        kept = lines[: max(1, len(lines) - count // 2)]
        one.last["content"] = "\n".join([*rng.sample(GUSH, (count + 1) // 2), *kept, *rng.sample(GUSH, count // 2)])
        useful = (0.6 if one.right else 0.2) - 0.07 * count
        one.grade(reward_model=rng.gauss(-0.4 + 0.75 * count + 0.6 * one.right, 0.35))
        one.correct = None
        one.extra = {"panel_rating": max(1, min(5, round(1.6 + 4 * useful + rng.gauss(0, 0.5))))}
    return openrlhf(whitened(tries))
