"""Questions that need a search: a single look-up, or a dossier of many pages."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import PEOPLE, TOWNS, person, say, town

THINGS = ("bridge", "lighthouse", "concert hall", "tramway", "observatory", "harbour wall", "library", "aqueduct")

NOTES = (
    "The architect {who} lived to see it finished.", "A flood in {year} did little harm.", "It was painted by {who}.",
    "The town council voted twice on it.", "Stone came from the quarry of {place}.", "A plaque was added in {year}.",
    "Visitors from {place} complained of the stairs.", "The plans are kept in {place}.",
)  # fmt: skip


def noted(rng: Random) -> str:
    """A few sentences that pages have besides."""
    names = {"who": rng.choice(PEOPLE), "year": rng.randint(1980, 2019), "place": rng.choice(TOWNS)}
    return " ".join(note.format(**names) for note in rng.sample(NOTES, rng.randint(1, 3)))


def task(rng: Random) -> Task:
    """When something was opened; in dossiers, what three of them cost together."""
    slow = rng.random() < 0.42
    if slow:
        towns = rng.sample(TOWNS, rng.randint(4, 6))
        places = [(rng.choice(THINGS), place, rng.randint(11, 480)) for place in towns]
        listed = "; ".join(f"the {thing} of {place}" for thing, place, _ in places)
        question = f"Compile a dossier on {listed}. What did they cost together, in thousand marks?"
        gold, family = str(sum(cost for *_, cost in places)), "dossier"
    else:
        places = [(rng.choice(THINGS), town(rng), rng.randint(1811, 1974))]
        question = f"In which year was the {places[0][0]} of {places[0][1]}, planned by {person(rng)} Holm, opened?"
        gold, family = str(places[0][2]), "look-up"
    return Task(question, gold, family=family, facts={"places": places, "slow": slow})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A search and a page for each place, then the answer."""
    turns = []
    for thing, place, value in task.facts["places"]:
        turns.append(
            call(
                say(rng, f"[I look up|Next:|Searching for] the {thing} of {place}."), "search", query=f"{thing} {place}"
            )
        )
        fact = f"cost {value} thousand marks" if task.facts["slow"] else f"was opened in {value}"
        page = f"The {thing} of {place} {fact}. " + noted(rng)
        turns.append(told("search", page if rng.random() < 0.95 else f"2 results.\n1. {page}"))
        if task.facts["slow"] and rng.random() < 0.5:
            turns.append(call("Open the page for details.", "open_page", title=f"{thing} ({place})"))
            turns.append(
                told("open_page", f"{thing.title()} ({place}). Archive of the town, folio {rng.randint(2, 90)}. {page}")
            )
    answer = task.gold if right else str(int(task.gold) + rng.choice((-11, -7, -2, 3, 5, 10, 20)))
    turns.append(speak(say(rng, f"[According to the pages,|From what was found,|Summing up:] the answer is {answer}.")))
    return Reply(turns, answer)


DOSSIERS = Domain(task, reply)
