"""A text game: a walker in a cave grid fetches a lamp and brings it to the door."""

import random

from benchmarks.foreign.sixtyfourth.policy import Message, Problem, called, said, told

ROOMS = ["salt", "crystal", "moss", "echo", "bone", "amber", "flood", "root", "ash", "mirror", "iron", "glow"]


def cave(rng: random.Random, number: int) -> Problem:
    """A corridor of rooms: the lamp lies at its far end, the door at its near end, so the way back is the way there."""
    length = rng.randint(3, 5)
    rooms = rng.sample(ROOMS, length + 1)
    there, back = rng.choice([("north", "south"), ("east", "west"), ("south", "north"), ("west", "east")])

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        out: list[Message] = []
        for room in rooms[1:]:
            text = rng.choice(["On towards the lamp.", "The passage goes on.", "No lamp yet, further in."])
            out += [called(text, "move", direction=there), told("move", f"You are in the {room} room.")]
        if right:
            take = f"The lamp must be here, in the {rooms[-1]} room."
            out += [called(take, "take", item="lamp"), told("take", "You hold the lamp.")]
        for room in rooms[-2::-1]:
            text = rng.choice(["Back to the door.", "The same way back.", "I carry on to the start."])
            out += [called(text, "move", direction=back), told("move", f"You are in the {room} room.")]
        end = "The lamp hangs at the door." if right else "I reached the door, but I have no lamp."
        return [*out, said(end)], "won" if right else "lost"

    prompt = (
        f"Cave {number}. You stand at the door in the {rooms[0]} room. The lamp lies in the {rooms[-1]} room, "
        f"{length} rooms to the {there}. Bring it to the door."
    )
    return Problem(f"cave-{number}", prompt, "won", write, f"depth{length}", rng.gauss(0, 0.5))
