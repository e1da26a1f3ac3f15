"""Sound runs that look odd: unusual estimates of the advantage."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import estimates, programs, rows
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Plan, train


@PART.healthy
def one_attempt_a_prompt(rng: Random) -> list[Row]:
    """REINFORCE++ on one attempt a prompt: there are no groups, and advantages are whitened over the batch."""
    attempts = train(rng, Plan(steps=14, prompts=30, attempts=1), programs.draw_program, programs.write_program)
    terms = [{"unit_tests": one.reward} for one in attempts]
    return [rows.own(one, "code", term) for one, term in zip(estimates.by_batch(attempts), terms, strict=True)]
