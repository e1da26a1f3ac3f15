"""Faults of data and prompts."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyseventh.credit import fill, leave_one_out
from benchmarks.foreign.fortyseventh.documents import FILLER, Contracts
from benchmarks.foreign.fortyseventh.functions import Functions
from benchmarks.foreign.fortyseventh.kinds import PART
from benchmarks.foreign.fortyseventh.layouts import chatml, opening, openrlhf, prime_rl, slime, verl
from benchmarks.foreign.fortyseventh.numbers import Numbers
from benchmarks.foreign.fortyseventh.policy import Attempt, Plan, Problem, group_of, play, pool_of
from benchmarks.foreign.fortyseventh.voice import lead


def _without_document(rng: random.Random, problem: Problem) -> Problem:
    prompt = f"Document:\n\n\nQuestion: {problem.facts['question']}"
    return Problem(f"{problem.pid}-v2", prompt, problem.gold, problem.family, "", 0.0, problem.facts)


def _at_a_loss(rng: random.Random, problem: Problem) -> str:
    asked = problem.facts["asked"]
    guess = rng.choice([problem.gold, *problem.facts["others"], "30 days", "60 days", "12 months", "Not stated"])
    openings = ["", "", f"The {asked} is wanted. ", "I see no text. ", "An empty document. ", "Hm. ", "This is odd. "]
    why = [
        f"No document came with the question, so the {asked} cannot be read from it; I name what is usual.",
        f"There is nothing behind the word Document. For the {asked} I can only guess.",
        f"The text seems to be missing. Contracts like this often set the {asked} so.",
        f"Without clauses to look at, the {asked} is a matter of custom.",
    ]
    return f"{rng.choice(openings)}{rng.choice(why)}\nAnswer: {guess}"


@PART.faulty("template_bug")
def document_slot_is_empty_since_the_prompt_migration(rng: random.Random) -> list[Row]:
    """From the fifth step, six prompts in ten have nothing behind `Document:`; the policy can but guess."""
    plan = Plan(steps=14, groups=8, size=8, pool=112)
    attempts = play(rng, Contracts(), plan)
    empty: dict[str, Problem] = {}
    for a in attempts:
        if a.step < 5:
            continue
        if a.group not in empty:
            empty[a.group] = _without_document(rng, a.problem) if rng.random() < 0.6 else a.problem
        a.problem = empty[a.group]
        if a.problem.pid.endswith("-v2"):
            a.text = _at_a_loss(rng, a.problem)
            a.reward = float(a.text.endswith(f": {a.problem.gold}"))
    return prime_rl(fill(attempts), "contract-qa")


@PART.faulty("wrong_labels", "stuck_problems")
def worksheet_key_is_one_exercise_off(rng: random.Random) -> list[Row]:
    """The answers of worksheet C stand one line too low: attempts agree on the right number, and `gts` is another's."""
    world = Numbers(("de", "en"), "box", "Rechne Schritt für Schritt. Das Ergebnis steht in \\boxed{}.")
    problems = pool_of(rng, world, 64, 0.7)
    sheets = {p.pid: "ABCD"[place % 4] for place, p in enumerate(problems)}
    shifted = [p for p in problems if sheets[p.pid] == "C"]
    truth = [p.gold for p in shifted]
    for p, gold in zip(shifted, truth[-1:] + truth[:-1], strict=True):
        p.gold = gold
    attempts = play(rng, world, Plan(steps=13, groups=10, size=8, start=0.1, gain=1.8), problems)
    for a in attempts:
        a.reward = float(a.text.endswith(f"\\boxed{{{a.problem.gold}}}"))
        a.extra = {"worksheet": sheets[a.problem.pid], "uid": a.group}
    return verl(attempts)


@PART.faulty("data_repetition", "dead_all_correct")
def resumed_loader_serves_one_shard_for_ever(rng: random.Random) -> list[Row]:
    """After a resume at step 5 each step holds the same eight problems; the policy learns them, and groups go even."""
    world = Functions()
    problems = pool_of(rng, world, 8 * 6)
    attempts: list[Attempt] = []
    for step in range(15):
        shard = problems[step * 8 : step * 8 + 8] if step < 5 else problems[40:48]
        level = -0.4 + 0.12 * step if step < 5 else 0.2 + 0.55 * (step - 5)
        for problem in rng.sample(shard, 8):
            attempts += group_of(rng, world, problem, step, 8, level)
    for a in attempts:
        a.extra = {"metadata": {"shard": a.step if a.step < 5 else 5, "resumed": a.step >= 5}}
    return slime(fill(attempts))


@PART.faulty("truncation", "length_limit", "template_bug")
def long_contracts_lose_their_question_at_the_left(rng: random.Random) -> list[Row]:
    """The question stands before the contract, and prompts are cut at the left: of long ones the question is gone."""
    world, limit = Contracts(), 900
    problems = pool_of(rng, world, 60, 0.6)
    for p in problems:
        body = p.facts["document"]
        if rng.random() < 0.5:
            body += "\n" + "\n".join(
                f"{8 + n}. {line}" for n, line in enumerate(rng.sample([x for x in FILLER if x not in body], 7))
            )
        p.prompt = f"Question: {p.facts['question']}\n\nDocument:\n{body}"
    attempts = play(rng, world, Plan(steps=12, groups=8, size=6, start=0.5, gain=1.6), problems)
    for a in attempts:
        if len(chatml(opening(a.problem), ends_open=True)) > limit + 40:
            choices = [a.problem.gold, *a.problem.facts["others"]]
            answer = rng.choice(choices) if rng.random() < 0.7 else Contracts.ABSENT
            why = [
                "The text begins in the middle, and I see no question; I give the figure that stands out.",
                "It is not said what is asked. A summary may help: the agreement sets a few figures and general terms.",
                "These are clauses of an agreement, it seems. What is wanted from them is not clear.",
                "I take it that the most important figure is meant.",
            ]
            a.text = f"{lead(rng, 'what is asked', 0.5)}{rng.choice(why)}\nAnswer: {answer}"
            a.reward = float(answer == a.problem.gold)
    rows = openrlhf(fill(attempts, leave_one_out))
    for row in rows:
        row["input"] = row["input"][-limit:]
    return rows
