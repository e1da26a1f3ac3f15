"""Texts of writing: interface strings, stories that break off, news, letters, dialogues, and how graders see them."""

from random import Random

from benchmarks.foreign.thirtyseventh.attempts import Item

VERBS = {
    "Delete": ("löschen", "Eliminar", "Supprimer"),
    "Move": ("verschieben", "Mover", "Déplacer"),
    "Copy": ("kopieren", "Copiar", "Copier"),
    "Print": ("drucken", "Imprimir", "Imprimer"),
    "Share": ("teilen", "Compartir", "Partager"),
}
NOUNS = {
    "files": ("Dateien", "archivos", "fichiers"),
    "pictures": ("Bilder", "imágenes", "images"),
    "invoices": ("Rechnungen", "facturas", "factures"),
    "messages": ("Nachrichten", "mensajes", "messages"),
}
TONGUES = ("German", "Spanish", "French")


def interface_string(rng: Random, number: int) -> Item:
    """A string of a program with a placeholder, to be translated."""
    verb, noun = rng.choice(list(VERBS)), rng.choice(list(NOUNS))
    slot = rng.choice(("{count}", "{n}", "{total}", "{{num}}", "{selected}", "{0}"))
    tongue = rng.randrange(3)
    prompt = f'Translate this interface string into {TONGUES[tongue]}; keep what is in braces: "{verb} {slot} {noun}?"'
    gold = _translated(tongue, VERBS[verb][tongue], slot, NOUNS[noun][tongue])

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        said = gold
        if not right:
            slip = rng.choice(("slot", "verb", "noun"))
            own_slot = rng.choice(("{Anzahl}", "{numéro}", "12", "")) if slip == "slot" else slot
            own_verb = rng.choice([v for v in VERBS if v != verb]) if slip == "verb" else verb
            own_noun = rng.choice([n for n in NOUNS if n != noun]) if slip == "noun" else noun
            said = _translated(tongue, VERBS[own_verb][tongue], own_slot, NOUNS[own_noun][tongue])
        lead = rng.choice(("", f"{TONGUES[tongue]}: ", "The string reads: ", "In the dialog: "))
        return lead + said, said

    return Item(f"string-{number:04d}", prompt, gold, reply, TONGUES[tongue], rng.random())


def _translated(tongue: int, verb: str, slot: str, noun: str) -> str:
    if tongue == 0:
        return f"{slot} {noun} {verb}?".strip()
    return f"¿{verb} {slot} {noun}?" if tongue == 1 else f"{verb} {slot} {noun} ?"


PEOPLE = ("Agnes", "Bartek", "Cosima", "Domingo", "Elif", "Farid", "Greta", "Hamish")
PLACES = ("the lighthouse", "the tram depot", "the salt mine", "the allotment", "the night ferry", "the old cinema")
THINGS = ("a brass key", "an unsent letter", "a child's boot", "a jar of wasps", "a map of nowhere", "a broken flute")
WEATHER = ("rain", "fog", "a dry wind", "snow", "heat")


def story(rng: Random, number: int) -> Item:
    """A story that breaks off, to be continued; its data name what a continuation should keep to."""
    who, other = rng.sample(PEOPLE, 2)
    place, thing, sky = rng.choice(PLACES), rng.choice(THINGS), rng.choice(WEATHER)
    tail = rng.choice(
        (f"and when {who} opened the door, there", f"so {who} bent down and", f"but before {who} could answer, {other}")
    )
    told = (
        f"{who} had worked at {place} for {rng.randint(2, 30)} years and never seen such {sky.removeprefix('a ')}. "
        f"That evening {other} brought {thing}, wrapped in newspaper. Neither of them spoke, {tail}"
    )
    data = {"who": who, "other": other, "place": place, "thing": thing, "tail": tail, "sky": sky}
    return Item(
        f"story-{number:04d}", f"Go on from where the story breaks off:\n\n{told}", "", _none, "stories", data=data
    )


def _none(rng: Random, right: bool) -> tuple[str, str]:
    return "", ""


def continuation(rng: Random, item: Item, craft: float) -> tuple[str, int]:
    """A continuation, and how many of its five sentences keep to the story."""
    d = item.data
    first = {
        "and": "was nothing but the sound of the sea.",
        "so": f"felt {d['thing']} grow warm in the paper.",
        "but": "put a finger to the lips.",
    }[d["tail"].split()[0]]
    kept = [
        f"{d['other']} looked at {d['thing']} as if it might speak.",
        f"Outside, {d['place']} lay dark.",
        f'"You should not have come in {d["sky"]}," said {d["who"]}.',
        f"{d['who']} took {d['thing']} and put it on the table between them.",
        f"It was {d['other']} who laughed first.",
        f"For a while {d['place']} seemed a kind of home again.",
    ]
    lost = [
        f"Then {rng.choice([p for p in PEOPLE if p not in (d['who'], d['other'])])} arrived with good news.",
        "Everything was very beautiful and very sad.",
        "In the end all of them learned a lesson about friendship.",
        f"{rng.choice([p for p in PLACES if p != d['place']]).capitalize()} was full of people.",
        "It was all a dream, or so it felt.",
    ]
    flags = [rng.random() < craft for _ in range(4)]
    good, bad = rng.sample(kept, sum(flags)), rng.sample(lost, 4 - sum(flags))
    lines = [good.pop() if flag else bad.pop() for flag in flags]
    return " ".join([first, *lines]), 1 + sum(flags)


NEWS = {
    "bridge": ("The bridge at {town} is closed until {month}.", "Engineers found cracks in {n} of its girders."),
    "flood": ("The river at {town} rose by {n} centimetres overnight.", "Schools there stay shut until {month}."),
    "strike": ("Bus drivers in {town} walk out from the {n}th.", "Their union wants a new contract by {month}."),
    "museum": ("The museum of {town} has found {n} lost drawings.", "They will be shown in {month}."),
    "harvest": ("Growers round {town} lost {n} per cent of the crop.", "Prices are expected to rise in {month}."),
}
FILLERS = (
    "Passers-by stopped to take photographs.",
    "The mayor was not available on Tuesday.",
    "A dog barked throughout the press meeting.",
    "Some recalled the events of their youth.",
    "Coffee was served in the town hall.",
    "Local radio reported at length.",
    "Opinions in the market square were divided.",
)


def news(rng: Random, number: int) -> Item:
    """A report of which two sentences are to be copied."""
    kind, town = rng.choice(list(NEWS)), rng.choice(("Alten", "Brixby", "Cormeil", "Dunmore", "Estella", "Fjordby"))
    month = rng.choice(("March", "May", "August", "October", "December"))
    facts = [line.format(town=town, n=rng.randint(4, 29), month=month) for line in NEWS[kind]]
    noise = rng.sample(FILLERS, 4)
    lines = [noise[0], facts[0], noise[1], noise[2], facts[1], noise[3]]
    if rng.random() < 0.5:
        lines = [facts[0], *noise[:2], facts[1], *noise[2:]]
    prompt = "Copy the two sentences that sum this report up, word for word.\n\n" + " ".join(lines)

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        picked = facts if right else [rng.choice(facts), rng.choice(noise)]
        if not right and rng.random() < 0.3:
            picked = rng.sample(noise, 2)
        return " ".join(picked), ""

    return Item(f"news-{number:04d}", prompt, " ".join(facts), reply, kind, rng.random(), data={"facts": facts})


CLAUSES = {
    "greeting": ("Dear neighbours,", "Dear Ms Aldous,", "To the housing office,", "Good day,"),
    "matter": ("I write about {what}.", "This is about {what}, once more.", "My letter concerns {what}."),
    "since": ("It has gone on since {when}.", "I noticed it first in {when}."),
    "harm": ("My children cannot sleep.", "I had to throw out a carpet.", "It costs me an hour a day."),
    "wish": ("Please have it mended within a week.", "I ask for a date on which it ends.", "Kindly call me."),
    "closing": ("With kind regards", "Yours sincerely", "Thank you in advance"),
}
MATTERS = ("the lift", "the drums on the third floor", "the leak in the cellar", "the bins", "the heating", "the gate")


def letter(rng: Random, number: int) -> Item:
    """A letter of complaint that is to be written."""
    what, when = rng.choice(MATTERS), rng.choice(("March", "spring", "the holidays", "last winter", "Easter"))
    who = rng.choice(("a retired nurse", "a student", "a night porter", "a mother of three", "a piano teacher"))
    prompt = (
        f"Write a short letter of complaint by {who} in flat {rng.randint(1, 99)} about {what}, going on since {when}."
    )
    return Item(f"letter-{number:04d}", prompt, "", _none, "letters", data={"what": what, "when": when})


def written(rng: Random, item: Item, craft: float) -> tuple[str, int]:
    """A letter, and how many of its six parts it has."""
    parts = [name for name in CLAUSES if rng.random() < craft] or ["matter"]
    return " ".join(rng.choice(CLAUSES[name]).format(**item.data) for name in parts), len(parts)
