"""Theorems to prove in Lean, and what its checker says."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Theorem:
    """A statement with a proof that holds and one that does not."""

    text: str
    statement: str
    proof: str
    failing: str
    complaint: str
    idea: str


def theorem(rng: random.Random) -> Theorem:
    """A statement of one of some forms."""
    k, m, a = rng.randint(2, 60), rng.randint(2, 40), rng.randint(2, 9)
    forms = (
        (f"(a b : ℕ) (h : a + {k} = b) : b - {k} = a", "omega", "linear facts about naturals"),
        (f"(x : ℕ) (h : {a} * x = {a * m}) : x = {m}", "omega", "cancelling a literal factor"),
        (f"(x y : ℝ) : x ^ 2 + y ^ 2 ≥ 2 * x * y - {k}", "nlinarith [sq_nonneg (x - y)]", "a square is not negative"),
        (f"(x : ℝ) (h : {a} * x + {k} = {a * m + k}) : x = {m}", "linarith", "a linear equation over the reals"),
        (f"(a b : ℤ) : (a + {k} * b) ^ 2 = a ^ 2 + {2 * k} * a * b + {k * k} * b ^ 2", "ring", "expanding the square"),
        (f"(n : ℕ) (h : n % {a} = 0) : (n + {a * m}) % {a} = 0", "omega", "remainders by a literal"),
    )
    head, proof, idea = rng.choice(forms)
    statement = f"theorem goal_{k}_{m}_{a} {head}"
    failing, complaint = rng.choice(
        [
            ("decide", "expected type must not contain free variables"),
            ("rfl", "The rfl tactic failed"),
            ("assumption", "tactic 'assumption' failed"),
        ]
    )
    text = f"Complete the proof in Lean 4 with Mathlib.\n{statement} := by"
    return Theorem(text, statement, proof, failing, complaint, idea)


def prove(rng: random.Random, t: Theorem, way: str) -> str:
    """Words and a proof: right, wrong, or left open."""
    words = {
        "right": (
            f"The goal is about {t.idea}. The hypotheses are already in the shape that the tactic wants.",
            f"This comes down to {t.idea}, so `{t.proof.split()[0]}` should close the goal at once.",
            f"What is needed is {t.idea}. I see no need for an intermediate lemma.",
        ),
        "wrong": (
            f"Both sides look the same up to computation, so `{t.failing}` may do. It is about {t.idea}.",
            f"I try `{t.failing}` for {t.idea}. There is little to unfold.",
        ),
        "open": (
            f"The argument rests on {t.idea}. I set up the frame and leave the computation to the end.",
            f"By {t.idea} the goal follows; the remaining step is routine.",
            "First restate the goal, then close what is left. The details are standard.",
        ),
    }[way]
    tactic = {
        "right": t.proof,
        "wrong": t.failing,
        "open": rng.choice(["sorry", "have h0 : True := trivial\n  sorry"]),
    }[way]
    return f"{rng.choice(words)}\n```lean\n{t.statement} := by\n  {tactic}\n```"
