"""Small theorems in Lean, and what its checker answers to proofs."""

import random

from benchmarks.foreign.fortyeighth.attempts import Task, Try

Goal = tuple[str, list[str], list[tuple[str, str]]]


def _linear(r: random.Random) -> Goal:
    a, b = r.randint(2, 9), r.randint(2, 30)
    right = ["intro h\n  omega", "intro h\n  linarith"]
    wrong = [
        ("ring", "ring failed, ring_nf subsidiary goal"),
        ("intro h\n  simp at h", "unsolved goals"),
        ("norm_num", "unsolved goals"),
    ]
    return f"(x : ℤ) : x > {b} → {a} * x > {a * b}", right, wrong


def _closed(r: random.Random) -> Goal:
    a, b = r.randint(11, 99), r.randint(11, 99)
    wrong = [
        ("rfl'", "unknown tactic"),
        ("ring_nf at h", "unknown identifier 'h'"),
        ("linarith [h]", "unknown identifier 'h'"),
    ]
    return f": ({a} : ℕ) * {b} = {a * b}", ["norm_num", "decide", "rfl"], wrong


def _square(r: random.Random) -> Goal:
    a = r.randint(2, 15)
    wrong = [
        ("omega", "omega could not prove the goal"),
        ("norm_num", "unsolved goals"),
        ("simp", "simp made no progress"),
    ]
    return (
        f"(x y : ℤ) : (x + {a} * y) ^ 2 = x ^ 2 + {2 * a} * x * y + {a * a} * y ^ 2",
        ["ring", "ring_nf", "nlinarith"],
        wrong,
    )


def _logic(r: random.Random) -> Goal:
    p, q = r.sample("PQRSTU", 2)
    right = [
        "intro h\n  exact ⟨h.2, h.1⟩",
        "rintro ⟨hp, hq⟩\n  exact ⟨hq, hp⟩",
        "intro h\n  constructor\n  · exact h.right\n  · exact h.left",
    ]
    wrong = [
        ("intro h\n  exact h", "type mismatch"),
        ("omega", "omega could not prove the goal"),
        ("intro h\n  exact ⟨h.1, h.2⟩", "type mismatch"),
    ]
    return f"({p} {q} : Prop) : {p} ∧ {q} → {q} ∧ {p}", right, wrong


def _even(r: random.Random) -> Goal:
    a = 2 * r.randint(1, 20)
    right = [
        "rintro ⟨k, hk⟩\n  exact ⟨k + {h}, by omega⟩",
        "intro h\n  obtain ⟨k, rfl⟩ := h\n  exact ⟨k + {h}, by ring⟩",
    ]
    wrong = [
        ("intro h\n  exact h.add_one", "unknown constant 'Even.add_one'"),
        ("intro h\n  ring_nf", "unsolved goals"),
        ("rintro ⟨k, hk⟩\n  exact ⟨k, by omega⟩", "omega could not prove the goal"),
    ]
    return f"(n : ℤ) : Even n → Even (n + {a})", [text.replace("{h}", str(a // 2)) for text in right], wrong


FAMILIES = {"linear": _linear, "closed": _closed, "square": _square, "logic": _logic, "even": _even}
PLANS = {
    "linear": [
        "The claim is linear in x, so once the hypothesis is there a decision procedure should do.",
        "Multiply the bound.",
    ],
    "closed": ["Both sides are numerals, so this is computation.", "Nothing is general here: it can be evaluated."],
    "square": [
        "Expanding the square gives the right side term by term.",
        "A polynomial identity; both sides must normalise alike.",
    ],
    "logic": [
        "Only the order of the two parts changes.",
        "Take the conjunction apart and build it the other way round.",
    ],
    "even": [
        "Write n as twice some k and name the new witness.",
        "Evenness shifts by an even number; I need the witness.",
    ],
}
PLANS |= {
    "primes": [
        "There is always a larger prime; a known lemma should say so.",
        "I look for a witness beyond the bound.",
    ],
    "irrational": ["The number under the root is a prime.", "Suppose it were a fraction and compare the factors."],
}
ASK = "Complete this Lean 4 proof (Mathlib is imported). Give the whole theorem in a code block.\n\n"


def pool(rng: random.Random, count: int) -> list[Task]:
    """Different theorems."""
    tasks = []
    while len(tasks) < count:
        number = len(tasks)
        family = rng.choice(list(FAMILIES))
        statement, right, wrong = FAMILIES[family](rng)
        if any(task.data["statement"] == statement for task in tasks):
            continue
        head = f"theorem {family}_{number:03d} {statement} := by"
        data = {"head": head, "statement": statement, "right": right, "wrong": wrong}
        tasks.append(Task(f"{family}_{number:03d}", f"{ASK}```lean\n{head}\n  sorry\n```", head, family, data))
    return tasks


def compiled(rng: random.Random, task: Task, tactic: str) -> str:
    """A proof within a reply."""
    plan = rng.choice(PLANS[task.family])
    name = task.id
    second = rng.choice(
        [f"For {name} I would write:", "In tactics:", f"That settles {name}:", "So:", "Here is the proof."]
    )
    return f"{plan} {second}\n\n```lean\n{task.data['head']}\n  {tactic}\n```"


def answering(rng: random.Random, task: Task, chance: float, step: int) -> Try:
    """A proof, with what the checker says to it."""
    right = rng.random() < chance
    tactic, message = (rng.choice(task.data["right"]), "") if right else rng.choice(task.data["wrong"])
    line = rng.randint(3, 6)
    verdict = "no errors" if right else f"{task.family}.lean:{line}:2: error: {message}"
    seconds = round(rng.gammavariate(3, 1.6) + 1.5, 2)
    return Try(task, compiled(rng, task, tactic), right, extra={"lean_output": verdict, "lean_seconds": seconds})
