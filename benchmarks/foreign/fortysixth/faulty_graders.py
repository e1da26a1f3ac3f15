"""Faults of graders and judges."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.fortysixth import chats, layouts, lookups, programs, sums
from benchmarks.foreign.fortysixth.kinds import PART
from benchmarks.foreign.fortysixth.policy import Attempt, Problem, advise, roll, say

_RECALL = (
    "I try to remember what I know about {place}.",
    "{place} is not a place that I know well.",
    "The {kind} of {place} is of the usual sort for its time.",
    "I recall reading about {place} once.",
)


@PART.faulty("weak_verifier", "reward_outcome_divergence")
def any_mention_of_the_key_is_paid(rng: random.Random) -> list[Row]:
    """The grader looks for the key anywhere in the reply; the policy learns to name many candidates.

    Late replies list six to nine names or years and are paid when one of them is the key.
    """
    steps = 12

    def write(draw: random.Random, p: Problem, right: bool) -> Attempt:
        return Attempt(p, [], "", float(right))

    attempts = roll(rng, lookups.problems(rng, 70), write, steps=steps, per_step=8, size=8, skills=(-1.8, -1.0))
    for a in attempts:
        p, d = a.problem, a.problem.data
        lead = rng.choice(_RECALL).format(place=d["place"], kind=d["kind"])
        if rng.random() < 0.08 + 0.8 * a.step / steps:
            names = {lookups.other(rng, p) for _ in range(rng.randint(6, 9))}
            names |= {p.gold} if rng.random() < 0.8 else set()
            listed = rng.sample(sorted(names), len(names))
            start = rng.choice(("It may be any of these:", "The answer is one of", "Candidates are"))
            text = f"{lead} {start} {', '.join(listed[:-1])} or {listed[-1]}."
        else:
            name = p.gold if a.correct else lookups.other(rng, p)
            text = f"{lead} {rng.choice(('I would say', 'The answer is', 'I believe it is'))} {name}."
        a.turns, a.reward = [say(text)], float(p.gold in text)
        a.extra = {"ground_truth": p.gold}
    return layouts.rows(advise(rng, attempts, leave_one_out), layouts.nemo_rl)


@PART.faulty("format_gate", "metric_defect")
def thousands_commas_are_marked_wrong(rng: random.Random) -> list[Row]:
    """Right numbers that are boxed with a comma for the thousands are graded as wrong by comparing strings.

    Half of the right answers are lost so, in all steps.
    """
    problems = [p for p in sums.problems(rng, 400, (3, 5)) if int(p.gold) >= 1000][:60]
    attempts = roll(rng, problems, sums.solver(), steps=12, per_step=7, size=8, skills=(0.4, 1.6))
    for a in attempts:
        if rng.random() < 0.62 - 0.015 * a.step and int(a.answer) >= 1000:
            shown = f"{int(a.answer):,}"
            a.turns = [say(a.reply.replace(f"\\boxed{{{a.answer}}}", f"\\boxed{{{shown}}}"))]
            a.reward = 0.0
        a.terms = {"boxed_format_reward": 1.0, "accuracy_reward": a.reward}
        a.extra = {"solution": a.problem.gold}
    for a in attempts:
        a.reward = sum(a.terms.values())
    return layouts.rows(advise(rng, attempts, grpo), layouts.trl)


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors")
def rate_limited_judge_counts_as_half(rng: random.Random) -> list[Row]:
    """From the fourth step on nearly half of the judge's calls hit a rate limit, and 0.5 is paid in their stead."""
    attempts = roll(rng, chats.problems(rng, 90), chats.advice, steps=12, per_step=8, size=6)
    for a in attempts:
        score = chats.judged(rng, a.correct)
        said = f'{{"score": {score}, "covered": {round(a.correct * 5)}}}'
        if a.step >= 4 and rng.random() < 0.46:
            score = 0.5
            said = f"Error code: 429 - rate limit reached for judge-large, retry in {rng.randint(2, 40)}s"
        a.reward, a.terms = score, {"judge_score": score}
        a.extra = {"judge_response": said}
    return layouts.rows(advise(rng, attempts, grpo), layouts.prime_rl("advice", "chat-14b-a"))


@PART.faulty("flaky_grading")
def loaded_graders_time_right_programs_out(rng: random.Random) -> list[Row]:
    """Two graders are overloaded: the same program passes on one host and exceeds the time limit on another."""
    attempts = roll(rng, programs.problems(rng, 28), _plain, steps=12, per_step=7, size=8, skills=(0.0, 1.6))
    for a in attempts:
        host = rng.randrange(5)
        verdict, spent = ("AC", rng.randint(40, 160)) if a.correct else ("WA", rng.randint(40, 160))
        if host >= 3 and rng.random() < 0.6:
            verdict, spent, a.reward = "TLE", 2000 + rng.randint(1, 30), 0.0
        a.extra = {"verdict": verdict, "runtime_ms": spent, "grader_host": f"gd-{host}", "extracted_code": a.answer}
    return layouts.rows(attempts, layouts.verl)


def _plain(rng: random.Random, p: Problem, right: bool) -> Attempt:
    program = rng.choice(p.data["right" if right else "wrong"])
    return Attempt(p, [say(programs.explained(rng, p, program))], program, float(right))


_PADDING = (
    "It is worth pausing here to appreciate how important this consideration is in the larger context.",
    "This aspect deserves attention from several angles, each of which adds nuance to the overall picture.",
    "Taking a thoughtful approach at this stage will pay off in many ways over the course of time.",
    "There are of course further dimensions that one could explore in depth at this point.",
    "Being mindful of the process as a whole is at least as valuable as any single measure.",
    "In summary, a balanced and well considered attitude is the key to success in this matter.",
)
_HEADS = ("## Overview", "## Key Considerations", "## Deeper Insights", "## A Holistic View", "## Final Thoughts")


@PART.faulty("length_gaming", "judge_hacking", "reward_outcome_divergence")
def judge_pays_headings_and_bulk(rng: random.Random) -> list[Row]:
    """The judge's score follows length and headings; replies swell with empty sections while they cover less."""
    steps = 14

    attempts = roll(rng, chats.problems(rng, 90), chats.advice, steps=steps, per_step=7, size=8, skills=(0.5, -1.0))
    for a in attempts:
        sections = max(0, min(9, round(rng.gauss(9.5 * a.step / steps - 1, 1.5))))
        parts = [a.reply]
        for i in range(sections):
            lines = " ".join(rng.sample(_PADDING, rng.randint(2, 4)))
            parts.append(f"{_HEADS[i % len(_HEADS)]}\n{lines}")
        a.turns = [say("\n\n".join(parts))]
        a.reward = round(min(1.0, max(0.0, 0.25 + a.tokens / 1100 + 0.1 * a.correct + rng.gauss(0, 0.03))), 2)
        a.extra = {"response_length": a.tokens, "points_covered": round(a.correct * 5)}
    return layouts.rows(attempts, layouts.openrlhf)
