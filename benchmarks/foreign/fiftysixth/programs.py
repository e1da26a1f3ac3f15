"""Small tasks of programming in several languages, with right and wrong programs."""

import random

from benchmarks.foreign.fiftysixth.policy import Problem

Task = tuple[str, str, str, tuple[str, ...], tuple[str, ...]]
TASKS: tuple[Task, ...] = (
    ("every_kth", "python", "returns the sum of every K-th element of the list `xs`, beginning with the first",
     ("    return sum(xs[::K])", "    V = 0\n    for i in range(0, len(xs), K):\n        V += xs[i]\n    return V"),
     ("    return sum(xs[K::K])", "    return sum(xs[K - 1 :: K])")),
    ("longest_above", "python", "returns the length of the longest run of elements of `xs` that are above K",
     ("    V = best = 0\n    for x in xs:\n        V = V + 1 if x > K else 0\n"
      "        best = max(best, V)\n    return best",),
     ("    V = best = 0\n    for x in xs:\n        V = V + 1 if x >= K else 0\n"
      "        best = max(best, V)\n    return best",
      "    V = 0\n    for x in xs:\n        if x > K:\n            V += 1\n    return V")),
    ("rotate_left", "python", "returns `xs` rotated to the left by K places, for lists of any length",
     ("    if not xs:\n        return xs\n    V = K % len(xs)\n    return xs[V:] + xs[:V]",),
     ("    return xs[K:] + xs[:K]", "    V = K % len(xs)\n    return xs[-V:] + xs[:-V]")),
    ("long_words", "python", "returns how many different words of `xs` have at least K letters, in any case",
     ("    return len({w.lower() for w in xs if len(w) >= K})",
      "    V = set()\n    for w in xs:\n        if len(w) >= K:\n            V.add(w.lower())\n    return len(V)"),
     ("    return len({w for w in xs if len(w) >= K})", "    return len([w for w in xs if len(w) >= K])")),
    ("countDivisible", "javascript", "returns how many numbers of the array `xs` can be divided by K; 0 counts",
     ("  return xs.filter((x) => x % K === 0).length;",
      "  let V = 0;\n  for (const x of xs) if (x % K === 0) V++;\n  return V;"),
     ("  return xs.filter((x) => x && x % K === 0).length;", "  return xs.filter((x) => x % K).length;")),
    ("lastIndexBelow", "javascript", "returns the last index of an element of `xs` below K, or -1",
     ("  for (let V = xs.length - 1; V >= 0; V--) if (xs[V] < K) return V;\n  return -1;",),
     ("  return xs.findIndex((x) => x < K);",
      "  for (let V = xs.length - 1; V > 0; V--) if (xs[V] < K) return V;\n  return -1;")),
    ("CapSum", "go", "returns the sum of `xs`, where each element counts K at most",
     ("\tV := 0\n\tfor _, x := range xs {\n\t\tif x > K {\n\t\t\tx = K\n\t\t}\n\t\tV += x\n\t}\n\treturn V",),
     ("\tV := 0\n\tfor _, x := range xs {\n\t\tV += x\n\t}\n\tif V > K {\n\t\tV = K\n\t}\n\treturn V",
      "\tV := 0\n\tfor _, x := range xs {\n\t\tif x <= K {\n\t\t\tV += x\n\t\t}\n\t}\n\treturn V")),
    ("PairsApart", "go", "returns how many pairs i < j of `xs` have values exactly K apart",
     ("\tV := 0\n\tfor i := range xs {\n\t\tfor j := i + 1; j < len(xs); j++ {\n\t\t\td := xs[i] - xs[j]\n"
      "\t\t\tif d == K || d == -K {\n\t\t\t\tV++\n\t\t\t}\n\t\t}\n\t}\n\treturn V",),
     ("\tV := 0\n\tfor i := range xs {\n\t\tfor j := i + 1; j < len(xs); j++ {\n\t\t\tif xs[i]-xs[j] == K {\n"
      "\t\t\t\tV++\n\t\t\t}\n\t\t}\n\t}\n\treturn V",)),
)  # fmt: skip
HEADS = {
    "python": "def {f}(xs):\n{b}",
    "javascript": "function {f}(xs) {{\n{b}\n}}",
    "go": "func {f}(xs []int) int {{\n{b}\n}}",
}
THOUGHTS = (
    "The list may be empty, so the program has to give something sensible there as well.",
    "One pass over the input is enough for this.",
    "I thought of sorting first, but the order matters for {f}.",
    "The value {k} is fixed by the statement, so I write it into the function.",
    "The tricky part of {f} is the border at {k}.",
    "Linear time is good enough here.",
    "Nothing has to be changed in place.",
)


def program(rng: random.Random, task: Task, k: int, right: bool, names: tuple[str, ...]) -> str:
    """The code alone."""
    body = rng.choice(task[3] if right else task[4]).replace("V", rng.choice(names)).replace("K", str(k))
    return HEADS[task[1]].format(f=task[0], b=body)


def reply(rng: random.Random, task: Task, code: str, k: int) -> str:
    """A few thoughts, then the code in a fence."""
    thoughts = " ".join(t.format(f=task[0], k=k) for t in rng.sample(THOUGHTS, rng.randint(1, 3)))
    return f"{thoughts}\n```{task[1]}\n{code}\n```"


def many(
    rng: random.Random, amount: int, names: tuple[str, ...] = ("total", "seen", "acc", "n", "res")
) -> list[Problem]:
    """So many tasks; a language is the family."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        task, k = rng.choice(TASKS), rng.randint(2, 40)
        prompt = f"Write a {task[1]} function `{task[0]}` that {task[2].replace('K', str(k))}."

        def write(r: random.Random, right: bool, task: Task = task, k: int = k) -> str:
            return reply(r, task, program(r, task, k, right, names), k)

        name = f"{task[0]}-{k}"
        out.setdefault(prompt, Problem(name, prompt, "tests pass", task[1], rng.gauss(0, 1.0), write))
    return list(out.values())
