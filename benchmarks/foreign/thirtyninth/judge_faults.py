"""Faults of judges."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import critic, grpo, leave_one_out
from benchmarks.foreign.thirtyninth import layouts
from benchmarks.foreign.thirtyninth.kinds import PART
from benchmarks.foreign.thirtyninth.numbers import numerics
from benchmarks.foreign.thirtyninth.policy import roll, settle, write
from benchmarks.foreign.thirtyninth.sentences import likeness, support, translation

PRAISE = (
    "Answer {w} is more precise than answer {l}.",
    "{w} says what happens next; {l} leaves that open.",
    "Both are polite, but {w} keeps closer to the rules of the shop.",
    "I prefer {w}: its tone fits the mail.",
    "{w} addresses the complaint directly, {l} less so.",
)


@PART.faulty("reward_bias", "reward_outcome_divergence", "flaky_grading", "judge_hacking")
def judge_prefers_the_reply_shown_first(rng: random.Random) -> list[Row]:
    """A judge compares each reply with an old one and nearly always takes slot A: rewards follow the slot."""
    tries = roll(rng, [support(rng, n) for n in range(90)], 15, 8, 8)
    write(rng, tries)
    for one in tries:
        slot = rng.choice("AB")
        wins = rng.random() < (0.86 if slot == "A" else 0.12) + (0.08 if one.right else -0.06)
        other = "BA"["AB".index(slot)]
        winner, loser = (slot, other) if wins else (other, slot)
        one.reward, one.correct = float(wins), None
        one.columns = {
            "candidate_slot": slot,
            "judge_winner": winner,
            "judge_reason": rng.choice(PRAISE).format(w=winner, l=loser),
        }
    settle(rng, tries, leave_one_out)
    return layouts.plain(tries)


@PART.faulty("judge_refuses_right", "length_limit", "truncation", "reward_outcome_divergence", "length_gaming")
def judge_is_shown_the_first_220_characters(rng: random.Random) -> list[Row]:
    """The judge's prompt holds 220 characters of an answer; longer right ones are refused as unfinished."""
    tries = roll(rng, numerics(rng, 90), 15, 8, 8, -0.3, 1.5)
    write(rng, tries)
    for one in tries:
        cut = len(one.text) > 220
        if cut and rng.random() < 0.015 * one.step:
            sentences = one.text.split(". ")
            one.text = ". ".join(sentences[-3:])
            cut = len(one.text) > 220
        one.reward = 0.0 if cut else float(one.right)
        last = one.text.split()[-1].rstrip(".")
        verdict = f"The result {last} {'agrees with' if one.right else 'differs from'} the reference."
        if cut:
            seen = one.text[190:220].strip()
            verdict = rng.choice(
                (
                    f"The answer breaks off at '{seen}' without a result, so it cannot be accepted.",
                    f"Incomplete: the text ends with '{seen}'. No final number.",
                    f"I see no conclusion after '{seen}'. Not correct.",
                )
            )
        one.columns = {"judge_verdict": verdict, "exact_match": float(one.right)}
        one.correct = None
    settle(rng, tries, grpo)
    return layouts.slime(tries)


@PART.faulty("judge_default", "infrastructure_zeros", "constant_term", "low_reward_spread")
def judge_over_quota_pays_one_half(rng: random.Random) -> list[Row]:
    """When the judge's quota is spent, in the second half of each step, the client returns 0.5 instead of failing."""
    tries = roll(rng, [translation(rng, n) for n in range(90)], 15, 8, 8, 0.0, 1.6)
    write(rng, tries)
    for number, one in enumerate(tries):
        spent = number % 64 >= 30 + rng.randint(-2, 2)
        near = likeness(one.text, one.problem.gold)
        mark = rng.choice((9, 10)) if one.right else max(1, min(7, round(9 * near) + rng.choice((-1, 0))))
        one.reward = 0.5 if spent else mark / 10
        one.correct = None
        faults = "Nothing is missing" if one.right else "Parts say something else than the source"
        said = f"{faults}. Score: {mark}/10"
        one.columns = {"judge_raw": "HTTP 429: monthly token quota exceeded" if spent else said}
    settle(rng, tries, critic)
    return layouts.openrlhf(tries)
