"""Theorems for Lean with the tactic that closes each, and tactics that do not."""

import random

from benchmarks.foreign.thirtysixth.attempts import Problem

SHAPES = (
    ("order", "(a b : ℕ) (h : a ≤ b) : a + {k} ≤ b + {m}", "omega", "simp", lambda k, m: m >= k),
    ("order", "(a b : ℕ) (h : a + {k} < b) : a < b", "omega", "exact h", lambda k, m: k > 0),
    (
        "algebra",
        "(x y : ℤ) : (x + {k} * y) ^ 2 = x ^ 2 + {d} * x * y + {s} * y ^ 2",
        "ring",
        "norm_num",
        lambda k, m: True,
    ),
    ("algebra", "(x : ℝ) : (x - {k}) * (x + {k}) = x ^ 2 - {s}", "ring", "simp", lambda k, m: True),
    ("squares", "(x : ℝ) : 0 ≤ (x - {k}) ^ 2 + {m}", "positivity", "linarith", lambda k, m: m > 0),
    (
        "squares",
        "(x y : ℝ) : {d} * x * y ≤ {s} * x ^ 2 + y ^ 2",
        "nlinarith [sq_nonneg ({k} * x - y)]",
        "linarith",
        lambda k, m: k > 0,
    ),
    ("parity", "(n : ℕ) (h : n % {e} = 1) : (n + {o}) % 2 = 0", "omega", "decide", lambda k, m: True),
    ("numbers", ": {big} % {k} = {rest}", "norm_num", "ring", lambda k, m: k > 1),
)
HABITS = {
    "order": "The goal is linear over the naturals and the hypothesis bounds one side",
    "algebra": "Both sides are polynomials, so it should be an identity after expanding",
    "squares": "A square is never negative, which is all that the goal needs",
    "parity": "The remainder modulo two follows from the one that is given",
    "numbers": "The claim holds between numerals and can be computed",
}
SEEN = (
    "I look at the shape of the goal first.",
    "What has to be shown?",
    "Let me think about which tactic fits.",
    "Before writing Lean, the idea.",
)


def draw_theorem(rng: random.Random, number: int) -> Problem:
    """A theorem that holds, with its closing tactic."""
    while True:
        family, shape, right, wrong, fits = rng.choice(SHAPES)
        k, m, e = rng.randint(1, 40), rng.randint(1, 60), 2 * rng.randint(1, 12)
        if fits(k, m):
            break
    big = rng.randint(1000, 99999)
    values = {
        "k": k,
        "m": m,
        "d": 2 * k,
        "s": k * k,
        "e": e,
        "o": 2 * rng.randint(0, 20) + 1,
        "big": big,
        "rest": big % k,
    }
    statement = f"theorem claim {shape.format(**values)} := by"
    data = {"statement": statement, "right": right.format(**values), "wrong": wrong}
    ease = {"order": 0.15, "algebra": 0.1, "squares": -0.15, "parity": 0.0, "numbers": 0.15}[family]
    prompt = f"Prove in Lean 4 with Mathlib. Reply with the whole theorem in a lean block.\n\n{statement}\n  sorry"
    return Problem(f"thm-{number:04d}", prompt, data["right"], family, ease, data)


def idea(rng: random.Random, problem: Problem) -> str:
    """What the policy thinks before it writes the proof."""
    tail = rng.choice(
        (
            "so one tactic may do",
            "so I try the automation for it",
            "and I would not split it by hand",
            "and nothing has to be unfolded",
        )
    )
    return f"{rng.choice(SEEN)} {HABITS[problem.family]}, {tail}."


def write_proof(rng: random.Random, problem: Problem, tactic: str) -> str:
    """A reply with the theorem closed by the tactic."""
    body = rng.choice(("", "  -- the goal as it stands\n", "  show _\n")) if tactic != "sorry" else ""
    return f"{idea(rng, problem)}\n\n```lean\n{problem.data['statement']}\n{body}  {tactic}\n```"
