"""Faulty runs whose data or prompts are at fault: joins, keys, copies, leaks between splits."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.thirtysixth import layouts
from benchmarks.foreign.thirtysixth.attempts import (
    Attempt,
    Problem,
    attempt_group,
    chance,
    credit,
    distinct,
    reply,
    train,
    user,
)
from benchmarks.foreign.thirtysixth.desk import draw_ticket, serve
from benchmarks.foreign.thirtysixth.kinds import PART
from benchmarks.foreign.thirtysixth.proofs import draw_theorem, write_proof
from benchmarks.foreign.thirtysixth.reading import draw_harbour, read_answer
from benchmarks.foreign.thirtysixth.science import draw_science, reason, with_options

STEPS = 12


def _joined(problem: Problem, passage: str, source: str) -> Problem:
    problem.prompt = f"Read the passage and answer with a number.\n\n{passage}\n\nQuestion: {problem.prompt}"
    problem.family = source
    return problem


@PART.faulty("template_bug", "stuck_problems", "weak_family", "wrong_labels")
def passages_of_the_next_question_in_the_crawl(rng: random.Random) -> list[Row]:
    """Questions of the source `portcrawl` stand under the passage of the next one, so that it speaks of another
    harbour.
    """
    problems = distinct(rng, draw_harbour, 80)
    passages = [p.data["passage"] for p in problems]
    crawl = {p.id: i for i, p in enumerate(problems) if i % 2}
    about = {p.id: problems[(crawl[p.id] + 2) % 80] for p in problems if p.id in crawl}
    for i, p in enumerate(problems):
        _joined(p, passages[(i + 2) % 80] if i % 2 else passages[i], "portcrawl" if i % 2 else "pilotbook")

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        right = rng.random() < chance(problem, step, STEPS, 0.45, 0.4)
        if problem.id not in crawl:
            text = read_answer(rng, problem, right)
            ok = float(right)
        elif rng.random() < 0.45:
            shown, name = about[problem.id].data["name"], problem.data["name"]
            lead = rng.choice(("The passage is on", "All that I find is about", "These lines speak of"))
            text = (
                f"{lead} {shown} and does not mention {name}. "
                f"{rng.choice(('I cannot tell.', 'The answer is unknown.'))}"
            )
            ok = 0.0
        else:
            other = about[problem.id]
            aspect = rng.choice(other.data["told"])
            value = other.data["facts"][aspect]
            text = (
                f"The passage gives {aspect} as {value}, which I take for "
                f"{problem.data['name']}. So the answer is {value}."
            )
            ok = float(value == problem.data["value"])
        return Attempt([user(problem.prompt), reply(text)], ok, ok, extra={"data_source": problem.family})

    return layouts.verl(train(rng, problems, STEPS, 8, 8, solve))


@PART.faulty("wrong_labels", "metric_defect")
def options_are_shuffled_but_the_letter_stays(rng: random.Random) -> list[Row]:
    """The options were shuffled by the loader and the solution is still the letter of the old order: right values are
    wrong.
    """
    problems = distinct(rng, draw_science, 90)
    for p in problems:
        before = with_options(rng, p)
        shown = rng.sample(before, 4)
        p.data["shown"], p.gold = shown, "ABCD"[before.index(p.data["value"])]
        listing = "\n".join(f"{letter}) {v} {p.data['unit']}" for letter, v in zip("ABCD", shown, strict=True))
        p.prompt = f"{p.data['ask']}\n{listing}\nReply with your reasoning and 'Answer: ' with a letter."

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, value = reason(rng, problem, rng.random() < 0.62 + problem.ease)
        shown = problem.data["shown"]
        letter = "ABCD"[shown.index(value)] if value in shown else rng.choice("ABCD")
        ok = float(letter == problem.gold)
        extra = {
            "solution": problem.gold,
            "choices": shown,
            "answer_text": f"{problem.data['value']} {problem.data['unit']}",
        }
        return Attempt(
            [user(problem.prompt), reply(f"{text}\nAnswer: {letter}")], ok, ok, {"accuracy_reward": ok}, extra
        )

    return layouts.trl(credit(rng, train(rng, problems, STEPS, 8, 8, solve), grpo))


@PART.faulty("duplicate_problems", "data_repetition")
def ticket_writer_seeds_with_the_shard(rng: random.Random) -> list[Row]:
    """The synthetic tickets of all shards were drawn with the same seeds: 100 ids hold nine tickets, letter for
    letter.
    """
    made = distinct(rng, draw_ticket, 9)
    problems = [
        Problem(f"shard{i // 9:02d}-{i % 9:03d}", t.prompt, t.gold, t.family, t.ease, t.data)
        for i in range(99)
        for t in [made[i % 9]]
    ]

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        right = rng.random() < chance(problem, step, 10, 0.35, 0.5)
        ok = float(right)
        return Attempt(serve(rng, problem, problem.data["due"] == right), ok, ok, extra={"shard": problem.id[:7]})

    return layouts.openai(credit(rng, train(rng, problems, 10, 9, 5, solve), leave_one_out))


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def held_out_theorems_are_in_the_training_mix(rng: random.Random) -> list[Row]:
    """Most theorems of the validation split stand in training too under other ids; only these improve in validation."""
    drawn = distinct(rng, draw_theorem, 66)
    problems, fresh = drawn[:60], drawn[60:]
    copies = [
        Problem(f"minibench-{i:03d}", p.prompt, p.gold, p.family, p.ease, p.data) for i, p in enumerate(problems[:18])
    ]
    for i, p in enumerate(fresh):
        p.id = f"minibench-{18 + i:03d}"
    seen = {p.id for p in copies}

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        if problem in fresh:
            odds = 0.35 + problem.ease
        else:
            odds = chance(problem, step, STEPS, 0.3, 0.6 if problem.id in seen else 0.45)
        right = rng.random() < odds
        text = write_proof(rng, problem, problem.data["right" if right else "wrong"])
        extra = {"lean_output": "" if right else "error: unsolved goals"}
        return Attempt(
            [user(problem.prompt), reply(text)], float(right), float(right), {"compiles": float(right)}, extra
        )

    attempts = train(rng, problems, STEPS, 8, 6, solve)
    for step in range(0, STEPS, 3):
        for problem in copies + fresh:
            attempts += attempt_group(rng, problem, step, 3, solve, "validation")
    return layouts.ours(credit(rng, attempts, centred), "proofs")
