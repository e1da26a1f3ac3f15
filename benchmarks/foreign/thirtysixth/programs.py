"""Small functions in Rust, Go and JavaScript, with right and wrong bodies."""

import random

from benchmarks.foreign.thirtysixth.attempts import Problem

TASKS = {
    "sum_multiples": (
        "sums the elements of a list of integers that are divisible by {k}",
        "x % {k} == 0",
        "x % {k} != 0",
        "sum",
    ),
    "count_above": (
        "counts the elements of a list of integers that are greater than {k}",
        "x > {k}",
        "x >= {k}",
        "count",
    ),
    "sum_below": ("sums the elements of a list of integers that are smaller than {k}", "x < {k}", "x <= {k}", "sum"),
    "count_rest": (
        "counts the elements of a list of integers that leave rest 1 on division by {k}",
        "x % {k} == 1",
        "x % {k} >= 1",
        "count",
    ),
}
BODIES = {
    "rust": """pub fn {n}(xs: &[i64]) -> i64 {{
    let mut {v} = 0;
    for &x in xs {{
        if {c} {{
            {v} += {a};
        }}
    }}
    {v}
}}""",
    "go": """func {n}(xs []int) int {{
    {v} := 0
    for _, x := range xs {{
        if {c} {{
            {v} += {a}
        }}
    }}
    return {v}
}}""",
    "javascript": """function {n}(xs) {{
  let {v} = 0;
  for (const x of xs) {{
    if ({c}) {v} += {a};
  }}
  return {v};
}}""",
}
THOUGHTS = (
    "A single pass over the list is enough.",
    "I keep one running value and look at each element once.",
    "No sorting is needed, the order does not matter.",
    "An empty list must give zero, which the start value takes care of.",
    "The condition is the only delicate thing here.",
)


def draw_program(rng: random.Random, number: int, languages: tuple[str, ...] = tuple(BODIES)) -> Problem:
    """A function to be written in one language."""
    name, language, k = rng.choice(list(TASKS)), rng.choice(languages), rng.randint(2, 40)
    called = f"{name}_{k}"
    prompt = f"Write the {language} function {called} that {TASKS[name][0].format(k=k)}. Values are not negative."
    data = {"name": name, "language": language, "k": k, "called": called}
    return Problem(f"prog-{number:04d}", prompt, called, language, rng.uniform(-0.15, 0.15), data)


def write_program(rng: random.Random, problem: Problem, right: bool) -> str:
    """A reply with thoughts and code."""
    d = problem.data
    _, good, bad, kind = TASKS[d["name"]]
    condition = (good if right else bad).format(k=d["k"])
    added = "x" if kind == "sum" else "1"
    variable = rng.choice(("total", "acc", "found", "out", "n", "tally"))
    code = BODIES[d["language"]].format(n=d["called"], v=variable, c=condition, a=added)
    thoughts = " ".join(rng.sample(THOUGHTS, rng.randint(1, 3)))
    return f"{thoughts} The task asks for {d['called']}.\n\n```{d['language']}\n{code}\n```"
