"""Small Python functions with hidden tests, and programs right or wrong."""

from random import Random

from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

BODIES = {
    "rolling_total": (
        "Return the sums of all windows of {k} neighbouring numbers of a list.",
        "    return [sum(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1)]",
        "    return [sum(xs[i:i + {k}]) for i in range(len(xs) - {k})]",
    ),
    "every_other": (
        "Return the elements at places 0, {k}, 2 * {k}, ... of a list.",
        "    return xs[::{k}]",
        "    return xs[{k}::{k}]",
    ),
    "clip_above": (
        "Replace each number above {m} by {m}.",
        "    return [min(x, {m}) for x in xs]",
        "    return [x for x in xs if x <= {m}]",
    ),
    "count_multiples": (
        "Count the numbers of a list that are multiples of {k} and less than {m}.",
        "    return sum(1 for x in xs if x % {k} == 0 and x < {m})",
        "    return sum(1 for x in xs if x % {k} == 0 or x < {m})",
    ),
    "rotate_left": (
        "Rotate a list by {k} places to the left; an empty list stays empty.",
        "    if not xs:\n        return xs\n    n = {k} % len(xs)\n    return xs[n:] + xs[:n]",
        "    return xs[{k}:] + xs[:{k}]",
    ),
    "gaps_over": (
        "Return the places at which a list of numbers jumps by more than {k}.",
        "    return [i for i in range(1, len(xs)) if abs(xs[i] - xs[i - 1]) > {k}]",
        "    return [i for i in range(1, len(xs)) if xs[i] - xs[i - 1] > {k}]",
    ),
}
TALK = [
    "The function only needs one pass.",
    "Edge cases: an empty list and a list shorter than the parameter.",
    "I keep it short and readable.",
    "A comprehension does it.",
    "Straightforward once the bounds are right.",
]


def program_task(rng: Random) -> Task:
    """Ask for one function."""
    name = rng.choice(list(BODIES))
    says, good, bad = BODIES[name]
    k, m = rng.randint(2, 24), rng.randint(20, 95)
    called = f"{name}_{k if '{k}' in says else m}" + rng.choice(["", "_of", "_in", "_v2", "_fast"])
    prompt = f"Write a Python function `{called}(xs)`. {says.format(k=k, m=m)} Reply with one fenced block."
    total = rng.randint(5, 12)
    task = Task(prompt, "all tests pass", name, 0.2, [good.format(k=k, m=m), bad.format(k=k, m=m), called])
    task.facts = {"tests_total": total}
    return task


def program_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """A sentence or two, then the function."""
    good, bad, called = task.lines
    total = task.facts["tests_total"]
    passed = total if right else rng.randint(0, total - 1)
    note = rng.choice(["", f"    # {rng.choice(['simple', 'linear time', 'no extra imports'])}\n"])
    text = " ".join(rng.sample(TALK, rng.randint(1, 3)))
    text += f"\n```python\ndef {called}(xs):\n{note}{good if right else bad}\n```"
    return Reply([{"role": "assistant", "content": text}], "", {"tests_passed": passed})


PROGRAMS = Domain(program_task, program_reply)
