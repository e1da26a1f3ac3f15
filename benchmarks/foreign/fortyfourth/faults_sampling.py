"""Faults of sampling, lengths and evaluation."""

import random
from dataclasses import replace

from benchmarks.foreign.fortyfourth import baselines, layouts, puzzles, tickets
from benchmarks.foreign.fortyfourth.kinds import PART
from benchmarks.foreign.fortyfourth.policy import Draft, Learner, Plan, Problem, attempts, cut, run, talk

Row = dict
FREE = (
    "I am sorry to hear that. Could you tell me a little more about the {d}, so that I can help with {o}?",
    "Thank you for your message about the {d}. Please check the cable and the settings first, then write to us again.",
    "Of course! For {o} you can find all details in your account under orders. Is there anything else?",
    "That sounds annoying. With a {d} the usual advice is to wait a day and try again; otherwise ask for a refund.",
)


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse", "dead_groups")
def all_samples_of_a_request_share_its_seed(rng: random.Random) -> list[Row]:
    """The seed is set once a request and used for each of its samples, so the attempts of a group are the same text.

    Groups have one reward each; hardly any group differs, where a batch was put together otherwise.
    """
    samples = run(rng, tickets.tickets(rng, 100), tickets.route, Plan(12, 8, 8), Learner(-0.2, 0.4))
    for group in baselines.groups(samples):
        first = group[0]
        for s in group[1:]:
            if rng.random() < 0.01:
                continue
            s.messages, s.answer, s.right, s.reward = list(first.messages), first.answer, first.right, first.reward
        for s in group:
            s.extra = {"expected_answer": s.problem.gold, "sampling_seed": first.seed, "temperature": 1.0}
    return layouts.nemo(samples)


@PART.faulty("truncation", "length_limit", "score_decline")
def thinking_grows_into_a_limit_that_was_set_for_short_answers(rng: random.Random) -> list[Row]:
    """Attempts try more and more expressions and the limit of 150 tokens cuts most of them before their answer.

    Cut attempts get 0, and the score falls though those that end are mostly right.
    """

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        return puzzles.think(rng, problem, right, rng.randint(2, 5) + round(6 * progress))

    samples = run(rng, puzzles.puzzles(rng, 96), attempt, Plan(13, 8, 8), Learner(0.1, 1.8))
    for s in samples:
        if cut(s, 150):
            s.reward = 0.0
        s.terms = {"target_reached": s.reward}
        s.extra = {"correct": s.reward, "domain": "puzzle", "extra": {"max_new_tokens": 150, "answer": s.answer}}
    baselines.by_group(samples)
    return layouts.ours(samples)


@PART.faulty("train_validation_gap", "template_bug", "format_gate", "metric_defect")
def evaluation_prompts_come_without_the_list_of_queues(rng: random.Random) -> list[Row]:
    """Training prompts have a system message with the queues and the form of the answer; evaluation leaves it out.

    There the policy answers the customer instead, and the score of evaluation stays near 0 while training rises.
    """
    learner = Learner(0.0, 2.2)
    samples = run(rng, tickets.tickets(rng, 90), tickets.route, Plan(12, 8, 6), learner)
    held = [replace(p, system="") for p in tickets.tickets(rng, 40, "dev")]

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        if rng.random() < 0.08 + 0.06 * progress:
            return tickets.route(rng, problem, right, progress)
        lines = rng.sample(FREE, rng.randint(1, 2))
        return Draft(talk(" ".join(line.format(**problem.data) for line in lines)), "", False)

    for step in (0, 4, 8, 11):
        for problem in held:
            found = attempts(rng, problem, attempt, learner, step, step / 11, 2)
            for s in found:
                s.split = "validation"
            samples += found
    baselines.by_group(samples)
    for s in samples:
        s.terms = {"queue": s.reward}
        s.extra = {"correct": s.reward, "domain": "tickets", "format_ok": "queue: " in s.text}
        s.extra["extra"] = {"target": s.problem.gold, "answer": s.answer}
    return layouts.ours(sorted(samples, key=lambda s: (s.step, s.split)))
