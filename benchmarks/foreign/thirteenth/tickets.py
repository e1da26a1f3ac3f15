"""Short messages to a town's service desk, to be sorted under one of five labels."""

from random import Random

from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Task

LABELS = ("waste", "roads", "water", "noise", "permits")
TELLS = {
    "waste": ("the bins were not emptied", "a sofa has been dumped on the pavement", "the bottle bank overflows"),
    "roads": ("a pothole has swallowed half my wheel", "the lamp by the crossing is dark", "the kerb has broken away"),
    "water": ("brown water comes from the tap", "a hydrant has been leaking", "the drain backs up into the yard"),
    "noise": ("a generator hums all night", "the bar plays music until four", "dogs bark behind the school"),
    "permits": (
        "I wait for leave to build a shed",
        "my market stall needs a renewal",
        "nobody answers about my parking card",
    ),
}
STREETS = [
    "Alder",
    "Birch",
    "Canal",
    "Dove",
    "Elm",
    "Foundry",
    "Garden",
    "Harbour",
    "Ivy",
    "Jute",
    "Kiln",
    "Linden",
    "Mill",
    "Nettle",
    "Orchard",
    "Priory",
]
SINCE = ("since {d}", "for {n} days now", "again this {d}", "and I have called {n} times")
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
BLUR = (
    "It smells too.",
    "The neighbours agree.",
    "It blocks the road.",
    "Last time it was the water.",
    "",
    "",
    "It is loud as well.",
)


def ticket(rng: Random, index: int) -> Task:
    """One message."""
    label = rng.choice(LABELS)
    since = rng.choice(SINCE).format(d=rng.choice(DAYS), n=rng.randint(2, 40))
    body = f"At {rng.choice(STREETS)} Street {rng.randint(1, 180)} {rng.choice(TELLS[label])} {since}."
    body = f"{body} {rng.choice(BLUR)}".strip()
    prompt = f"Label this message with one word of: {', '.join(LABELS)}.\n\n{body}"

    def wrong(rng: Random) -> str:
        return rng.choice([x for x in LABELS if x != label])

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        return [said(rng.choice((answer, answer, answer.capitalize(), f"Label: {answer}")))]

    return Task(f"tk{index:04d}", label, prompt, label, rng.gauss(-0.2, 0.9), wrong, work)


def reasoned(rng: Random, task: Task, answer: str) -> list[dict]:
    """The label after a sentence or two on the message."""
    body = task.prompt.split("\n\n")[1]
    words = body.split()
    quote = " ".join(words[4 : 4 + rng.randint(4, 7)])
    start = rng.choice(("The writer says", "Key phrase:", "Main complaint:", "What matters here is"))
    why = rng.choice(("which falls to", "so this belongs under", "hence", "and that desk is"))
    return [said(f'{start} "{quote}", {why} {answer}.\nAnswer: {answer}')]
