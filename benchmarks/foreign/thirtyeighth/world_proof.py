"""Proofs before a checker, and programs before a judge."""

import random

from benchmarks.foreign.thirtyeighth.contests import CONTESTS, filled
from benchmarks.foreign.thirtyeighth.core import Attempt, Talk, Task

LEMMAS = (
    ("{a} * x < {a} * y -> x < y", ("intro h; omega", "intro h\n  by_contra hn\n  push_neg at hn\n  omega")),
    (
        "x + {a} <= y -> x < y + {b}",
        ("intro h; omega", "intro h\n  linarith", "intro h\n  have : x + {a} ≤ y := h\n  omega"),
    ),
    ("{a} ∣ {a} * x + {ab} * y",
     ("exact ⟨x + {b} * y, by ring⟩", "refine ⟨x + {b} * y, ?_⟩\n  ring", "omega")),
    ("(x + {a}) ^ 2 = x ^ 2 + {a2} * x + {aa}", ("ring", "ring_nf", "simp only [pow_two]\n  ring")),
)  # fmt: skip
BAD = ("simp", "decide", "exact rfl", "norm_num", "intro h\n  simp at h", "constructor", "trivial", "ext")


def proof_task(rng: random.Random, i: int) -> Task:
    """A small statement on integers, true as it stands."""
    shape, tactics = rng.choice(LEMMAS)
    a, b = rng.randint(2, 19), rng.randint(2, 19)
    numbers = {"a": a, "b": b, "c": a + 1, "ab": a * b, "a2": 2 * a, "aa": a * a}
    statement = shape.format(**numbers)
    prompt = (
        f"theorem t{i + 40} (x y : ℤ) : {statement} := by sorry\nReplace `sorry` by a proof that the checker accepts."
    )
    good = tuple(t.replace("{a}", str(a)).replace("{b}", str(b)) for t in tactics)
    return Task(f"t{i + 40}", prompt, "accepted", data={"statement": statement, "good": good})


def proof_play(rng: random.Random, task: Task, right: bool, tries: tuple[int, int] = (0, 2)) -> Attempt:
    """Try tactics before the checker until one is accepted, or the tries are used up."""
    d, talk = task.data, Talk()
    bad = rng.sample(BAD, rng.randint(*tries) if right else max(1, rng.randint(*tries)))
    proof = ""
    for proof in bad:
        text = rng.choice((f"Perhaps `{proof.split()[0]}` closes it.", f"I try `{proof.split()[0]}` first.",
                           "The goal is about integers, let me see what automation does.", "Another way:"))  # fmt: skip
        error = random.Random(f"{task.id} {proof}").choice(
            (f"error: unsolved goals\nx y : ℤ\n⊢ {d['statement']}", f"error: tactic '{proof.split()[0]}' failed")
        )
        talk.call(text, "check", {"proof": proof}, error, ok=False)
    if right:
        proof = rng.choice(d["good"])
        text = rng.choice(("The statement is linear, so a decision procedure should do.", "Let me write it out.",
                           f"`{proof.split()[0].rstrip(';')}` fits the shape of the goal."))  # fmt: skip
        talk.call(text, "check", {"proof": proof}, "no errors, no goals left")
        talk.say(f"The checker accepts this proof:\n```lean\n{proof}\n```")
    else:
        text = rng.choice(("I found no proof within the budget. My last try:", "The goal remains open with:"))
        talk.say(f"{text}\n```lean\n{proof}\n```")
    return Attempt(task, talk.messages, proof, float(right), tool_seconds=rng.uniform(1, 6) * (1 + len(bad)))


def contest_task(rng: random.Random, i: int) -> Task:
    """A problem of a contest."""
    contest, k = rng.choice(CONTESTS), rng.randint(3, 997)
    limit = rng.choice((1, 2))
    prompt = f"Problem {i + 1}. {filled(contest.text, k)} Sizes are up to 200,000; {limit} s. "
    prompt += "Answer with one Python program."
    return Task(
        f"round{i + 1}", prompt, "AC", data={"contest": contest, "k": k, "limit": limit, "tests": rng.randint(18, 40)}
    )


def contest_play(rng: random.Random, task: Task, right: bool, slow: float = 0.5, cpp: bool = False) -> Attempt:
    """Explain an idea and write the program; `slow` is the share of failures that are right but too slow."""
    d = task.data
    contest, is_slow = d["contest"], not right and rng.random() < slow
    program = rng.choice(contest.good) if right else contest.slow if is_slow else rng.choice(contest.wrong)
    cpp = cpp and not is_slow
    if cpp:
        program = contest.cpp if right else contest.cpp.replace(*contest.slip)
    program = filled(program, d["k"])
    idea = contest.idea if not is_slow else "The statement can be followed word by word"
    text = rng.choice((f"{idea}. With sizes of 200,000 and {d['limit']} s that matters.", f"{idea}.",
                       f"Let me think about the cost. {idea}, which I write down directly.",
                       f"Reading the statement again: {filled(contest.text, d['k'])[:-1].lower()}. {idea}.")
    )  # fmt: skip
    after = rng.choice(
        ("", "\nInput is read once, output is written per line.", f"\nThe constant {d['k']} comes from the statement.")
    )
    fence = "cpp" if cpp else "python"
    n, judge = d["tests"], random.Random(f"{task.id} {program}")
    passed = n if right else judge.randint(n // 2, n - 2) if is_slow else judge.randint(1, n // 2)
    verdict = "AC" if right else "TLE" if is_slow else "WA"
    log = (
        f"test {passed + (not right)}: {'time limit exceeded' if is_slow else 'wrong answer'}"
        if not right
        else f"{n} tests passed"
    )
    extra = {"verdict": verdict, "passed": passed, "tests": n, "judge_log": log}
    talk = Talk().say(f"{text}\n```{fence}\n{program}\n```{after}")
    return Attempt(task, talk.messages, program, float(right), tool_seconds=rng.uniform(1, 4), extra=extra)
