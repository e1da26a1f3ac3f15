"""Sound runs that look odd: answers of one turn."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import estimates, letters, programs, rows, tickets, tongues
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Message, Plan, Problem, says, train, user


@PART.healthy
def many_languages(rng: Random) -> list[Row]:
    """Questions in six languages and three scripts, each answered in its own language: the scripts change by problem,
    not by time.
    """
    attempts = train(rng, Plan(steps=12, prompts=6, attempts=5), tongues.draw_quiz, tongues.answer_quiz)
    for one in attempts:
        one.columns = {"lang": one.problem.facts["tongue"], "is_correct": float(one.is_right)}
    return [rows.chat(one) for one in estimates.by_group(attempts)]


@PART.healthy
def labels_of_a_word(rng: Random) -> list[Row]:
    """Answers are a single word, so texts are short and repeat a lot: the task has five labels, and the labels are
    balanced.
    """
    plan = Plan(steps=14, prompts=6, attempts=6, start=0.0, end=1.7)

    def answer(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
        others = [label for label in tickets.LABELS if label != problem.gold]
        return [says(problem.gold if is_right else rng.choice(others))]

    def draw(rng: Random, number: int) -> Problem:
        drawn = tickets.draw_ticket(rng, number)
        ask = "Which of refund, shipping, login, invoice, cancel is this about? One word."
        return Problem(drawn.name, [user(f"{ask}\n\n{drawn.facts['text']}")], drawn.gold, drawn.hardness)

    attempts = train(rng, plan, draw, answer)
    for one in attempts:
        one.columns = {"ground_truth": one.problem.gold}
    return [rows.trl(one, {"label_accuracy_reward": one.reward}) for one in estimates.by_group(attempts)]


_HEADER = '''#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) the authors. See LICENSE for details.
"""Module with one function, and a command line around it."""

from __future__ import annotations

import argparse
import json
import sys
'''
_MAIN = """

def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("value", help="the argument as JSON")
    print(json.dumps({f}(json.loads(parser.parse_args().value))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
"""


@PART.healthy
def programs_with_a_header(rng: Random) -> list[Row]:
    """The prompt asks for a whole script with licence header and command line: most of each text is the same, and it
    ends in sys.exit.
    """

    def draw(rng: Random, number: int) -> Problem:
        drawn = programs.draw_program(rng, number)
        text = f"{drawn.asked[0]['content']} Make it a script: licence header, command line with JSON, exit code 0."
        return Problem(drawn.name, [user(text)], drawn.gold, drawn.hardness, drawn.facts)

    def answer(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
        code = programs.program(rng, problem, is_right)
        return [says(f"```python\n{_HEADER}\n\n{code}{_MAIN.replace('{f}', problem.facts['f'])}```")]

    attempts = train(rng, Plan(steps=12, prompts=5, attempts=6), draw, answer)
    for one in attempts:
        one.columns = {"tests_passed": one.reward, "response_length": one.num_tokens}
    return [rows.openrlhf(one) for one in estimates.by_group(attempts)]


@PART.healthy
def rewards_of_a_model_below_zero(rng: Random) -> list[Row]:
    """A reward model's raw scores lie between -9 and -1: they rise with the quality of the texts, under a small,
    charged penalty.
    """
    plan = Plan(steps=14, prompts=5, attempts=6)
    attempts = train(rng, plan, letters.draw_letter, letters.write_letter)
    for one in attempts:
        divergence = round(0.3 + 0.12 * one.step + rng.uniform(0, 0.3), 3)
        score = round(-5.6 + 2.1 * one.is_right - 0.5 * one.problem.hardness + rng.gauss(0, 0.5), 4)
        one.reward = round(score - 0.05 * divergence, 4)
        one.columns = {"rm_score": score, "kl": divergence, "kl_coef": 0.05, "kl_penalty": round(0.05 * divergence, 5)}
    return [rows.openrlhf(one) for one in estimates.leave_one_out(attempts)]
