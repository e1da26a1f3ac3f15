"""A game of digging towards ore, with one tool."""

from random import Random

from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.rollouts import Message, Task

SYSTEM = "You are a mole. Tools: dig(direction), sniff(). Reach the ore, then say HOME."
SOIL = ("clay", "sand", "gravel", "loam", "chalk", "slate")


def burrow(rng: Random, index: int) -> Task:
    """Ore lies some cells away in one direction, and then some in another."""
    first, second = rng.choice((("east", "down"), ("west", "down"), ("down", "east"), ("down", "west")))
    far, deep, start = rng.randint(3, 9), rng.randint(2, 6), rng.randint(10, 99)
    prompt = (
        f"Burrow {start}-{index}: you smell ore {far} cells {first} and then {deep} cells {second}. "
        f"You have {far + deep + 6} moves."
    )

    def work(rng: Random, answer: str, right: bool) -> list[Message]:
        done: list[Message] = []
        steps = [first] * far + [second] * (deep if right else rng.randint(0, deep - 1))
        for n, way in enumerate(steps):
            if rng.random() < 0.08:
                done += [
                    said("Sniffing.", call("sniff")),
                    heard("sniff", f"faint ore {second}, damp {rng.choice(SOIL)}"),
                ]
            done.append(said(rng.choice(("", "On.", f"{way} again.", "Digging.")), call("dig", direction=way)))
            done.append(heard("dig", f"You dig through {rng.choice(SOIL)}. Move {n + 1}."))
        return [*done, said("HOME with ore." if right else "HOME.")]

    return Task(f"mole{index:04d}", "burrow", prompt, "ore", (far + deep - 9) / 4, lambda rng: "none", work, SYSTEM)
