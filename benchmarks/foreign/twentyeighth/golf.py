"""Minigolf in text: an angle and a force at every stroke."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say


def hole(rng: Random, number: int) -> Task:
    """A hole with a par."""
    x, y, par = rng.randint(2, 30), rng.randint(-20, 20), rng.randint(2, 4)
    what = rng.choice(["a windmill", "a low wall", "a sand strip", "a ramp", "nothing"])
    text = (
        f"Hole {rng.randint(1, 18)}, par {par}. The flag is {x} m ahead and {abs(y)} m "
        f"to the {'left' if y < 0 else 'right'}; between lies {what}. Wind "
        f"{rng.randint(0, 9)} km/h."
    )
    return Task(f"hole-{number:04d}", text, "", rng.gauss(0, 0.7), what.split()[-1], {"par": par, "x": x, "y": y})


def played(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """Strokes until the ball is in, ten at most."""
    par = task.data["par"]
    strokes = rng.randint(1, par) if right else par + rng.choice([1, 1, 2, 2, 3, 4, 5])
    turns: list[dict] = []
    left = float(task.data["x"])
    for n in range(min(strokes, 8)):
        angle, force = rng.randint(-60, 60), rng.randint(5, 95)
        talk = rng.choice(
            [
                "Aim past the obstacle.",
                "A softer one.",
                "Straight at it.",
                "Use the wall.",
                f"About {left:.0f} m to go.",
            ]
        )
        left = max(0.2, left * rng.uniform(0.1, 0.8))
        is_in = n == strokes - 1
        seen = "The ball drops in the hole." if is_in else f"The ball stops {left:.1f} m from the flag."
        turns += [say("assistant", f"{talk} angle={angle} force={force}"), say("user", seen)]
    return turns
