"""Functions with unit tests, right and wrong programs, and text-to-SQL."""

import random

from benchmarks.foreign.sixtieth.policy import Task

_SPECS: dict[str, tuple[str, list[str], list[str]]] = {
    "cap_runs": (
        "takes a list and shortens every run of equal neighbours to at most {k} of them",
        [
            "    out = []\n    for v in values:\n        if out[-{k}:] != [v] * {k}:\n"
            "            out.append(v)\n    return out",
            "    out, run = [], 0\n    for i, v in enumerate(values):\n"
            "        run = run + 1 if i and values[i - 1] == v else 1\n"
            "        if run <= {k}:\n            out.append(v)\n    return out",
        ],
        [
            "    out = []\n    for v in values:\n        if out.count(v) < {k}:\n"
            "            out.append(v)\n    return out",
            "    out, run = [], 0\n    for i, v in enumerate(values):\n"
            "        run = run + 1 if i and values[i - 1] == v else 0\n"
            "        if run <= {k}:\n            out.append(v)\n    return out",
        ],
    ),
    "window_peak": (
        "returns the largest sum of {k} neighbouring numbers of a list, or None where it is shorter",
        [
            "    if len(values) < {k}:\n        return None\n"
            "    return max(sum(values[i:i + {k}]) for i in range(len(values) - {k} + 1))",
            "    if len(values) < {k}:\n        return None\n    best = now = sum(values[:{k}])\n"
            "    for i in range({k}, len(values)):\n"
            "        now += values[i] - values[i - {k}]\n        best = max(best, now)\n    return best",
        ],
        [
            "    return max(sum(values[i:i + {k}]) for i in range(len(values)))",
            "    if len(values) < {k}:\n        return None\n"
            "    return max(sum(values[i:i + {k}]) for i in range(len(values) - {k}))",
        ],
    ),
    "every_nth_word": (
        "takes a text and returns its every {k}th word, joined by single blanks",
        [
            "    return ' '.join(values.split()[{k} - 1::{k}])",
            "    words = values.split()\n    return ' '.join(w for i, w in enumerate(words, 1) if i % {k} == 0)",
        ],
        [
            "    return ' '.join(values.split()[::{k}])",
            "    words = values.split(' ')\n    return ' '.join(w for i, w in enumerate(words) if i % {k} == 0)",
        ],
    ),
    "digits_over": (
        "counts the numbers of a list whose digits sum to more than {k}",
        [
            "    return sum(sum(int(d) for d in str(abs(v))) > {k} for v in values)",
            "    total = 0\n    for v in values:\n        v, s = abs(v), 0\n        while v:\n"
            "            s += v % 10\n            v //= 10\n"
            "        total += s > {k}\n    return total",
        ],
        [
            "    return sum(sum(int(d) for d in str(v)) > {k} for v in values)",
            "    return sum(sum(int(d) for d in str(abs(v))) >= {k} for v in values)",
        ],
    ),
    "merge_near": (
        "takes sorted numbers and groups those that lie at most {k} after the number before",
        [
            "    out = []\n    for v in values:\n        if out and v - out[-1][-1] <= {k}:\n"
            "            out[-1].append(v)\n"
            "        else:\n            out.append([v])\n    return out"
        ],
        [
            "    out = []\n    for v in values:\n        if out and v - out[-1][0] <= {k}:\n"
            "            out[-1].append(v)\n"
            "        else:\n            out.append([v])\n    return out",
            "    out = [[]]\n    for v in values:\n        if out[-1] and v - out[-1][-1] > {k}:\n"
            "            out.append([])\n"
            "        out[-1].append(v)\n    return out[1:]",
        ],
    ),
}
_IDEAS = {
    "cap_runs": [
        "Only direct neighbours count, so I compare with what came before.",
        "A run ends when the value changes.",
    ],
    "window_peak": [
        "Every window has the same width, so its start says it all.",
        "Short lists need care of their own.",
    ],
    "every_nth_word": ["Splitting at blanks gives the words in order.", "Counting of words starts at one here."],
    "digits_over": ["The sign should not matter to digits.", "I sum digits number by number and compare."],
    "merge_near": [
        "Since the input is sorted, one pass will do.",
        "The gap is to the number before, as the task says.",
    ],
}
_ENDS = [
    "This runs in linear time.",
    "An empty input gives the neutral result.",
    "I walked through a small case by hand.",
    "",
]


def function(rng: random.Random, number: int) -> Task:
    """A function to write, with attempts in one fenced block."""
    spec = list(_SPECS)[number % len(_SPECS)]
    k = 2 + number // len(_SPECS)
    about, rights, wrongs = _SPECS[spec]
    name = f"{spec}_{k}"
    prompt = f"Write a Python function `{name}(values)` that {about.format(k=k)}. Hidden unit tests will call it."

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        body = rng.choice(rights if right else wrongs).format(k=k)
        lead = f"{rng.choice(_IDEAS[spec])} For `{name}` the bound is {k}."
        code = f"def {name}(values):\n{body}"
        return f"{lead}\n```python\n{code}\n```\n{rng.choice(_ENDS)}".strip(), code

    return Task(f"fn-{name}", prompt, "all tests pass", spec, write, {"name": name, "k": k, "idea": _IDEAS[spec]})


def functions(rng: random.Random, count: int) -> list[Task]:
    """Distinct functions."""
    return [function(rng, n) for n in range(count)]


_TABLES = [
    ("loans", "branch", "days_late", ["Harbour", "Mill Lane", "Station", "Elm Park"], "library loans"),
    ("visits", "ward", "minutes", ["Cardiology", "Paediatrics", "Surgery", "Intake"], "clinic visits"),
    ("pallets", "hall", "weight_kg", ["North", "South", "Cold store", "Annex"], "warehouse pallets"),
    ("rides", "district", "fare_cents", ["Old Town", "Airport", "Riverside", "Campus"], "taxi rides"),
    ("harvests", "field", "crates", ["Upper", "Lower", "Brook", "Chapel"], "farm harvests"),
]
_SQL_NOTES = [
    "The table already has what is asked for.",
    "No join is needed.",
    "A single aggregate is enough.",
    "I filter first.",
]


def query(rng: random.Random, number: int) -> Task:
    """A question of a table, with a query as the answer."""
    table, group, value, names, about = _TABLES[number % len(_TABLES)]
    sort, bound, name = number // len(_TABLES) % 3, rng.randrange(12, 900), rng.choice(names)
    if sort == 0:
        ask = f"How many rows with {group} '{name}' have {value} over {bound}?"
        good = f"SELECT COUNT(*) FROM {table} WHERE {group} = '{name}' AND {value} > {bound}"
        bad = [good.replace(">", ">="), good.replace(f"{group} = '{name}' AND ", ""), good.replace(">", "<")]
    elif sort == 1:
        ask = f"What is the total {value} of each {group}, counting only rows with {value} over {bound}?"
        good = f"SELECT {group}, SUM({value}) FROM {table} WHERE {value} > {bound} GROUP BY {group}"
        bad = [
            good.replace("WHERE", "HAVING"),
            good.replace("SUM", "AVG"),
            good.replace(f" WHERE {value} > {bound}", ""),
        ]
    else:
        ask = f"Which {group} values have a mean {value} over {bound}?"
        good = f"SELECT {group} FROM {table} GROUP BY {group} HAVING AVG({value}) > {bound}"
        bad = [f"SELECT {group} FROM {table} WHERE {value} > {bound}", good.replace("AVG", "MAX")]
    prompt = (
        f"Schema of {about}: {table}(id INTEGER PRIMARY KEY, {group} TEXT, {value} INTEGER).\n{ask} Reply with SQL."
    )

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        sql = good if right else rng.choice(bad)
        note = f"{rng.choice(_SQL_NOTES)} The column to look at is {value}, by {group}."
        return f"{note}\n```sql\n{sql}\n```", sql

    data = {"table": table, "group": group, "value": value, "names": names, "sort": sort, "good": good, "bound": bound}
    return Task(f"sql-{table}-{number}", prompt, good, f"{table}_{sort}", write, data)


def queries(rng: random.Random, count: int) -> list[Task]:
    """Questions of tables."""
    return [query(rng, n) for n in range(count)]
