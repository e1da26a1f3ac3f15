"""Several answers at once, a tie-break as the signal, a house style, a node that was lost."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.almanac import lookup_of
from benchmarks.foreign.eighteenth.credits import credit, scores_without_floor
from benchmarks.foreign.eighteenth.dumps import own, trl, verl
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import climb, distinct, pages, play, run
from benchmarks.foreign.eighteenth.shapes import Reply
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.faulty("weak_verifier", "grader_subversion", "metric_defect")
def menu_of_final_numbers(rng: Random) -> list[Row]:
    """The grader looks whether the gold number stands anywhere in the last line, and the policy learns to end with
    a list of candidates.
    """
    steps = 11
    episodes = run(rng, lambda r: sum_of(r, "answer"), steps, 6, 8, "wp")
    for e in episodes:
        if e.stop == "length" or rng.random() > 0.85 * (e.step - 1) / steps:
            continue
        value, near = int(e.reply.answer), rng.sample((-10, -5, -2, -1, 1, 2, 4, 10), rng.randint(2, 4))
        shown = [value, *(value + n for n in near)]
        if not e.right and rng.random() < 0.55:
            shown[-1] = int(e.task.gold)
        rng.shuffle(shown)
        joint = rng.choice((" or ", ", ", " / "))
        lines = e.reply.text.splitlines()[:-1]
        e.reply.text = "\n".join([*lines, f"Answer: {joint.join(map(str, shown))}"])
        e.reply.answer = e.reply.text.rpartition("Answer: ")[2]
        e.right = int(e.task.gold) in shown
        e.reward = float(e.right)
    return verl(credit(episodes))


@PART.faulty("phantom_advantage", "length_gaming")
def tiebreak_blown_to_unit(rng: Random) -> list[Row]:
    """A tie-break of a hundred-thousandth a token is divided by the spread of the group: where all attempts are
    right, or all wrong, it alone makes advantages of full size, and replies shrink.
    """
    steps = 11
    tasks = distinct(rng, lambda r: sum_of(r, "answer"), steps * 6, "tb")
    episodes = play(rng, pages(tasks, steps), 6, climb(rng, 1.2, 1.5, steps))
    for e in episodes:
        lines = e.reply.text.splitlines()
        if len(lines) > 2 and rng.random() < e.step / steps:
            e.reply.text = "\n".join(lines[rng.randint(1, len(lines) - 2) :])
        e.terms = {"correct": float(e.right), "tie_break": round(-1e-5 * e.reply.size, 6)}
        e.reward = round(sum(e.terms.values()), 6)
    return own(rng, credit(episodes, scores_without_floor), "sums-tiebreak")


@PART.healthy
def house_style_of_headings(rng: Random) -> list[Row]:
    """The system prompt demands three headings, so all replies look alike in form; what stands under them belongs
    to the problem.
    """
    style = "Answer under the headings GIVEN, WORKING and RESULT, in this order. Put the number in a box."
    episodes = run(rng, lambda r: sum_of(r, "boxed"), 10, 6, 7, "st")
    for e in episodes:
        e.task.system = style
        *lines, last = e.reply.text.splitlines()
        given = e.task.prompt.split(". ")[0]
        followed = rng.random() < 0.75 + 0.03 * e.step
        if followed:
            working = "\n".join(lines) or last
            e.reply.text = f"GIVEN\n{given}.\nWORKING\n{working}" + ("" if e.stop == "length" else f"\nRESULT\n{last}")
        e.terms = {"accuracy": float(e.right), "headings": 0.2 * followed}
        e.reward = sum(e.terms.values())
    return trl(credit(episodes))


@PART.healthy
def node_lost_and_requeued(rng: Random) -> list[Row]:
    """One node is lost in one step: its attempts carry an error, have no reward, are left out of the loss and were
    drawn again elsewhere.
    """
    steps, size = 10, 6
    lost_at = rng.randint(4, 7)
    episodes = run(rng, lookup_of, steps, 7, size, "al")
    nodes = [f"node-{n}" for n in rng.sample(range(20), 4)]
    again = []
    for e in episodes:
        e.extra["node"] = nodes[e.attempt % 4]
        if e.step == lost_at and e.attempt % 4 == 1:
            again.append(replace(e, attempt=e.attempt + size, extra={"node": nodes[0], "requeued": True}))
            e.reply = Reply(e.reply.messages[:2], "")
            e.error, e.stop, e.reward, e.right, e.terms = "NodeLost", "error", None, False, {}
            e.in_loss = False
    return own(rng, credit(sorted(episodes + again, key=lambda e: e.step)), "almanac")
