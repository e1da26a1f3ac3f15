"""Questions over two hops about people, towns and rivers, and a search tool that answers them."""

from random import Random

from benchmarks.foreign.twentyfifth.course import Task
from benchmarks.foreign.twentyfifth.prose import pick

SYSTEM = "Answer the question. Use search as often as needed; give a short answer in <answer> tags."
SYLLABLES = ("ber", "dal", "mon", "tre", "vik", "lau", "sor", "nim", "gar", "pel", "hol", "rin", "cas", "ume", "fio")
JOBS = ("painter", "glassmaker", "botanist", "chess player", "organist", "surveyor", "goalkeeper", "printer")
ASKS = ("river", "mayor", "oldest school", "football club", "cathedral", "newspaper")


def _name(rng: Random, parts: int = 2) -> str:
    return "".join(rng.sample(SYLLABLES, parts)).capitalize()


def hop(rng: Random) -> Task:
    """Who lived in a town, and what does the town have."""
    who, town, ask = f"{_name(rng)} {_name(rng, 3)}", _name(rng, 3), rng.choice(ASKS)
    gold = _name(rng, 2) if ask in {"river", "newspaper"} else f"{_name(rng, 2)} {_name(rng, 2)}"
    job = rng.choice(JOBS)
    info = {"who": who, "town": town, "ask": ask, "job": job}
    return Task(f"What is the name of the {ask} of the town where the {job} {who} was born?", gold, info)


def query(rng: Random, task: Task, turn: int) -> str:
    """What is searched for."""
    i = task.info
    if turn == 0:
        return pick(rng, f"{i['who']} birthplace", f"where was {i['who']} born", f"{i['job']} {i['who']}", i["who"])
    return pick(rng, f"{i['town']} {i['ask']}", f"{i['ask']} of {i['town']}", f"{i['who']} {i['ask']} home town")


def lead(rng: Random, turn: int) -> str:
    """What is said before a search."""
    if turn == 0:
        return pick(rng, "First the birthplace.", "Who is this?", "Search for the person.", "")
    return pick(rng, "Now the second part.", "Search again with other words.", "One more look.", "")


def results(rng: Random, task: Task, hollow: bool, helps: bool) -> str:
    """Three documents with scores."""
    i = task.info
    texts = [f'"{i["who"]}"\n{i["who"]} ({rng.randint(1800, 1960)}) was a {i["job"]}, born in {i["town"]}.']
    ask = task.gold if helps else other(rng, task)
    texts.append(f'"{i["town"]}"\n{i["town"]} has {rng.randint(3, 90)} thousand people; its {i["ask"]} is {ask}.')
    texts.append(
        f'"{_name(rng)}"\nA village with {rng.randint(90, 900)} people and a {rng.choice(["mill", "fort", "fair"])}.'
    )
    lines = []
    for number, text in enumerate(texts, 1):
        score = rng.uniform(0.79, 0.88) - number / 100
        name = f"doc_{number}" if hollow else str(rng.randrange(10**6, 2 * 10**7))
        lines.append(f"[Document {number}] (ID: {name}, Score: {score:.3f})\n{'' if hollow else text}\n")
    return "\n".join(lines)


def other(rng: Random, task: Task) -> str:
    """A wrong name."""
    return _name(rng, 2) if " " not in task.gold else f"{_name(rng, 2)} {_name(rng, 2)}"


def closing(rng: Random, task: Task, answer: str) -> str:
    """The sentence before the answer."""
    i = task.info
    return pick(
        rng,
        f"{i['who']} was born in {i['town']}, whose {i['ask']} is {answer}.",
        f"The {i['ask']} of the {i['job']}'s home town is {answer}.",
        f"So the {i['ask']} in question is {answer}.",
        f"That {i['ask']} is called {answer}.",
    )
