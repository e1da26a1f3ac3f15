"""Plain sentences in Spanish with their translations into German and into English."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task

WHO = [
    ("Mi vecina", "Meine Nachbarin", "My neighbour"),
    ("El cartero", "Der Briefträger", "The postman"),
    ("La médica", "Die Ärztin", "The doctor"),
    ("Mi hermano", "Mein Bruder", "My brother"),
    ("La alcaldesa", "Die Bürgermeisterin", "The mayor"),
    ("El jardinero", "Der Gärtner", "The gardener"),
    ("Nuestra tía", "Unsere Tante", "Our aunt"),
    ("El panadero", "Der Bäcker", "The baker"),
]
DOES = [
    ("busca", "sucht", "is looking for"),
    ("vende", "verkauft", "sells"),
    ("lava", "wäscht", "washes"),
    ("pinta", "malt", "paints"),
    ("olvida", "vergisst", "forgets"),
    ("encuentra", "findet", "finds"),
    ("fotografía", "fotografiert", "photographs"),
]
WHAT = [
    ("la bicicleta vieja", "das alte Fahrrad", "the old bicycle"),
    ("las manzanas rojas", "die roten Äpfel", "the red apples"),
    ("el abrigo verde", "den grünen Mantel", "the green coat"),
    ("la barca pequeña", "das kleine Boot", "the small boat"),
    ("los zapatos nuevos", "die neuen Schuhe", "the new shoes"),
    ("el espejo largo", "den langen Spiegel", "the long mirror"),
    ("la puerta azul", "die blaue Tür", "the blue door"),
]
WHEN = [
    ("los lunes", "montags", "on Mondays"),
    ("antes del desayuno", "vor dem Frühstück", "before breakfast"),
    ("cada invierno", "jeden Winter", "every winter"),
    ("después de la misa", "nach der Messe", "after mass"),
    ("sin decir nada", "ohne etwas zu sagen", "without saying anything"),
    ("con mucha calma", "in aller Ruhe", "quite calmly"),
]


def sentences(rng: Random, number: int) -> list[Task]:
    """Texts of three sentences to translate from Spanish into German."""
    out = []
    for i in range(number):
        parts = [(rng.choice(WHO), rng.choice(DOES), rng.choice(WHAT), rng.choice(WHEN)) for _ in range(3)]
        source = " ".join(f"{w[0]} {d[0]} {x[0]} {t[0]}." for w, d, x, t in parts)
        gold = german(parts)
        prompt = f"Translate from Spanish into German. Write the translation only.\n\n{source}"
        out.append(Task(f"mt-{i:03d}", prompt, gold, rng.gauss(0, 0.7), "es-de", {"parts": parts}))
    return out


def german(parts: list) -> str:
    """The translation into German; the time stands before the object where it is a phrase of habit."""
    return " ".join(f"{w[1]} {d[1]} {t[1]} {x[1]}." for w, d, x, t in parts)


def english(rng: Random, parts: list) -> str:
    """A translation into English, in one of some orders."""
    lines = [
        f"{w[2]} {d[2]} {x[2]} {t[2]}."
        if rng.random() < 0.7
        else f"{t[2].capitalize()}, {w[2][0].lower() + w[2][1:]} {d[2]} {x[2]}."
        for w, d, x, t in parts
    ]
    return " ".join(lines)


def rough_german(rng: Random, parts: list, slips: int) -> str:
    """A translation into German in which some phrases were taken for others."""
    parts = [list(p) for p in parts]
    for _ in range(slips):
        column = rng.choice([1, 2, 3])
        rng.choice(parts)[column] = rng.choice([None, DOES, WHAT, WHEN][column])
    if rng.random() < 0.5:
        return german(parts)
    return " ".join(f"{t[1][0].upper() + t[1][1:]} {d[1]} {w[1][0].lower() + w[1][1:]} {x[1]}." for w, d, x, t in parts)
