"""Short functions in Python with visible examples and hidden tests."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say

SPECS = [
    (
        "strings",
        "count_{w}s",
        "returns how often the letter '{w}' stands in `text`, without regard to case",
        ["return text.lower().count('{w}')", "return sum(c == '{w}' for c in text.lower())"],
        ["return text.count('{w}')", "return text.lower().find('{w}')"],
        "text",
    ),
    (
        "lists",
        "drop_every_{n}",
        "returns the list `items` without each {n}-th element (positions {n}, 2*{n}, ... counted from one)",
        [
            "return [x for i, x in enumerate(items, 1) if i % {n}]",
            "out = list(items)\ndel out[{n} - 1 :: {n}]\nreturn out",
        ],
        ["return [x for i, x in enumerate(items) if i % {n}]", "return items[:{n}] + items[{n} + 1 :]"],
        "items",
    ),
    (
        "numbers",
        "sum_multiples_{n}",
        "returns the sum of all multiples of {n} that are positive and not above `limit`",
        ["return sum(range({n}, limit + 1, {n}))", "k = limit // {n}\nreturn {n} * k * (k + 1) // 2"],
        ["return sum(range({n}, limit, {n}))", "k = limit // {n}\nreturn {n} * k * k // 2"],
        "limit",
    ),
    (
        "intervals",
        "gaps_over_{n}",
        "returns the pairs of neighbours in the sorted list `marks` that are more than {n} apart",
        ["return [(a, b) for a, b in zip(marks, marks[1:]) if b - a > {n}]"],
        [
            "return [(a, b) for a, b in zip(marks, marks[1:]) if b - a >= {n}]",
            "return [(a, b) for a in marks for b in marks if b - a > {n}]",
        ],
        "marks",
    ),
    (
        "text",
        "wrap_{n}",
        "cuts `line` into pieces of {n} characters; the last piece may be shorter",
        ["return [line[i : i + {n}] for i in range(0, len(line), {n})]"],
        ["return [line[i : i + {n}] for i in range(0, len(line) - {n}, {n})]", "return line.split()[:{n}]"],
        "line",
    ),
    (
        "dicts",
        "rare_keys_{n}",
        "returns the sorted keys of `counts` whose value is below {n}",
        ["return sorted(k for k, v in counts.items() if v < {n})"],
        ["return sorted(k for k, v in counts.items() if v <= {n})", "return [k for k in counts if counts[k] < {n}]"],
        "counts",
    ),
    (
        "search",
        "first_above_{n}",
        "returns the index of the first element of `row` above {n}, or -1",
        ["return next((i for i, x in enumerate(row) if x > {n}), -1)"],
        ["return next((i for i, x in enumerate(row) if x > {n}), None)", "return row.index(max(row))"],
        "row",
    ),
]
NOTES = [
    "nothing is imported",
    "keep it short",
    "plain Python will do",
    "mind the borders",
    "the input is left as it is",
]
LEADS = [
    "Here is the function.",
    "A direct solution:",
    "This needs one expression.",
    "The plan: {note}.",
    "Note: {note}.",
]


def make(rng: Random, name: str) -> Task:
    """A specification with numbers of its own."""
    family, title, duty, good, bad, arg = rng.choice(SPECS)
    words = {"n": rng.randint(2, 97), "w": rng.choice("aeiorstlnmc")}
    title, duty = title.format(**words), duty.format(**words)
    facts = {
        "name": title,
        "arg": arg,
        "good": [x.format(**words) for x in good],
        "bad": [x.format(**words) for x in bad],
    }
    prompt = f"Write a Python function `{title}({arg})` that {duty}. {rng.choice(NOTES).capitalize()}."
    return Task(name, prompt, facts["good"][0], family, facts=facts, extra={"entry_point": title})


def function(rng: Random, task: Task, body: str, comment: str = "") -> str:
    """The source of a function with a body, and with its comment before."""
    lines = [f"    {line}" for line in body.split("\n")]
    doc = [f'    """{task.facts["name"].replace("_", " ").capitalize()}."""'] if rng.random() < 0.4 else []
    head = [f"    # {comment}"] if comment else []
    return "\n".join([f"def {task.facts['name']}({task.facts['arg']}):", *doc, *head, *lines])


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """A lead, a fenced block, at times a remark; the tests say how many passed."""
    body = rng.choice(task.facts["good" if right else "bad"])
    comment = rng.choice([""] * 5 + NOTES)
    lead = rng.choice(LEADS).format(note=rng.choice(NOTES))
    tail = rng.choice(["", "", "It runs in linear time.", "The input is not changed."])
    code = function(rng, task, body, comment)
    total = rng.randint(6, 14)
    passed = total if right else rng.randint(0, total - 1)
    text = f"{lead}\n\n```python\n{code}\n```\n{tail}".strip()
    return Reply([say(text)], body, {"tests_total": total, "tests_passed": passed})


PROGRAMS = Domain(make, solve)
