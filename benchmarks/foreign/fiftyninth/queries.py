"""Questions to databases and proofs of small statements: tasks whose answers a machine checks."""

import random

from benchmarks.foreign.fiftyninth.shots import Task

TABLES = {
    "loans": ("member", "branch", "days"),
    "orders": ("customer", "city", "amount"),
    "flights": ("airline", "origin", "delay"),
    "visits": ("patient", "ward", "minutes"),
    "harvests": ("farm", "crop", "tonnes"),
    "rides": ("driver", "zone", "fare"),
}
VALUES = ("North", "Harbour", "Central", "Old Town", "West", "Riverside")
THOUGHTS = (
    "The grouping column is {1}.",
    "I need one row for each {1}.",
    "Only {2} is aggregated, so this is a plain group by.",
    "The filter goes on {2}, before or after grouping?",
)


def schema(table: str) -> str:
    """The schema of a table as a prompt shows it."""
    one, two, three = TABLES[table]
    return f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {one} TEXT, {two} TEXT, {three} INTEGER);"


def query(rng: random.Random, number: int, shown: bool = True) -> Task:
    """A question about one table; without its schema the columns cannot be known."""
    table = rng.choice(sorted(TABLES))
    one, two, three = TABLES[table]
    limit, sort = rng.randint(2, 90), rng.randrange(3)
    place = rng.choice(VALUES)
    text, good, bad, hard = (
        (
            f"Which values of {two} have an average {three} above {limit}?",
            f"SELECT {two} FROM {table} GROUP BY {two} HAVING AVG({three}) > {limit}",
            f"SELECT {two} FROM {table} WHERE {three} > {limit} GROUP BY {two}",
            0.6,
        ),
        (
            f"How many different {one}s have a row in {two} {place} with {three} of at least {limit}?",
            f"SELECT COUNT(DISTINCT {one}) FROM {table} WHERE {two} = '{place}' AND {three} >= {limit}",
            f"SELECT COUNT({one}) FROM {table} WHERE {two} = '{place}' AND {three} >= {limit}",
            0.45,
        ),
        (
            f"List the {rng.randint(3, 9)} rows of {two} {place} with the highest {three} over {limit}, highest first.",
            f"SELECT * FROM {table} WHERE {two} = '{place}' AND {three} > {limit} ORDER BY {three} DESC",
            f"SELECT * FROM {table} WHERE {two} = '{place}' AND {three} > {limit} ORDER BY {three}",
            0.4,
        ),
    )[sort]
    if sort == 2:
        good, bad = (f"{sql} LIMIT {text.split()[2]}" for sql in (good, bad))

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        sql = good if right else bad
        if not shown and not right:
            sql = good.replace(three, draw.choice(("value", "total", "amount_total"))).replace(
                two, draw.choice(("name", "place"))
            )
        words = (
            draw.choice(THOUGHTS).format(one, two, three)
            if shown
            else "The schema is not shown, so I guess the columns."
        )
        return f"{words} {draw.choice(('This should do.', 'Written out:', 'So:'))}\n```sql\n{sql};\n```", sql

    head = f"Schema:\n{schema(table)}\n" if shown else "Schema:\n{schema}\n"
    return Task(
        f"sql-{number:04d}",
        f"{head}Question about {table}: {text} Answer with one SQLite query.",
        good,
        hard + rng.uniform(-0.1, 0.1),
        table,
        solve,
    )


IDEAS = (
    "The goal is linear in the variables, so a decision procedure may close it.",
    "I rewrite the hypothesis first.",
    "Maybe induction is needed, but the statement looks simpler.",
    "Let me look at the shape of the inequality.",
    "Casting could be a problem here; everything is a natural number, so it is not.",
)
TRIES = (
    "Trying `ring` alone would leave the hypothesis unused.",
    "`simp` does not know about {h}.",
    "With `nlinarith` one has to give the square as a hint.",
    "Splitting on whether a is zero gives two easy goals.",
    "The case a = {k} is the tight one, and there both sides agree.",
    "Monotonicity of multiplication by {k} is what I need.",
    "Multiplying {h} by {k} on both sides keeps the order.",
    "If b were smaller, {h} would fail.",
    "The lemma `Nat.mul_le_mul_left` has the factor {k} on the proper side.",
)


def proof(rng: random.Random, number: int) -> Task:
    """A small theorem of Lean 4; deeper ones are thought about for longer."""
    k, m, sort = rng.randint(2, 40), rng.randint(2, 30), rng.randrange(3)
    statement, good, bad, hard = (
        (f"theorem t{number} (a b : ℕ) (h : a ≤ b) : {k} * a + {m} ≤ {k} * b + {m}", "omega", "simp [h]", 0.3),
        (f"theorem t{number} (x y : ℝ) (h : x < y) : {k} * x + {m} < {k} * y + {m}", "linarith", "ring_nf at h", 0.45),
        (
            f"theorem t{number} (x y : ℝ) : {2 * k} * x * y ≤ {k} * x ^ 2 + {k} * y ^ 2",
            "nlinarith [sq_nonneg (x - y)]",
            "linarith",
            0.65,
        ),
    )[sort]

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        tried = " ".join(line.format(h="h", k=k) for line in draw.sample(TRIES, draw.randint(1, 3)))
        tactic = good if right else bad
        return f"{draw.choice(IDEAS)} {tried}\n```lean4\n{statement} := by\n  {tactic}\n```", tactic

    return Task(
        f"lean-{number:04d}",
        f"Prove in Lean 4 with Mathlib:\n{statement} := by sorry",
        "no errors, no sorry",
        hard + rng.uniform(-0.1, 0.1),
        ("naturals", "linear", "squares")[sort],
        solve,
    )
