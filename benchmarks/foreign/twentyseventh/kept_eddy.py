"""Harder shelf opens midway; batch reused second iteration; flaky weather retried well; blank line ends exam."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.estimators import credit
from benchmarks.foreign.twentyseventh.exams import EXAMS
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import own, trl
from benchmarks.foreign.twentyseventh.passages import PASSAGES
from benchmarks.foreign.twentyseventh.proofs import PROOFS
from benchmarks.foreign.twentyseventh.runs import Pace, cut_some, distinct, examine, plan_of, play, speak, told
from benchmarks.foreign.twentyseventh.weather import WEATHER
from benchmarks.foreign.twentyseventh.words import say


@PART.healthy
def larger_shelf_opens_midway(rng: Random) -> list[Row]:
    """A curriculum opens its shelf of larger problems at the seventh step, and rewards fall at once before they climb
    again.
    """
    tasks = sorted(distinct(rng, PROOFS, 91, "cur"), key=lambda task: task.facts["value"])
    for place, task in enumerate(tasks):
        task.level = task.level * 0.6 + (2.2 if place >= 42 else 0.0)
        task.shown = {"shelf": "large" if place >= 42 else "small", "curriculum_stage": 1 + (place >= 42)}
    small, large = rng.sample(tasks[:42], 42), rng.sample(tasks[42:], 49)
    plan = [(small + large)[step * 7 : step * 7 + 7] for step in range(13)]
    return own(rng, credit(cut_some(rng, play(rng, PROOFS, plan, 6, Pace(0.1, 2.4)))), "math")


@PART.healthy
def batch_reused_second_iteration(rng: Random) -> list[Row]:
    """Each batch serves two optimiser steps, as configured, so the same completions stand in the log twice, the second
    time with a ratio near one. [huggingface/trl#4531]
    """
    attempts = credit(play(rng, PASSAGES, plan_of(rng, PASSAGES, 6, 9, "it"), 6, Pace(-0.5, 1.7)))
    rows = []
    for iteration in (0, 1):
        for a in attempts:
            ratio = 1.0 if iteration == 0 else round(rng.gauss(1.001, 0.012), 4)
            a.shown = {"generation_batch": a.step, "iteration": iteration, "num_iterations": 2, "ratio_mean": ratio}
            a.shown["clip_fraction"] = 0.0 if iteration == 0 else round(abs(rng.gauss(0.006, 0.004)), 4)
        rows += [row | {"step": 2 * row["step"] + iteration} for row in trl(attempts)]
    return sorted(rows, key=lambda row: row["step"])


@PART.healthy
def flaky_weather_retried_well(rng: Random) -> list[Row]:
    """The tool times out now and then at a steady rate; agents call again, and attempts with a time-out are solved as
    often as others.
    """
    attempts = play(rng, WEATHER, plan_of(rng, WEATHER, 10, 7, "rt"), 7, Pace(-0.5, 1.9))
    for a in attempts:
        turns = []
        for turn in a.reply.turns:
            if turn["role"] == "tool" and rng.random() < 0.09:
                turns.append(
                    told("get_weather", say(rng, "[timeout after 10 s|503 service busy], please retry"), ok=False)
                )
                again = turns[-2]["tool_calls"][0]
                turns.append(speak(say(rng, "[Again|I retry|Once more]."), tool_calls=[again]))
            turns.append(turn)
        a.reply.turns = turns
        a.seconds = round(a.seconds + 10 * (len(turns) > 5), 2)
    return own(rng, credit(attempts), "tools")


@PART.faulty("truncation", "metric_defect", "train_validation_gap", "template_bug")
def blank_line_ends_exam(rng: Random) -> list[Row]:
    """At validation a blank line stops the generation, so answers of several paragraphs end after the first and no
    letter can be read; training has no such stop. [SemiAnalysisAI/InferenceX#2537]
    """
    tasks = distinct(rng, EXAMS, 130, "gpqa")
    held = [task for task in tasks if task.facts["fact"] % 3 == 0][:25]
    seen = [task for task in tasks if task.facts["fact"] % 3]
    attempts = play(rng, EXAMS, [seen[step * 7 : step * 7 + 7] for step in range(9)], 6, Pace(-0.3, 1.6))
    attempts += examine(rng, EXAMS, held, [0, 4, 8], 8, Pace(-0.3, 1.6))
    for a in attempts:
        turn = a.reply.turns[-1]
        if rng.random() < 0.34:
            turn["content"] = turn["content"].replace("\n\n", "\n")
        if a.split == "validation":
            turn["content"] = turn["content"].split("\n\n")[0]
            a.shown = {"stop_sequences": ["Question:", "\n\n"]}
        read = a.reply.answer if "ANSWER:" in turn["content"] else None
        a.right = a.right and read is not None
        a.reward = float(a.right)
        a.terms = {"accuracy": a.reward}
        a.shown |= {"extracted": read or "[invalid]", "temperature": 0.6 if a.split == "validation" else 1.0}
        a.reply.answer = read or ""
    return own(rng, credit(attempts), "science")
