"""Short answers that a model marks, and passages with questions."""

from random import Random

from benchmarks.foreign.twentysecond.course import Task

FACTS = (
    ("Which organelle makes most of a cell's ATP?", "mitochondrion", ("ribosome", "Golgi apparatus", "nucleolus")),
    ("What do plants take from the air for photosynthesis?", "carbon dioxide", ("nitrogen", "ozone", "methane")),
    ("Which vessel carries blood from the lungs to the heart?", "pulmonary vein", ("aorta", "vena cava", "jugular")),
    ("Which bond joins amino acids?", "peptide bond", ("hydrogen bond", "glycosidic bond", "ester bond")),
    ("What is the hardest mineral of Mohs' scale?", "diamond", ("quartz", "topaz", "corundum")),
    ("Which treaty ended the Thirty Years' War?", "Peace of Westphalia", ("Treaty of Utrecht", "Peace of Augsburg")),
    ("Which gas do most stars fuse?", "hydrogen", ("helium", "oxygen", "carbon")),
    ("What is the capital of the Hanseatic League often called?", "Luebeck", ("Bremen", "Danzig", "Bergen")),
    ("Which layer of soil is richest in humus?", "topsoil", ("subsoil", "bedrock", "regolith")),
    ("Who printed the 42-line Bible?", "Gutenberg", ("Caxton", "Aldus", "Fust")),
    ("What measures the slope of a demand curve in relative terms?", "elasticity", ("utility", "surplus", "inflation")),
    ("Which instrument records earthquakes?", "seismograph", ("barograph", "theodolite", "hygrometer")),
)
ASKED = (
    "Answer in one or two sentences.",
    "Give a reason if you can.",
    "Keep it to 40 words.",
    "Write for an examiner.",
)


def exam_task(rng: Random) -> Task:
    """A question of an examination."""
    question, gold, wrong = rng.choice(FACTS)
    paper = f"Paper {rng.choice('ABCD')}{rng.randint(1, 99)}, candidate {rng.randint(1000, 9999)}."
    prompt = [{"role": "user", "content": f"{paper} {question} {rng.choice(ASKED)}"}]
    return Task(prompt, gold, None, "exam", hidden={"reference": gold, "wrong": list(wrong)})


def answer_text(rng: Random, task: Task, right: bool) -> str:
    """A candidate's answer."""
    said = task.gold if right else rng.choice(task.hidden["wrong"])
    return rng.choice(
        (
            f"It is the {said}, as follows from its part in the process.",
            f"{said[0].upper() + said[1:]}. The other candidates play a different part.",
            f"The answer is {said}; textbooks of the first year treat it under this name.",
            f"I would say {said}, since nothing else fits the description given.",
            f"By elimination: {said}.",
        )
    )


SHIPS = ("Aurelia", "Brisk", "Cormorant", "Drifter", "Ember", "Foxglove", "Gannet", "Halcyon", "Iris", "Juniper")
PORTS = ("Bergen", "Cork", "Dieppe", "Emden", "Faro", "Gdynia", "Hull", "Izmir")
ASPECTS = ("captain", "port", "cargo", "year")
CARGO = ("tin ingots", "dried cod", "timber", "rock salt", "raw wool", "roof slates")
CAPTAINS = ("Ines Falk", "Tom Arkell", "Rosa Lund", "Piet Haan", "Ada Mercer", "Jon Skov")


def passage_task(rng: Random) -> Task:
    """A passage about a ship; some questions have no answer in it."""
    facts = {
        "captain": rng.choice(CAPTAINS),
        "port": rng.choice(PORTS),
        "cargo": rng.choice(CARGO),
        "year": str(rng.randint(1788, 1911)),
    }
    asked, told = rng.choice(ASPECTS), {}
    missing = rng.random() < 0.34
    told = {k: v for k, v in facts.items() if not (missing and k == asked)}
    words = {"captain": "Her captain was {}.", "port": "She sailed from {}.", "cargo": "She carried {}.",
             "year": "She was lost in {}."}  # fmt: skip
    passage = f"The {rng.choice(SHIPS)}, {rng.randint(14, 60)} m long. " + " ".join(
        words[k].format(v) for k, v in rng.sample(sorted(told.items()), len(told))
    )
    content = f"{passage}\n\nWhat was her {asked}? If the passage does not say, answer `not stated`."
    gold = "not stated" if missing else facts[asked]
    others = {"captain": CAPTAINS, "port": PORTS, "cargo": CARGO, "year": ("1801", "1849", "1877")}[asked]
    wrong = [w for w in (*others, "not stated") if w != gold]
    return Task([{"role": "user", "content": content}], gold, None, "not stated" if missing else asked,
                0.8 if missing else 0.0, hidden={"wrong": wrong})  # fmt: skip
