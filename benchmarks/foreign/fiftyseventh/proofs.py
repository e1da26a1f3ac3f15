"""Goals of Lean 4 over natural numbers and integers, with informal plans and tactic proofs."""

import random
from dataclasses import dataclass

GOALS = (
    (
        "add_le",
        "(a b : ℕ) (h : a ≤ b) : a + {k} ≤ b + {j}",
        ("omega", "exact Nat.add_le_add h (by decide)"),
        ("exact h", "simp [h]"),
    ),
    ("mul_comm", "(a b : ℕ) : a * b * {k} = {k} * b * a", ("ring", "ring_nf"), ("omega", "rfl")),
    (
        "sq_nonneg",
        "(x : ℤ) : 0 ≤ x ^ 2 + {k}",
        ("positivity", "nlinarith [sq_nonneg x]"),
        ("omega", "exact sq_nonneg x"),
    ),
    (
        "dvd",
        "(n : ℕ) : {k} ∣ {k} * n + {k} * {j}",
        ("exact ⟨n + {j}, by ring⟩", "rw [← Nat.mul_add]\n  exact dvd_mul_right _ _"),
        ("exact dvd_refl _", "rfl"),
    ),
    ("lt", "(m n : ℕ) (h : m + {k} < n) : m < n + {j}", ("omega", "linarith"), ("exact h", "simpa using h")),
    ("square", "(x y : ℤ) : (x + {k}) ^ 2 - x ^ 2 = {d} * x + {q}", ("ring", "ring_nf"), ("omega", "rfl")),
)
PLANS = (
    "The statement {t} is about {k} and {j}; the hypotheses, if any, enter linearly.",
    "Informally: both sides of {t} differ by something that does not depend on the variables but on {k}.",
    "I look at the goal of {t}. Unfolding is not needed; the shape with {k} tells which tactic decides it.",
    "For {t} I try the tactic that normalises the expression before anything by hand.",
    "One could use induction, but with the constant {k} that is more than it needs.",
)
LONGER = (
    "Suppose first that the variable is 0: then the claim reduces to numbers, with {k} on one side.",
    "In the step one adds the same term on both sides, so nothing changes about {k}.",
    "Let me expand the product by hand to see that the terms with {k} agree.",
    "The cast between ℕ and ℤ is no trouble here, since {j} is a literal.",
    "If the tactic left a goal I would add a `have` with the bound {k} ≤ {k} + {j}.",
    "Mathlib has a lemma for it, though I am not sure about the order of its arguments for {k}.",
)


@dataclass(frozen=True)
class Goal:
    """A theorem to prove."""

    uid: str
    family: str
    prompt: str
    answer: str
    hardness: float
    head: str
    shape: int
    slots: dict

    def prove(self, rng: random.Random, tactic: str) -> str:
        """The theorem with this proof."""
        return f"```lean4\n{self.head} := by\n  {tactic}\n```"

    def tactic(self, rng: random.Random, right: bool) -> str:
        """A proof that compiles, or one that does not."""
        return rng.choice(GOALS[self.shape][2 if right else 3]).format(**self.slots)

    def plan(self, rng: random.Random, more: int = 0) -> str:
        """Informal reasoning, with so many sentences more."""
        said = rng.sample(PLANS, rng.randint(1, 3)) + rng.choices(LONGER, k=more)
        return " ".join(s.format(t=f"`{self.uid}`", **self.slots) for s in said)

    def solve(self, rng: random.Random, right: bool, more: int = 0) -> str:
        """A whole answer."""
        return f"{self.plan(rng, more)}\n\n{self.prove(rng, self.tactic(rng, right))}"


def draw_goal(rng: random.Random) -> Goal:
    """A theorem with numbers of its own."""
    shape = rng.randrange(len(GOALS))
    k = rng.randint(2, 60)
    slots = {"k": k, "j": k + rng.randint(1, 40), "d": 2 * k, "q": k * k}
    uid = f"{GOALS[shape][0]}_{rng.randrange(16**4):04x}"
    head = f"theorem {uid} " + GOALS[shape][1].format(**slots)
    ask = rng.choice(
        (
            "Prove this theorem in Lean 4 with Mathlib.",
            "Complete the proof (Lean 4, Mathlib).",
            "Give a full Lean 4 proof, with an informal plan before it.",
        )
    )
    prompt = f"{ask}\n\n```lean4\n{head} := by\n  sorry\n```"
    return Goal(
        uid, GOALS[shape][0], prompt, GOALS[shape][2][0].format(**slots), rng.gauss(0.1, 1.1), head, shape, slots
    )
