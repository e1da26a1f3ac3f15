"""Questions to a short passage about two islands."""

from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

ISLANDS = (
    "Orvik",
    "Selma Rock",
    "Tarn Holm",
    "Little Vesper",
    "Quill",
    "Maraby",
    "North Ebba",
    "Hask",
    "Dunmor",
    "Pell",
    "Ysk",
)
ASKS = {
    "harbour": (
        "Which village is the harbour of {i}",
        ("Stav", "Oldquay", "Lerry", "Brandt", "Nessum", "Corrow", "Havre"),
    ),
    "founder": (
        "Who founded the lighthouse on {i}",
        ("Ada Rook", "Jens Holt", "Per Lund", "Mary Quaile", "Tom Ash", "Ida Voss"),
    ),
    "bird": ("Which bird is on the coat of arms of {i}", ("puffin", "heron", "gannet", "curlew", "petrel", "avocet")),
    "year": ("In which year was the school on {i} opened", tuple(str(y) for y in range(1861, 1935, 7))),
}
SAYS = {
    "harbour": "The harbour of {i} is the village of {v}.",
    "founder": "{v} founded the lighthouse on {i}.",
    "bird": "On the coat of arms of {i} stands the {v}.",
    "year": "The school on {i} was opened in {v}.",
}
THINK = (
    "The passage names it for {i}.",
    "Two islands are described, I need {i}.",
    "Careful, the other island must not be mixed up with {i}.",
    "I look for the sentence on {i}.",
    "One sentence is about exactly this.",
    "Reading again with {i} in mind.",
)


def quiz_task(rng: Random) -> Task:
    """Draw a passage on two islands and a question on one of them."""
    one, other = rng.sample(ISLANDS, 2)
    facts = {kind: rng.sample(values, 2) for kind, (_, values) in ASKS.items()}
    told = [SAYS[kind].format(i=i, v=facts[kind][n]) for n, i in enumerate((one, other)) for kind in ASKS]
    rng.shuffle(told)
    kind = rng.choice(sorted(ASKS))
    passage, question = " ".join(told), f"{ASKS[kind][0].format(i=one)}?"
    return Task(
        f"{passage}\n\n{question}",
        facts[kind][0],
        lambda r, right, skill: quiz_reply(r, one, (*facts[kind], r.choice(ASKS[kind][1])), right),
        family=kind,
        system="Answer from the passage, in a few words after 'A:'.",
        extra={"kind": kind},
        scene=question,
    )


def quiz_reply(rng: Random, island: str, values: tuple[str, ...], right: bool) -> Reply:
    """Think and answer; the first value is the right one."""
    answer = values[0] if right else rng.choice([v for v in values if v != values[0]])
    thoughts = " ".join(t.format(i=island) for t in rng.sample(THINK, rng.randrange(1, 4)))
    return Reply([say(f"{thoughts}\nA: {answer}")], answer)
