"""Translation into German, short pieces of writing, and support for customers."""

import random

from benchmarks.foreign.fiftythird.policy import Task

WHO = {
    "The baker": "Der Bäcker",
    "Our neighbour": "Unser Nachbar",
    "The old sailor": "Der alte Seemann",
    "My sister": "Meine Schwester",
    "The teacher": "Die Lehrerin",
    "A traveller": "Ein Reisender",
}
DOES = {
    "opens the window": "öffnet das Fenster",
    "closes the door": "schließt die Tür",
    "writes a letter": "schreibt einen Brief",
    "buys fresh bread": "kauft frisches Brot",
    "repairs the clock": "repariert die Uhr",
    "waters the flowers": "gießt die Blumen",
}
WHEN = {
    "every morning": "jeden Morgen",
    "in the evening": "am Abend",
    "before the rain": "vor dem Regen",
    "on Sunday": "am Sonntag",
    "after work": "nach der Arbeit",
}


def translation(rng: random.Random, number: int) -> Task:
    """Two or three sentences to translate; a wrong attempt takes other words in one of them."""
    picked = [(rng.choice(list(WHO)), rng.choice(list(DOES)), rng.choice(list(WHEN))) for _ in range(rng.randint(2, 3))]
    source = " ".join(f"{who} {does} {when}." for who, does, when in picked)
    gold = " ".join(f"{WHO[who]} {DOES[does]} {WHEN[when]}." for who, does, when in picked)

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        said = []
        bad = -1 if right else draw.randrange(len(picked))
        for place, (who, does, when) in enumerate(picked):
            verb = DOES[does]
            if place == bad:
                verb = draw.choice([other for other in DOES.values() if other != verb])
            if draw.random() < 0.4:
                first, rest = verb.split(" ", 1)
                subject = WHO[who][0].lower() + WHO[who][1:]
                said.append(f"{WHEN[when][0].upper()}{WHEN[when][1:]} {first} {subject} {rest}.")
            else:
                said.append(f"{WHO[who]} {verb} {WHEN[when]}.")
        return " ".join(said), " ".join(said)

    prompt = f"Translate into German. Give the translation alone.\n\n{source}"
    return Task(f"de-{number}", "en-de", prompt, gold, write, rng.gauss(0, 0.8), {"source": source})


PLACES = ("a harbour in fog", "an empty station", "a kitchen at dawn", "a library after closing", "a mountain hut")
HEROES = ("a retired diver", "two quarrelling twins", "a clockmaker", "a nurse off duty", "a boy with a kite")
MOODS = ("wistful", "comic", "tense", "calm", "bitter")
LINES = (
    "{hero} came to {place} with nothing to do and no wish to leave.",
    "Nobody at {place} had asked for {hero}, and nobody minded.",
    "At {place} the light went slowly, and {hero} counted the minutes.",
    "What {hero} remembered of {place} was mostly the smell of wet wood.",
    "A door moved. It was not the wind.",
    "There had been a promise once, but it was made in another winter.",
    "Somewhere a kettle began to sing, badly and with great conviction.",
    "The letter was still in the coat, unopened, warm from the hand.",
    "They spoke about the price of fish until it was safe to be silent.",
    "In the end the decision was small, as such decisions are.",
    "Outside the gulls argued over something that was long gone.",
    "It would have been easy to laugh, and later they did.",
)


def story(rng: random.Random, number: int) -> Task:
    """A short piece of prose; `right` means that it holds the hero and the place."""
    place, hero, mood = rng.choice(PLACES), rng.choice(HEROES), rng.choice(MOODS)

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        count = draw.randint(4, 7)
        lines = draw.sample(LINES[4:], count - 1)
        if right:
            lines.insert(0, draw.choice(LINES[:4]).format(hero=hero, place=place))
        text = " ".join(line[0].upper() + line[1:] for line in lines)
        return text, text

    prompt = f"Write a {mood} paragraph (no. {number + 1}) about {hero} at {place}."
    return Task(f"story-{number}", mood, prompt, "", write, rng.gauss(0, 0.7), {"hero": hero, "place": place})


ITEMS = ("kettle", "desk lamp", "rucksack", "headset", "rain coat", "toaster", "keyboard")
WISHES = ("refund", "exchange", "delivery date", "new address")


def unknown_order(rng: random.Random, number: int) -> Task:
    """The same where the day of delivery has to be looked up."""
    return service(rng, number, noted=False)


def service(rng: random.Random, number: int, noted: bool = True) -> Task:
    """A customer with an order and a wish; turns are written by the worlds that use it."""
    order, item, wish = f"#{rng.randint(10000, 99999)}", rng.choice(ITEMS), rng.choice(WISHES)
    days = rng.randint(3, 60)
    note = f"Note: {order} was delivered {days} days ago. " if noted else "Tool: get_order(id). "
    prompt = (
        f"You are an agent of a shop. Refunds and exchanges are allowed within 30 days of delivery. {note}Customer: "
        f"my {item} of order {order} came; I write about the {wish}. What can you do?"
    )

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        ok = wish in ("delivery date", "new address") or days <= 30
        granted = ok if right else not ok
        word = "I have arranged" if granted else "I am afraid that our rules do not allow"
        lead = draw.choice(("Thank you for waiting.", f"About your {item}:", "I have looked into this.", "Right."))
        why = f"Your order {order} was delivered {days} days ago."
        return f"{lead} {why} {word} the {wish} for the {item}.", "granted" if granted else "refused"

    gold = "granted" if wish in ("delivery date", "new address") or days <= 30 else "refused"
    facts = {"order": order, "item": item, "wish": wish, "days": days}
    return Task(f"ticket-{number}", wish, prompt, gold, write, rng.gauss(0, 0.7), facts)
