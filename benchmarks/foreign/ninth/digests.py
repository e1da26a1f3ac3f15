"""Reports to be summed up, and judges that score the summaries."""

from random import Random

from benchmarks.foreign.ninth.episodes import Reply, Task, tell
from benchmarks.foreign.ninth.wording import PEOPLE, TOWNS, person, say

TOPICS = (
    "the ferry «line|service» to {t} was stopped for {n} days after a «storm|collision»",
    "{p} was elected «head|chair» of the {t} council by {n} votes",
    "the {t} mill «closed|was sold», and {n} people lost their jobs",
    "a «bridge|tunnel» near {t} will be «repaired|rebuilt» for {n} million crowns",
    "{p} found {n} «coins|letters» in an attic in {t}",
    "the hospital of {t} «opened|planned» a ward with {n} beds",
    "pupils in {t} «collected|raised» {n} thousand crowns for a library",
    "the river at {t} rose by {n} centimetres overnight",
    "{p} «walked|cycled» {n} kilometres to {t} for charity",
    "a court in {t} fined a «dealer|builder» {n} thousand crowns",
)


def digest_task(rng: Random) -> Task:
    """A report of four facts."""
    facts = [
        say(rng, t.format(t=rng.choice(TOWNS), p=person(rng), n=rng.randint(3, 98))) for t in rng.sample(TOPICS, 4)
    ]
    text = facts[0][0].upper() + facts[0][1:] + "."
    for fact in facts[1:]:
        text += say(rng, " «Meanwhile,|At the same time,|Also,|In other news,|It was also reported that» ") + fact + "."
    prompt = say(rng, f"«Sum up|Summarise|Shorten» this report «in two or three sentences|briefly»:\n\n{text}")

    def solve(r: Random, right: bool) -> Reply:
        kept = [f for f in facts if right or r.random() < 0.5] or facts[:1]
        r.shuffle(kept)
        parts = [say(r, "«The report says that|It tells that|We read that|Reportedly,» ") + f for f in kept]
        if not right:
            parts.append(
                say(r, f"«As a result|Therefore», {r.choice(PEOPLE)} «resigned|was praised|left {r.choice(TOWNS)}»")
            )
        return Reply([tell(". ".join(parts) + ".")])

    return Task(prompt, "; ".join(facts), "writing", solve, data={"facts": facts})
