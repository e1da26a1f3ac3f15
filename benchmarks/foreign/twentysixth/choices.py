"""Questions with four choices, of several sciences."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

FACTS = {
    "anatomy": {"femur": "thigh", "humerus": "upper arm", "tibia": "shin", "scapula": "shoulder", "mandible": "jaw",
                "patella": "knee", "clavicle": "collar", "radius": "forearm"},
    "geology": {"basalt": "cooled lava", "marble": "pressed limestone", "slate": "pressed clay", "pumice": "foamy lava",
                "sandstone": "bound sand", "chalk": "shells of algae", "coal": "old plants", "granite": "slow magma"},
    "rivers": {"Elbe": "Hamburg", "Tagus": "Lisbon", "Vistula": "Warsaw", "Garonne": "Bordeaux", "Arno": "Florence",
               "Neva": "Saint Petersburg", "Ebro": "Zaragoza", "Vltava": "Prague"},
    "units": {"pascal": "pressure", "tesla": "magnetic flux density", "henry": "inductance", "lumen": "luminous flux",
              "becquerel": "radioactivity", "farad": "capacitance", "newton": "force", "watt": "power"},
    "music": {"allegro": "fast", "piano": "soft", "ritardando": "slowing down", "staccato": "short and detached",
              "forte": "loud", "largo": "very slow", "da capo": "from the start", "legato": "bound together"},
}  # fmt: skip
ASKS = {"anatomy": "Where is the {x}?", "geology": "What does {x} come from?", "rivers": "Which city lies on the {x}?",
        "units": "What is measured in {x}?", "music": "What does {x} mean?"}  # fmt: skip


def task(rng: Random) -> Task:
    """A question with the letter of its right choice."""
    family = rng.choice(list(FACTS))
    thing = rng.choice(list(FACTS[family]))
    right = FACTS[family][thing]
    options = [right, *rng.sample([v for v in FACTS[family].values() if v != right], 3)]
    rng.shuffle(options)
    lines = "\n".join(f"{letter}) {option}" for letter, option in zip("ABCD", options, strict=True))
    prompt = f"{ASKS[family].format(x=thing)}\n{lines}\n" + pick(
        rng, "Answer with a letter.", "End with 'Answer: <letter>'."
    )
    return Task(family, prompt, "ABCD"[options.index(right)], extra={"options": options, "thing": thing})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """A reason and a letter."""
    letter = t.gold if right else rng.choice([x for x in "ABCD" if x != t.gold])
    meant = t.extra["options"]["ABCD".index(letter)]
    others = rng.sample([o for o in t.extra["options"] if o != meant], 2)
    text = pick(
        rng,
        f"{t.extra['thing'].capitalize()} belongs with '{meant}', not with '{others[0]}'.",
        f"'{others[0]}' and '{others[1]}' are of something else; '{meant}' is left as the best.",
        f"I recall {t.extra['thing']} and {meant} together.",
        f"Of the four, {meant} is the one for {t.extra['thing']}.",
    )
    tail = pick(rng, " I am fairly sure.", " The rest do not fit.", "") if progress < 0.7 else ""
    return Reply([say(f"{text}{tail}\nAnswer: {letter}")], letter)


def bare(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """The letter alone."""
    letter = t.gold if right else rng.choice([x for x in "ABCD" if x != t.gold])
    return Reply([say(letter)], letter)


WORLD = World(task, reply)
BARE = World(task, bare)
