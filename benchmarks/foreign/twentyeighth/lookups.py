"""Questions about invented towns, answered with a search tool, in calls or in tags."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

HEADS = ["Var", "Ost", "Kel", "Bri", "Mon", "Tha", "Sel", "Dun", "Har", "Lin", "Quo", "Pel", "Ras", "Ulm", "Wex"]
TAILS = ["mere", "haven", "stad", "ford", "gate", "holm", "wick", "moor", "vale", "burgh", "dale", "ness"]
FIRST = ["Edith", "Tomas", "Ravi", "Helga", "Oskar", "Miriam", "Pavel", "Noor", "Clement", "Yara"]
LAST = ["Lindqvist", "Abara", "Moretti", "Hask", "Verne", "Okoro", "Szabo", "Brandt", "Ilves", "Castellan"]


def question(rng: Random, number: int) -> Task:
    """Who built what where, and when."""
    town = rng.choice(HEADS) + rng.choice(TAILS)
    person, other = (f"{rng.choice(FIRST)} {rng.choice(LAST)}" for _ in range(2))
    year, thing = (
        rng.randint(1741, 1968),
        rng.choice(["lighthouse", "town library", "funicular", "observatory", "salt works", "ropeway", "grain hall"]),
    )
    doc = (
        f"{town} is a town of {rng.randint(2, 90)},{rng.randint(100, 999)} inhabitants. "
        f"Its {thing} was designed by {person} and opened in {year}. {other} later "
        "widened it."
    )
    if rng.random() < 0.5:
        text, gold, bad = f"Who designed the {thing} of {town}?", person, other
    else:
        text, gold, bad = (
            f"In which year did the {thing} of {town} open?",
            str(year),
            str(year + rng.choice([-11, -4, 3, 9, 20])),
        )
    return Task(
        f"nq-{number:04d}", text, gold, rng.gauss(0, 0.8), thing, {"town": town, "thing": thing, "doc": doc, "bad": bad}
    )


def distractor(rng: Random, task: Task) -> str:
    """A document that does not help."""
    town = rng.choice(HEADS) + rng.choice(TAILS)
    return (
        f"{town} lies on the river {rng.choice(HEADS)}, {rng.randint(4, 60)} km from "
        f"{task.data['town']}. It is known for "
        f"{rng.choice(['glass', 'eels', 'peat', 'bells', 'lace'])}."
    )


def called(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """Search calls, then an answer."""
    turns: list[dict] = []
    for number in range(rng.choice([1, 2, 2, 3])):
        query = rng.choice(
            [
                f"{task.data['town']} {task.data['thing']}",
                f"{task.data['thing']} designer {task.data['town']}",
                f"history of {task.data['town']}",
            ]
        )
        turns.append(
            say(
                "assistant",
                rng.choice(["I will look this up.", "Searching.", "One more source.", "Let me check."]),
                tool_calls=[
                    {
                        "id": f"call_{number}",
                        "name": "search",
                        "arguments": {"query": query, "top_k": rng.randint(2, 5)},
                    }
                ],
            )
        )
        turns.append(
            say("tool", _found(rng, task, right, number), tool_call_id=f"call_{number}", tool_name="search", ok=True)
        )
    answer = task.gold if right else task.data["bad"]
    return [
        *turns,
        say(
            "assistant",
            rng.choice(["According to the article, ", "The source says so: ", "", "Found it. "]) + f"Answer: {answer}",
        ),
    ]


def _found(rng: Random, task: Task, right: bool, number: int) -> str:
    docs = [distractor(rng, task) for _ in range(rng.randint(1, 2))]
    if right or number or rng.random() < 0.5:
        docs.insert(rng.randint(0, len(docs)), task.data["doc"])
    return "\n".join(f"[{i}] {d}" for i, d in enumerate(docs, 1))


def tagged(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """The same within one text, in the tags of Search-R1."""
    think = rng.choice(
        [
            "I need to find this.",
            f"The question is about {task.data['town']}.",
            "Let me search first.",
            "I do not know this by heart.",
        ]
    )
    after = rng.choice(
        ["The document answers it.", "Now I can answer.", "This matches the question.", "That is what was asked."]
    )
    answer = task.gold if right else task.data["bad"]
    query = rng.choice([f"{task.data['town']} {task.data['thing']}", task.prompt])
    found = _found(rng, task, right, 0)
    text = f"<think>{think}</think>\n<search>{query}</search>\n<information>{found}</information>\n"
    text += f"<think>{after}</think>\n<answer>{answer}</answer>"
    return [say("assistant", text)]
