"""The mixed batch: which domain is drawn how often, and how each is played."""

import random

from benchmarks.foreign.fortyninth.archive import play_year, years
from benchmarks.foreign.fortyninth.attempts import Attempt, Play, Task, mixed, paid, say
from benchmarks.foreign.fortyninth.chats import advice, graded, play_safety, points_made, reply, safety
from benchmarks.foreign.fortyninth.desk import orders, play_order
from benchmarks.foreign.fortyninth.programs import play_program, programs
from benchmarks.foreign.fortyninth.repos import play_bug, repositories
from benchmarks.foreign.fortyninth.stones import play_stones, stones
from benchmarks.foreign.fortyninth.sums import german, play_sum, spanish, sums


def play_chat(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """A reply, paid by a judge that counts points; right where it makes three and more."""
    points = points_made(rng, t)
    grade = graded(rng, points)
    return paid(Attempt(task, [say(reply(rng, task, points))], points >= 3), grade, judge=grade)


PLAYS: dict[str, Play] = {
    "math": play_sum,
    "code": play_program,
    "desk": play_order,
    "search": play_year,
    "swe": play_bug,
    "chat": play_chat,
    "safety": play_safety,
    "games": play_stones,
}


def play_any(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """An attempt, as the task's domain plays it."""
    return PLAYS[task.domain](rng, task, right, t)


def everything(rng: random.Random) -> Task:
    """A task of any domain."""
    return mixed([(sums, 4), (programs, 3), (orders, 2), (years, 2), (repositories, 1), (advice, 2), (safety, 2)])(rng)


def verifiable(rng: random.Random) -> Task:
    """A task of one turn that is right or wrong."""
    return mixed([(sums, 4), (programs, 3), (german, 1), (spanish, 1), (safety, 1)])(rng)


def with_tools(rng: random.Random) -> Task:
    """A task with tools."""
    return mixed([(orders, 3), (years, 3), (repositories, 2)])(rng)


def stones_too(rng: random.Random) -> Task:
    """A task of one turn, games among them."""
    return mixed([(sums, 3), (programs, 2), (stones, 2)])(rng)
