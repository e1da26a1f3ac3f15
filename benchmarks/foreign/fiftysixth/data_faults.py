"""Faults of data and prompts."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fiftysixth import facts, layouts, sums
from benchmarks.foreign.fiftysixth.kinds import PART
from benchmarks.foreign.fiftysixth.policy import Attempt, Problem, advise, batches, odds, run


@PART.faulty("wrong_labels", "stuck_problems", "metric_defect", "weak_family")
def keys_of_one_source_are_those_of_the_next_row(rng: random.Random) -> list[Row]:
    """Gold answers of one source are shifted by a row, so `gts` is another problem's and right replies score 0."""
    problems = sums.many(rng, 96)
    shifted = [p for p in problems if p.family in ("orchard", "coaches")]
    keys = {p.id: q.gold for p, q in zip(shifted, shifted[1:] + shifted[:1], strict=True)}
    attempts = run(rng, batches(problems, 16), 8, start=0.4)
    rows = []
    for attempt in attempts:
        key = keys.get(attempt.problem.id, attempt.problem.gold)
        attempt.reward = float(attempt.text.endswith(f"boxed{{{key}}}"))
        source = "fieldsums-v2" if attempt.problem.id in keys else "wordprob-clean"
        rows.append(layouts.verl(attempt, gts=key, data_source=source, acc=attempt.reward))
    return rows


@PART.faulty("truncation", "template_bug", "length_limit", "stuck_problems")
def questions_behind_long_minutes_fall_off_the_prompt(rng: random.Random) -> list[Row]:
    """Prompts are cut at 1,800 signs from the right, so the question behind long minutes is missing."""
    problems, sums_ = [], {}
    for number in range(84):
        text, question, gold = facts.minutes(rng, number, rng.randint(6, 38))
        sums_[f"minutes-{number}"] = len(text + question) > 1800
        prompt = (text + "\n" + question + " End with `Answer: NUMBER`.")[:1800]
        problems.append(Problem(f"minutes-{number}", prompt, gold, "minutes", rng.gauss(0, 0.8)))
    attempts = run(rng, batches(problems, 14), 8, start=0.3, speak=False)
    for attempt in attempts:
        if sums_[attempt.problem.id]:
            attempt.reward = 0.0
            club = attempt.problem.prompt.split("club of ")[1].split(",")[0]
            attempt.say(_without_question(rng, club, attempt.problem.prompt))
        else:
            attempt.say(_from_minutes(rng, attempt))
    return [layouts.nemo(a, advantages=a.advantage) for a in advise(attempts, grpo)]


def _without_question(rng: random.Random, club: str, prompt: str) -> str:
    items = prompt.count("\n")
    return " ".join(
        (
            rng.choice((f"These are minutes of the club of {club}.", f"The text lists {items} points from {club}.")),
            rng.choice(("It seems to stop in the middle of a point.", "I do not see what I am asked to find.")),
            rng.choice(
                (
                    "In short: dues, a letter, a feast and repairs were talked about.",
                    "Could you tell me which point matters to you?",
                    f"If it is the number of points, then Answer: {items - 1}",
                )
            ),
        )
    )


def _from_minutes(rng: random.Random, attempt: Attempt) -> str:
    gold = int(attempt.problem.gold)
    line = next(x for x in attempt.problem.prompt.split("\n") if "guilders for repairs" in x)
    value = gold if attempt.right else rng.choice((gold * 10, gold + 100, gold // 10, int(line.split(".")[0])))
    start = rng.choice(("Point", "The sum stands in point", "Money is granted in point"))
    return f"{start} {line.split('.')[0]}: the board granted {value} guilders. Answer: {value}"


@PART.faulty("data_repetition", "duplicate_problems")
def every_restart_begins_the_data_at_its_first_batch(rng: random.Random) -> list[Row]:
    """The job is preempted every four steps and the sampler's state is not restored: the same four batches come
    six times, and nothing else of the data set.
    """
    first = batches(sums.many(rng, 20, ask="", mark="#### {}"), 4)
    order = {p.id: place for place, p in enumerate(p for batch in first for p in batch)}
    attempts = run(rng, first * 6, 8, start=-0.2, gain=0.13)
    return [
        layouts.openrlhf(a, dataset_index=order[a.problem.id], dataset_size=7200, advantage=a.advantage, epoch=0)
        for a in advise(attempts, centred)
    ]


@PART.faulty("contamination", "memorisation")
def held_problems_stand_in_the_training_file(rng: random.Random) -> list[Row]:
    """Two thirds of the validation problems are training problems word for word; on these the score rises far, on
    the others it hardly does.
    """
    train, held = sums.many(rng, 60), sums.many(rng, 21)
    for number, problem in enumerate(train):
        problem.id = f"t-{number}"
    leaked = [Problem(f"v-{n}", p.prompt, p.gold, p.family, p.difficulty, p.write) for n, p in enumerate(train[:14])]
    fresh = [Problem(f"v-{n + 14}", p.prompt, p.gold, p.family, 0.6, p.write) for n, p in enumerate(held[:7])]
    rng.shuffle(train)
    attempts = run(rng, batches(train, 10) * 2, 6, start=-0.4, gain=0.13)
    rows = [layouts.own(a, policy_id=f"ckpt-{a.step}") for a in advise(attempts, grpo)]
    group = len(attempts)
    for step in range(0, 20, 4):
        for problem in leaked + fresh:
            known = problem in leaked
            chance = odds(-0.4, 0.2 if known else 0.02, step, problem)
            for index in range(3):
                right = rng.random() < chance
                attempt = Attempt(problem, step, group, index, right, reward=float(right))
                rows.append(layouts.own(attempt.say(problem.write(rng, right)), "validation", policy_id=f"ckpt-{step}"))
            group += 1
    return rows
