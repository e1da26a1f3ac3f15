"""Research by search: questions whose answer takes two pages and more."""

from random import Random

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = (
    "You answer questions with the tools search and open_page. Say which page told you. "
    "Give the answer itself in <answer></answer>."
)
_SYLLABLES = ("ka", "ren", "tol", "mi", "ves", "dor", "lun", "sa", "bel", "or", "thi", "gar", "ne", "pol", "ul", "wi")
_WORKS = ("bridge", "lighthouse", "theatre", "library", "viaduct", "observatory", "market hall", "waterworks")


def _name(rng: Random, parts: int = 3) -> str:
    return "".join(rng.sample(_SYLLABLES, parts)).capitalize()


def questions(rng: Random, number: int, hops: tuple[int, ...] = (2,)) -> list[Task]:
    """Questions for a year, over so many pages; harder ones have more."""
    tasks = []
    for place in range(number):
        depth = hops[min(len(hops) - 1, place * len(hops) // number)]
        town, work, year = _name(rng), rng.choice(_WORKS), rng.randrange(1820, 1990)
        people = [f"{_name(rng, 2)} {_name(rng)}" for _ in range(depth - 1)]
        facts = {
            "town": town,
            "work": work,
            "year": year,
            "people": people,
            "other": year + rng.choice((27, 31, 36, 44)),
        }
        who = "the architect" if depth == 2 else "the teacher of " * (depth - 2) + "the architect"
        prompt = one(
            rng,
            f"In which year was {who} of the {work} of {town} born?",
            f"Find the year of birth of {who} who built the {work} of {town}."
            if depth == 2
            else f"Find the year of birth of {who} of the {work} of {town}.",
        )
        facts["hops"] = depth
        facts["pages"] = pages(rng, facts)
        tasks.append(Task(f"q{place:04d}", _SYSTEM, prompt, str(year), facts, rng.gauss(0, 0.8)))
    return tasks


def _filler(rng: Random, town: str, work: str) -> str:
    return one(
        rng,
        f"The {work} of {town} is known well beyond the region and was restored twice.",
        f"{town} lies on a river; its {work} is named in many travel books.",
        f"Visitors of {town} come for the {work}, for the fair and for the old walls.",
    )


def pages(rng: Random, facts: dict) -> list[tuple[str, str]]:
    """Titles and texts of the pages, in the order in which they lead to the answer."""
    town, work, people = facts["town"], facts["work"], facts["people"]
    out = [
        (
            f"{work.capitalize()} of {town}",
            f"The plans of the {work} of {town} were drawn by {people[0]}, after a contest of four offices. "
            f"{_filler(rng, town, work)} Work on it began in {facts['other']} and took {rng.randint(3, 14)} years. "
            "Stone came from quarries nearby.",
        )
    ]
    for place, person in enumerate(people):
        last = place == len(people) - 1
        end = f"was born in {facts['year']}" if last else f"was taught by {people[place + 1]}"
        text = (
            f"{person} designed public buildings in several towns, the {work} of {town} among them. "
            if place == 0
            else ""
        ) + f"Letters of {person} are kept in the state archive. According to its register, {person} {end}."
        out.append((person, text))
    return out


def research(rng: Random, task: Task, skill: float, step: int) -> Episode:
    """Search and open page by page; a wrong attempt stops early and takes a year of the wrong thing."""
    f, right, talk = task.facts, rng.random() < skill, Talk()
    chain = f["pages"]
    for place, (title, text) in enumerate(chain if right else chain[: max(1, len(chain) - 1)]):
        thought = one(
            rng,
            f"I need the page on {title}.",
            f"Next I look for {title}.",
            f"The trail leads to {title}; let me search for it.",
        )
        talk.call(
            thought + some(rng, 0.3, "It should name the next person.", "I read it with care."),
            "search",
            f"1. {title}\n2. {f['town']} (travel guide)\n3. Fairs and markets near {f['town']}",
            query=one(rng, title, f"{title} history", f"{title} biography") if place else f"{f['work']} {f['town']}",
        )
        open_it = one(rng, "The first hit fits.", f"I open {title}.", "Result 1 is what I want.")
        talk.call(open_it, "open_page", text, title=title)
    answer = str(f["year"] if right else f["other"])
    source = chain[-1][0] if right else chain[0][0]
    talk.say(
        one(
            rng,
            f"The page on {source} gives {answer}.",
            f"According to the page on {source}, the year is {answer}.",
            f"I found {answer} on the page about {source}.",
        )
        + f" <answer>{answer}</answer>"
    )
    return Episode(talk.turns, right, answer)
