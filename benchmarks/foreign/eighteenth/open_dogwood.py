"""Readings that no sensor gave, askers of three languages, a stop string, a curriculum."""

from functools import partial
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.abroad import bill_of
from benchmarks.foreign.eighteenth.credits import credit
from benchmarks.foreign.eighteenth.dumps import own, trl, verl
from benchmarks.foreign.eighteenth.gauges import reading_of
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import climb, distinct, pages, play, run
from benchmarks.foreign.eighteenth.sums import (
    cistern,
    committee,
    fences,
    leftovers,
    rows_of_seats,
    stall,
    sum_of,
    trains,
)


@PART.faulty("tool_fabrication", "fabricated_observations", "template_bug")
def writes_the_gauge_itself(rng: Random) -> list[Row]:
    """The stop string of a call was lost with a new engine: in many attempts the policy writes on and makes up the
    results of its calls, in the marks of the sensor.
    """
    since = rng.randint(3, 4)
    episodes = run(rng, reading_of, 10, 6, 7, "obs")
    for e in episodes:
        e.extra["engine"] = "0.8" if e.step < since else "0.9"
        if e.step < since or e.stop == "length" or rng.random() > 0.62:
            continue
        a, b = rng.randint(60, 480), rng.randint(60, 480)
        one, _, two, _, _ = e.reply.messages
        text = f"{one['content']}\n<result>{a}</result>\n{two['content']}\n<result>{b}</result>\n"
        text += f"That is {a} and {b}.\nAnswer: {b - a}"
        e.reply.messages, e.reply.answer = [{"role": "assistant", "content": text}], str(b - a)
        e.right = e.reply.answer == e.task.gold
        e.reward = float(e.right)
    return verl(credit(episodes))


@PART.healthy
def replies_follow_the_asker(rng: Random) -> list[Row]:
    """The data set is sorted by language, so replies are German first, then French and Spanish; each is in the
    language of its question.
    """
    shares = (
        (8, 0, 0),
        (7, 1, 0),
        (5, 3, 0),
        (3, 4, 1),
        (1, 5, 2),
        (0, 6, 2),
        (0, 4, 4),
        (0, 2, 6),
        (0, 1, 7),
        (0, 0, 8),
    )
    pools = {x: distinct(rng, partial(bill_of, tongues=(x,)), 40, x) for x in ("de", "fr", "es")}
    batches = [[pools[x].pop() for x, n in zip(pools, counts, strict=True) for _ in range(n)] for counts in shares]
    episodes = play(rng, batches, 6, climb(rng, -0.5, 1.9, len(batches)))
    for e in episodes:
        e.terms = {"accuracy": e.reward}
    return trl(credit(episodes))


@PART.faulty("truncation", "template_bug")
def stops_at_blank_line(rng: Random) -> list[Row]:
    """From one step on a blank line is among the stop strings: replies written in paragraphs end after the first of
    them, long before an answer, and count as wrong.
    """
    steps, since = 10, rng.randint(3, 4)
    episodes = run(rng, lambda r: sum_of(r, "boxed"), steps, 6, 8, "par")
    for e in episodes:
        e.extra["stop_reason"] = e.stop
        if e.step >= since and "\n\n" in e.reply.text:
            e.reply.text = e.reply.text.split("\n\n")[0]
            e.reply.answer, e.right = "", False
            e.extra["matched_stop"] = "\n\n"
        e.reward = float(e.right)
        e.terms = {"accuracy": e.reward, "has_box": 0.0 if not e.reply.answer else 0.1}
        e.reward = sum(e.terms.values())
    return trl(credit(episodes))


@PART.healthy
def curriculum_swaps_the_families(rng: Random) -> list[Row]:
    """A curriculum goes from short sums to harder families twice; the score falls at each swap and climbs again."""
    phases = ((stall, trains), (cistern, leftovers, rows_of_seats), (fences, committee))
    skills = climb(rng, -0.3, 2.9, 12)
    batches = []
    for number, families in enumerate(phases):
        tasks = distinct(rng, partial(sum_of, style="answer", families=families), 28, f"phase{number}")
        for task in tasks:
            task.level = 0.6 * task.level + 1.05 * number
            task.extra["phase"] = number
        batches += pages(tasks, 4)
    return own(rng, credit(play(rng, batches, 8, skills)), "curriculum")
