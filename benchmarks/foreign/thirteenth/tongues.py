"""Sentences in Spanish to be put into English, with a score for closeness to a reference."""

from random import Random

from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Task

WHO = (
    ("La vecina", "The neighbour"),
    ("Mi abuelo", "My grandfather"),
    ("El cartero", "The postman"),
    ("La jueza", "The judge"),
    ("El pescador", "The fisherman"),
    ("La bibliotecaria", "The librarian"),
    ("Un turista", "A tourist"),
)
DID = (
    ("dejó", "left"),
    ("encontró", "found"),
    ("compró", "bought"),
    ("escondió", "hid"),
    ("vendió", "sold"),
    ("perdió", "lost"),
)
WHAT = (
    ("las llaves del molino", "the keys of the mill"),
    ("una carta sin sello", "a letter without a stamp"),
    ("dos sillas rotas", "two broken chairs"),
    ("el paraguas azul", "the blue umbrella"),
    ("un mapa antiguo", "an old map"),
    ("tres botellas vacías", "three empty bottles"),
)
WHERE = (
    ("cerca del puerto", "near the harbour"),
    ("detrás de la iglesia", "behind the church"),
    ("en el mercado", "at the market"),
    ("junto al río", "beside the river"),
    ("en la estación", "at the station"),
)
WHEN = (
    ("antes de la tormenta", "before the storm"),
    ("el martes pasado", "last Tuesday"),
    ("al amanecer", "at dawn"),
    ("durante la huelga", "during the strike"),
    ("después de cenar", "after dinner"),
)
WHY = (
    ("porque tenía prisa", "because of being in a hurry"),
    ("sin decir nada a nadie", "without a word to anyone"),
    ("y nadie se dio cuenta", "and nobody noticed"),
    ("aunque llovía a cántaros", "although it was pouring"),
)
SLIPS = {
    "left": "let",
    "hid": "hided",
    "bought": "buyed",
    "harbour": "door",
    "stamp": "seal",
    "mill": "windmill",
    "although": "even",
    "noticed": "gave account",
    "pouring": "raining jars",
    "dawn": "sunrise",
    "beside": "together to",
    "umbrella": "for-water",
    "strike": "party",
    "behind": "below",
}


def sentence(rng: Random, index: int) -> Task:
    """Two sentences of Spanish."""
    pairs = [[rng.choice(part) for part in (WHO, DID, WHAT, WHERE, WHEN, WHY)] for _ in range(2)]
    spanish = " ".join(" ".join(p[0] for p in pair) + "." for pair in pairs)
    english = " ".join(" ".join(p[1] for p in pair) + "." for pair in pairs)

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        return [said(answer)]

    def wrong(rng: Random) -> str:
        return slipped(rng, english, 0.9)

    prompt = f"{rng.choice(('Translate into English:', 'English, please:', 'Give an English version of:'))} {spanish}"
    return Task(f"es{index:04d}", "es-en", prompt, english, rng.gauss(0, 0.8), wrong, work)


def slipped(rng: Random, english: str, share: float) -> str:
    """The sentence with words lost or mistaken."""
    words = []
    for word in english.split(" "):
        bare = word.rstrip(".")
        if rng.random() < share and bare in SLIPS:
            words.append(word.replace(bare, SLIPS[bare]))
        elif rng.random() > share * 0.2:
            words.append(word)
    return " ".join(words)


def closeness(text: str, reference: str) -> float:
    """Share of words in common, as an F score."""
    ours, theirs = text.split(), reference.split()
    common = sum(min(ours.count(w), theirs.count(w)) for w in dict.fromkeys(theirs))
    return round(2 * common / max(1, len(ours) + len(theirs)), 4)
