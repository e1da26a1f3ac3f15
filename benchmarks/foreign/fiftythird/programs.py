"""Competitive programming and theorem proving: statements with right and wrong programs and proofs."""

import random

from benchmarks.foreign.fiftythird.policy import Task

PROBLEMS: tuple[tuple[str, str, str, str], ...] = (
    (
        "count pairs i < j with a[i] + a[j] divisible by {k}",
        "cnt = [0] * {k}\nans = 0\nfor x in a:\n    ans += cnt[-x % {k}]\n    cnt[x % {k}] += 1\nprint(ans)",
        "ans = 0\nfor i in range(n):\n    for j in range(i, n):\n        ans += (a[i] + a[j]) % {k} == 0\nprint(ans)",
        "keep a count of residues; a value x pairs with those of residue -x",
    ),
    (
        "print the largest sum of {k} neighbouring values",
        "s = sum(a[:{k}])\nbest = s\nfor i in range({k}, n):\n    s += a[i] - a[i - {k}]\n"
        "    best = max(best, s)\nprint(best)",
        "best = 0\nfor i in range(n - {k}):\n    best = max(best, sum(a[i:i + {k}]))\nprint(best)",
        "slide a window and change its sum by what enters and leaves",
    ),
    (
        "print how many values occur at least {k} times",
        "from collections import Counter\nprint(sum(c >= {k} for c in Counter(a).values()))",
        "from collections import Counter\nprint(sum(c > {k} for c in Counter(a).values()))",
        "count every value and compare the counts with the bound",
    ),
    (
        "print the length of the longest run whose values differ by at most {k} from one to the next",
        "best = cur = 1\nfor i in range(1, n):\n    cur = cur + 1 if abs(a[i] - a[i - 1]) <= {k} else 1\n"
        "    best = max(best, cur)\nprint(best)",
        "best = cur = 1\nfor i in range(1, n):\n    if abs(a[i] - a[i - 1]) <= {k}:\n        cur += 1\n"
        "        best = max(best, cur)\nprint(best)",
        "go through the list once and restart the run where the difference is too large",
    ),
)
TALES = ("A courier", "The mayor", "A beekeeper", "The night guard", "A ferryman", "The archivist", "A glazier")
READ = "n = int(input())\na = list(map(int, input().split()))\n"
LEADS = (
    "The direct way is quadratic, so I look for one pass:",
    "Idea:",
    "With n up to 200000 one pass has to do. Here we can",
    "Let me think about what must be stored. I would",
    "Plan, in one line:",
    "Reading the limits, the following is fast enough:",
)


def contest(rng: random.Random, number: int, level: float = 0.0) -> Task:
    """A contest problem; the answer is a program in a fence."""
    ask, good, bad, idea = rng.choice(PROBLEMS)
    k = rng.randint(2, 9)
    prompt = (
        f"{rng.choice(TALES)} has a list of n whole numbers (case {number + 100}). Given n and the list on two lines, "
        f"{ask.format(k=k)}. Write a Python program that reads standard input."
    )

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        body = (good if right else bad).format(k=k)
        first, second = draw.choice(["a", "xs", "vals", "arr"]), draw.choice(["ans", "res", "out"])
        code = (
            (READ + body).replace("a[", first + "[").replace("in a:", f"in {first}:").replace("a = l", f"{first} = l")
        )
        code = code.replace("(a)", f"({first})").replace("ans", second)
        return f"{draw.choice(LEADS)} {idea}.\n```python\n{code}\n```", code

    facts = {"k": k}
    return Task(
        f"contest-{number}",
        " ".join(ask.split()[:3]),
        prompt,
        "all tests pass",
        write,
        level + rng.gauss(0, 0.9),
        facts,
    )


def lean(rng: random.Random, number: int, level: float = 0.0) -> Task:
    """A statement on naturals in Lean 4 with a proof by omega, or one that does not close."""
    p, q, r = rng.randint(2, 9), rng.randint(2, 30), rng.randint(1, 30)
    form = rng.choice(["n + {q} < n + {t}", "{p} * n + {q} ≤ {p} * (n + {q}) + {r}", "n ≤ {p} * n + {r}"])
    claim = form.format(p=p, q=q, r=r, t=q + r)
    head = f"theorem t{number} (n : Nat) : {claim}"

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        lead = draw.choice(
            (
                "The claim is linear in n, which a decision procedure settles.",
                f"Both sides hold n; with the constant {r} moved over, little is left.",
                "I would first unfold nothing and look at the arithmetic.",
                "Induction is possible, but there may be a shorter way.",
                f"For n = 0 it is a fact on numbers such as {q}; then it goes up in steps.",
            )
        )
        if right:
            proof = draw.choice(["omega", "intros\n  omega", f"have h : 0 ≤ {r} := Nat.zero_le _\n  omega"])
        else:
            proof = draw.choice(
                ["rfl", "decide", "induction n with\n  | zero => rfl\n  | succ k ih => exact ih", "exact Nat.le_refl _"]
            )
        code = f"{head} := by\n  {proof}"
        return (
            f"{lead} {draw.choice(('Idea:', 'Plan:', 'So I'))} close the goal by arithmetic.\n```lean\n{code}\n```",
            code,
        )

    prompt = f"Prove in Lean 4. Give the whole theorem in a fence.\n{head} := by"
    return Task(f"lean-{number}", "linear", prompt, head, write, level + rng.gauss(0, 0.8), {"head": head})
