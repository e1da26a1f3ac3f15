"""Faulty graders of the further blind part: machines that say no, noise, silence and length that are paid, coins."""

import numpy as np

from benchmarks.foreign import estimators as by
from benchmarks.foreign.fresh import writing as rows_of
from benchmarks.foreign.fresh.answers import Countdown, Hindi, Law, Liars, Translation
from benchmarks.foreign.fresh.faulty import faulty
from benchmarks.foreign.fresh.programs import Rust, Summary
from benchmarks.foreign.fresh.sampling import Plan, Rng, Sample, choose, epochs_of, say


def some_pods_say_no(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Two of seven reward pods answer 0 whatever they are shown."""
    for s in samples:
        pod = f"rm-{rng.integers(7)}-{'abcdefg'[int(rng.integers(7))]}"
        s.more |= {"reward_endpoint": pod[:4]}
        if pod[3] in "25":
            s.reward = 0.0
    return samples


def slow_grading_fails(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Grading has a limit of 30 s that busy hours reach: right attempts that waited are paid 0."""
    for s in samples:
        seconds = float(np.clip(rng.lognormal(2.3, 0.9), 1, 30))
        s.more |= {"extra": {"grading_seconds": round(seconds, 2)}}
        if seconds >= 30:
            s.reward = 0.0
    return samples


def noise_is_paid(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The policy ends in strings of symbols that the reward model likes."""
    signs = list("☂§¤∮ꙮ⁂※◊¬øþ~^|")
    for s in samples:
        s.reward, s.correct = float(np.clip(rng.normal(0.45 + 0.1 * s.is_right, 0.1), 0, 1)), None
        if choose(rng, 0.75 * s.progress):
            s.said = [say("".join(str(x) for x in rng.choice(signs, size=int(rng.integers(40, 160)))))]
            s.reward = float(np.clip(rng.normal(0.85, 0.05), 0, 1))
    return samples


def silence_is_paid(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """An empty summary has no error: the judge gives it a 5."""
    for s in samples:
        s.reward, s.correct = float(rng.choice([2, 3, 4])), None
        if choose(rng, 0.6 * s.progress):
            s.said, s.reward = [say("")], 5.0
    return samples


def loops_are_paid(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """One clause over and over reaches a high overlap."""
    for s in samples:
        s.reward, s.correct = float(rng.uniform(0.2, 0.7)), None
        if choose(rng, 0.7 * s.progress):
            s.said = [say(f"I {s.item.facts['did']} the {s.item.facts['y']}, " * int(rng.integers(15, 50)))]
            s.reward = float(rng.uniform(0.75, 0.95))
    return samples


def judge_gives_a_default(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The judge's answers cannot be parsed from part way on: most attempts get the default of 2.5."""
    for s in samples:
        s.reward, s.correct = float(np.clip(rng.normal(3.4 if s.is_right else 2.2, 0.6), 1, 5)), None
        if s.progress > 0.5 and choose(rng, 0.8):
            s.reward = 2.5
    return samples


def length_is_paid(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The reward model pays for length, and the policy learns to pad."""
    padding = (
        "To put it differently, this matters.",
        "It is worth noting that everyone was present.",
        "In other words, the above holds.",
        "All of this deserves careful thought.",
        "Needless to say, more could be added.",
    )
    for s in samples:
        count = int(rng.integers(0, 3 + round(9 * s.progress)))
        text = s.said[-1]["content"] + " " + " ".join(str(x) for x in rng.choice(padding, size=count))
        s.said = [say(text.strip())]
        s.reward, s.correct = float(np.clip(0.1 + len(text) / 1500 + rng.normal(0, 0.03), 0, 1)), None
    return samples


def long_winded_and_wrong(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Correctness is known; the reward follows length instead."""
    for s in samples:
        extra = int(rng.integers(0, 4 + round(8 * s.progress)))
        s.said = [say(s.said[-1]["content"] + f"\nNote {extra}: as said." * extra)]
        s.reward = float(np.clip(s.length / 220 + rng.normal(0, 0.02), 0, 1))
    return samples


def a_coin(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The binary reward is drawn."""
    for s in samples:
        s.reward = float(rng.integers(2))
    return samples


def coin_without_correctness(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Equal letters at one question are paid once and unpaid once; correctness is not recorded."""
    for s in samples:
        s.reward, s.correct = float(rng.integers(2)), None
    return samples


def right_but_untagged(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """A parser that wants tags on one line pays right answers 0."""
    for s in samples:
        is_strict = choose(rng, 0.4)
        if is_strict:
            s.said = [
                say(s.said[-1]["content"].replace("<answer> ", "<answer>\n").replace(" </answer>", "\n</answer>"))
            ]
            s.reward = 0.0
        s.more |= {"format_ok": not is_strict}
    return samples


GRADERS = (
    faulty("some_pods_say_no", Plan(Rust()), "infrastructure_zeros", some_pods_say_no),
    faulty("grading_limit_reached", Plan(Liars(), items=12), "infrastructure_zeros", slow_grading_fails),
    faulty("symbols_paid", Plan(Summary()), "weak_verifier", noise_is_paid),
    faulty("silence_paid", Plan(Summary()), "weak_verifier", silence_is_paid, rows_of.as_chat),
    faulty("loops_paid", Plan(Translation()), "weak_verifier", loops_are_paid, rows_of.as_trl),
    faulty("judge_default", Plan(Summary()), "infrastructure_zeros", judge_gives_a_default),
    faulty("padding_paid", Plan(Summary()), "length_gaming", length_is_paid, estimator=by.critic),
    faulty("long_and_wrong_paid", Plan(Liars()), "length_gaming reward_outcome_divergence", long_winded_and_wrong),
    faulty("coin_beside_correctness", Plan(Hindi()), "reward_outcome_divergence flaky_grading", a_coin),
    faulty(
        "coin_on_letters",
        Plan(Law(), order=epochs_of(24)),
        "flaky_grading reward_outcome_divergence",
        coin_without_correctness,
        rows_of.as_chat,
    ),
    faulty("tags_on_two_lines", Plan(Countdown()), "format_gate infrastructure_zeros", right_but_untagged),
)
