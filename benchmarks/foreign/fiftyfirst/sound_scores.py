"""Healthy kinds whose rewards, advantages or filters look odd."""

import random

from benchmarks.foreign.fiftyfirst import layouts, programs, proofs, sums, verses
from benchmarks.foreign.fiftyfirst.advantages import centred, fill, groups, grpo, leave_one_out
from benchmarks.foreign.fiftyfirst.kinds import PART
from benchmarks.foreign.fiftyfirst.lengths_and_seeds import lengthy
from benchmarks.foreign.fiftyfirst.policy import Problem, distinct, evaluate, train


@PART.healthy
def the_book_gets_harder_so_the_mean_falls(rng: random.Random) -> list[dict]:
    """The mean reward of training falls, because a declared curriculum goes from three changes a story to seven; within
    each level it rises, and so does the score on a fixed held set."""
    steps, per_step, problems = 24, 5, []
    for step in range(steps):
        level = 3 + 4 * step / (steps - 1)
        for place in range(per_step):
            depth = min(7, max(3, round(level + (-0.7, -0.3, 0.0, 0.3, 0.7)[place])))
            problem = sums.problem(rng, step * per_step + place, depth)
            problem.hardness = (depth - 4) * 0.85 + rng.gauss(0, 0.3)
            problem.facts["level"] = depth
            problems.append(problem)
    attempts = train(rng, problems, sums.boxed, steps, 6, 0.5, 0.78)
    held = distinct(rng, lambda r, i: sums.problem(r, 1000 + i, 5), 40)
    attempts += evaluate(rng, held, sums.boxed, [(s, s / steps) for s in (0, 8, 16, 24)], 0.4, 0.7)
    for a in attempts:
        a.columns = {"level": a.problem.facts.get("level", 5)}
    return [layouts.ours(a) for a in fill(attempts, grpo)]


@PART.healthy
def a_declared_price_for_the_last_tokens(rng: random.Random) -> list[dict]:
    """Some right answers have a lower advantage than shorter right ones, because a soft penalty between 180 and 340
    tokens, logged as its own term, is part of the reward; one attempt in six reaches it and accuracy rises."""

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
        return lengthy(rng, problem, right, max(0, round(rng.gauss(0.8, 0.9))))

    attempts = train(rng, distinct(rng, sums.problem, 120), write, 20, 6, 0.35, 0.7)
    for a in attempts:
        price = 0.0 - min(1.0, max(0.0, (a.tokens - 180) / 160)) if a.tokens > 180 else 0.0
        a.terms = {"accuracy": a.correct, "overlong": round(price, 4)}
        a.reward = round(a.correct + price, 4)
    return [layouts.ours(a) for a in fill(attempts, grpo)]


@PART.healthy
def most_programs_are_paid_in_part(rng: random.Random) -> list[dict]:
    """Reward and the flag of a full solution differ in most rows, because the reward is the share of hidden tests that
    pass; full solutions always have 1, others less, and both rise."""
    attempts = train(rng, distinct(rng, programs.problem, 100), programs.write, 20, 8, 0.2, 0.6)
    for a in attempts:
        passed = 10 if a.right else rng.choice((1, 2, 3, 3, 4, 5, 6, 7))
        a.reward = passed / 10
        a.columns = {"tests_passed": passed, "tests_total": 10, "solved": int(passed == 10)}
    return [layouts.nemo(a) for a in fill(attempts, leave_one_out)]


@PART.healthy
def two_juries_whose_marks_lie_apart(rng: random.Random) -> list[dict]:
    """Two judges give marks that differ by a tenth or two at the same poem, and like poems differ by as much: they are
    sampled, their mean is the reward, and over the run it follows rhyme and mood."""
    attempts = train(rng, distinct(rng, verses.problem, 80), verses.write, 20, 8, 0.3, 0.75)
    for a in attempts:
        merit = 0.75 if a.right else 0.35
        first, said = verses.verdict(rng, a.problem, merit)
        second, _ = verses.verdict(rng, a.problem, merit + 0.03)
        a.terms, a.correct = {"jury_a": first, "jury_b": second}, None
        a.reward = round((first + second) / 2, 3)
        a.columns = {"jury_a_says": said}
    return [layouts.ours(a) for a in fill(attempts, grpo)]


@PART.healthy
def the_sampler_is_one_step_behind_by_design(rng: random.Random) -> list[dict]:
    """The policy lags by one step in every row and logprobs of sampler and trainer differ by a hundredth of a nat: that
    is what an asynchronous trainer with importance weights does; the lag is constant and the score rises."""
    attempts = train(rng, distinct(rng, proofs.problem, 120), proofs.write, 24, 8, 0.3, 0.75)
    for a in attempts:
        logprob = -0.5 + 0.15 * a.progress + rng.gauss(0, 0.05)
        lag = 1 if a.step > 1 else 0
        a.columns = {
            "weight_version": a.step - 1 - lag,
            "policy_lag": lag,
            "rollout_log_probs": round(logprob, 4),
            "train_log_probs": round(logprob + rng.gauss(0, 0.012), 4),
        }
    return [layouts.slime(a) for a in attempts]


@PART.healthy
def even_groups_are_left_out_of_the_loss(rng: random.Random) -> list[dict]:
    """A quarter of the rows have no advantage and are not in the loss: groups of one reward are filtered, as dynamic
    sampling does, and all others are trained on with the advantages of their rewards."""
    attempts = fill(train(rng, distinct(rng, sums.problem, 140), sums.boxed, 20, 4, 0.35, 0.65), centred)
    for group in groups(attempts):
        even = len({a.reward for a in group}) == 1
        for a in group:
            a.columns = {"filtered": even}
            a.advantage = None if even else a.advantage
    return [layouts.ours(a) | {"in_loss": not a.columns["filtered"]} for a in attempts]
