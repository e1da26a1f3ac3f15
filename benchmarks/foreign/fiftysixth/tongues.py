"""Sentences in English with their German, Spanish and Russian, put together from parts."""

import random

from benchmarks.foreign.fiftysixth.policy import Problem

SUBJECTS = (
    ("The nurse", "Die Krankenschwester", "La enfermera", "Медсестра"),
    ("My brother", "Mein Bruder", "Mi hermano", "Мой брат"),
    ("The baker", "Der Bäcker", "El panadero", "Пекарь"),
    ("Her teacher", "Ihre Lehrerin", "Su maestra", "Её учительница"),
    ("The old captain", "Der alte Kapitän", "El viejo capitán", "Старый капитан"),
    ("Our neighbour", "Unser Nachbar", "Nuestro vecino", "Наш сосед"),
)
DEEDS = (
    ("reads a long letter", "liest einen langen Brief", "lee una carta larga", "читает длинное письмо"),
    ("buys fresh bread", "kauft frisches Brot", "compra pan fresco", "покупает свежий хлеб"),
    ("waits for the train", "wartet auf den Zug", "espera el tren", "ждёт поезд"),
    ("looks for the key", "sucht den Schlüssel", "busca la llave", "ищет ключ"),
    ("paints the door", "streicht die Tür", "pinta la puerta", "красит дверь"),
    ("writes a report", "schreibt einen Bericht", "escribe un informe", "пишет отчёт"),
    ("drinks cold tea", "trinkt kalten Tee", "bebe té frío", "пьёт холодный чай"),
)
TAILS = (
    ("in the kitchen", "in der Küche", "en la cocina", "на кухне"),
    ("every morning", "jeden Morgen", "cada mañana", "каждое утро"),
    ("behind the house", "hinter dem Haus", "detrás de la casa", "за домом"),
    ("with a smile", "mit einem Lächeln", "con una sonrisa", "с улыбкой"),
    ("after work", "nach der Arbeit", "después del trabajo", "после работы"),
)
LANGUAGES = ("English", "German", "Spanish", "Russian")


def sentence(rng: random.Random) -> tuple[int, int, int]:
    """The parts of a sentence, by number."""
    return rng.randrange(len(SUBJECTS)), rng.randrange(len(DEEDS)), rng.randrange(len(TAILS))


def render(parts: tuple[int, int, int], language: int) -> str:
    """The sentence in a language."""
    subject, deed, tail = parts
    return f"{SUBJECTS[subject][language]} {DEEDS[deed][language]} {TAILS[tail][language]}."


def near(rng: random.Random, parts: tuple[int, int, int]) -> tuple[int, int, int]:
    """The parts with one of them exchanged: a translation that is not right."""
    place = rng.randrange(3)
    sizes = (len(SUBJECTS), len(DEEDS), len(TAILS))
    other = list(parts)
    other[place] = (other[place] + rng.randint(1, sizes[place] - 1)) % sizes[place]
    return other[0], other[1], other[2]


def task(rng: random.Random, number: int, target: int) -> Problem:
    """Two sentences to translate from English; wrong attempts exchange a part of one."""
    first, second = sentence(rng), sentence(rng)
    english = render(first, 0) + " " + render(second, 0)

    def write(r: random.Random, right: bool) -> str:
        one, two = first, second
        if not right:
            one, two = (near(r, one), two) if r.random() < 0.5 else (one, near(r, two))
        return render(one, target) + " " + render(two, target)

    return Problem(
        f"mt-{LANGUAGES[target][:2].lower()}-{number:04d}",
        f"Translate into {LANGUAGES[target]}: {english}",
        render(first, target) + " " + render(second, target),
        f"en-{LANGUAGES[target].lower()}",
        rng.gauss(0, 0.9),
        write,
    )
