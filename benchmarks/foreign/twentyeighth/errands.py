"""Errands in a text world, an action a turn."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

ROOMS = ["kitchen", "hallway", "study", "cellar", "balcony", "bathroom", "attic", "pantry"]
THINGS = ["mug", "spray bottle", "keychain", "candle", "newspaper", "soap bar", "pillow", "saltshaker"]


def errand(rng: Random, number: int) -> Task:
    """Put a thing somewhere."""
    thing, room, goal = rng.choice(THINGS), rng.choice(ROOMS), rng.choice(ROOMS)
    text = (
        f"You are in the {rng.choice(ROOMS)}. Rooms: {', '.join(rng.sample(ROOMS, 6))}. "
        f"Task: put the {thing} on the shelf {rng.randint(1, 9)} of the {goal}."
    )
    return Task(
        f"alf-{number:04d}",
        text,
        f"{thing} in {goal}",
        rng.gauss(0, 0.8),
        thing,
        {"thing": thing, "room": room, "goal": goal, "text": text},
    )


def act(rng: Random, task: Task, number: int) -> list[dict]:
    """A thought, an action, and what is seen."""
    room = rng.choice(ROOMS)
    action = rng.choice(
        [f"go to {room}", f"open drawer {rng.randint(1, 6)}", f"examine shelf {rng.randint(1, 9)}", "look"]
    )
    thought = rng.choice(
        [
            f"The {task.data['thing']} may be here.",
            f"I have not seen the {room} yet.",
            "Nothing useful so far, moving on.",
            f"Keep the goal in mind: {task.gold}.",
        ]
    )
    seen = rng.choice(
        [
            f"You see a {rng.choice(THINGS)} and a {rng.choice(THINGS)}.",
            f"You arrive at the {room}. On the shelf you see nothing.",
            f"The drawer is open. In it is a {rng.choice(THINGS)}.",
        ]
    )
    return [say("assistant", f"Thought {number + 1}: {thought}\nAction: {action}"), say("user", f"Observation: {seen}")]


def ended(task: Task) -> list[dict]:
    """The last actions of a success."""
    d = task.data
    return [
        say("assistant", f"Thought: found it.\nAction: take {d['thing']}"),
        say("user", f"Observation: You pick up the {d['thing']}."),
        say("assistant", f"Action: put {d['thing']} on shelf in {d['goal']}"),
        say("user", "Observation: Done. The task is complete."),
    ]
