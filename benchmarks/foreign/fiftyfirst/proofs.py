"""Statements of Lean 4 with numbers drawn, proofs that hold, and attempts that a checker refuses."""

import random

from benchmarks.foreign.fiftyfirst.policy import Problem

Shape = tuple[str, tuple[str, ...], tuple[str, ...], str]
SHAPES: dict[str, Shape] = {
    "linear": (
        "theorem {t} (a b : ℕ) (h : a + {p} = b) : b + {q} = a + {r} := by",
        ("  omega", "  subst h\n  omega", "  rw [← h]\n  ring", "  linarith"),
        ("  simp", "  rw [h]\n  ring", "  exact h", "  norm_num at h"),
        "The hypothesis gives b in terms of a, and only constants have to be added up.",
    ),
    "square": (
        "theorem {t} (n : ℤ) : (n + {p}) ^ 2 = n ^ 2 + {d} * n + {s} := by",
        ("  ring", "  ring_nf", "  nlinarith [sq_nonneg n]", "  rw [add_sq]\n  ring"),
        ("  simp", "  omega", "  rfl", "  rw [mul_comm]\n  ring_nf at n"),
        "Both sides are polynomials in n, so expanding the square is all that is needed.",
    ),
    "divides": (
        "theorem {t} (k : ℕ) : {p} ∣ {m} * k + {p} := by",
        ("  exact ⟨{q} * k + 1, by ring⟩", "  use {q} * k + 1\n  ring", "  refine ⟨{q} * k + 1, ?_⟩\n  ring"),
        ("  use k\n  ring", "  exact dvd_refl _", "  simp", "  use {q} * k\n  ring"),
        "A factor of {p} can be taken out of the sum, which names the witness.",
    ),
    "order": (
        "theorem {t} (x : ℝ) (h : x > {p}) : x * x > {w} := by",
        ("  nlinarith", "  nlinarith [h, mul_self_nonneg x]", "  have h2 : x - {p} > 0 := by linarith\n  nlinarith"),
        ("  linarith", "  positivity", "  exact mul_pos h h", "  omega"),
        "As x exceeds {p} and both are positive, the product exceeds the square.",
    ),
}
MIND = (
    "I look at which tactic decides goals of this form.",
    "The goal is small, and a decision procedure may close it.",
    "Before automation I ask what a person would write.",
    "Rewriting by hand is possible, if a bit long.",
    "The shape of the goal matters more than the numbers.",
)
CLOSE = (
    "That should leave no goals.",
    "If it fails, the next thing is to unfold by hand.",
    "No lemma from the library is needed.",
    "The types agree, so elaboration is not a concern.",
)


def problem(rng: random.Random, index: int) -> Problem:
    """A statement in one of four shapes."""
    family = rng.choice(sorted(SHAPES))
    p, q = rng.randint(2, 19), rng.randint(3, 40)
    numbers = {"p": p, "q": q, "r": p + q, "d": 2 * p, "s": p * p, "m": p * q, "w": p * p, "t": f"t_{index:04d}"}
    statement = SHAPES[family][0].format(**numbers)
    prompt = f"Prove in Lean 4 with Mathlib. Reply with the tactic block in a fence.\n\n```lean\n{statement}\n```"
    facts = {"numbers": numbers, "statement": statement}
    return Problem(f"lean-{index:04d}", prompt, "", family, rng.gauss(0, 0.6), facts)


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """A thought and the theorem with its tactics."""
    _, holds, fails, idea = SHAPES[problem.family]
    tactics = rng.choice(holds if right else fails).format(**problem.facts["numbers"])
    said = [rng.choice(MIND), idea.format(**problem.facts["numbers"]), rng.choice(CLOSE)]
    if rng.random() < 0.4:
        del said[rng.randrange(3)]
    return f"{' '.join(said)}\n\n```lean\n{problem.facts['statement']}\n{tactics}\n```", tactics
