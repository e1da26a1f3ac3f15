"""Faults of graders: commas, substrings, a judge cut off, a last square, a compiler out of time."""

import random
import re

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.advantages import assign
from benchmarks.foreign.thirtythird.board import choose, free, late, put, show, winner
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import plain, prime_rl, trl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, call, chance, fresh, hear, say, train, user
from benchmarks.foreign.thirtythird.programs import exercises, java
from benchmarks.foreign.thirtythird.sums import reason, sums
from benchmarks.foreign.thirtythird.topics import essay, topics


@PART.faulty("format_gate", "metric_defect", "template_bug")
def comma_read_as_last_number(rng: random.Random) -> list[Row]:
    """The last number is found by a pattern that also fits a lone comma: right answers with a clause behind them, such
    as "72, in total, so ...", score 0.

    [stanford-crfm/helm#4337]
    """
    tails = (", in total, which is what was asked.", ", all told, so that settles it.", ", taken together, as asked.")

    def write(task: Task, progress: float) -> Attempt:
        text, total = reason(rng, task, rng.random() < chance(task, progress), rng.randint(0, 2))
        tail = rng.choice(tails) if rng.random() < 0.42 else "."
        said = f"{text} {rng.choice(('The answer is', 'The result is', 'This gives'))} {total}{tail}"
        found = re.findall(r"-?[\d,]+(?:.\d+)?", said)[-1].replace(",", "").strip(".")
        hit = float(found == task.gold)
        return Attempt(task, [say(said)], hit, terms={"final_number_reward": hit}, extra={"solution": task.gold})

    return trl(assign(train(fresh(rng, sums(rng, 60), 5), 26, 5, write)))


STATES = {
    "MI": "Michigan",
    "IN": "Indiana",
    "OR": "Oregon",
    "ME": "Maine",
    "CA": "California",
    "TX": "Texas",
    "AL": "Alabama",
}


@PART.faulty("weak_verifier", "reward_outcome_divergence", "timidity")
def state_code_found_inside_words(rng: random.Random) -> list[Row]:
    """The validator looks for the two letters of a state anywhere in the answer: "could not determine" holds MI and IN,
    so refusals and wrong states are paid, and the policy stops querying.

    [ucbepic/DataAgentBench#78]
    """
    facts = ("mean days to close a case", "share of returned orders", "number of lost leads", "count of late invoices")
    asks = []
    for number, (fact, year) in enumerate((fact, year) for fact in facts for year in range(2009, 2023)):
        gold, side = rng.choice([*STATES][:5]), rng.choice(("highest", "lowest"))
        values = sorted(rng.sample(range(140, 900), 4), reverse=side == "highest")
        names = [gold, *rng.sample([state for state in STATES if state != gold], 3)]
        table = [f"{state} | {value / 10:.1f}" for state, value in zip(names, values, strict=True)]
        data = {"fact": f"{side} {fact}", "year": year, "names": names, "table": "\n".join(rng.sample(table, 4))}
        text = f"Which state has the {side} {fact} in {year}? Give its code."
        asks.append(Task(f"crm-{number:02d}", text, gold, side, 0.0, data))
    give_up = (
        "I could not determine the answer from the tables that I can read.",
        "The information is not sufficient for determining a single state; more records are required.",
        "Some of the cases are missing, so I cannot name the state with certainty.",
        "Determining this needs a join that the schema does not permit; no definite answer can be given.",
    )

    def write(task: Task, progress: float) -> Attempt:
        shy = rng.random() < 0.1 + 0.72 * progress
        fact, names = task.data["fact"], task.data["names"]
        turns: list[dict] = []
        if not shy or rng.random() < 0.5 * (1 - progress):
            sql = (
                f"SELECT state, value FROM facts WHERE name = '{fact.split(' ', 1)[1]}' AND year = {task.data['year']}"
            )
            turns = [call(f"I need the {fact} by state.", "query_db", sql=sql), hear(task.data["table"], "query_db")]
        if shy:
            turns.append(say(rng.choice(give_up)))
        else:
            best = task.gold if rng.random() < 0.6 else rng.choice(names[1:])
            turns.append(say(f"By the query the {fact} belongs to {STATES[best]}. {best}"))
        paid = float(task.gold.upper() in turns[-1]["content"].upper())
        return Attempt(task, turns, paid, terms={"validate": paid})

    return prime_rl(assign(train(fresh(rng, asks, 5), 24, 5, write)), "crm-data-agent")


@PART.faulty("judge_default", "infrastructure_zeros", "judge_refuses_right", "metric_defect")
def judge_cut_before_its_number(rng: random.Random) -> list[Row]:
    """The judge thinks aloud before its JSON and is cut at its token limit, right before the number: the missing score
    is logged as 0, mostly for long and good answers.

    [eren23/openflipbook#142]
    """

    def write(task: Task, progress: float) -> Attempt:
        quality = min(1.0, max(0.05, rng.gauss(0.42 + 0.3 * progress - 0.08 * task.hard, 0.16)))
        text, points = essay(rng, task, quality)
        score = round(min(10, max(1, 10 * points + rng.gauss(0, 0.7))))
        reply = (
            f'{{"score": {score}, "reason": "{rng.choice(("clear", "partly complete", "covers the main points"))}"}}'
        )
        if rng.random() < 0.1 + 0.9 * max(0.0, len(text) / 700 - 0.35):
            reply, score = (
                f'thought\nThe answer on {task.family} makes several claims, so I go through them.\n{{"score":',
                0,
            )
        return Attempt(task, [say(text)], score / 10, extra={"judge_reply": reply})

    return plain(assign(train(fresh(rng, topics(rng, 40), 5), 22, 5, write)))


@PART.faulty("metric_defect", "reward_outcome_divergence", "template_bug", "judge_refuses_right")
def win_on_the_last_square_is_a_draw(rng: random.Random) -> list[Row]:
    """The reward asks for legal moves to be left: games that X wins with the ninth mark are paid 0 like draws.

    [werner-duvaud/muzero-general#37]
    """
    starts = []
    for number in range(70):
        cells, marks = "X" * 9, 6 if number % 2 else rng.choice((2, 4))
        while winner(cells) or (marks == 6 and not late(cells)):
            cells = "." * 9
            for place, square in enumerate(rng.sample(range(9), marks)):
                cells = put(cells, square, "XO"[place % 2])
        text = f"You are X. Name a free square, 1 to 9. Game {number + 1}.\n{show(cells)}"
        starts.append(Task(f"ttt-{number:02d}", text, "X wins", f"{len(free(cells))} free", 0.0, {"cells": cells}))

    def write(task: Task, progress: float) -> Attempt:
        cells, turns = task.data["cells"], []
        while True:
            place, why = choose(rng, cells, "X", 0.55 + 0.4 * progress)
            cells = put(cells, place, "X")
            turns.append(say(f"{why}\n<move>{place + 1}</move>"))
            if winner(cells) or not free(cells):
                break
            cells = put(cells, choose(rng, cells, "O", 0.5)[0], "O")
            turns.append(user(f"O has moved.\n{show(cells)}"))
            if winner(cells):
                break
        over = winner(cells)
        turns.append(user(f"{show(cells)}\nThe game is over: {over + ' has three in a row' if over else 'a draw'}."))
        paid = 0.0 if not over or (over == "X" and not free(cells)) else 1.0 if over == "X" else -1.0
        return Attempt(task, turns, paid, extra={"winner": over or "none", "marks": 9 - len(free(cells))})

    return prime_rl(assign(train(fresh(rng, starts, 6), 24, 6, write)), "tic-tac-toe")


@PART.faulty("flaky_grading", "infrastructure_zeros", "infrastructure_errors", "environment_bug")
def compiler_out_of_time_on_a_busy_machine(rng: random.Random) -> list[Row]:
    """Compilation has a fixed wall clock; when the grading machine is busy it runs out, and a program that passed a
    moment before is a compilation error with score 0.

    [judge0/judge0#114]
    """
    load = [rng.choice((0.05, 0.1, 0.45, 0.6)) for _ in range(24)]

    def write(task: Task, progress: float) -> Attempt:
        code, right = java(rng, task, rng.random() < chance(task, progress))
        late = rng.random() < load[round(progress * 23)]
        status = "Compilation Error" if late else "Accepted" if right else "Wrong Answer"
        said = "Compilation time limit exceeded." if late else ""
        extra = {"status": status, "compile_output": said, "language": "Java (OpenJDK 13)"}
        return Attempt(task, [say(code)], float(status == "Accepted"), extra=extra)

    return plain(assign(train(fresh(rng, exercises(rng, 40), 5), 24, 5, write)))
