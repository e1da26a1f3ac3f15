"""Kinds whose evaluation does not measure what was trained."""

import random

from benchmarks.foreign.fiftyfirst import layouts, programs, sums
from benchmarks.foreign.fiftyfirst.advantages import fill, grpo
from benchmarks.foreign.fiftyfirst.kinds import PART
from benchmarks.foreign.fiftyfirst.policy import attempt_at, distinct, evaluate, train


@PART.faulty("contamination", "memorisation")
def two_thirds_of_the_held_exam_are_in_the_training_book(rng: random.Random) -> list[dict]:
    """Two thirds of the held problems stand word for word, under other ids, in the training data: on these the held
    score climbs to nearly 1, on the others it hardly moves."""
    book = distinct(rng, sums.problem, 150)
    train_part, others = book[:120], book[120:140]
    seen = rng.sample(train_part, 40)
    held = [
        sums.Problem(f"exam-{i:03d}", p.prompt, p.gold, p.family, p.hardness, p.facts)
        for i, p in enumerate(seen + others)
    ]
    rng.shuffle(held)
    known = {p.prompt for p in seen}
    attempts = train(rng, train_part, sums.boxed, 20, 4, 0.4, 0.6)
    for step, progress in ((0, 0.0), (10, 0.5), (20, 1.0)):
        attempts += evaluate(rng, [p for p in held if p.prompt in known], sums.boxed, [(step, progress)], 0.4, 0.95)
        fresh = evaluate(rng, [p for p in held if p.prompt not in known], sums.boxed, [(step, progress)], 0.4, 0.46)
        for a in fresh:
            a.place += 40
        attempts += fresh
    return [layouts.ours(a) for a in fill(attempts, grpo)]


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness")
def the_evaluator_loads_the_base_weights_each_time(rng: random.Random) -> list[dict]:
    """Held rows carry the policy of step 0 at every evaluation and hold the same texts each time; their score stands
    still while that of training doubles."""
    problems = distinct(rng, programs.problem, 130)
    names = [f"{rng.getrandbits(40):010x}" for _ in range(21)]
    attempts = train(rng, problems[:80], programs.write, 20, 8, 0.3, 0.75)
    once = [attempt_at(rng, p, 0, 0, 0.0, rng.random() < 0.3, programs.write) for p in problems[80:]]
    for step in (0, 5, 10, 15, 20):
        for place, a in enumerate(once):
            again = attempt_at(rng, a.problem, step, 0, 0.0, a.right, lambda *_, a=a: (a.text, a.answer))
            again.split, again.place = "validation", place
            attempts.append(again)
    rows = []
    for a in fill(attempts, grpo):
        policy = names[a.step - 1] if a.split == "train" else names[0]
        rows.append(layouts.ours(a) | {"policy_id": policy})
    return rows
