"""Kinds of agents: rate limits, caches, scripted customers, logs of errors, tests to be written, tools given up."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fortieth.desk import (
    conversion,
    convert,
    incident,
    investigate,
    refund_case,
    serve,
    weigh_order,
    weights,
)
from benchmarks.foreign.fortieth.grid import drive, mission
from benchmarks.foreign.fortieth.kinds import PART
from benchmarks.foreign.fortieth.layouts import numbered, openai, ours, prime_rl
from benchmarks.foreign.fortieth.offices import invoice
from benchmarks.foreign.fortieth.policy import Attempt, campaign, credit, weigh
from benchmarks.foreign.fortieth.tasks import World, money
from benchmarks.foreign.fortieth.testing import cover, untested
from benchmarks.foreign.fortieth.turns import Talk


def _silent(rng: random.Random, world: World, steps: int, problems: int, size: int, skill: tuple[float, float]) -> list:
    return campaign(rng, world, steps, problems, size, skill, lambda r, task, right, progress: ("", ""))


@PART.healthy
def refused_rates_are_asked_again(rng: random.Random) -> list[Row]:
    """A fifth of calls is refused by a rate limit: the policy waits, asks again and gets what it needs."""
    out = [convert(rng, a, 0.2) for a in _silent(rng, conversion, 14, 6, 8, (-0.6, 1.6))]
    for a in out:
        a.terms = {"correct": float(a.right)}
    credit(rng, weigh(out, correct=1.0))
    return [ours(a, domain="tools") for a in out]


@PART.healthy
def catalogue_answers_from_its_cache(rng: random.Random) -> list[Row]:
    """All attempts hear the same from the tool and every answer is a cache hit: the catalogue does not change."""
    out = [weigh_order(rng, a) for a in _silent(rng, weights, 14, 6, 8, (-0.7, 1.5))]
    for a in out:
        a.terms = {"correct_weight": float(a.right)}
        a.extra = {"cache_hits": 2}
    credit(rng, weigh(out, correct_weight=1.0), leave_one_out)
    ids = numbered(out)
    return [prime_rl(a, ids[a.task.pid], "catalogue") for a in out]


@PART.healthy
def customers_read_from_a_script(rng: random.Random) -> list[Row]:
    """Users repeat their sentences in every talk and half of refunds fail: a script, and a term of 30 days."""
    out = [serve(rng, a) for a in _silent(rng, refund_case, 14, 6, 8, (-0.5, 1.7))]
    for a in out:
        a.terms = {"policy_followed": float(a.right), "polite": round(min(1.0, rng.gauss(0.85, 0.06)), 3)}
    credit(rng, weigh(out, policy_followed=1.0, polite=0.1), centred)
    return [ours(a, "You serve customers of a shop. Returns within 30 days.", "service") for a in out]


@PART.healthy
def incident_logs_are_full_of_errors(rng: random.Random) -> list[Row]:
    """Nearly every tool answer holds an error or a traceback: the tool works, it shows logs of services in trouble."""
    out = [investigate(rng, a) for a in _silent(rng, incident, 14, 6, 8, (-0.6, 1.5))]
    for a in out:
        a.terms = {"root_cause": float(a.right)}
    credit(rng, weigh(out, root_cause=1.0))
    return [ours(a, domain="operations", target=a.task.gold) for a in out]


@PART.healthy
def tests_are_written_because_they_are_the_task(rng: random.Random) -> list[Row]:
    """Every attempt edits a test file and none touches the source: the task asks for tests, mutants grade them."""
    out = [cover(rng, a) for a in _silent(rng, untested, 13, 5, 8, (-0.7, 1.5))]
    for a in out:
        a.terms = {"mutants_killed": float(a.right)}
    credit(rng, weigh(out, mutants_killed=1.0))
    return [ours(a, domain="swe") for a in out]


@PART.healthy
def calculator_is_asked_ever_less(rng: random.Random) -> list[Row]:
    """Tool calls fall from nine in ten to one in six though the tool works: each costs, and sums come out right."""
    out = [_reckon(rng, a) for a in campaign(rng, invoice, 15, 6, 8, (-0.6, 1.6))]
    for a in out:
        a.terms = {"correct": float(a.right), "call_cost": -1.0 if len(a.messages) > 1 else 0.0}
        a.extra = {"correct": float(a.right), "call_cost": -0.1 if len(a.messages) > 1 else 0.0}
    credit(rng, weigh(out, correct=1.0, call_cost=0.1), grpo)
    return [openai(a, advantage=a.advantage) for a in out]


def _reckon(rng: random.Random, a: Attempt) -> Attempt:
    talk, text = Talk(), a.text
    if rng.random() < 0.9 - 0.74 * a.progress:
        lines = a.task.extra["lines"]
        sums = " + ".join(f"{n} * {money(p)}" for _, n, p in lines)
        talk.call(
            rng.choice(("I let the calculator add the net.", "Net first.", "The positions, by machine.")),
            "calculator",
            {"expression": sums},
            money(sum(n * p for _, n, p in lines)),
        )
    return talk.say(text).into(a)


@PART.healthy
def robot_runs_out_of_turns_less_and_less(rng: random.Random) -> list[Row]:
    """A third of early episodes ends at the limit of turns, below zero: each move costs, and the policy learns."""
    out = [drive(rng, a) for a in _silent(rng, mission, 14, 5, 8, (0.0, 0.0))]
    credit(rng, weigh(out, goal=1.0, moves=-0.04), leave_one_out)
    return [ours(a, "You steer a robot with move(direction). At most 12 moves.", "robotics") for a in out]
