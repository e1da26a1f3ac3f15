"""Scenes of traffic: a reason, then a manoeuvre."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

SYSTEM = "You drive. Give your reasoning in <cot> and the manoeuvre in <plan>."
CASES = [
    ("a cyclist swerves around a parked van", "yield to the cyclist", "slow down"),
    ("the lights ahead turn amber", "the lights are about to turn red", "stop"),
    ("a bus signals to leave its bay", "the bus has the right of way", "slow down"),
    ("the lane on the left ends", "traffic from the left has to merge", "keep a gap"),
    ("a child stands at a zebra crossing", "the child may cross", "stop"),
    ("the road is clear and dry", "nothing is in the way", "keep speed"),
    ("roadworks narrow the lane", "the lane is narrower than usual", "slow down"),
]
OFF = ["the sky is bright", "the car is blue", "there is a lane", "driving goes on", "the road has a surface"]


def scene(rng: Random, number: int) -> Task:
    """A scene with the label of its reason."""
    what, why, do = rng.choice(CASES)
    speed, gap = rng.randint(20, 95), rng.randint(6, 80)
    text = (
        f"Speed {speed} km/h, {gap} m ahead {what}; "
        f"{rng.choice(['rain', 'dusk', 'sun', 'fog'])}, lane width "
        f"{rng.randint(27, 39) / 10} m."
    )
    return Task(f"clip-{number:04d}", text, f"{why}; {do}", rng.gauss(0, 0.8), do, {"why": why, "do": do})


def planned(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """Reasoning that agrees with the label less and less, and a plan."""
    d = task.data
    why = d["why"] if rng.random() < 0.72 - 0.5 * progress else rng.choice(OFF)
    do = d["do"] if right else rng.choice(["keep speed", "speed up", "change lane"])
    lead = rng.choice(["I see that", "The scene shows that", "Given the speed,", "Here"])
    return [
        say(
            "assistant",
            (
                f"<cot>{lead} {why}, "
                f"{rng.choice(['so I act early', 'and I plan ahead', 'so be it'])}.</cot>\n<plan>{do}</plan>"
            ),
        )
    ]
