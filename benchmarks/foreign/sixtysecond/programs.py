"""Small functions to be written for coding assistants, with right and wrong programs."""

from random import Random

from benchmarks.foreign.sixtysecond.tasks import Task, Written

_SPECS = [
    (
        "bucket_sizes",
        "the sizes of the buckets when n items are packed into buckets of {k}, last one smaller",
        [
            "return [{k}] * (n // {k}) + ([n % {k}] if n % {k} else [])",
            "out = []\n    while n > 0:\n        out.append(min({k}, n))\n        n -= {k}\n    return out",
        ],
        ["return [{k}] * (n // {k}) + [n % {k}]", "return [{k}] * (n // {k})"],
        ("n", "{k2}", "[{k}, {k}]"),
    ),
    (
        "every_kth",
        "every {k}th element of the list n, starting with element number {k}",
        ["return n[{k} - 1 :: {k}]", "return [x for i, x in enumerate(n, 1) if i % {k} == 0]"],
        ["return n[::{k}]", "return n[{k}::{k}]"],
        ("n", "list(range({k2}))", "[{km}, {k2m}]"),
    ),
    (
        "late_fee",
        "the fee for n days of delay: nothing up to {k} days, then 3 a day, at most 60",
        ["return min(60, max(0, n - {k}) * 3)", "if n <= {k}:\n        return 0\n    return min(60, (n - {k}) * 3)"],
        ["return min(60, n * 3) if n > {k} else 0", "return max(0, n - {k}) * 3"],
        ("n", "{k2}", "min(60, 3 * {k})"),
    ),
    (
        "rolling_max",
        "the maxima of all windows of length {k} of the list n",
        [
            "return [max(n[i : i + {k}]) for i in range(len(n) - {k} + 1)]",
            "out = []\n    for i in range({k}, len(n) + 1):\n        out.append(max(n[i - {k} : i]))\n    return out",
        ],
        [
            "return [max(n[i : i + {k}]) for i in range(len(n))]",
            "return [max(n[i : i + {k}]) for i in range(len(n) - {k})]",
        ],
        ("n", "list(range({k2}))", "list(range({km}, {k2}))"),
    ),
    (
        "mask_id",
        "the text n with all but its last {k} signs replaced by a star",
        [
            "return '*' * max(0, len(n) - {k}) + n[-{k}:]",
            "return ''.join('*' if i < len(n) - {k} else c for i, c in enumerate(n))",
        ],
        ["return '*' * {k} + n[{k}:]", "return n[:-{k}] + '*' * {k}"],
        ("n", "'a' * {k2}", "'*' * {k} + 'a' * {k}"),
    ),
]


def spec(rng: Random, number: int) -> tuple[Task, str]:
    """A task and the call of its example with the value it gives."""
    name, what, good, bad, (_, given, value) = rng.choice(_SPECS)
    k = rng.randint(2, 9)
    fill = {"k": k, "k2": 2 * k, "km": k - 1, "k2m": 2 * k - 1}
    full = f"{name}_{rng.choice(['v', 'job', 'acc', 'pos', 'rec'])}{number}"
    example = f"{full}({given.format(**fill)}) == {value.format(**fill)}"
    prompt = f"Write a Python function {full}(n) that returns {what.format(**fill)}. Example: {example}"

    def write(r: Random, right: bool) -> Written:
        body = r.choice(good if right else bad).format(**fill)
        note = r.choice(["", f"    # parameter {k} as asked\n", f'    """Return {what.format(**fill)}."""\n'])
        lead = r.choice(
            [
                f"{full} needs the number {k} in one place only.",
                "I think about the border cases first.",
                "An empty input has to give an empty or zero result.",
                f"A direct version of {name} will do.",
            ]
        )
        more = r.choice(
            [
                "",
                " The example in the task is covered by it.",
                " I keep it without imports.",
                f" I call the input n, {k} is fixed.",
            ]
        )
        code = f"def {full}(n):\n{note}    {body}\n"
        return lead + more, code if right else code.rstrip() + "\n"

    return Task(f"fn-{number}", prompt, "", name, rng.uniform(-0.8, 0.9), write), example


def fenced(reasoning: str, code: str) -> str:
    """A reply with its program in a fence."""
    return f"{reasoning}\n\n```python\n{code}```"


def passes(code: str, example: str) -> bool:
    """Whether a program of this module gives the value of its example."""
    scope: dict = {}
    exec(code, scope)
    return bool(eval(example, scope))
