"""Healthy runs whose rewards, advantages or lengths look odd."""

import random
from dataclasses import replace

from benchmarks.foreign.fortyfourth import baselines, exams, invoices, layouts, minutes, programs, puzzles
from benchmarks.foreign.fortyfourth.kinds import PART
from benchmarks.foreign.fortyfourth.policy import Draft, Learner, Plan, Problem, attempts, cut, run, talk

Row = dict
WORDY = (
    "Before I answer I go through the page from top to bottom, as a careful clerk would do it.",
    "An invoice usually has a head with the sender, then positions, then the amounts, then the terms of payment.",
    "I keep in mind that the net amount and the amount due are different things and must not be mixed up.",
    "I also think about which currency is meant, because there may be several on one page.",
    "The number of the invoice must not be taken for a number of an order or of a customer.",
    "Let me now consider each field in turn and say where on the page it stands and how it is labelled.",
)


@PART.healthy
def solutions_grow_because_the_puzzles_do(rng: random.Random) -> list[Row]:
    """Replies get twice as long over the run, which looks like a gamed length; later puzzles have more numbers to try.

    Length is not in the reward, and within a group longer attempts are not better paid.
    """
    sizes = {0: puzzles.puzzles(rng, 40, 3), 1: puzzles.puzzles(rng, 40, 4), 2: puzzles.puzzles(rng, 40, 5, -0.3)}
    samples = []
    for step in range(12):
        for problem in rng.sample(sizes[step // 4], 8):
            tries = 2 * len(problem.data["numbers"]) - 4

            def attempt(rng: random.Random, p: Problem, right: bool, progress: float, n: int = tries) -> Draft:
                return puzzles.think(rng, p, right, n + rng.randint(-1, 2))

            found = attempts(rng, problem, attempt, Learner(-0.3, 2.0), step, step / 11, 8)
            for s in found:
                s.terms = {"accuracy": s.reward}
                s.extra = {"num_numbers": len(problem.data["numbers"])}
            samples += found
    baselines.by_group(samples)
    return layouts.trl(samples)


@PART.healthy
def a_baseline_of_the_whole_batch_moves_groups_that_agree(rng: random.Random) -> list[Row]:
    """Groups of one reward have advantages other than 0, which looks like a phantom; the baseline is that of the batch.

    It is REINFORCE++: rewards are standardised over the step.
    """
    samples = run(rng, programs.functions(rng, 80), programs.program, Plan(12, 8, 6), Learner(-0.4, 1.8))
    baselines.by_step(samples)
    for s in samples:
        s.terms = {"tests": s.reward}
        s.extra = {"correct": s.reward, "domain": "code", "extra": {"adv_estimator": "reinforce_plus_plus"}}
    return layouts.ours(samples)


@PART.healthy
def two_criteria_of_three_are_met_most_often(rng: random.Random) -> list[Row]:
    """Half of the totals are 2 of 3, which looks like a judge's default; the sum of three criteria has four values.

    Which criterion is missed differs, and summaries that cover more get more.
    """
    samples = run(rng, minutes.meetings(rng, 90), minutes.sum_up, Plan(12, 8, 8), Learner(0.1, 1.5))
    for s in samples:
        kept = int(s.answer)
        brief = float(s.tokens < 68)
        vague = any(mark in s.text for mark in ("Several people", "There was talk", "mentioned too"))
        s.terms = {"covers_points": float(kept >= 3), "is_brief": brief, "is_precise": float(not vague)}
        s.reward = sum(s.terms.values())
    baselines.by_group(samples)
    return layouts.trl(samples)


@PART.healthy
def early_replies_overrun_and_the_policy_learns_to_be_brief(rng: random.Random) -> list[Row]:
    """A third of the first replies are cut at the limit, which looks like a limit that is too low; later hardly any is.

    The policy drops its preambles, and no right reply needs more than half of the limit.
    """

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        draft = invoices.read(rng, problem, right, progress)
        mean = 3.8 * (1 - progress) ** 1.5
        lines = rng.sample(WORDY, min(6, max(0, round(rng.gauss(mean, 1.2)))))
        return Draft(talk(" ".join([*lines, draft.messages[0]["content"]])), draft.answer, draft.right)

    samples = run(rng, invoices.invoices(rng, 90), attempt, Plan(13, 8, 8), Learner(0.1, 2.0))
    for s in samples:
        if cut(s, 170):
            s.reward = 0.0
        s.terms = {"fields": s.reward}
        s.extra = {"correct": s.reward, "domain": "forms", "extra": {"max_new_tokens": 170, "answer": s.answer}}
    baselines.by_group(samples)
    return layouts.ours(samples)


@PART.healthy
def the_held_exam_is_of_a_harder_year(rng: random.Random) -> list[Row]:
    """Validation is below training, which looks like a gap; the held exam is harder, and was so from the first step.

    Both rise side by side.
    """
    learner = Learner(0.2, 1.7)
    samples = run(rng, exams.questions(rng, 90, ("en", "de"), "y23"), exams.solve, Plan(12, 8, 6), learner)
    held = [replace(p, hardness=p.hardness + 1.1) for p in exams.questions(rng, 40, ("en", "de"), "y24")]
    for step in (0, 3, 6, 9, 11):
        for problem in held:
            found = attempts(rng, problem, exams.solve, learner, step, step / 11, 2)
            for s in found:
                s.split = "validation"
            samples += found
    baselines.by_group(samples)
    for s in samples:
        year = 2024 if s.split == "validation" else 2023
        s.terms = {"accuracy": s.reward}
        s.extra = {"correct": s.reward, "domain": "math", "extra": {"exam_year": year, "target": s.problem.gold}}
    return layouts.ours(sorted(samples, key=lambda s: (s.step, s.split)))
