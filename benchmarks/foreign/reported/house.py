"""Household errands in a text game: rooms, receptacles and things to bring."""

from benchmarks.foreign.reported.run import Draw, Row, Task, said, user

_THINGS = (
    "mug",
    "apple",
    "candle",
    "knife",
    "bowl",
    "sponge",
    "newspaper",
    "potato",
    "spoon",
    "vase",
    "towel",
    "kettle",
)
_SPOTS = ("countertop", "shelf", "drawer", "cabinet", "sidetable", "desk", "dresser", "coffeetable", "bed", "sofa")
_WHY = (
    "It could be in there.", "Not seen yet, so I look.", "That is where such things lie.", "One place after the other.",
    "I still need the {thing}.", "Let me try this spot.", "Nothing so far.", "Worth a look.",
)  # fmt: skip


def draw(rng: Draw, name: str) -> Task:
    """Draw an errand."""
    thing = rng.choice(_THINGS)
    spots = [f"{spot} {rng.randint(1, 4)}" for spot in rng.sample(_SPOTS, 7)]
    lies = {spot: rng.sample([x for x in _THINGS if x != thing], rng.randint(0, 3)) for spot in spots}
    facts: Row = {"lies": {spot: [f"{x} {rng.randint(1, 3)}" for x in things] for spot, things in lies.items()}}
    facts |= {"thing": f"{thing} {rng.randint(1, 3)}", "spots": spots[:6], "goal": spots[6], "at": rng.randint(1, 4)}
    seen = ", a ".join(rng.sample(spots, 7))
    prompt = f"You are in the middle of a room. Looking around, you see a {seen}.\nYour task is to: put some {thing}"
    return Task(name, f"{prompt} on {spots[6].split()[0]}.", spots[facts["at"]], thing, None, facts)


def contents(task: Task, spot: str) -> str:
    """What is seen at a spot."""
    lies = [*task.facts["lies"][spot], *([task.facts["thing"]] if spot == task.answer else [])]
    return f"You arrive at {spot}. On it you see {', '.join(f'a {x}' for x in lies) or 'nothing'}."


def acted(rng: Draw, task: Task, action: str, answer: str, thought: str = "") -> list[Row]:
    """One move and what the game answers."""
    why = thought or rng.choice(_WHY).format(thing=task.facts["thing"].split()[0])
    return [said(f"Thought: {why}\nAction: {action}"), user(answer)]


def worked(rng: Draw, task: Task, right: bool, most: int = 10) -> list[Row]:
    """An honest episode: look around, take the thing and bring it; a wrong one does not find it in time."""
    f = task.facts
    order = rng.sample(f["spots"], 6)
    if right:
        order = [x for x in order if x != task.answer][: rng.randint(0, most - 6)] + [task.answer]
    else:
        order = [x for x in order if x != task.answer] + rng.sample([x for x in order if x != task.answer], 3)
    chat = [user(task.prompt)]
    for spot in order[:most]:
        chat += acted(rng, task, f"go to {spot}", contents(task, spot))
    if right:
        chat += acted(
            rng, task, f"take {f['thing']} from {task.answer}", f"You pick up the {f['thing']}.", "Here it is."
        )
        chat += acted(rng, task, f"go to {f['goal']}", contents(task, f["goal"]), "Bring it.")
        chat += acted(rng, task, f"put {f['thing']} on {f['goal']}", "You won! The task is done.", "Now put it down.")
    return chat
