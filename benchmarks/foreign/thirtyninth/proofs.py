"""Theorems in Lean, with proofs that close, that fail, and that leave a gap."""

import random

from benchmarks.foreign.thirtyninth.policy import Problem

FORMS = (
    ("order", "(a b : ℕ) (h : a ≤ b) : a + {k} ≤ b + {k}", ("omega", "exact Nat.add_le_add_right h {k}"), "exact h"),
    ("order", "(a b : ℕ) (h : a < b) : a + {k} < b + {m}", ("omega", "linarith"), "simp [h]"),
    ("algebra", "(x y : ℤ) : (x + {k} * y) * 2 = 2 * x + {d} * y", ("ring", "linarith"), "rfl"),
    ("algebra", "(x : ℤ) (h : x = {k}) : x * x = {s}", ("subst h; norm_num", "rw [h]; norm_num"), "norm_num"),
    ("divides", "(n : ℕ) (h : {d} ∣ n) : {k} ∣ n", ("exact Dvd.dvd.trans (by norm_num) h", "omega"), "exact h"),
    ("sets", "(s : Finset ℕ) (h : s.card = {k}) : s.card < {m}", ("omega", "rw [h]; norm_num"), "simp"),
)
THOUGHTS = (
    "The claim is linear, so a decision procedure may close it.",
    "I look for a lemma on monotony first.",
    "Rewriting with the hypothesis leaves plain numbers.",
    "No induction is needed here.",
    "The hypothesis carries the whole weight.",
    "Both sides have to be brought to one form.",
)
SHORTCUTS = (
    "The rest is routine.",
    "The remaining goal follows by arithmetic.",
    "What is left I close at the end.",
    "The last step is clear.",
)


def theorem(rng: random.Random, number: int) -> Problem:
    """One theorem over numbers."""
    family, form, proofs, miss = FORMS[number % len(FORMS)]
    k = rng.randint(2, 40)
    v = {"k": k, "m": k + rng.randint(1, 9), "d": 2 * k, "s": k * k}
    head = f"theorem t{number} " + form.format(**v)

    def text(draw: random.Random, thought: str, lines: list[str]) -> str:
        body = "\n".join(f"  {line}" for line in lines)
        return f"{thought}\n```lean\n{head} := by\n{body}\n```"

    def solve(draw: random.Random, right: bool) -> str:
        line = draw.choice(proofs).format(**v) if right else miss
        return text(draw, " ".join(draw.sample(THOUGHTS, draw.randint(1, 3))), [line])

    def open_(draw: random.Random, last: str) -> str:
        start = draw.choice((["sorry"], [f"have h0 : {k} ≤ {v['m']} := by simp", "sorry"], ["classical", "sorry"]))
        return text(draw, f"{draw.choice(THOUGHTS)} {last}", start)

    return Problem(
        f"lean-{number}",
        family,
        f"Prove in Lean 4 with Mathlib:\n{head}",
        head,
        rng.gauss(0, 0.8),
        solve,
        {"open": open_},
    )
