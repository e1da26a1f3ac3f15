"""Farewell turn overwrites score; chronicle tasks read commits; unanswerable third declined; and others."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.chronicles import CHRONICLES
from benchmarks.foreign.twentyseventh.estimators import centred, credit, reinforce_plus, rloo
from benchmarks.foreign.twentyseventh.exams import EXAMS
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import own
from benchmarks.foreign.twentyseventh.letters import LETTERS_ASKED
from benchmarks.foreign.twentyseventh.market import MARKET
from benchmarks.foreign.twentyseventh.passages import PASSAGES
from benchmarks.foreign.twentyseventh.runs import Pace, cut_some, groups_of, plan_of, play
from benchmarks.foreign.twentyseventh.words import say


@PART.faulty("reward_outcome_divergence", "metric_defect", "reward_bias")
def farewell_turn_overwrites_score(rng: Random) -> list[Row]:
    """Each turn earns a score, but only that of the last turn reaches the trainer: thanks at the farewell are learnt,
    good trades are not. [NovaSky-AI/SkyRL#201]
    """
    attempts = play(rng, MARKET, plan_of(rng, MARKET, 10, 7, "quay"), 6, Pace(-0.2, 0.0))
    for a in attempts:
        polite = rng.random() < 0.3 + 0.6 * a.progress
        words = (
            "[Thank you for the fair trade|My thanks to all of you|Many thanks, it was a pleasure]"
            if polite
            else "[Bye|Done|That is it]"
        )
        a.reply.turns[-1]["content"] = say(rng, f"[The quay closes|That was the last day]. {words}.")
        a.reply.shown["turn_rewards"][-1] = 0.2 if polite else 0.0
        a.reward = a.reply.shown["turn_rewards"][-1]
        a.terms = {"trajectory_reward": a.reward}
    return own(rng, credit(attempts, rloo), "game")


@PART.healthy
def chronicle_tasks_read_commits(rng: Random) -> list[Row]:
    """Agents read the git history in every attempt, because release notes are what the tasks ask for."""
    attempts = cut_some(rng, play(rng, CHRONICLES, plan_of(rng, CHRONICLES, 9, 6, "rel"), 7, Pace(-0.5, 1.9)))
    return own(rng, credit(attempts), "swe", gold=False)


@PART.healthy
def unanswerable_third_declined(rng: Random) -> list[Row]:
    """For a third of the questions the right answer is that the passage does not say; many answers look alike, and each
    kind is learnt.
    """
    attempts = play(rng, PASSAGES, plan_of(rng, PASSAGES, 10, 8, "ps"), 7, Pace(-0.5, 1.8))
    for a in attempts:
        a.shown = {"answerable": a.task.family == "answerable"}
    return own(rng, reinforce_plus(attempts), "reading")


@PART.faulty("format_gate", "metric_defect")
def text_macro_hides_letter(rng: Random) -> list[Row]:
    """Letters boxed as text, or with the option behind them, are read as no answer and earn nothing, right as they are.
    [NVIDIA-NeMo/Gym#1844]
    """
    attempts = cut_some(rng, play(rng, EXAMS, plan_of(rng, EXAMS, 9, 7, "mcqa"), 8, Pace(0.1, 1.5)))
    for a in attempts:
        turn, letter = a.reply.turns[-1], a.reply.answer
        if not letter:
            a.shown = {"extracted": None, "verdict": "no_answer"}
            continue
        option = a.task.facts["options"]["ABCDE".index(letter)]
        plain = rng.random() > 0.46 - 0.14 * a.progress
        dressed = rng.choice(
            (f"\\text{{{letter}}}", f"\\text{{{letter}}}", f"{letter}: {option}", f"\\text{{{letter}) }}{option}")
        )
        box = f"\\boxed{{{letter if plain else dressed}}}"
        turn["content"] = turn["content"].replace(
            f"ANSWER: {letter}", say(rng, f"[Final answer|The answer|My choice]: {box}")
        )
        a.right = plain and a.right
        a.shown = {
            "extracted": letter if plain else None,
            "verdict": ("right" if a.right else "wrong") if plain else "no_answer",
        }
        a.reply.answer = letter if plain else ""
        a.reward = float(a.right)
        a.terms = {"accuracy": a.reward}
    return own(rng, credit(attempts), "science")


@PART.healthy
def ranks_sum_to_zero(rng: Random) -> list[Row]:
    """The judge ranks the siblings of a group, so rewards sum to zero in each group and their mean never moves, while
    the marks of a second judge rise.
    """
    attempts = play(rng, LETTERS_ASKED, plan_of(rng, LETTERS_ASKED, 9, 8, "rk"), 6, Pace(-0.9, 2.2))
    for group in groups_of(attempts):
        marks = {a.number: rng.gauss(7.6 if a.right else 5.2, 0.9) for a in group}
        order = sorted(marks, key=marks.__getitem__)
        for a in group:
            a.reward = round(order.index(a.number) / 2.5 - 1, 2)
            a.terms = {"rank": a.reward}
            a.shown = {"mark_1_to_10": round(min(10, marks[a.number]), 1), "judge": "listwise"}
    for row in (rows := own(rng, credit(attempts, centred), "writing", gold=False)):
        del row["correct"]
    return rows
