"""Questions of two hops, answered with a search tool over a made-up encyclopaedia."""

from random import Random

from benchmarks.foreign.ninth.episodes import Message, Reply, Task, call, tell
from benchmarks.foreign.ninth.wording import PEOPLE, TOWNS, coined, person, say

SYSTEM = "Answer the question with the search tool. End with: Answer: <short answer>"


def lookup_task(rng: Random) -> Task:
    """A question of two hops."""
    who, work, town = (
        person(rng),
        f"The {coined(rng)} {rng.choice(('Bridge', 'Sonata', 'Atlas', 'Trial', 'Engine'))}",
        rng.choice(TOWNS),
    )
    year, school = rng.randint(1780, 1985), f"{coined(rng)} {rng.choice(('Academy', 'Institute', 'College'))}"
    role = rng.choice(("designer", "author", "maker", "founder"))
    ask, gold = rng.choice((
        (f"In which town was the {role} of {work} born?", town),
        (f"«In|During» which year was the {role} of {work} born?", str(year)),
        (f"At which school did the {role} of {work} «study|learn»?", school),
    ))  # fmt: skip
    first = say(
        rng,
        f"{work} «is|was» «a celebrated work|a work known across the region». Its {role} was {who}«.|, aged "
        f"{rng.randint(24, 70)}.»",
    )
    second = say(
        rng,
        f"{who} (born {year} in {town}) «studied|was trained» at the {school} «and later taught there|before "
        "moving abroad».",
    )
    facts = {
        "who": who,
        "work": work,
        "first": first,
        "second": second,
        "role": role,
        "is_year": gold == str(year),
        "gold": gold,
        "pages": rng.sample(range(1, 10), 2),
    }

    def solve(r: Random, right: bool) -> Reply:
        answer = gold if right else wrong(r, facts, gold)
        page = "" if right else namesake(r, facts, answer)
        return Reply([*hop(r, facts, 1), *hop(r, facts, 2, page), answered(r, answer)], answer)

    return Task(say(rng, ask), gold, "search", solve, SYSTEM, data=facts)


def wrong(r: Random, f: dict, gold: str) -> str:
    """A wrong answer of the same sort."""
    if f["is_year"]:
        return str(int(gold) + r.choice((-31, -12, -4, 3, 9, 28)))
    return (
        r.choice([t for t in TOWNS if t != gold])
        if gold in TOWNS
        else f"{coined(r)} {r.choice(('Academy', 'College'))}"
    )


def namesake(r: Random, f: dict, answer: str) -> str:
    """The page of another of that name, which a wrong answer rests on; or none, where the right page is misread."""
    if r.random() < 0.3:
        return ""
    other = f"{r.choice(PEOPLE)} {f['who'].split()[-1]}"
    return f"[{r.randint(10, 40)}] " + f["second"].replace(f["who"], other).replace(f["gold"], answer)


def hop(r: Random, f: dict, number: int, answer: str = "") -> list[Message]:
    """One search with its answer."""
    query = say(
        r,
        f"{f['work']} «{f['role']}|who was the {f['role']}|history»"
        if number == 1
        else f"{f['who']} «born|biography|life»",
    )
    thought = say(
        r,
        "«I search for it.|First the work itself.|Let me look this up.|»"
        if number == 1
        else "«Now the person.|Next hop.|»",
    )
    text = answer or f"[{f['pages'][number - 1]}] {f['first'] if number == 1 else f['second']}"
    return call("search", {"query": query}, text, thought)


def answered(r: Random, answer: str) -> Message:
    """State the answer."""
    return tell(
        say(r, "«The second page settles it.|According to the pages found,|This gives|From the search:»")
        + f"\nAnswer: {answer}"
    )
