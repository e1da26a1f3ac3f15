"""Data engineering: questions to a warehouse answered in SQL, and shift plans."""

import random

from benchmarks.foreign.fortyseventh.policy import Problem
from benchmarks.foreign.fortyseventh.voice import lead

TABLES = {
    "shipments": ["weight_kg", "carrier", "depot"],
    "invoices": ["amount", "customer", "country"],
    "visits": ["minutes", "ward", "doctor"],
    "meters": ["kwh", "street", "tariff"],
    "tickets": ["hours_open", "queue", "agent"],
}
MEASURES = {"total": "SUM", "average": "AVG", "largest": "MAX", "smallest": "MIN"}
STAFF = ["Ada", "Bea", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana"]
SHIFTS = ["early", "late", "night"]
SCHEMA = "Answer with one query in a sql block. Tables: " + "; ".join(
    f"{t}(id, {', '.join(c)})" for t, c in TABLES.items()
)


class Queries:
    """One aggregate by one column above a bound; with `terse`, replies are the query alone."""

    def __init__(self, terse: bool = False) -> None:
        self.terse = terse

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A question to the warehouse."""
        table, measure = rng.choice(sorted(TABLES)), rng.choice(sorted(MEASURES))
        value, key = TABLES[table][0], rng.choice(TABLES[table][1:])
        bound = rng.randint(2, 400)
        prompt = f"For each {key}, what is the {measure} {value} of {table} with {value} above {bound}?"
        facts = {"table": table, "value": value, "key": key, "bound": bound, "measure": measure}
        gold = self.query(facts, MEASURES[measure], key, ">")
        return Problem(f"sql-{number:04d}", prompt, gold, table, SCHEMA, 0.0, facts)

    def query(self, facts: dict, function: str, key: str, sign: str) -> str:
        """The text of a query."""
        f = facts
        return (
            f"SELECT {key}, {function}({f['value']}) FROM {f['table']} "
            f"WHERE {f['value']} {sign} {f['bound']} GROUP BY {key};"
        )

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """The query, with a sentence before it."""
        f = problem.facts
        function, key, sign = MEASURES[f["measure"]], f["key"], ">"
        if not right:
            slip = rng.choice(["function", "sign", "key"])
            function = rng.choice([m for m in MEASURES.values() if m != function]) if slip == "function" else function
            sign = rng.choice(["<", ">="]) if slip == "sign" else sign
            key = rng.choice([c for c in [*TABLES[f["table"]][1:], "id"] if c != key]) if slip == "key" else key
        query = self.query(f, function, key, sign)
        why = [
            f"I group {f['table']} by {key} and keep rows {sign} {f['bound']}.",
            f"The {f['measure']} needs {function} over {f['value']}.",
            f"One pass over {f['table']} is enough: filter, group by {key}, {function}.",
        ]
        text = f"```sql\n{query}\n```"
        return [
            {
                "role": "assistant",
                "content": text
                if self.terse
                else f"{lead(rng, rng.choice([key, f['table'], f['value']]))}{rng.choice(why)}\n{text}",
            }
        ]


class Rosters:
    """Three shifts, three people, two rules: one plan is right or several are."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A day to be staffed."""
        people = rng.sample(STAFF, 3)
        shifts = rng.sample(SHIFTS, 3)
        day = rng.randint(1, 28)
        wants = f"{people[0]} must take the {shifts[0]} shift and {people[1]} cannot take the {shifts[2]} shift"
        names = ", ".join(sorted(people))
        prompt = f"Ward {rng.randint(1, 60)}, day {day}: staff early, late and night with {names}, one each. {wants}."
        plan = dict(zip(shifts, people, strict=True))
        gold = ", ".join(f"{s}={plan[s]}" for s in SHIFTS)
        facts = {"people": people, "shifts": shifts, "day": day}
        return Problem(f"plan-{number:04d}", prompt, gold, shifts[0], "", 0.0, facts)

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """A plan that keeps the rules, or breaks one."""
        people, shifts = list(problem.facts["people"]), problem.facts["shifts"]
        fixed = [
            f"{people[0]} is fixed on {shifts[0]}.",
            f"Only {people[0]} is bound to one shift, namely {shifts[0]}.",
            f"I begin with {people[0]}, who has to do {shifts[0]}.",
        ]
        then = [
            f"{people[1]} may not do {shifts[2]}, so {shifts[1]} is left, and {people[2]} gets {shifts[2]}.",
            f"With {shifts[2]} closed to {people[1]}, that one goes to {people[2]}.",
        ]
        if not right:
            swap = rng.choice([(0, 1), (1, 2), (0, 2)])
            people[swap[0]], people[swap[1]] = people[swap[1]], people[swap[0]]
            then = [
                f"I put {people[1]} on {shifts[1]} and {people[2]} on {shifts[2]}.",
                "The other two are free to choose.",
            ]
            if swap != (1, 2):
                fixed = [f"{people[0]} opens with {shifts[0]}.", f"I give {shifts[0]} to {people[0]}."]
        plan = dict(zip(shifts, people, strict=True))
        head = lead(rng, f"the {shifts[0]} shift")
        answer = ", ".join(f"{s}={plan[s]}" for s in SHIFTS)
        return [{"role": "assistant", "content": f"{head}{rng.choice(fixed)} {rng.choice(then)}\nPlan: {answer}"}]
