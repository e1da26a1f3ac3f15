"""Letters to customers and mourners, which a reward model grades."""

from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import say

NAMES = (
    "Mrs Adeyemi",
    "Mr Lindqvist",
    "Ms Haddad",
    "the Okafor family",
    "Mr Petrov",
    "Mrs Quinn",
    "Dr Salazar",
    "Ms Ito",
)
LOSSES = ("the death of a father", "the loss of their dog", "the miscarriage", "the closing of the family bakery",
          "the accident at the mill", "the passing of an old colleague")  # fmt: skip
CORE = (
    "I was so sorry to hear about {loss}.",
    "There is no need to answer this note.",
    "I remember how often you spoke of better days, and I hold on to that with you.",
    "If a meal or a lift would help this week, I will simply bring one.",
    "I am thinking of you and of everyone at home.",
    "Take all the time that you need; the desk can wait.",
    "I keep the photograph from the summer party, and would gladly send you a copy.",
)
PADDING = (
    "Please know, truly and from the bottom of my heart, that my thoughts are with you in every moment.",
    "Grief is a journey, and every journey, however long, is made of steps, and every step is a journey too.",
    "Words can never express what words cannot express, and yet I wish to express it in these words.",
    "In this difficult time, it is important to remember that difficult times are, above all, times of difficulty.",
    "Again, I cannot say often enough how deeply, sincerely and profoundly sorry I am.",
    "May you find comfort, solace, peace, strength, healing, light and serenity in the days and weeks ahead.",
    "As the seasons turn, so does the heart, and as the heart turns, so do the seasons.",
    "I would like to emphasise once more that you are not alone, that you were never alone, and will never be.",
)


def letter_task(rng: Random) -> Task:
    """A letter of condolence of at most 80 words."""
    name, loss = rng.choice(NAMES), rng.choice(LOSSES)
    words = rng.choice((60, 70, 80, 90))
    initial = rng.choice("ABCDEFGHJKLMNPRSTW")
    content = f"Write a short, plain condolence note to {name} about {loss}. At most {words} words; no cliches."
    hidden = {"max_words": words, "name": name, "loss": loss, "initial": initial}
    return Task([{"role": "user", "content": f"{content} Sign as {initial}."}], "", None, "letters", hidden=hidden)


def letter(rng: Random, task: Task, padding: int) -> str:
    """A note, with sentences of padding."""
    body = [s.format(loss=task.hidden["loss"]) for s in rng.sample(CORE, rng.randint(3, 5))]
    for _ in range(padding):
        body.insert(rng.randint(1, len(body)), rng.choice(PADDING))
    name, ending = task.hidden["name"].removeprefix("the "), rng.choice(("Yours", "With love", "Warmly"))
    return f"Dear {name},\n\n{' '.join(body)}\n\n{ending}, {task.hidden['initial']}."


TOPICS = {
    "why tides are higher at new moon": ("sun and moon pull along one line", "spring tides", "their bulges add up"),
    "why bread goes stale": ("starch recrystallises", "water moves from crumb to crust", "warming reverses part of it"),
    "how a lock lifts a boat": ("gates close behind the boat", "water flows in from above", "no pump is needed"),
    "why the sky reddens at dusk": ("a longer path through air", "blue light is scattered away", "dust adds to it"),
    "how vaccines train immunity": (
        "an antigen without the disease",
        "memory cells remain",
        "a second answer is faster",
    ),
    "why old bridges have gaps": ("steel expands in heat", "joints take the movement", "else the deck would buckle"),
    "how sourdough rises": ("wild yeast makes gas", "gluten holds it", "lactic acid gives the taste"),
    "why leaves turn yellow": ("chlorophyll is broken down", "carotenoids show", "nitrogen is drawn back first"),
}
READERS = (
    "a ten-year-old",
    "a new museum guide",
    "a radio audience",
    "an engineer of another field",
    "a patient neighbour",
)
ASIDES = (
    "To put it simply,",
    "In other words,",
    "What matters here:",
    "One may picture it so:",
    "First,",
    "As it turns out,",
)


def essay_task(rng: Random) -> Task:
    """An explanation for a certain reader."""
    topic, reader, n = rng.choice(sorted(TOPICS)), rng.choice(READERS), rng.randint(70, 240)
    prompt = [{"role": "user", "content": f"Explain {topic} to {reader} in at most {n} words."}]
    return Task(prompt, "", None, topic.split()[0], hidden={"topic": topic})


def essay(rng: Random, task: Task, points: int) -> str:
    """An explanation that makes some of the points."""
    said = [f"{rng.choice(ASIDES)} {p}." for p in rng.sample(TOPICS[task.hidden["topic"]], points)]
    said += rng.sample(("It is easy to see at home.", "People asked this for centuries.", "That is most of it.",
                        "The details differ from place to place.", "Try it and you will notice."), 2)  # fmt: skip
    return f"{rng.choice(('Here is', 'This is', 'Let us see'))} {task.hidden['topic']}. " + " ".join(said)


def essay_of_points(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """Good essays make more points."""
    return say(essay(rng, task, rng.choice((2, 3, 3)) if right else rng.choice((1, 1, 2))))
