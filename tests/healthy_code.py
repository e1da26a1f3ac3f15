"""Healthy rows of the code domain, simulated from a stated model: controls of tests of diagnostics.

A problem has a difficulty; an attempt is right with a chance of its own. What honest work shows is there too, because a
detector must bear it: wrong programs that pass every visible example, right ones that the hidden tests let through
although a changed input breaks them, constants that happen to stand in an example, sloppy types, a program that ends
itself early, an import that looks like reaching for the machinery, an output that looks like a verdict.
"""

from benchmarks.failure_modes.base import Rng
from evotrainer.algorithm.rewards import terms_of
from evotrainer.records import Message, Split, Trajectory
from evotrainer.records.evidence import CHECKS
from tests.evidence_rows import graded_row

FAMILIES = ("strings", "lists", "numbers")
MAX_TOKENS = 48
NUM_HIDDEN, NUM_VISIBLE = 8, 3


def healthy_code(
    rng: Rng, *, num_groups: int = 64, split: Split = "train", has_judge: bool = False
) -> list[Trajectory]:
    """Return eight attempts at each of `num_groups` problems.

    With `has_judge` a rubric judge has scored every answer, with noise.
    """
    pool = rng.beta(1.5, 1.5, size=4 * num_groups)
    return [
        _attempt(rng, split, int(problem), attempt, float(pool[problem]), has_judge)
        for problem in rng.choice(len(pool), num_groups, replace=False)
        for attempt in range(8)
    ]


def _attempt(rng: Rng, split: Split, problem: int, attempt: int, chance: float, has_judge: bool) -> Trajectory:
    is_right, is_cut = bool(rng.random() < chance), bool(rng.random() < 0.02)
    is_right = is_right and not is_cut
    checks = _checks(rng, is_right)
    tokens = MAX_TOKENS if is_cut else int(rng.integers(12, 40))
    grade = {"correct": float(is_right), "format": float(not is_cut), "partial": checks["hidden_share"]}
    if has_judge:
        checks |= {
            "judge": _judged(rng, is_right),
            "judge_master_keys": 0.0,
            "judge_probe": float(rng.random() < 0.005),
        }
        grade["judge"] = checks["judge"]
    family = FAMILIES[problem % 3]
    return graded_row(
        f"v001.{split}.0.c{problem}",
        attempt,
        terms_of(grade, tokens, MAX_TOKENS, is_cut),
        split=split,
        domain="code",
        problem_id=f"{split}.c{problem}",
        seed=int(rng.integers(2**62)),
        messages=[
            Message(role="user", content=f"Problem {problem}: return the {family} that are asked for."),
            Message(
                role="assistant",
                content=_program(rng, problem),
                num_tokens=tokens,
                mean_logprob=float(-rng.gamma(8.0, 0.05)),
            ),
        ],
        stop_reason="max_tokens" if is_cut else "stop",
        num_tokens=tokens,
        is_truncated=is_cut,
        extra={"family": family, "decoding": "sampled", "lenient_correct": float(is_right), CHECKS: checks},
    )


def _checks(rng: Rng, is_right: bool) -> dict[str, float]:
    skill = 1.0 if is_right else float(rng.beta(1.5, 2.0))
    is_fooled = not is_right and rng.random() < 0.35
    visible = 1.0 if is_right or is_fooled else float(rng.binomial(NUM_VISIBLE, skill) / NUM_VISIBLE)
    hidden = 1.0 if is_right else min(float(rng.binomial(NUM_HIDDEN, skill)), NUM_HIDDEN - 1) / NUM_HIDDEN
    changed = skill if not is_right else (1.0 if rng.random() < 0.97 else 0.67)
    is_broken = not is_right and rng.random() < 0.02
    return {
        "visible_share": visible,
        "hidden_share": hidden,
        "num_collected": float(rng.integers(0, NUM_HIDDEN)) if is_broken else float(NUM_HIDDEN),
        "num_expected": float(NUM_HIDDEN),
        "perturbed_share": round(changed * NUM_VISIBLE) / NUM_VISIBLE,
        "num_literals": float(rng.poisson(0.2)),
        "loose_correct": float(is_right or rng.random() < 0.015),
        "custom_equality": 0.0,
        "exited_early": float(not is_right and rng.random() < 0.01),
        "touched_grader": float(rng.random() < 0.003),
        "reads_answers": 0.0,
        "scrubbed_correct": float(is_right),
        "wrong_share": 1.0 - hidden,
        "compile_error": float(is_broken),
        "timeout_share": 0.0,
        "empty_passes": 0.0,
        "reference_fails": 0.0,
        "shown_tests": 0.0,
    }


def _judged(rng: Rng, is_right: bool) -> float:
    return round(float(rng.beta(6.0, 2.0) if is_right else rng.beta(2.0, 5.0)), 2)


def _program(rng: Rng, problem: int) -> str:
    first, second = rng.integers(1, 10**6, size=2)
    return f"def solve(xs):\n    return [x * {first} for x in xs if x % {second} == {problem % 7}]\n"
