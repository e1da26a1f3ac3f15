"""Questions that a search answers: made-up places and people, passages that name them."""

from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task

HEADS = ("Bra", "Kel", "Dun", "Mar", "Ost", "Vel", "Hol", "Tas", "Rin", "Lor", "Gre", "Pol", "Sun", "Wex", "Ard")
TAILS = ("holm", "vik", "stead", "mere", "burn", "dale", "haven", "ford", "croft", "ness", "by", "wick")
FIRST = ("Elna", "Matti", "Ruth", "Caspar", "Ines", "Otto", "Sanna", "Piet", "Greta", "Nils", "Tove", "Janek")
WORKS = (
    "lighthouse",
    "canal lock",
    "town library",
    "rope bridge",
    "observatory",
    "grain mill",
    "tram depot",
    "harbour wall",
)


def name(rng: Random) -> str:
    """A made-up place, or a family's name."""
    return rng.choice(HEADS) + rng.choice(TAILS)


def passages(rng: Random, subject: str, fact: str) -> str:
    """Three passages, the fact in one."""
    others = [
        f"{name(rng)} is a parish of {rng.randint(200, 9000)} people on the {rng.choice(('east', 'west'))} road.",
        f"The {rng.choice(WORKS)} of {name(rng)} was repaired in {rng.randint(1870, 1990)} after a flood.",
        f"{subject} lies {rng.randint(3, 60)} km from {name(rng)}; market on {rng.choice(('Mondays', 'Fridays'))}.",
    ]
    docs = rng.sample(others, 2) + [fact]
    rng.shuffle(docs)
    return "\n".join(f"Doc {n} (Title: {subject if d == fact else name(rng)}) {d}" for n, d in enumerate(docs, 1))


def builder(rng: Random, key: str) -> Task:
    """Who designed a work in a place; one search, then an answer in tags."""
    place, work = name(rng), rng.choice(WORKS)
    gold = f"{rng.choice(FIRST)} {name(rng)}"
    year = rng.randint(1801, 1989)
    fact = f"The {work} of {place} was designed by {gold} and opened in {year}."
    system = "Answer with the help of search. Call <search>query</search>; results come back in <information> tags."
    question = f"Who designed the {work} of {place}? Put the name in <answer></answer>."

    def write(r: Random, right: bool) -> Reply:
        wrong = r.choice((f"{r.choice(FIRST)} {name(r)}", gold.split()[0] + f" {name(r)}", place))
        query = r.choice((f"{work} {place} designer", f"who designed {place} {work}", f"{place} {work} architect"))
        found = right or r.random() < 0.45
        shown = passages(r, place, fact if found else f"The {work} of {place} is closed in winter.")
        said = gold if right else wrong
        lead = r.choice(
            (
                "I need to look this up.",
                f"I don't know the {work} of {place} by heart.",
                "Let me search.",
                "Searching first.",
                "This needs a source.",
                f"Which {work}? Ask for {place}.",
            )
        )
        last = r.choice(("The passages name", "According to the results it was", "It seems to be", "That points to"))
        turns = [
            {"role": "assistant", "content": f"<think>{lead}</think>\n<search>{query}</search>"},
            {"role": "tool", "content": f"<information>{shown}</information>"},
            {"role": "assistant", "content": f"<think>{last} {said}.</think>\n<answer>{said}</answer>"},
        ]
        return Reply(turns, said)

    return Task(
        key, question, gold, write, system, family=work, extra={"ground_truth": gold, "fact": fact, "place": place}
    )


def ledger(rng: Random, key: str) -> Task:
    """A figure out of a table that a tool shows, which must be picked by its row."""
    town, month = name(rng), rng.choice(("March", "May", "July", "August", "October", "November"))
    goods = rng.sample(("barley", "timber", "wool", "salt", "copper", "linen", "tar", "hides"), 5)
    sums = [rng.randint(1100, 9900) for _ in goods]
    pick = rng.randrange(5)
    table = "\n".join(f"{g:<10}{s:>7}" for g, s in zip(goods, sums, strict=True))
    question = (
        f"What did the port of {town} take in {month} for {goods[pick]}, in crowns? Close with `Answer: <number>`."
    )

    def write(r: Random, right: bool) -> Reply:
        said = sums[pick] if right else r.choice([s for s in sums if s != sums[pick]] + [sums[pick] * 10, sum(sums)])
        call = {"name": "port_ledger", "arguments": {"port": town, "month": month}}
        lead = r.choice(
            (
                "I'll open the ledger.",
                "The ledger will have this.",
                f"Looking up {month}.",
                f"{town}, {month}.",
                "One call will do.",
                "",
            )
        )
        close = r.choice(
            (
                f"The row for {goods[pick]} reads {said}.",
                f"For {goods[pick]} the port took {said} crowns.",
                f"{month} lists {said}.",
                f"{goods[pick]}: {said} crowns.",
                f"That is {said} in {month}.",
                f"{town} took {said}.",
                f"I read {said} for {goods[pick]}.",
            )
        )
        turns = [
            {"role": "assistant", "content": lead, "tool_calls": [call]},
            {"role": "tool", "content": f"{town}, {month}\n{table}", "tool_name": "port_ledger"},
            {"role": "assistant", "content": f"{close}\nAnswer: {said}"},
        ]
        return Reply(turns, str(said))

    return Task(key, question, str(sums[pick]), write, "You may call port_ledger(port, month).", family="ledger")
