"""Poems for a judge, and sentences to translate."""

import random

from benchmarks.foreign.fortyeighth.attempts import Task, Try, is_new

TOPICS = {
    "harbour": ["gulls", "ropes", "tides", "masts", "nets"],
    "winter": ["frosts", "crows", "snows", "embers", "scarves"],
    "orchard": ["apples", "wasps", "ladders", "blossoms", "shadows"],
    "railway": ["rails", "whistles", "platforms", "clocks", "lamps"],
    "kitchen": ["kettles", "crumbs", "spoons", "loaves", "aprons"],
    "river": ["reeds", "herons", "ferries", "stones", "bridges"],
}
GOOD = [
    "The {a} keep what the {b} forgot to say,",
    "and under {a} the evening folds its {b}.",
    "I count the {a} the way my mother did,",
    "a slow arithmetic of {a} and {b}.",
    "No one has told the {a} that it is late;",
    "they lean on {b} as old men lean on doors.",
    "Somewhere the {a} are learning to be still.",
    "What the {b} took, the {a} will not return.",
    "Between the {a} and {b} a small light waits,",
    "the {a} hum low, a hymn without its words.",
]
FLAT = [
    "The {a} are nice and so are all the {b},",
    "I love the {a}, I love them every day.",
    "Oh {a}, oh {b}, you make me feel so good,",
    "and everything is beautiful and bright.",
    "The {a} are here, the {b} are here as well,",
    "it is a lovely place for you and me.",
    "So happy are the {a} in the sun,",
    "and that is why I like the {b} so much.",
]


def poem_tasks(rng: random.Random, count: int) -> list[Task]:
    """Poems that are asked for."""
    tasks = []
    while len(tasks) < count:
        number = len(tasks)
        topic, mood = rng.choice(list(TOPICS)), rng.choice(["quiet", "bitter", "tender", "wry", "solemn"])
        word = rng.choice(TOPICS[topic])
        prompt = f"Write a {mood} poem about the {topic}, of four to six lines, in which the word '{word}' occurs."
        if not is_new(tasks, prompt):
            continue
        tasks.append(Task(f"poem-{number:03d}", prompt, "", topic, {"word": word, "topic": topic}))
    return tasks


def lines(rng: random.Random, task: Task, bank: list[str], count: int) -> list[str]:
    """Lines of a poem."""
    words = TOPICS[task.data["topic"]]
    chosen = rng.sample(bank, min(count, len(bank))) + [rng.choice(bank) for _ in range(count - len(bank))]
    return [line.format(a=first, b=second) for line in chosen for first, second in [rng.sample(words, 2)]]


def poem(rng: random.Random, task: Task, chance: float, count: int = 0) -> tuple[str, float]:
    """A poem and its merit from 0 to 1: the share of lines that are good."""
    count = count or rng.randint(4, 6)
    good = sum(rng.random() < chance for _ in range(count))
    made = lines(rng, task, GOOD, good) + lines(rng, task, FLAT, count - good)
    if not any(task.data["word"] in line for line in made):
        made[0] = (GOOD if good else FLAT)[0].format(a=task.data["word"], b=rng.choice(TOPICS[task.data["topic"]]))
    rng.shuffle(made)
    return "\n".join(made), good / count


WHO = {"Der Bäcker": "The baker", "Die Lehrerin": "The teacher", "Mein Onkel": "My uncle", "Das Kind": "The child"}
WHO |= {"Die Nachbarin": "The neighbour", "Der alte Fischer": "The old fisherman", "Unsere Ärztin": "Our doctor"}
DID = {"verkauft": "sells", "sucht": "looks for", "repariert": "repairs", "malt": "paints", "vergisst": "forgets"}
DID |= {"versteckt": "hides", "bringt": "brings"}
WHAT = {"einen Stuhl": "a chair", "die Schlüssel": "the keys", "ein Fahrrad": "a bicycle", "das Boot": "the boat"}
WHAT |= {"zwei Körbe": "two baskets", "eine Laterne": "a lantern", "den Schirm": "the umbrella"}
WHEN = {
    "jeden Morgen": "every morning",
    "im Winter": "in winter",
    "am Sonntag": "on Sunday",
    "nach dem Regen": "after the rain",
}
WHEN |= {"vor dem Fest": "before the feast", "bei Nacht": "at night"}
SLOTS = [WHO, DID, WHAT, WHEN]


def translation_tasks(rng: random.Random, count: int) -> list[Task]:
    """German sentences to translate."""
    tasks = []
    while len(tasks) < count:
        number = len(tasks)
        who, did, what, when = (rng.choice(list(slot)) for slot in SLOTS)
        parts = [WHO[who], DID[did], WHAT[what], WHEN[when]]
        ask = "Translate into English. Explain the hard words briefly, then give the translation on the last line."
        prompt = f"{ask}\n\n{who} {did} {what} {when}."
        if not is_new(tasks, prompt):
            continue
        data = {"german": [who, did, what, when], "parts": parts}
        tasks.append(Task(f"de-en-{number:04d}", prompt, " ".join(parts) + ".", WHEN[when], data))
    return tasks


def translate(rng: random.Random, task: Task, chance: float) -> Try:
    """A translation; a wrong one has one or two parts of another sentence."""
    right = rng.random() < chance
    parts = list(task.data["parts"])
    for place in [] if right else rng.sample(range(4), rng.choice([1, 1, 2])):
        parts[place] = rng.choice([text for text in SLOTS[place].values() if text != parts[place]])
    if rng.random() < 0.4:
        parts = [parts[3][0].upper() + parts[3][1:] + ",", parts[0][0].lower() + parts[0][1:], parts[1], parts[2]]
        shown = [parts[1], parts[2], parts[3], parts[0].strip(",").lower()]
    else:
        shown = parts
    place = 2
    notes = [
        f"'{task.data['german'][place]}' means '{shown[place]}' here.",
        f"The verb is '{task.data['german'][1]}', so '{shown[1]}'.",
        f"'{task.data['german'][3]}' says when: {shown[3]}.",
    ]
    made = " ".join(parts) + "."
    return Try(task, " ".join(rng.sample(notes, rng.choice([1, 2, 2]))) + f"\n{made}", right, made)
