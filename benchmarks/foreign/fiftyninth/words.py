"""Tasks of words: translation of notices, short writing for a judge, and a game of twenty questions."""

import random

from benchmarks.foreign.fiftyninth.agents import say
from benchmarks.foreign.fiftyninth.shots import Task, Turns

SUBJECTS = (
    ("Die Fähre", "The ferry", "Паром"),
    ("Der Nachtzug", "The night train", "Ночной поезд"),
    ("Der Bus", "The bus", "Автобус"),
    ("Das Museum", "The museum", "Музей"),
    ("Der Markt", "The market", "Рынок"),
)
EVENTS = (
    ("beginnt heute später", "starts later today", "сегодня начинает работу позже"),
    ("bleibt am {d}. geschlossen", "stays closed on the {d}th", "закрыт {d} числа"),
    ("wartet zehn Minuten", "waits for ten minutes", "ждёт десять минут"),
    ("öffnet erst um {d} Uhr", "does not open before {d} o'clock", "открывается только в {d} часов"),
)
REASONS = (
    ("wegen des Sturms", "because of the storm", "из-за бури"),
    (", weil Personal fehlt", "because staff are missing", ", потому что не хватает персонала"),
    (", obwohl die Sonne scheint", "although the sun is shining", ", хотя светит солнце"),
    ("wegen einer Feier in {n}", "because of a celebration in {n}", "из-за праздника в городе {n}"),
)
TOWNS = {
    "Kiel": "Киль",
    "Emden": "Эмден",
    "Husum": "Хузум",
    "Rostock": "Росток",
    "Bremen": "Бремен",
    "Stade": "Штаде",
    "Wismar": "Висмар",
    "Greifswald": "Грайфсвальд",
}

VARIANTS = (
    ("starts later today", "begins later today"),
    ("stays closed", "remains closed"),
    ("waits for", "will wait for"),
    ("because of", "owing to"),
    ("staff are missing", "there is a lack of staff"),
    ("is shining", "shines"),
    ("does not open before", "opens only at"),
    ("сегодня начинает", "сегодня начнёт"),
    ("ждёт десять", "будет ждать десять"),
    ("из-за бури", "из-за шторма"),
    ("не хватает персонала", "персонала недостаточно"),
    ("закрыт ", "не работает "),
    ("открывается только", "откроется лишь"),
    ("хотя светит солнце", "несмотря на солнце"),
    ("праздника в городе", "торжества в городе"),
)
"""Two ways to say the same, both of them right."""


def translation(rng: random.Random, number: int, target: str = "English") -> Task:
    """Two sentences of German into English or Russian; a wrong one drops a reason or leaves a word."""
    column = 1 if target == "English" else 2
    chosen = [
        (
            rng.choice(SUBJECTS),
            rng.choice(EVENTS),
            rng.choice(REASONS),
            str(rng.randint(7, 12)),
            rng.choice(sorted(TOWNS)),
        )
        for _ in range(2)
    ]

    def line(place: int, part: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str, str], bare: bool) -> str:
        subject, event, reason, d, n = part
        words = f"{subject[place]} {event[place]}" + ("" if bare else f" {reason[place]}")
        town = TOWNS[n] if place == 2 else n
        return words.format(d=d, n=town).replace(" ,", ",") + "."

    source = " ".join(line(0, part, False) for part in chosen)
    gold = " ".join(line(column, part, False) for part in chosen)

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        dropped = 2 if right else draw.randrange(2)
        text = " ".join(line(column, part, place == dropped) for place, part in enumerate(chosen))
        for usual, other in VARIANTS:
            if draw.random() < 0.4:
                text = text.replace(usual, other)
        return text, text

    return Task(
        f"mt-{number:04d}",
        f"Translate the notice into {target}.\n{source}",
        gold,
        0.45 + rng.uniform(-0.2, 0.2),
        f"de-{target.lower()}",
        solve,
    )


THEMES = (
    "a harbour in winter",
    "an old bicycle",
    "the first day at a bakery",
    "a lost letter",
    "rain on a tin roof",
    "the night shift at a hospital",
    "a chess club",
    "moving to another town",
    "a broken radio",
    "an orchard in May",
)
FORMS = ("short letter", "diary entry", "story opening", "column for a local paper", "speech of a minute")
BITS = (
    "I remember {t} mostly by its sounds, which came before the light did.",
    "Nobody speaks of {t} unless somebody else begins.",
    "What I wanted to say about {t} took me years to put in order.",
    "My aunt had a word for {t}, and it was not a kind one.",
    "There is a smell to {t} that no photograph keeps.",
    "We counted the minutes, then the coins, then each other.",
    "By noon the whole thing had become a joke that we told well.",
    "I kept the receipt, because it was the only proof.",
    "Somebody laughed in the next room, and so did we.",
    "In the end it was the smallest thing that decided.",
    "You would not have noticed, and I nearly did not either.",
    "The door was open, as it always was on Thursdays.",
    "It cost little and it lasted, which is rare.",
)


def piece(draw: random.Random, theme: str, lines: int) -> str:
    """A short text on a theme."""
    return " ".join(bit.format(t=theme) for bit in draw.sample(BITS, lines))


def writing(rng: random.Random, number: int) -> Task:
    """A short text that a judge grades; the better ones keep to the theme and to the length."""
    theme, form = rng.choice(THEMES), rng.choice(FORMS)
    person = rng.choice(("a neighbour", "a child", "a sceptic", "an editor", "a former colleague", "a stranger"))

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        text = piece(draw, theme if right else "all of this", draw.randint(4, 6) if right else draw.randint(2, 4))
        return text, ""

    return Task(
        f"write-{number:04d}",
        f"Write a {form} about {theme} for {person}, of about {rng.randint(5, 9) * 10} words.",
        "",
        0.45 + rng.uniform(-0.2, 0.2),
        form,
        solve,
    )


SECRETS = {
    "otter": "animal",
    "heron": "animal",
    "lynx": "animal",
    "beetle": "animal",
    "kettle": "thing",
    "ladder": "thing",
    "violin": "thing",
    "compass": "thing",
    "walnut": "plant",
    "thistle": "plant",
    "birch": "plant",
    "clover": "plant",
}
TRAITS = {
    "otter": ("lives near water", "has fur"),
    "heron": ("lives near water", "has feathers"),
    "lynx": ("lives in forests", "has fur"),
    "beetle": ("is smaller than a hand", "has six legs"),
    "kettle": ("is used in kitchens", "holds water"),
    "ladder": ("is taller than a person", "has rungs"),
    "violin": ("makes sound", "has strings"),
    "compass": ("shows a direction", "fits a pocket"),
    "walnut": ("can be eaten", "has a shell"),
    "thistle": ("is prickly", "blooms purple"),
    "birch": ("is taller than a person", "has white bark"),
    "clover": ("grows in meadows", "has three leaves"),
}


def game(rng: random.Random, number: int) -> Task:
    """Twenty questions with another player, who has a secret."""
    secret = rng.choice(sorted(SECRETS))
    rivals = [name for name in sorted(SECRETS) if name != secret and SECRETS[name] == SECRETS[secret]]
    round_name = f"{rng.choice(('Blue', 'Red', 'Green', 'Amber'))} table {number + 1}"

    def solve(draw: random.Random, right: bool) -> tuple[str | Turns, str]:
        kinds = ["animal", "thing", "plant"]
        draw.shuffle(kinds)
        turns: Turns = []
        for kind in kinds[: kinds.index(SECRETS[secret]) + 1]:
            lead = draw.choice(("Is it", "Would you say that it is", "Let me begin wide: is it"))
            turns += [
                say(f"{lead} {'an' if kind == 'animal' else 'a'} {kind}?"),
                {"role": "user", "content": "Yes." if kind == SECRETS[secret] else "No."},
            ]
        told = [(trait, "Yes.") for trait in TRAITS[secret]]
        other = TRAITS[draw.choice(rivals)][1]
        told += [] if other in TRAITS[secret] else [(other, "No.")]
        for trait, reply in draw.sample(told, len(told)):
            turns += [
                say(f"{draw.choice(('Is it true that it', 'Do you know whether it'))} {trait}?"),
                {"role": "user", "content": reply},
            ]
        guess = secret if right else draw.choice(rivals)
        return [*turns, say(f"{draw.choice(('My guess:', 'Then it has to be'))} the {guess}.")], guess

    return Task(
        f"game-{number:04d}",
        f"{round_name}. I have thought of an animal, a thing or a plant. Ask me yes-or-no questions, "
        "one at a time, and guess when you are sure.",
        secret,
        0.45 + rng.uniform(-0.15, 0.15),
        SECRETS[secret],
        solve,
    )
