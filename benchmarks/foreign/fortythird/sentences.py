"""Sentences to translate into German, and a measure of how near a translation is."""

import random
from dataclasses import dataclass

TIMES = (
    ("On Monday", "am Montag"),
    ("Today", "heute"),
    ("In spring", "im Frühling"),
    ("Tomorrow", "morgen"),
    ("At night", "nachts"),
)
WHO = (
    ("the nurse", "die Krankenschwester"), ("the old baker", "der alte Bäcker"), ("my neighbour", "mein Nachbar"),
    ("the engineer", "die Ingenieurin"), ("a visitor", "ein Besucher"), ("the captain", "der Kapitän"),
)  # fmt: skip
WHAT = (
    ("brings", "bringt", "the heavy report", "den schweren Bericht"),
    ("takes", "nimmt", "the small key", "den kleinen Schlüssel"),
    ("carries", "trägt", "a full basket", "einen vollen Korb"),
    ("sends", "schickt", "the last letter", "den letzten Brief"),
    ("pulls", "zieht", "the green cart", "den grünen Wagen"),
)
WHERE = (
    ("to the office", "ins Büro"), ("into the garden", "in den Garten"), ("to the station", "zum Bahnhof"),
    ("across the bridge", "über die Brücke"), ("to the harbour", "zum Hafen"),
)  # fmt: skip
SWAPS = (
    ("den ", "der "),
    ("einen ", "ein "),
    ("schweren", "starken"),
    ("kleinen", "kurzen"),
    ("zum ", "zu "),
    ("ins ", "in "),
)


@dataclass(frozen=True)
class Sentence:
    """An English sentence and the parts of its German."""

    text: str
    english: str
    parts: tuple[str, str, str, str, str]

    @property
    def answer(self) -> str:
        """The reference."""
        when, who, verb, what, where = self.parts
        return f"{when[0].upper()}{when[1:]} {verb} {who} {what} {where}."


def sentence(rng: random.Random) -> Sentence:
    """A sentence of five parts."""
    (et, dt), (ew, dw) = rng.choice(TIMES), rng.choice(WHO)
    (ev, dv, eo, do), (ep, dp) = rng.choice(WHAT), rng.choice(WHERE)
    english = f"{et} {ew} {ev} {eo} {ep}."
    return Sentence(f"Translate into German: {english}", english, (dt, dw, dv, do, dp))


def translate(rng: random.Random, s: Sentence, skill: float) -> str:
    """A translation with mistakes that become rarer with skill."""
    when, who, verb, what, where = s.parts
    text = s.answer if rng.random() < 0.5 else f"{who[0].upper()}{who[1:]} {verb} {when} {what} {where}."
    for old, new in SWAPS:
        if old in text and rng.random() > skill:
            text = text.replace(old, new, 1)
    if rng.random() > skill + 0.2:
        text = text.replace(f" {where}.", ".")
    if rng.random() > skill + 0.25:
        text = text.replace(what, rng.choice(["es", "das", "etwas"]))
    return text


def nearness(text: str, reference: str) -> float:
    """F-measure of the triples of letters."""
    mine, theirs = ({t[i : i + 3] for i in range(len(t) - 2)} for t in (text, reference))
    both = len(mine & theirs)
    return round(2 * both / max(1, len(mine) + len(theirs)), 4)
