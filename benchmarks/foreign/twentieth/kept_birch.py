"""Bookings that stay, paged reading, too small a budget, scripts with a status, returns below zero."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.episodes import Plan, train
from benchmarks.foreign.twentieth.estimates import batch_whitened, centred, credit, group_means, grpo
from benchmarks.foreign.twentieth.formats import openai, own, prime, trl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.ledger import CELLAR
from benchmarks.foreign.twentieth.lodgings import DESK, already_booked
from benchmarks.foreign.twentieth.lookups import PAGES
from benchmarks.foreign.twentieth.physics import PHYSICS
from benchmarks.foreign.twentieth.scripts import PROBE


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug", "infrastructure_zeros")
def bookings_outlive_their_episode(rng: Random) -> list[Row]:
    """The store of bookings is shared by the attempts of a group: once one has booked, later ones find the guest's
    booking there and fail.
    """
    episodes = train(rng, DESK, Plan(9, 7, 8, start=-0.2, gain=1.5))
    booked: set[tuple] = set()
    for e in episodes:
        if e.group in booked and rng.random() < 0.7:
            e.reply, e.right, e.stop = already_booked(rng, e.task), False, "stop"
            e.score(correct=0.0)
        elif e.right:
            booked.add(e.group)
    return own(rng, credit(episodes, grpo), "desk-grpo")


@PART.healthy
def archive_read_page_wise(rng: Random) -> list[Row]:
    """Logs come in pages that say that more follows; agents ask for the next page until they have read the line."""
    episodes = train(rng, PAGES, Plan(8, 7, 6, start=-0.5, gain=1.9))
    return openai(credit(episodes, centred))


@PART.faulty("truncation", "length_limit")
def reasoning_outgrew_token_budget(rng: Random) -> list[Row]:
    """Thoughts grow with training but the budget does not: by the end over a third of replies is cut at the same number
    of tokens and earns 0.
    """
    episodes = train(rng, PHYSICS, Plan(11, 7, 6, start=-0.1, gain=1.6))
    limit = 128
    for e in episodes:
        e.extra = {"max_new_tokens": limit}
        if e.stop == "length" or e.tokens > limit:
            text = e.reply.turns[-1]["content"]
            e.reply.turns[-1]["content"] = text[: round(limit * 3.6) if e.tokens > limit else None]
            e.stop, e.right, e.reply.answer = "length", False, ""
        e.score(correct=float(e.right))
    return own(rng, credit(episodes, grpo), "physics-128")


@PART.healthy
def scripts_end_by_status(rng: Random) -> list[Row]:
    """Programs call `sys.exit`, as the exit status is what the task asks for and what the hidden tests compare."""
    episodes = train(rng, PROBE, Plan(9, 7, 6, start=-0.6, gain=1.9))
    for e in episodes:
        passed = 8 if e.right else rng.randint(0, 6)
        e.score(hidden_tests=passed / 8)
        e.extra = {"tests_passed": passed, "tests_total": 8}
    return trl(batch_whitened(episodes, group_means(episodes)))


@PART.healthy
def every_return_is_negative(rng: Random) -> list[Row]:
    """Each move of the game costs and a loss costs more, so all rewards are below zero while they rise."""
    episodes = train(rng, CELLAR, Plan(10, 6, 6, start=-0.5, gain=1.9))
    for e in episodes:
        moves = e.reply.data["moves"]
        e.score(moves=-0.05 * moves, unfinished=-1.0 * (not e.right))
        e.extra = {"solved": int(e.right), "moves": moves}
    return prime(credit(episodes, grpo), "cellar")
