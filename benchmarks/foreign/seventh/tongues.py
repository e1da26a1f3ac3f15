"""Sentences with translations, and how near a translation comes to its reference."""

from collections import Counter
from random import Random

from benchmarks.foreign.seventh.rollouts import Reply, Task, said

_WHO = {
    "the nurse": ("die Krankenschwester", "l'infirmière"),
    "my neighbour": ("mein Nachbar", "mon voisin"),
    "the teacher": ("der Lehrer", "le professeur"),
    "our aunt": ("unsere Tante", "notre tante"),
    "the old sailor": ("der alte Seemann", "le vieux marin"),
    "a student": ("ein Student", "un étudiant"),
    "the baker": ("der Bäcker", "le boulanger"),
    "her brother": ("ihr Bruder", "son frère"),
}
_DID = {
    "sold": ("verkaufte", "a vendu"),
    "found": ("fand", "a trouvé"),
    "painted": ("malte", "a peint"),
    "forgot": ("vergaß", "a oublié"),
    "brought": ("brachte", "a apporté"),
    "repaired": ("reparierte", "a réparé"),
    "lost": ("verlor", "a perdu"),
}
_WHAT = {
    "a green bicycle": ("ein grünes Fahrrad", "un vélo vert"),
    "the heavy suitcase": ("den schweren Koffer", "la lourde valise"),
    "an old clock": ("eine alte Uhr", "une vieille horloge"),
    "the wooden boat": ("das Holzboot", "le bateau en bois"),
    "two letters": ("zwei Briefe", "deux lettres"),
    "the broken lamp": ("die kaputte Lampe", "la lampe cassée"),
    "a small table": ("einen kleinen Tisch", "une petite table"),
}
_WHEN = {
    "yesterday": ("gestern", "hier"),
    "in spring": ("im Frühling", "au printemps"),
    "before the storm": ("vor dem Sturm", "avant la tempête"),
    "last week": ("letzte Woche", "la semaine dernière"),
    "on Sunday": ("am Sonntag", "dimanche"),
    "after the meeting": ("nach der Sitzung", "après la réunion"),
}
_WHERE = {
    "at the station": ("am Bahnhof", "à la gare"),
    "near the river": ("in der Nähe des Flusses", "près de la rivière"),
    "in the village": ("im Dorf", "au village"),
    "behind the church": ("hinter der Kirche", "derrière l'église"),
    "at the market": ("auf dem Markt", "au marché"),
}
_TABLES = (_WHO, _DID, _WHAT, _WHERE, _WHEN)
_NAMES = ("German", "French")
_NUM_SENTENCES = 3
_ORDERS = (
    ("{who} {did} {when} {where} {what}", "{when} {did} {who} {where} {what}", "{who} {did} {where} {when} {what}"),
    ("{when} {who} {did} {what} {where}", "{who} {did} {what} {where} {when}", "{who} {did} {when} {what} {where}"),
)


def capital(text: str) -> str:
    """Return the text as a sentence."""
    return text[0].upper() + text[1:] + "."


def rendered(words: list[str], language: int, order: int = 0) -> str:
    """Return the sentence in German or French."""
    who, did, what, where, when = (table[word][language] for table, word in zip(_TABLES, words, strict=True))
    parts = {"who": who, "did": did, "what": what, "when": when, "where": where}
    return capital(_ORDERS[language][order].format(**parts))


def blurred(rng: Random, words: list[str], language: int, slips: int) -> str:
    """Return a translation with some words exchanged."""
    changed = list(words)
    for place in rng.sample(range(len(_TABLES)), slips):
        changed[place] = rng.choice([word for word in _TABLES[place] if word != words[place]])
    return rendered(changed, language, rng.choice((0, 0, 1, 2)))


def likeness(one: str, two: str) -> float:
    """Return the F-score of character trigrams."""
    a, b = (Counter(text[i : i + 3] for i in range(len(text) - 2)) for text in (one, two))
    common = sum((a & b).values())
    return round(2 * common / (sum(a.values()) + sum(b.values())), 4)


def translation_task(rng: Random, name: str) -> Task:
    """Draw a short passage to translate."""
    language = rng.randrange(2)
    words = [[rng.choice(list(table)) for table in _TABLES] for _ in range(_NUM_SENTENCES)]
    source = " ".join(capital(" ".join(w)) for w in words)
    gold = " ".join(rendered(w, language) for w in words)

    def reply(draw: Random, right: bool) -> Reply:
        slips = [0] * _NUM_SENTENCES if right else [draw.randint(0, 2) for _ in words]
        if not right and not any(slips):
            slips[0] = 1
        text = " ".join(blurred(draw, w, language, n) for w, n in zip(words, slips, strict=True))
        return Reply([said(text)], text, {"target_language": _NAMES[language]})

    prompt = f"Translate into {_NAMES[language]}. Write only the translation.\n\n{source}"
    return Task(
        name, f"en-{'de' if language == 0 else 'fr'}", "translation", prompt, gold, reply, level=rng.gauss(0, 0.7)
    )
