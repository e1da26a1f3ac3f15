"""Translation and customer support: sentences put together of parts, references, and a measure of trigrams."""

import random
from collections import Counter

from benchmarks.foreign.thirtyninth.policy import Problem

SUBJECTS = (
    ("The nurse", "Die Krankenschwester", "L'infirmière"),
    ("My neighbour", "Mein Nachbar", "Mon voisin"),
    ("The young baker", "Der junge Bäcker", "Le jeune boulanger"),
    ("Our teacher", "Unser Lehrer", "Notre professeur"),
    ("The captain", "Der Kapitän", "Le capitaine"),
    ("A stranger", "Ein Fremder", "Un inconnu"),
    ("The mayor", "Die Bürgermeisterin", "La mairesse"),
)
VERBS = (
    ("opened", "öffnete", "a ouvert"),
    ("repaired", "reparierte", "a réparé"),
    ("sold", "verkaufte", "a vendu"),
    ("forgot", "vergaß", "a oublié"),
    ("photographed", "fotografierte", "a photographié"),
    ("removed", "entfernte", "a enlevé"),
)
OBJECTS = (
    ("the old window", "das alte Fenster", "la vieille fenêtre"),
    ("the heavy suitcase", "den schweren Koffer", "la lourde valise"),
    ("the red bicycle", "das rote Fahrrad", "le vélo rouge"),
    ("three letters", "drei Briefe", "trois lettres"),
    ("the broken lamp", "die kaputte Lampe", "la lampe cassée"),
    ("a small boat", "ein kleines Boot", "un petit bateau"),
    ("the garden chairs", "die Gartenstühle", "les chaises de jardin"),
)
TIMES = (
    ("in the evening", "am Abend", "le soir"),
    ("before the storm", "vor dem Sturm", "avant la tempête"),
    ("on Monday", "am Montag", "lundi"),
    ("after the meal", "nach dem Essen", "après le repas"),
    ("at the harbour", "am Hafen", "au port"),
    ("during the holidays", "in den Ferien", "pendant les vacances"),
)
LANGUAGES = {"German": 1, "French": 2}
PARTS = (SUBJECTS, VERBS, OBJECTS, TIMES)


def sentence(picks: list[int], language: int) -> str:
    """A sentence of the picked parts, in the order of words of its language."""
    subject, verb, thing, time = (part[k][language] for part, k in zip(PARTS, picks, strict=True))
    order = (subject, verb, time, thing) if language == 1 else (subject, verb, thing, time)
    return " ".join(order) + "."


def fronted(picks: list[int], language: int) -> str:
    """The same sentence with its time or place first."""
    subject, verb, thing, time = (part[k][language] for part, k in zip(PARTS, picks, strict=True))
    first, subject = time[0].upper() + time[1:], subject[0].lower() + subject[1:]
    return f"{first} {verb} {subject} {thing}." if language == 1 else f"{first}, {subject} {verb} {thing}."


def translation(rng: random.Random, number: int) -> Problem:
    """Three English sentences to be put into German or French."""
    name, language = list(LANGUAGES.items())[number % 2]
    picks = [[rng.randrange(len(part)) for part in PARTS] for _ in range(3)]
    english = " ".join(sentence(one, 0) for one in picks)

    def solve(draw: random.Random, right: bool) -> str:
        made = [list(one) for one in picks]
        for _ in range(0 if right else draw.randint(3, 6)):
            line, place = draw.randrange(3), draw.randrange(4)
            made[line][place] = draw.randrange(len(PARTS[place]))
        return " ".join(draw.choice((sentence, sentence, fronted))(one, language) for one in made)

    return Problem(
        f"en-{name[:2].lower()}-{number}",
        name,
        f"Translate into {name}:\n{english}",
        " ".join(sentence(one, language) for one in picks),
        rng.gauss(0, 0.6),
        solve,
        {"english": english, "language": language},
    )


def likeness(text: str, reference: str) -> float:
    """F1 of character trigrams, as chrF counts them."""
    ours, theirs = (Counter(x[k : k + 3] for k in range(len(x) - 2)) for x in (text, reference))
    shared = sum((ours & theirs).values())
    return round(2 * shared / max(1, sum(ours.values()) + sum(theirs.values())), 4)


ITEMS = ("kettle", "rain jacket", "desk lamp", "headset", "pair of boots", "tablet cover", "coffee grinder", "backpack")
TROUBLES = (
    "arrived with a crack",
    "came in the wrong colour",
    "stopped working after two days",
    "never arrived",
    "was charged twice",
)
MOODS = (
    "I am quite upset.",
    "Could you please help?",
    "This is the second time.",
    "I need it before the weekend.",
    "Thanks in advance.",
)
GREETS = (
    "I am sorry about the {item}.",
    "Thank you for writing about your {item}.",
    "That is not how a {item} should reach you.",
    "I understand, a {item} that {trouble} is annoying.",
)
ACTS = {
    True: (
        "I have refunded {amount} euros for order {order}; the money is on your account within five working days.",
        "Order {order} is eligible, so the {amount} euros go back to your card within five working days.",
        "As order {order} is within 30 days, I return the full {amount} euros within five working days.",
    ),
    False: (
        "Unfortunately order {order} is too old, so there is nothing that I can return.",
        "I can offer a voucher of ten euros for order {order}, but no refund.",
        "For order {order} please contact the manufacturer, who decides on a refund.",
        "I have refunded {wrong} euros for order {order}.",
    ),
}
ENDS = (
    "No need to send the {item} back.",
    "You will get a confirmation by mail.",
    "Is there anything else about the {item}?",
    "Please keep this number for reference.",
    "",
)


def support(rng: random.Random, number: int) -> Problem:
    """A customer with a claim that the policy of the shop grants: 30 days, full refund."""
    v = {
        "item": rng.choice(ITEMS),
        "trouble": rng.choice(TROUBLES),
        "order": f"{rng.choice('ABCDEFGH')}{rng.randint(10000, 99999)}",
        "amount": rng.randint(18, 240),
        "days": rng.randint(3, 28),
    }
    v["wrong"] = max(5, v["amount"] - rng.randint(6, 15))
    text = (
        f"Order {v['order']}, bought {v['days']} days ago for {v['amount']} euros: the {v['item']} {v['trouble']}. "
        f"{rng.choice(MOODS)}"
    )

    def solve(draw: random.Random, right: bool) -> str:
        lines = (draw.choice(GREETS), draw.choice(ACTS[right]), draw.choice(ENDS))
        return " ".join(line.format(**v) for line in lines if line)

    system = "You answer customers of a shop. Faulty, wrong or missing goods are refunded in full within 30 days."
    return Problem(
        f"ticket-{number}",
        v["item"],
        text,
        f"refund {v['amount']}",
        rng.gauss(0, 0.8),
        solve,
        {"system": system, "v": v},
    )
