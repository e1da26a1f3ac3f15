"""Questions about a paper with many facts: leases, recipes, notices. A wrong attempt takes a fact of another line."""

import random

from benchmarks.foreign.thirtyfifth.course import Task

PLACES = ("Marlow Street", "Quay Lane", "the Old Dairy", "Fennel Court", "Tanner's Row", "Upper Mill", "Glebe Road")
PEOPLE = ("Ms Okafor", "Mr Lindqvist", "Dr Achterberg", "Mrs Pereira", "Mr Tanaka", "Ms Rahimi", "Mr Voss", "Ms Doyle")
CLAUSES = (
    ("monthly rent", "The monthly rent is {} pounds and falls due on the first working day.", (640, 1890)),
    ("deposit", "A deposit of {} pounds is lodged with the scheme within thirty days.", (700, 2600)),
    ("notice period in days", "Either side may end the tenancy with {} days of notice in writing.", (28, 95)),
    ("late fee", "A payment that is late by a week carries a fee of {} pounds.", (15, 75)),
    ("number of parking bays", "The tenant may use {} parking bays behind the building.", (1, 5)),
    ("cleaning charge", "On leaving, a cleaning charge of {} pounds is kept unless the flat is swept.", (60, 240)),
    ("interval of the boiler service in hours", "The boiler is serviced every {} hours of running.", (300, 1900)),
    ("yearly rise in tenths of a percent", "The rent rises each April by {} tenths of a percent.", (11, 52)),
    ("storage room number", "Storage room {} in the cellar belongs to the flat.", (2, 89)),
    ("key deposit", "For each set of keys {} pounds are held.", (10, 49)),
)


def lease(rng: random.Random, number: int) -> Task:
    """A question on a lease, which stands in the prompt before the question."""
    clauses = rng.sample(CLAUSES, rng.randint(6, 9))
    facts = [(name, text, rng.randint(*bounds)) for name, text, bounds in clauses]
    place, owner = rng.choice(PLACES), rng.choice(PEOPLE)
    lines = [f"{n + 1}. {text.format(value)}" for n, (name, text, value) in enumerate(facts)]
    paper = f"Lease of {rng.randint(2, 88)} {place}, let by {owner}.\n" + "\n".join(lines)
    at = rng.randrange(len(facts))
    name, text, value = facts[at]
    question = f"What is the {name} under this lease? Give the number."

    def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
        others = [fact for fact in facts if fact[2] != value]
        said, clause, told = (name, text, value) if is_right else rng.choice(others)
        opening = rng.choice(_OPENS).format(name=name, place=place, owner=owner)
        found = rng.choice(_FOUND).format(clause=clause.format(told), said=said)
        checks = rng.sample(_CHECKS, min(effort, len(_CHECKS)))
        return " ".join([opening, found, *(c.format(told=told, name=name) for c in checks)]), str(told)

    more = {"paper": paper, "question": question}
    return Task(
        f"lease-{number:04d}", f"{paper}\n\n{question}", str(value), solve, "lease", rng.gauss(0, 0.7), "", more
    )


def unasked(rng: random.Random, number: int, mark: str = "not stated") -> Task:
    """A question on a lease that the lease does not answer; right is to say so."""
    task = lease(rng, number)
    missing = [name for name, text, _ in CLAUSES if text.split("{}")[0].strip() not in task.more["paper"]]
    name = rng.choice(missing)
    known = task.more["paper"].split("\n")[1:]

    def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
        opening = rng.choice(_OPENS).format(name=name, place="this flat", owner="the owner")
        if is_right:
            found = rng.choice(
                (
                    f"None of the {len(known)} numbered lines speaks of it.",
                    f"I went through all lines, from the first to number {len(known)}, and the {name} does not occur.",
                    f"The lease is silent about the {name}, so any number would be made up.",
                )
            )
            return f"{opening} {found}", mark
        line = rng.choice(known)
        number = next(w for w in line.split(". ", 1)[1].replace(",", " ").split() if w.isdigit())
        return f"{opening} The nearest line is: {line} I take the number from there.", number

    question = f"What is the {name} under this lease? Give the number, or '{mark}' if the lease does not say."
    return Task(
        f"lease-{number:04d}", f"{task.more['paper']}\n\n{question}", mark, solve, "unanswerable", rng.gauss(0, 0.7)
    )


_OPENS = (
    "The question is about the {name}.",
    "I look through the lease for the {name}.",
    "Looking for {name} among the clauses for {place}.",
    "{owner} is the landlord; what I need is the {name}.",
)
_FOUND = (
    'The clause reads: "{clause}"',
    "One line settles it: {clause}",
    "It says there: {clause}",
    "Under the heading of {said} I find: {clause}",
)
_CHECKS = (
    "The other numbers belong to other matters.",
    "So the {name} is {told}.",
    "No later line changes that.",
    "The figure {told} occurs in that sense only there.",
)
