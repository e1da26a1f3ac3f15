"""Minutes of meetings that are to be summed up, and what a judge with three criteria says of a summary."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem, talk

GROUPS = ("allotment club", "school board", "lab meeting", "tenants' council", "choir", "harbour office", "rescue team")
POINTS = (
    "{p} reported that the {t} costs {k} euros more than planned",
    "{p} asked to move the {t} to {day}",
    "the group agreed that {p} repairs the {t} by {day}",
    "{p} had no news about the {t} and will call again on {day}",
    "a vote on the {t} ended {k} to {j}, so it will go ahead",
    "{p} wants {k} volunteers for the {t}",
)
PEOPLE = ("Anya", "Bo", "Cyril", "Dora", "Ewan", "Fatou", "Gil", "Hedda", "Ivo", "Jun")
THINGS = ("roof", "spring fair", "freezer", "boat ramp", "website", "concert", "water meter", "storage room", "budget")
DAYS = ("Monday", "Friday", "the 3rd of May", "the end of June", "next week", "Thursday")
LEAD = (
    "The {g} discussed {n} matters.",
    "At the {g}, {n} things came up.",
    "Summary of the {g}:",
    "The {g} met briefly.",
)
LINK = ("Also, {x}.", "Besides, {x}.", "Then {x}.", "Finally, {x}.", "As noted, {x}.")
VAGUE = ("Several people spoke about the {t}.", "There was talk of the {t}.", "The {t} was mentioned too.")


def meetings(rng: random.Random, amount: int, prefix: str = "min") -> list[Problem]:
    """Different minutes of four points each."""
    out = []
    for i in range(amount):
        points, things = [], rng.sample(THINGS, 4)
        for thing, form in zip(things, rng.sample(POINTS, 4), strict=True):
            k = rng.randint(6, 40)
            v = {"p": rng.choice(PEOPLE), "t": thing, "k": k, "j": rng.randint(1, 5), "day": rng.choice(DAYS)}
            points.append(form.format(**v))
        group = rng.choice(GROUPS)
        notes = ". ".join(p[0].upper() + p[1:] for p in points) + "."
        text = f"Minutes of the {group}: {notes}\n\nSum this up in a few sentences for members who were absent."
        data = {"points": points, "things": things, "g": group}
        out.append(Problem(f"{prefix}{i:04d}", text, "", "minutes", rng.gauss(0, 0.7), "", data))
    return out


def summary(rng: random.Random, problem: Problem, kept: int) -> str:
    """A summary that keeps some of the four points and is vague about the next."""
    d = problem.data
    order = rng.sample(range(4), 4)
    lines = [rng.choice(LEAD).format(g=d["g"], n=kept)]
    lines += [rng.choice(LINK).format(x=d["points"][i]) for i in order[:kept]]
    lines += [rng.choice(VAGUE).format(t=d["things"][i]) for i in order[kept:] if rng.random() < 0.6]
    return " ".join(lines)


def sum_up(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """A summary; a right one keeps three points or all."""
    kept = rng.choice((3, 4, 4)) if right else rng.choice((1, 1, 2))
    return Draft(talk(summary(rng, problem, kept)), str(kept), right)
