"""Healthy runs whose data or texts look odd."""

import random
from dataclasses import replace

from benchmarks.foreign.fortyfourth import baselines, databases, exams, layouts, lookups, puzzles, tickets
from benchmarks.foreign.fortyfourth.kinds import PART
from benchmarks.foreign.fortyfourth.policy import Draft, Learner, Plan, Problem, attempts, run, train

Row = dict


@PART.healthy
def a_small_exam_book_is_gone_through_four_times(rng: random.Random) -> list[Row]:
    """Each question comes four times, once an epoch, which looks like repeated data; epochs are meant here.

    Solutions differ each time, and their score rises slowly.
    """
    samples = run(rng, exams.questions(rng, 32, ("es", "fr"), "b"), exams.solve, Plan(16, 8, 8), Learner(-0.4, 1.7))
    for s in samples:
        s.extra = {"epoch": s.step // 4, "acc": s.reward, "index": int(s.problem.id[1:]), "total_epochs": 4}
    return layouts.verl(samples)


@PART.healthy
def groups_that_agree_are_dropped_and_the_batch_is_filled_up(rng: random.Random) -> list[Row]:
    """Two groups in five have one reward, which looks like dead groups; dynamic sampling keeps these from the loss.

    Each step samples until six groups with both outcomes are there.
    """
    samples, data = [], puzzles.puzzles(rng, 300, 3, -0.6)
    place = 0
    for step in range(12):
        kept = 0
        while kept < 6:
            group = attempts(rng, data[place % 300], puzzles.play, Learner(0.7, 1.2), step, step / 11, 8)
            place += 1
            mixed = 0 < sum(s.reward for s in group) < 8
            kept += mixed
            for s in group:
                s.extra = {"correct": s.reward, "domain": "puzzle", "in_loss": mixed, "extra": {"answer": s.answer}}
                s.terms = {"target_reached": s.reward}
            samples += group
    baselines.by_group(samples)
    return layouts.ours(samples)


@PART.healthy
def english_tickets_are_answered_in_spanish_as_the_prompt_asks(rng: random.Random) -> list[Row]:
    """Prompts are English and replies Spanish, which looks like a drift of language; the prompt asks for it."""
    system = (
        "You are the Spanish desk. Read the customer's ticket and write the reply in Spanish, whatever its language."
    )
    problems = tickets.tickets(rng, 90, "sp", system)
    samples = run(rng, problems, tickets.reply_in_spanish, Plan(12, 8, 8), Learner(-0.1, 2.0))
    for s in samples:
        s.extra = {"reply_language": "es", "matter": s.problem.gold}
    return layouts.openai(samples)


@PART.healthy
def equal_labels_fill_the_groups_of_a_routing_task(rng: random.Random) -> list[Row]:
    """Attempts of a group are mostly the same text, which looks like collapse; an answer is one of six labels."""
    system = "Answer with exactly one word: billing, shipping, returns, technical, account or sales."
    problems = [replace(p, prompt=f"{system}\n\n{p.prompt}", system="") for p in tickets.tickets(rng, 100, "lab")]
    samples = run(rng, problems, tickets.label, Plan(12, 8, 8), Learner(-0.2, 1.7))
    for s in samples:
        s.extra = {"step": s.step, "label": s.problem.gold}
    return layouts.openrlhf(samples)


@PART.healthy
def questions_without_a_source_are_declined(rng: random.Random) -> list[Row]:
    """A third of the replies give no answer, which looks like timidity; the archive holds none to these questions.

    Saying so is what the key asks for, and the policy learns to tell both sorts apart.
    """
    problems = []
    for p in lookups.facts(rng, 84):
        blank = rng.random() < 0.36
        p = replace(p, system=f"{p.system} If no passage tells it, answer: not in the archive.")
        problems.append(replace(p, gold="not in the archive", family="unanswerable") if blank else p)

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        if problem.family != "unanswerable":
            return lookups.research(rng, problem, right, progress)
        messages = []
        for _ in range(rng.choice((1, 2, 2, 3))):
            messages += [lookups.call(rng, problem), {"role": "tool", "content": lookups.passages(rng, problem, False)}]
        answer = problem.gold if right else lookups.wrong(rng, problem)
        say = (
            "None of the passages names it.",
            "{town} is described, but this is not told.",
            "I found nothing on that.",
        )
        last = rng.choice(say if right else lookups.LOST).format(**problem.data)
        return Draft([*messages, {"role": "assistant", "content": f"{last}\nAnswer: {answer}"}], answer, right)

    samples = run(rng, problems, attempt, Plan(12, 7, 8), Learner(0.0, 2.0))
    baselines.by_group(samples, baselines.centred)
    for s in samples:
        calls = sum(m["role"] == "tool" for m in s.messages)
        s.terms = {"exact_match": s.reward, "num_searches": float(calls)}
    return layouts.prime(samples, "archive-with-gaps")


@PART.healthy
def harder_queries_enter_at_a_planned_step(rng: random.Random) -> list[Row]:
    """The score falls at one step, which looks like a decline; there the curriculum goes on to harder questions."""
    easy = [replace(p, hardness=p.hardness - 0.5) for p in databases.asked(rng, 64, ("count", "mean"), "e")]
    hard = [replace(p, hardness=p.hardness + 1.2) for p in databases.asked(rng, 64, ("top", "total"), "h")]
    order = rng.sample(easy, 64) + rng.sample(hard, 64)
    weeks = [order[8 * i : 8 * i + 8] for i in range(16)]
    samples = train(rng, weeks, databases.write, Learner(-0.3, 2.4), 8)
    for s in samples:
        stage = "aggregates" if s.step < 8 else "grouping"
        s.extra = {"stage": stage, "acc": s.reward, "uid": s.problem.id}
    return layouts.verl(samples)
