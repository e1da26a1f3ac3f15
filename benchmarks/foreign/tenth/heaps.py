"""A game of heaps against a machine: who takes the last stone wins."""

from functools import reduce
from operator import xor
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth.acting import call, told
from benchmarks.foreign.tenth.core import Reply, Task

SYSTEM = "You play heaps: take any number of stones from one heap with take(heap, stones). The last stone wins."
MOODS = (
    "Looking at the heaps.", "I want an even balance afterwards.", "Let me think about the binary sums.",
    "This heap is too large.", "Keep it simple.", "If I take here, the machine has to answer.", "", "My move.",
)  # fmt: skip


def best(heaps: list[int]) -> tuple[int, int] | None:
    """The winning move, if there is one."""
    total = reduce(xor, heaps)
    for place, size in enumerate(heaps):
        if size ^ total < size:
            return place, size - (size ^ total)
    return None


def any_move(rng: Random, heaps: list[int]) -> tuple[int, int]:
    """Any move."""
    place = rng.choice([i for i, h in enumerate(heaps) if h])
    return place, rng.randint(1, heaps[place])


def board(heaps: list[int]) -> str:
    """The heaps as text."""
    return "heaps: " + " ".join(str(h) for h in heaps)


def game(rng: Random, start: list[int], care: float, resigns: bool = False) -> tuple[list[Row], bool]:
    """A game of a policy that finds a winning move with a probability, and whether it won."""
    heaps, turns = list(start), []
    while True:
        found = best(heaps)
        if resigns and not found and rng.random() < 0.45:
            turns.append(call("The balance is against me, I resign.", "resign"))
            return [*turns, told("resign", "You resigned. The machine wins.")], False
        place, stones = found if found and rng.random() < care else any_move(rng, heaps)
        heaps[place] -= stones
        turns.append(call(rng.choice(MOODS), "take", heap=place + 1, stones=stones))
        if not any(heaps):
            return [*turns, told("take", "You took the last stone. You win.")], True
        answer = best(heaps)
        place, stones = answer if answer and rng.random() < 0.75 else any_move(rng, heaps)
        heaps[place] -= stones
        if not any(heaps):
            text = f"Machine takes {stones} from heap {place + 1}, the last stone. You lose."
            return [*turns, told("take", text)], False
        turns.append(told("take", f"Machine takes {stones} from heap {place + 1}. {board(heaps)}"))


def heaps_task(rng: Random, name: str, start: list[int] | None = None, resigns: bool = False) -> Task:
    """A table of heaps; the wish for a right answer is met where luck allows."""
    heaps = start or [rng.randint(1, 15) for _ in range(rng.randint(3, 5))]
    prompt = f"New table. {board(heaps)}. You begin."

    def answer(rng: Random, right: bool) -> Reply:
        for _ in range(12):
            turns, won = game(rng, heaps, 0.85 if right else 0.35, resigns)
            if won == right:
                break
        return Reply(turns, "", {"won": won})

    return Task(name, prompt, "", answer, f"{len(heaps)} heaps", 0.0, SYSTEM)
