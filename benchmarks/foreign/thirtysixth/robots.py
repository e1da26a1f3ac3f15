"""An arm over a table in simulation: moves, grasps and observations follow one state."""

import random

from benchmarks.foreign.thirtysixth.attempts import Message, Problem, call, reply, told, user

OBJECTS = ("red cube", "blue cylinder", "green wedge", "yellow ball", "grey bolt", "white cup")


def draw_bench(rng: random.Random, number: int) -> Problem:
    """An object to be carried to a goal on a table of 10 by 10."""
    thing = rng.choice(OBJECTS)
    start = (rng.randint(0, 9), rng.randint(0, 9))
    goal = rng.choice([(x, y) for x in range(10) for y in range(10) if abs(x - start[0]) + abs(y - start[1]) > 3])
    prompt = (
        f"Carry the {thing} to {goal}. The arm starts at (0, 0). Tools: "
        f"look, move, grasp, release. Say 'done' when it is there."
    )
    data = {"thing": thing, "start": start, "goal": goal}
    return Problem(f"arm-{number:04d}", prompt, f"{thing} at {goal}", "carry", rng.uniform(-0.15, 0.15), data)


def carry(
    rng: random.Random, problem: Problem, skill: float, found: tuple[int, int] | None = None, most: int = 14
) -> tuple[list[Message], bool, tuple[int, int]]:
    """An episode: its turns, whether the object lies at the goal, and where it is left; `found` is where the object
    really is.
    """
    d = problem.data
    thing, goal = d["thing"], d["goal"]
    place = found or d["start"]
    turns = [
        user(problem.prompt),
        call(
            rng.choice(("I look at the table first.", "Where does everything stand?", "Let me see.")),
            "look",
            camera="top",
        ),
        told("look", f"{thing} at {place}, arm at (0, 0), gripper open"),
    ]
    calls, at, held = 1, (0, 0), False
    while calls < most and (place != goal or held):
        aim = goal if held else place
        if at != aim:
            slip = rng.random() > 0.4 + 0.6 * skill
            at = (min(9, max(0, aim[0] + (rng.choice((-1, 1)) if slip else 0))), aim[1])
            turns += [
                call(
                    rng.choice((f"I steer towards {aim}.", f"Next stop is {aim}.", f"On to {aim}.")),
                    "move",
                    x=at[0],
                    y=at[1],
                ),
                told("move", f"arm at {at}"),
            ]
            if held:
                place = at
        elif not held:
            held = rng.random() < 0.4 + 0.55 * skill
            turns += [
                call(f"I take the {thing}.", "grasp", force=rng.randint(3, 9)),
                told("grasp", f"holding {thing}" if held else "gripper closed on nothing", held),
            ]
        else:
            held = False
            turns += [call("I let it go here.", "release"), told("release", f"{thing} at {place}")]
        calls += 1
    done = place == goal and not held
    end = (
        rng.choice((f"The {thing} lies at {goal}. done", f"Placed it on {goal}, done.", "done"))
        if done
        else f"I could not bring the {thing} to {goal}."
    )
    return [*turns, reply(end)], done, place
