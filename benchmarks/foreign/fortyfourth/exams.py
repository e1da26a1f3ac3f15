"""Exam questions in four languages: sums in two steps, with solutions that reckon as they say."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem, talk

NAMES = {
    "en": ("Priya", "Tom", "Hannah", "Malik", "Ruth", "Owen", "Chloe", "Isaac"),
    "de": ("Jonas", "Frieda", "Emre", "Luise", "Anton", "Mila", "Henrik", "Selma"),
    "es": ("Lucía", "Mateo", "Carmen", "Diego", "Inés", "Pablo", "Elena", "Hugo"),
    "fr": ("Camille", "Louis", "Amina", "Théo", "Manon", "Jules", "Léa", "Karim"),
}
STORIES = {
    "en": {
        "change": "{n} buys {a} notebooks at {b} euros each and pays with {c} euros. How many euros come back?",
        "way": "{n} cycles at {a} km an hour for {b} hours and then walks another {c} km. How many km is that?",
        "share": "{n} unpacks {a} boxes of {b} pencils and shares them among {c} pupils. How many for each?",
    },
    "de": {
        "change": "{n} kauft {a} Hefte zu je {b} Euro und zahlt mit {c} Euro. Wie viel Euro kommen zurück?",
        "way": "{n} fährt {b} Stunden mit {a} km pro Stunde und läuft noch {c} km. Wie viele km sind das?",
        "share": "{n} packt {a} Kisten mit je {b} Stiften aus und teilt sie auf {c} Kinder auf. Wie viele je Kind?",
    },
    "es": {
        "change": "{n} compra {a} cuadernos a {b} euros cada uno y paga con {c} euros. ¿Cuántos euros le devuelven?",
        "way": "{n} pedalea {b} horas a {a} km por hora y luego camina {c} km más. ¿Cuántos km recorre en total?",
        "share": "{n} abre {a} cajas de {b} lápices y los reparte entre {c} alumnos. ¿Cuántos recibe cada uno?",
    },
    "fr": {
        "change": "{n} achète {a} cahiers à {b} euros pièce et paie avec {c} euros. Combien d'euros lui rend-on ?",
        "way": "{n} roule {b} heures à {a} km par heure, puis marche encore {c} km. Combien de km cela fait-il ?",
        "share": "{n} ouvre {a} boîtes de {b} crayons et les partage entre {c} élèves. Combien chacun en reçoit-il ?",
    },
}
LINES = {
    "en": {
        "open": ("Let me take this in two steps.", "First I work out the product.", "I start with what is repeated."),
        "first": ("{a} times {b} is {v}.", "Multiplying {a} by {b} gives {v}.", "We have {a} × {b} = {v}."),
        "change": ("From the {c} euros paid, {v} are spent, which leaves {r}.", "The change is {c} - {v} = {r}."),
        "way": ("The last stretch of {c} km comes on top: {v} + {c} = {r}.", "Together with {c} km that makes {r}."),
        "share": ("Split among {c} pupils, {v} / {c} = {r}.", "Each of the {c} gets {v} divided by {c}, so {r}."),
        "close": (
            "That fits the size of the numbers in the question.",
            "{n}'s numbers are all used.",
            "That is all that was asked.",
        ),
    },
    "de": {
        "open": ("Ich rechne in zwei Schritten.", "Zuerst bilde ich das Produkt.", "Ich beginne mit dem Mehrfachen."),
        "first": ("{a} mal {b} ist {v}.", "Die Rechnung {a} · {b} ergibt {v}.", "Es gilt {a} × {b} = {v}."),
        "change": ("Von {c} Euro gehen {v} ab, es bleiben {r}.", "Das Rückgeld ist {c} - {v} = {r}."),
        "way": ("Dazu kommen {c} km: {v} + {c} = {r}.", "Mit den letzten {c} km sind es zusammen {r}."),
        "share": ("Auf {c} Kinder verteilt: {v} / {c} = {r}.", "Jedes der {c} Kinder bekommt also {r} von {v}."),
        "close": (
            "Das passt zur Größe der Zahlen.",
            "Damit sind alle Angaben von {n} benutzt.",
            "Mehr ist nicht gefragt.",
        ),
    },
    "es": {
        "open": ("Lo resuelvo en dos pasos.", "Primero calculo el producto.", "Empiezo por lo que se repite."),
        "first": ("{a} por {b} es {v}.", "Al multiplicar {a} por {b} sale {v}.", "Tenemos {a} × {b} = {v}."),
        "change": ("De los {c} euros se gastan {v} y quedan {r}.", "El cambio es {c} - {v} = {r}."),
        "way": ("Se añaden {c} km: {v} + {c} = {r}.", "Con los {c} km finales suman {r}."),
        "share": ("Entre {c} alumnos: {v} / {c} = {r}.", "A cada uno de los {c} le tocan {r} de {v}."),
        "close": ("El resultado es razonable.", "Así se usan todos los datos de {n}.", "No se pregunta nada más."),
    },
    "fr": {
        "open": ("Je procède en deux étapes.", "Je calcule d'abord le produit.", "Je commence par ce qui se répète."),
        "first": ("{a} fois {b} font {v}.", "En multipliant {a} par {b}, on trouve {v}.", "On a {a} × {b} = {v}."),
        "change": ("Des {c} euros, {v} sont dépensés, il reste {r}.", "La monnaie est {c} - {v} = {r}."),
        "way": ("On ajoute {c} km : {v} + {c} = {r}.", "Avec les {c} km à pied, cela fait {r}."),
        "share": ("Entre {c} élèves : {v} / {c} = {r}.", "Chacun des {c} élèves reçoit {r} sur {v}."),
        "close": (
            "L'ordre de grandeur est correct.",
            "Toutes les données de {n} ont servi.",
            "La question est réglée.",
        ),
    },
}
SYSTEM = "Solve the exam question. Reason in the language of the question and end with the number in \\boxed{}."


def number(value: float, language: str) -> str:
    """A number as the language writes it."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text if language == "en" else text.replace(".", ",")


def _result(story: str, product: float, c: float) -> float:
    if story == "change":
        return c - product
    return product + c if story == "way" else product / c


def question(rng: random.Random, ident: str, language: str, story: str, decimal: bool = False) -> Problem:
    """One question; a decimal one has prices or speeds with a fraction."""
    a, b = rng.randint(3, 19), rng.randint(3, 16)
    if story == "share":
        c = rng.choice([k for k in range(2, a * b) if a * b % k == 0])
    else:
        c = rng.randint(2, 30) if story == "way" else (a * b // 50 + 1) * 50
    if decimal:
        b = b + rng.choice((0.25, 0.4, 0.6, 0.75, 0.35))
        c = 10 * (int(a * b) // 10 + rng.randint(1, 3)) + (0.0 if story == "change" else 0.5)
    name = rng.choice(NAMES[language])
    shown = {k: number(v, language) for k, v in (("a", a), ("b", b), ("c", c))}
    text = STORIES[language][story].format(n=name, **shown)
    data = {"a": a, "b": b, "c": c, "n": name, "story": story, "language": language}
    gold = number(_result(story, a * b, c), "en")
    hardness = 0.035 * a + 0.04 * b - 0.9 + rng.gauss(0, 0.8) + (0.3 if story == "share" else 0.0)
    return Problem(ident, text, gold, f"{language}-{story}", hardness, SYSTEM, data)


def questions(
    rng: random.Random, amount: int, languages: tuple[str, ...] = ("en",), prefix: str = "q"
) -> list[Problem]:
    """A set of different questions."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        story = rng.choice(("change", "way", "share"))
        made = question(rng, f"{prefix}{len(out):04d}", rng.choice(languages), story)
        out.setdefault(made.prompt, made)
    return list(out.values())


def solve(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """A solution; a wrong one slips in the product or in the last operation."""
    d = problem.data
    language, story = d["language"], d["story"]
    product = d["a"] * d["b"]
    used, shift = product, 0.0
    if not right and rng.random() < 0.6:
        used = product + rng.choice((-10, -2, -1, 1, 2, 10)) * (1 if product > 12 else 0.5)
    elif not right:
        shift = rng.choice((-10, -1, 1, 2, 10))
    result = _result(story, used, d["c"]) + shift
    if result < 0:
        result = 2 - result
    if not right and number(result, "en") == problem.gold:
        result += 1
    words = {k: number(d[k], language) for k in "abc"}
    words |= {"n": d["n"], "v": number(used, language), "r": number(result, language)}
    lines = LINES[language]
    parts = [rng.choice(lines["open"]), rng.choice(lines["first"]), rng.choice(lines[story])]
    if rng.random() < 0.4 + 0.4 * progress:
        parts.append(rng.choice(lines["close"]))
    text = " ".join(p.format(**words) for p in parts) + f"\n\n\\boxed{{{words['r']}}}"
    return Draft(talk(text), words["r"], right)
