"""Animals to be named from a naturalist's note."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import say, town

ANIMALS = {
    "barn owl": ("heart-shaped pale face", "hunts over meadows at dusk", "screeches rather than hoots"),
    "grey heron": ("long yellow bill", "stands still in shallow water", "flies with its neck folded"),
    "red fox": ("bushy tail with a white tip", "trots along hedges", "leaves a sharp smell"),
    "pine marten": ("cream patch on the throat", "climbs like a squirrel", "eats rowan berries in autumn"),
    "common toad": ("warty brown skin", "walks rather than hops", "returns to its pond in March"),
    "smooth newt": ("spotted orange belly", "rests under stones", "has a crest in spring"),
    "stag beetle": ("antler-like jaws", "flies clumsily on warm evenings", "grows in rotten oak"),
    "harbour porpoise": ("small triangular fin", "surfaces briefly", "travels in twos and threes"),
    "hoopoe": ("fan-like crest", "probes short grass", "calls in three soft notes"),
    "european badger": ("striped face", "digs a sett with many doors", "comes out after dark"),
    "kingfisher": ("blue back like metal", "dives from a branch", "nests in a bank of clay"),
    "slow-worm": ("smooth bronze scales", "looks like a snake but blinks", "hides in compost"),
}


def task(rng: Random) -> Task:
    """A note with two marks of an animal."""
    name = rng.choice(list(ANIMALS))
    first, second = rng.sample(ANIMALS[name], 2)
    where = rng.choice(
        ("by the river", "near the quarry", "behind the mill", "at the edge of the wood", "on the dunes")
    )
    question = (
        f"Field note {rng.randint(100, 9999)}, {where} of {town(rng)}, {rng.randint(1, 28)} "
        f"{rng.choice(('April', 'May', 'June', 'August', 'September'))}: {first}; {second}. "
        f"Which species is it? Think in "
        "<think> </think> and give the name in <answer> </answer>."
    )
    return Task(question, name, family=name, facts={"marks": (first, second), "where": where})


def named(rng: Random, task: Task, name: str) -> str:
    """A thought about the marks and a name."""
    (first, second), where = task.facts["marks"], task.facts["where"]
    thought = say(
        rng,
        f"[The note mentions|We read of|There is] a creature [seen {where}|{where}|in this place] "
        f"with two marks: {first}, and "
        f"{second}. [That suggests|This "
        f"points to|Most like] the {name or task.gold}[, I think|, as far as one can tell|].",
    )
    return f"<think>{thought}</think>\n<answer>{name}</answer>"


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A name, at times another animal's."""
    name = task.gold if right else rng.choice([n for n in ANIMALS if n != task.gold])
    return Reply([speak(named(rng, task, name))], name)


CREATURES = Domain(task, reply)
