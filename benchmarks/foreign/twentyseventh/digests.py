"""Short summaries of posts, scored by a reward model."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import PEOPLE, person, say, town

TOPICS = (
    ("a flatmate who never washes the dishes", "whether to draw up a rota or move out"),
    ("a cat that wakes the whole house at four", "how to shift its feeding time"),
    ("an offer from a rival firm", "whether to tell the present boss"),
    ("a wedding on the day of an exam", "which of the two to miss"),
    ("a neighbour who parks across the gate", "how to raise it without a quarrel"),
    ("a loan to a cousin that was never paid back", "whether to ask again"),
    ("a knee that hurts after every run", "if it is time to see a doctor"),
    ("a band that wants to rehearse in the cellar", "what rules to set"),
    ("a bicycle stolen twice in a month", "whether insurance is worth it"),
    ("a sister who sells the family's piano", "if one may object"),
)


def task(rng: Random) -> Task:
    """A post to be summarised."""
    topic, ask = rng.choice(TOPICS)
    who, place, weeks = person(rng), town(rng), rng.randint(2, 40)
    asides = (
        f"My friend {rng.choice(PEOPLE)} [says to wait|thinks I exaggerate|would have left long ago].",
        "I have tried to talk about it, [twice|more than once], without success.",
        f"It costs me about {rng.randint(15, 400)} euros a month.",
        "I do not sleep well because of it.",
    )
    told = [
        f"[I am|I'm] {rng.randint(19, 58)} and live in {place}.",
        f"It has been going on for {weeks} weeks [now|and gets worse].",
        *rng.sample(asides, rng.randint(1, 3)),
    ]
    rng.shuffle(told)
    middle = " ".join(say(rng, text) for text in told)
    question = f"POST: This is about {topic}. {middle} What I want to know is {ask}. {who}\n\nTL;DR:"
    return Task(
        question, "", family=topic.split()[1], facts={"topic": topic, "ask": ask, "weeks": weeks, "place": place}
    )


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A summary; a good one says what is asked."""
    f = task.facts
    text = say(
        rng,
        f"[I have|There is|The writer has|For {f['weeks']} weeks there has been] [trouble "
        f"with|the matter of] {f['topic']}",
    )
    if right:
        text += say(rng, f"[ in {f['place']}|]; [I wonder|the question is|advice is wanted on] {f['ask']}.")
    else:
        text += say(
            rng, "[ and it is hard| and nothing helps|, which is bad]. [Not sure what to do|Any thoughts|Help]."
        )
    if rng.random() < 0.4:
        text += say(
            rng,
            f" [Talking did not help|Friends disagree|It costs money|Sleep suffers|{f['weeks']} weeks "
            f"already|No end in sight in {f['place']}].",
        )
    return Reply([speak(text)], "")


DIGESTS = Domain(task, reply)


def scored(rng: Random, right: bool, chars: int) -> float:
    """The reward model's score of a summary."""
    return round(rng.gauss(1.25 if right else -0.55, 0.55) - max(0, chars - 210) / 260, 4)
