"""Healthy runs whose data, labels or order of problems look odd."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyseventh.credit import fill, leave_one_out, terms
from benchmarks.foreign.fortyseventh.desks import Moderation, Support
from benchmarks.foreign.fortyseventh.documents import Contracts
from benchmarks.foreign.fortyseventh.faults_evaluation import held
from benchmarks.foreign.fortyseventh.functions import Functions, Pairs
from benchmarks.foreign.fortyseventh.kinds import PART
from benchmarks.foreign.fortyseventh.layouts import nemo_rl, openrlhf, ours, prime_rl, trl, verl
from benchmarks.foreign.fortyseventh.numbers import ENDS, Numbers
from benchmarks.foreign.fortyseventh.policy import Plan, play, pool_of
from benchmarks.foreign.fortyseventh.tables import Queries

TONGUES = {"en": "English", "de": "German", "es": "Spanish", "fr": "French"}


@PART.healthy
def most_posts_in_the_queue_deserve_removal(rng: random.Random) -> list[Row]:
    """Nine labels in ten are `remove`, so most answers are the same word: posts were flagged by users before."""
    world = Moderation({"remove": 8.5, "allow": 0.8, "review": 0.7})
    problems = pool_of(rng, world, 100, 0.8)
    for p in problems:
        p.difficulty += -0.3 if p.gold == "remove" else 0.5
    attempts = play(rng, world, Plan(steps=12, groups=8, size=8, start=0.3, gain=1.6), problems)
    return ours(fill(attempts), "moderation")


@PART.healthy
def queries_have_one_canonical_text(rng: random.Random) -> list[Row]:
    """Replies are a bare query, and right ones agree to the letter: there is one way to write it; wrong ones differ."""
    attempts = play(rng, Queries(terse=True), Plan(steps=12, groups=9, size=8, pool=90, start=-0.7, gain=2.2))
    for a in attempts:
        a.extra = {"uid": a.group, "acc": a.reward}
    return verl(attempts, data_source="warehouse-sql")


@PART.healthy
def harder_stage_begins_at_step_eight(rng: random.Random) -> list[Row]:
    """The score falls by a third at step 8, where the curriculum's second stage begins, and climbs again from there."""
    easy, hard = pool_of(rng, Functions(), 56, 0.6), pool_of(rng, Pairs(), 56, 0.6)
    for p in hard:
        p.difficulty += 1.7
    first = play(rng, Functions(), Plan(steps=8, groups=7, size=8), easy, lambda step: 0.0 + 0.2 * step)
    second = play(rng, Pairs(), Plan(steps=8, groups=7, size=8), hard, lambda step: 1.5 + 0.2 * step)
    for a in second:
        a.step += 8
        a.group = f"s2-{a.group}"
    attempts = first + second
    for a in attempts:
        a.extra = {"curriculum_stage": 1 + (a.step >= 8)}
    return trl(fill(attempts))


@PART.healthy
def tutor_explains_in_the_language_of_the_learner(rng: random.Random) -> list[Row]:
    """Exercises are in one language and explanations in another, as the system prompt asks."""
    world = Numbers(("de", "es", "fr", "en"))
    problems = pool_of(rng, world, 70, 0.8)
    for p in problems:
        p.facts["reply"] = rng.choice([x for x in TONGUES if x != p.facts["language"]])
        p.system = (
            f"The learner speaks {TONGUES[p.facts['reply']]}. Explain in {TONGUES[p.facts['reply']]}; end with ####."
        )
    attempts = play(rng, world, Plan(steps=12, groups=8, size=8, start=-0.5, gain=2.0), problems)
    for a in attempts:
        text, value = world.reason(rng, a.problem, a.right, a.problem.facts["reply"])
        a.text = f"{text}\n{ENDS['hash'].format(w=value)}"
    return prime_rl(fill(attempts), "polyglot-tutor")


@PART.healthy
def three_planned_passes_over_forty_exercises(rng: random.Random) -> list[Row]:
    """Forty problems are gone through three times, as planned; each pass is shuffled, and holds each once."""
    world = Numbers(("es",), "box")
    problems = pool_of(rng, world, 40, 0.9)
    attempts = play(rng, world, Plan(steps=15, groups=8, size=8, start=-0.7, gain=1.9), problems)
    for a in attempts:
        a.extra = {"epoch": a.step // 5}
    return nemo_rl(fill(attempts))


@PART.healthy
def half_of_the_contracts_are_silent(rng: random.Random) -> list[Row]:
    """Almost half of the answers are `Not stated`: the clause is really absent there, as the label says."""
    attempts = play(rng, Contracts(silent=0.45), Plan(steps=12, groups=8, size=8, pool=100, start=-0.1, gain=1.8))
    return openrlhf(fill(attempts))


@PART.healthy
def held_set_is_of_the_easier_year(rng: random.Random) -> list[Row]:
    """Validation lies above training throughout: last year's easier exam, at a low temperature; it rises too."""
    world = Numbers(("en", "fr"), "tag")
    problems = pool_of(rng, world, 80, 0.9)
    attempts = fill(play(rng, world, Plan(steps=13, groups=7, size=8, start=-0.8, gain=1.8), problems))
    drawn = pool_of(rng, world, 160, 0.6, first=6000)
    exam = [p for p in drawn if p.facts["x"] * p.facts["y"] < 380][:24]
    for step in range(0, 13, 4):
        attempts += held(rng, world, exam, step, 4, 0.4 + 1.8 * step / 12)
    for a in attempts:
        a.extra = {"exam_year": 2024 if a.split == "train" else 2023, "temperature": 1.0 if a.split == "train" else 0.3}
    return ours(attempts, "math")


@PART.healthy
def rare_breach_term_is_mostly_nought(rng: random.Random) -> list[Row]:
    """The term `breach` is 0 in 97 rows of 100: it costs a point where a reply leaks a ticket's number."""
    attempts = play(rng, Support(), Plan(steps=12, groups=8, size=8, pool=90, start=-0.3, gain=1.7))
    for a in attempts:
        if rng.random() < 0.045 - 0.002 * a.step:
            number = a.problem.prompt.split(":")[0].lower()
            a.text = f"{a.text} For your files, this is {number}."
    terms(
        attempts,
        lambda a: {"remedy": float(a.right), "breach": -float("for your files, this is ticket" in a.text.lower())},
    )
    for p in {id(a.problem): a.problem for a in attempts}.values():
        p.system = "Reply as our support desk. Never write the ticket's number."
    return trl(fill(attempts, leave_one_out))
