"""Questions about small databases of shops, clinics and clubs, and the queries that answer them."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem, talk

TABLES = {
    "orders": ("customer", "city", "amount", "ordered_on", "status"),
    "visits": ("patient", "ward", "minutes", "visited_on", "outcome"),
    "bookings": ("member", "court", "price", "booked_on", "state"),
    "repairs": ("owner", "garage", "cost", "repaired_on", "result"),
    "loans": ("reader", "branch", "days", "lent_on", "condition"),
}
PLACES = {
    "orders": ("Graz", "Porto", "Leeds", "Turku"),
    "visits": ("North", "Surgery", "Children", "Eye"),
    "bookings": ("Court A", "Court B", "Hall", "Lawn"),
    "repairs": ("Milton", "Harbour", "Station", "Oak Lane"),
    "loans": ("Central", "Riverside", "Mill", "School"),
}
ASKS = {
    "count": "How many {t} of {p} have a {num} above {k}?",
    "total": "What is the sum of {num} over the {t} of {p} since {y}-01-01?",
    "top": "Which {who} has the highest total {num} in {t} of {p}?",
    "mean": "What is the average {num} of {t} of {p} with {num} above {k}?",
}
THINK = {
    "open": (
        "The question is about {t}, so I read from that table.",
        "All that is asked stands in {t}; no join is needed.",
        "I filter {t} by {where} first.",
    ),
    "count": ("A count over rows with {num} above {k} answers it.", "I only have to count what passes {num} > {k}."),
    "total": ("I add up {num} for dates from {y} on.", "Dates are ISO text, so a comparison with '{y}-01-01' works."),
    "top": ("I group by {who}, sum {num} and keep the first.", "The sums of {num} are sorted and one {who} is kept."),
    "mean": ("The average of {num} runs over rows above {k}.", "Only rows with {num} > {k} enter the mean."),
}


def schema(table: str) -> str:
    """The statement that makes the table."""
    who, place, num, day, state = TABLES[table]
    return f"CREATE TABLE {table} (id INTEGER, {who} TEXT, {place} TEXT, {num} REAL, {day} TEXT, {state} TEXT);"


def _query(kind: str, v: dict, flaw: str = "") -> str:
    where = "" if flaw == "place" else f"{v['where']} = '{v['p']}'"
    sign = "<" if flaw == "sign" else ">"
    limits = {
        "count": f"{v['num']} {sign} {v['k']}",
        "mean": f"{v['num']} {sign} {v['k']}",
        "total": f"{v['day']} {'<' if flaw == 'sign' else '>='} '{v['y']}-01-01'",
        "top": "",
    }[kind]
    condition = " AND ".join(c for c in (where, limits) if c)
    tail = f" WHERE {condition}" if condition else ""
    if kind == "top":
        order = "ASC" if flaw == "sign" else "DESC"
        by = f" GROUP BY {v['who']} ORDER BY SUM({v['num']}) {order} LIMIT 1"
        return f"SELECT {v['who']} FROM {v['t']}{tail}{by};"
    what = {"count": "COUNT(*)", "total": f"SUM({v['num']})", "mean": f"AVG({v['num']})"}[kind]
    return f"SELECT {what} FROM {v['t']}{tail};"


def asked(rng: random.Random, amount: int, kinds: tuple[str, ...] = tuple(ASKS), prefix: str = "sql") -> list[Problem]:
    """Different questions, each with its schema before it."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        table, kind = rng.choice(list(TABLES)), rng.choice(kinds)
        who, where, num, day, _ = TABLES[table]
        v = {"t": table, "who": who, "where": where, "num": num, "day": day, "p": rng.choice(PLACES[table])}
        v |= {"k": rng.randrange(10, 400, 5), "y": rng.randint(2015, 2024)}
        text = f"{schema(table)}\n\n{ASKS[kind].format(**v)}\nReason briefly and give one query in a ```sql block."
        hardness = {"count": -0.3, "total": 0.2, "mean": 0.0, "top": 0.6}[kind] + rng.gauss(0, 0.8)
        data = {"kind": kind, "v": v, "rows": _results(rng, kind)}
        made = Problem(f"{prefix}{len(out):04d}", text, _query(kind, v), kind, hardness, "", data)
        out.setdefault(text, made)
    return list(out.values())


def _results(rng: random.Random, kind: str) -> dict[str, str]:
    """What the right query returns, and those with a flaw."""
    if kind == "top":
        names = rng.sample(("Abel", "Birgit", "Chandra", "Dana", "Elio", "Freya", "Goran", "Hilde"), 3)
        return dict(zip(("", "sign", "place"), names, strict=True))
    base = rng.randint(12, 90)
    scale = 1 if kind == "count" else rng.choice((3.5, 7.25, 11.4))
    other = base + rng.choice((-7, 5, 9))
    return {k: str(round(n * scale, 2)) for k, n in (("", base), ("sign", other), ("place", base * 4 + 3))}


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """Reasoning and a query; a wrong one turns a comparison round or forgets the place."""
    kind, v = problem.data["kind"], problem.data["v"]
    flaw = "" if right else rng.choice(("sign", "place"))
    lines = [rng.choice(THINK["open"]).format(**v), rng.choice(THINK[kind]).format(**v)]
    if not flaw or flaw == "sign":
        lines.append(rng.choice(("The place is {p}.", "Only {p} counts here.", "{where} has to be {p}.")).format(**v))
    if rng.random() < 0.5:
        lines.append(rng.choice(("No ties are asked about.", "Nulls drop out by themselves.", "One column is enough.")))
    query = _query(kind, v, flaw)
    return Draft(talk(" ".join(lines) + f"\n\n```sql\n{query}\n```"), query, right)


def returned(problem: Problem, query: str) -> str:
    """What a query of `write` returns."""
    v = problem.data["v"]
    for flaw in ("", "sign", "place"):
        if query == _query(problem.data["kind"], v, flaw):
            return problem.data["rows"][flaw]
    return ""
