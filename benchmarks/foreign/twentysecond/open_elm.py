"""Thinks english answers german; only gains reach loss; greedy probe beside sampling, and others."""

import re
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysecond.course import Message, Shape, Task, climb, deal, play, train
from benchmarks.foreign.twentysecond.estimators import centred, credit, grpo, rloo
from benchmarks.foreign.twentysecond.figures import sums
from benchmarks.foreign.twentysecond.fractions_in_tex import tex_task, write_tex
from benchmarks.foreign.twentysecond.german import german_sum, write_german
from benchmarks.foreign.twentysecond.kinds import PART
from benchmarks.foreign.twentysecond.layouts import own, say, trl, verl
from benchmarks.foreign.twentysecond.parlour import share_of_words, translate, translation_task
from benchmarks.foreign.twentysecond.prose import answering


@PART.healthy
def thinks_english_answers_german(rng: Random) -> list[Row]:
    """The system prompt asks for thought in English and an answer in German, and this is what the policy does."""
    episodes = train(rng, german_sum, write_german, Shape(rng.randint(8, 11), 7, 6), -0.5, 2.0, "de")
    return trl(credit(episodes, grpo))


@PART.faulty("one_sided_loss", "loss_mask")
def only_gains_reach_loss(rng: Random) -> list[Row]:
    """Rows of negative advantage never reach the loss: their mask is empty throughout, and only the better attempts
    are trained on.
    """
    steps, begin = rng.randint(9, 11), rng.randint(0, 2)
    plan = deal(rng, translation_task, Shape(steps, 7, 6), "tl")
    episodes = play(rng, plan, 6, climb(rng, steps, -0.4, 2.0), _translated)
    for e in episodes:
        e.reward = share_of_words(e.task, e.text)
        e.terms = {"words": e.reward}
        e.right = e.reward == 1
    for e in credit(episodes, rloo):
        kept = e.step < begin or e.advantage > 0
        e.columns = {"in_loss": kept}
        e.extra = {"loss_tokens": len(e.text) // 2 if kept else 0, "num_tokens": len(e.text) // 2}
    return own(rng, episodes, "translate-rloo", "translation")


def _translated(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    return say(translate(rng, task, 0 if right else rng.randint(1, 4)))


@PART.healthy
def greedy_probe_beside_sampling(rng: Random) -> list[Row]:
    """Beside training, a fixed set is answered greedily at every third step: one attempt each, often with the same
    words as before where the policy was sure.
    """
    steps, make = rng.choice((10, 11, 12)), sums("fares", "ratios", "counting", "rates")
    levels, write = climb(rng, steps, -0.6, 2.0), answering("The result: {}")
    episodes = credit(play(rng, deal(rng, make, Shape(steps, 6, 6), "tr"), 6, levels, write), grpo)
    held, last = deal(rng, make, Shape(1, 36, 1), "ho")[0], {}
    for step in range(0, steps, 3):
        for task in held:
            e = play(rng, [[task]], 1, [levels[step] - 0.1], write)[0]
            if task.pid in last and last[task.pid].right and rng.random() < 0.3:
                e.reply, e.right = last[task.pid].reply, True
            e.reward, e.terms = float(e.right), {"correct": float(e.right)}
            e.step, e.split, e.extra = step, "validation", {"decoding": "greedy"}
            last[task.pid] = e
            episodes.append(e)
    return own(rng, episodes, "probed", "math")


RUNGS = (("fares", -0.4), ("areas", 0.4), ("means", 1.0), ("counting", 1.6), ("remainders", 2.2))


@PART.healthy
def ladder_of_five_rungs(rng: Random) -> list[Row]:
    """A curriculum of five rungs: the score falls at each new rung and recovers, so that the whole looks flat."""
    each, episodes = rng.choice((2, 3)), []
    for rung, (family, hard) in enumerate(RUNGS):
        plan = deal(rng, sums(family, tail="Reply with work and `= result`."), Shape(each, 6, 6), f"r{rung}")
        levels = [0.1 + 0.38 * (rung * each + s) * 3 / each / 1.6 - hard + 0.35 * s for s in range(each)]
        for e in play(rng, plan, 6, levels, answering("= {}")):
            e.step, e.extra = e.step + rung * each, {"rung": rung}
            episodes.append(e)
    return own(rng, credit(episodes, centred), "ladder", "math")


BOX = re.compile(r"\\boxed\{(.*?)\}")


@PART.faulty("format_gate", "metric_defect", "weak_verifier", "judge_refuses_right")
def fraction_braces_cut_short(rng: Random) -> list[Row]:
    """The extractor stops at the first closing brace, so that every boxed fraction is read as a stump and marked
    wrong while whole numbers are read well.
    """
    episodes = train(rng, tex_task, write_tex, Shape(rng.randint(8, 10), 8, 6), -0.3, 2.0, "tex")
    for e in episodes:
        found = BOX.search(e.text)
        pred = found.group(1) if found else ""
        e.right = pred == e.task.gold
        e.reward, e.extra = float(e.right), {"pred": pred}
    return verl(credit(episodes, grpo))
