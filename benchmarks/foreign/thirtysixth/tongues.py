"""Notices of a railway to be put into German: short ones with one usual form, and longer ones."""

import random
import re
from collections import Counter

from benchmarks.foreign.thirtysixth.attempts import Problem

CITIES = ("Bremen", "Kassel", "Ulm", "Halle", "Trier", "Passau", "Emden", "Jena", "Worms", "Husum")
PARTS = (
    ("The train to {c} leaves at {h} o'clock from platform {p}", "Der Zug nach {c} fährt um {h} Uhr von Gleis {p} ab"),
    (
        "Because of repairs the train to {c} stops only at platform {p}",
        "Wegen Bauarbeiten hält der Zug nach {c} nur an Gleis {p}",
    ),
    ("Passengers to {c} should change at {d} by {h} o'clock", "Reisende nach {c} steigen bitte bis {h} Uhr in {d} um"),
    (
        "The dining car of the train from {d} to {c} is closed until {h} o'clock",
        "Der Speisewagen des Zuges von {d} nach {c} ist bis {h} Uhr geschlossen",
    ),
    ("Tickets to {c} are sold in {d} at counter {p}", "Fahrkarten nach {c} werden in {d} an Schalter {p} verkauft"),
)
TAILS = (
    ("; we ask for your patience.", "; wir bitten um Geduld."),
    (", and bicycles may be taken along for free.", ", und Fahrräder dürfen kostenlos mit."),
    ("; please keep your seat reservation ready.", "; bitte halten Sie Ihre Platzkarte bereit."),
    (".", "."),
)
SLIPS = (
    ("fährt", "geht"),
    ("hält", "steht"),
    ("Reisende", "Leute"),
    ("geschlossen", "zu"),
    ("verkauft", "gegeben"),
    ("bitten um Geduld", "fragen nach Geduld"),
    ("dürfen kostenlos mit", "können frei genommen werden"),
    ("Platzkarte", "Sitzreservation"),
    ("Gleis", "Plattform"),
    ("Uhr", "Glocke"),
)
SHORT = (
    ("Mind the gap.", "Vorsicht am Spalt."),
    ("No smoking.", "Rauchen verboten."),
    ("Keep the door clear.", "Tür freihalten."),
    ("Emergency exit", "Notausgang"),
    ("Out of order", "Außer Betrieb"),
    ("Lost property", "Fundbüro"),
    ("Staff only", "Nur für Personal"),
    ("Waiting room", "Wartesaal"),
    ("Left luggage", "Gepäckaufbewahrung"),
    ("Delayed", "Verspätet"),
    ("Cancelled", "Fällt aus"),
    ("Arrivals", "Ankunft"),
    ("Departures", "Abfahrt"),
    ("Ticket office", "Fahrkartenschalter"),
    ("First class", "Erste Klasse"),
    ("Quiet zone", "Ruhebereich"),
)


def draw_notice(rng: random.Random, number: int) -> Problem:
    """A notice of one sentence, with its usual translation."""
    (en, de), (tail_en, tail_de) = rng.choice(PARTS), rng.choice(TAILS)
    c, d = rng.sample(CITIES, 2)
    slots = {"c": c, "d": d, "h": rng.randint(5, 22), "p": rng.randint(1, 17)}
    source, gold = en.format(**slots) + tail_en, de.format(**slots) + tail_de
    return Problem(
        f"note-{number:04d}",
        f"Translate into German: {source}",
        gold,
        "notice",
        rng.uniform(-0.1, 0.1),
        {"source": source},
    )


def draw_sign(number: int) -> Problem:
    """A sign of a few words that has one usual form."""
    source, gold = SHORT[number % len(SHORT)]
    return Problem(
        f"sign-{number:04d}",
        f"Put this station sign into German, the usual wording: {source}",
        gold,
        "sign",
        0.3,
        {"source": source},
    )


def translate(rng: random.Random, problem: Problem, skill: float) -> str:
    """A translation: slips of wording where skill lacks, and now and then a number that is off."""
    text = problem.gold
    for good, bad in SLIPS:
        if good in text and rng.random() > skill:
            text = text.replace(good, bad)
    if rng.random() > 0.7 + 0.3 * skill:
        text = re.sub(r"\d+", lambda m: str(int(m.group()) + rng.choice((-1, 1, 10))), text, count=1)
    if rng.random() > skill:
        words = text.split()
        i = rng.randrange(len(words) - 1) if len(words) > 1 else 0
        if len(words) > 1:
            words[i], words[i + 1] = words[i + 1], words[i]
        text = " ".join(words)
    return text


def overlap(text: str, gold: str) -> float:
    """F1 of letter trigrams, as chrF counts in the main."""
    a, b = (Counter(t[i : i + 3] for i in range(max(1, len(t) - 2))) for t in (text, gold))
    return 2 * (a & b).total() / (a.total() + b.total())
