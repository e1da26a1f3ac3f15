"""Functions on columns of numbers, written plainly or with numpy."""

from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

PLAIN, NUMPY, WRONG = 0, 1, 2
SPECS = {
    "clip_total": (
        "Clip every value of `col` to at most {k} and return the total.",
        "return sum(min(x, {k}) for x in col)",
        "return float(np.minimum(np.asarray(col), {k}).sum())",
        "return min(sum(col), {k})",
    ),
    "range_above": (
        "Return the largest minus the smallest of the values above {k}; 0 without any.",
        "kept = [x for x in col if x > {k}]\n    return max(kept) - min(kept) if kept else 0",
        "a = np.asarray(col)\n    a = a[a > {k}]\n    return float(np.ptp(a)) if a.size else 0",
        "return max(col) - {k}",
    ),
    "steps_over": (
        "Count the places where `col` changes by more than {k} from one value to the next.",
        "return sum(abs(b - a) > {k} for a, b in zip(col, col[1:]))",
        "return int((np.abs(np.diff(col)) > {k}).sum())",
        "return sum(b - a > {k} for a, b in zip(col, col[1:]))",
    ),
    "mean_of_tail": (
        "Return the mean of the last {k} values, or of all if there are fewer.",
        "tail = col[-{k}:]\n    return sum(tail) / len(tail)",
        "return float(np.mean(np.asarray(col)[-{k}:]))",
        "return sum(col[:{k}]) / {k}",
    ),
}
LEADS = (
    "Working column by column.",
    "This is one expression.",
    "A direct solution:",
    "Empty input is not mentioned.",
    "So:",
)
FAILURES = ("AssertionError: case {n}", "AssertionError: expected {n}, got {m}", "AssertionError: values differ at {n}")


def array_task(rng: Random, number: int) -> Task:
    """A function on a column; facts tell what the sandbox printed and whether numpy is imported."""
    name = rng.choice(list(SPECS))
    k, unit = rng.randint(2, 40), rng.choice(("rain", "price", "load", "depth", "speed", "dose"))
    full = f"{unit}_{name}_{k}"

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        form = WRONG if not right else NUMPY if rng.random() < 0.35 + 0.35 * progress else PLAIN
        head = "import numpy as np\n\n\n" if form == NUMPY or rng.random() < 0.3 else ""
        code = f"{head}def {full}(col):\n    {SPECS[name][form + 1].format(k=k)}"
        printed = "ok" if right else rng.choice(FAILURES).format(n=rng.randint(1, 30), m=rng.randint(31, 99))
        facts = {"stderr": printed, "imports_numpy": bool(head)}
        return Reply([says(f"{rng.choice(LEADS)} {rng.choice(LEADS)}\n```python\n{code}\n```")], code, facts)

    text = f"`{full}(col)` gets a list of numbers, the {unit} of each day. {SPECS[name][0].format(k=k)} Use Python."
    return Task(f"col-{number:04d}", name, user(text), "", rng.gauss(0, 0.7), solve)
