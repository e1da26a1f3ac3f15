"""A text game: rooms in a row and a side room, a key that lies somewhere, a chest that it opens."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, call, pick, say, told

SYSTEM = (
    "You play a text game with act(command). Commands: look, go <room>, take key, open chest. Open the chest to win."
)
ROOMS = ("hall", "cellar", "attic", "garden", "kitchen", "library", "tower", "stable", "chapel", "vault", "porch")


def problem(rng: random.Random, number: int) -> Problem:
    """A house with rooms that all join the first one."""
    rooms = rng.sample(ROOMS, rng.randint(4, 7))
    key, chest = rng.sample(rooms[1:], 2)
    prompt = (
        f"You stand in the {rooms[0]}. Doors lead to: {', '.join(rooms[1:])}. All doors lead back here. Game {number}."
    )
    return Problem(
        f"game-{number}", f"rooms_{len(rooms)}", SYSTEM, prompt, "won", {"rooms": rooms, "key": key, "chest": chest}
    )


def see(problem: Problem, room: str, has_key: bool = False) -> str:
    """What a look at a room shows."""
    d = problem.data
    things = (["a small key"] if room == d["key"] and not has_key else []) + (
        ["a locked chest"] if room == d["chest"] else []
    )
    return f"The {room}. You see {' and '.join(things) if things else 'nothing of use'}."


def move(rng: random.Random, problem: Problem, room: str, has_key: bool = False) -> list[dict]:
    """The player walks into a room."""
    text = pick(rng, f"I try the {room}.", f"The {room} I have not searched yet.", f"Next the {room}.")
    return [call(text, "act", command=f"go {room}"), told("act", see(problem, room, has_key))]


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """A right attempt searches until it has the key, and opens the chest; a wrong one gives up in between."""
    d = problem.data
    order = rng.sample(d["rooms"][1:], len(d["rooms"]) - 1)
    messages: list[dict] = []
    for room in order if right else order[: rng.randint(1, 3)]:
        messages += move(rng, problem, room)
        if room == d["key"] and right:
            messages += [call("There is the key.", "act", command="take key"), told("act", "Taken: a small key.")]
            break
    if not right:
        return [
            *messages,
            say(pick(rng, "I find no way to open anything here.", f"After the {order[0]} I do not know where to go.")),
        ], "lost"
    messages += move(rng, problem, d["chest"], True)
    messages += [call("Now the lock.", "act", command="open chest"), told("act", "The chest opens. You have won.")]
    return [
        *messages,
        say(
            pick(
                rng,
                f"The chest in the {d['chest']} is open.",
                f"Won: key from the {d['key']}, chest in the {d['chest']}.",
            )
        ),
    ], "won"
