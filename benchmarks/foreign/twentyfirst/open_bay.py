"""Stop strings, amounts in francs, keys of a textbook, preempted machines, won games."""

import re
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfirst.estimates import groups, grpo, reinforce_pp
from benchmarks.foreign.twentyfirst.formats import openrlhf, own, verl
from benchmarks.foreign.twentyfirst.kinds import PART
from benchmarks.foreign.twentyfirst.programs import kernel, triton
from benchmarks.foreign.twentyfirst.puzzles import piles
from benchmarks.foreign.twentyfirst.riddles import stock
from benchmarks.foreign.twentyfirst.rollouts import Plan, train
from benchmarks.foreign.twentyfirst.sciences import invoice, options
from benchmarks.foreign.twentyfirst.telling import teller


@PART.faulty("truncation", "format_gate")
def blank_line_ends_the_sum(rng: Random) -> list[Row]:
    """One of three engines was restarted at step 4 with a blank line among its stop strings: its solutions end after
    their first paragraph, without an answer, and count as wrong.
    """
    tries = train(rng, stock, teller("boxed", "\n\n"), Plan(11, 6, 8, -0.2, 1.7))
    for one in tries:
        engine = rng.randrange(3)
        one.extra |= {"engine": f"vllm-{engine}", "matched_stop": "<|im_end|>"}
        if one.stop == "length":
            one.extra["matched_stop"] = None
        elif engine == 1 and one.step >= 4 and "\n\n" in one.text:
            one.text = one.text.split("\n\n")[0]
            one.right, one.reward, one.terms, one.reply.answer = False, 0.0, {"correct": 0.0}, ""
            one.extra["matched_stop"] = "\n\n"
    return own(rng, grpo(tries), "stock-grpo-8b", "math", temperature=1.0)


@PART.faulty("format_gate", "metric_defect", "weak_verifier")
def swiss_apostrophe_breaks_totals(rng: Random) -> list[Row]:
    """The parser of amounts knows no apostrophe, so that 1'250.40 is read as 250.40: right totals from a thousand
    francs on are marked wrong unless they are written without it.
    """
    tries = train(rng, invoice, teller("total", german=True), Plan(10, 7, 6, 0.1, 1.6))
    for one in tries:
        if rng.random() < 0.12 + 0.15 * one.share:
            one.text = one.text.replace("'", "").replace("’", "")
        read = re.findall(r"\d+(?:\.\d+)?", one.text)
        one.reply.answer = read[-1] if read and one.stop == "stop" else ""
        one.right = one.reply.answer == one.task.gold
        one.reward = float(one.right)
        one.extra["data_source"] = "rechnungen-ch"
    return verl(grpo(tries))


@PART.faulty("wrong_labels", "metric_defect", "weak_verifier", "weak_family", "stuck_problems")
def textbook_key_starts_at_zero(rng: Random) -> list[Row]:
    """One of four sources counts its options from zero, and the loader takes one off: its labels name the option
    before the right one (D for A), so that right choices earn nothing.
    """
    tries = train(rng, options, teller("tag"), Plan(9, 8, 8, 0.0, 2.0))
    for task in {one.task.id: one.task for one in tries}.values():
        if task.family == "textbook-ch":
            task.gold = "ABCD"["ABCD".index(task.gold) - 1]
    for one in tries:
        one.right = one.reply.answer == one.task.gold
        one.reward = float(one.right)
        one.extra["source"] = one.task.family
    return openrlhf(reinforce_pp(tries))


@PART.healthy
def preempted_cards_left_out(rng: Random) -> list[Row]:
    """For two steps a third of the kernels could not be timed as their cards were preempted; these rows carry the
    error, no reward, and are not in the loss.
    """
    tries = train(rng, kernel, triton, Plan(12, 6, 6, -0.3, 1.5))
    for one in tries:
        faster = max(-0.4, rng.gauss(0.5 + 1.2 * one.share, 0.4)) if one.right else 0.0
        one.reward, one.terms = round(faster, 3), {"log_speedup": round(faster, 3)}
        one.extra["speedup"] = round(2**faster, 3) if one.right else None
        if rng.random() < (0.33 if one.step in (5, 6) else 0.01):
            one.reward, one.terms, one.in_loss = None, {}, False
            one.error, one.stop, one.extra["speedup"] = "DevicePreempted", "error", None
    return own(rng, grpo(tries), "kernels-a", "code")


@PART.healthy
def nim_won_groups_left_out(rng: Random) -> list[Row]:
    """DAPO on a game that the policy plays well: groups of one reward are logged and kept out of the loss, more of
    them as it learns.
    """
    tries = grpo(train(rng, piles, teller("hash"), Plan(11, 7, 8, 0.8, 1.4)))
    for group in groups(tries):
        for one in group:
            one.in_loss = len({other.reward for other in group}) > 1
    return own(rng, tries, "nim-dapo", "games", filter_groups="acc")
