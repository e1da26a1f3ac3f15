"""Exam questions in four languages, with worked attempts."""

import random
from typing import Any

from benchmarks.foreign.sixtieth.policy import Task

_ITEMS = {
    "de": ["ein Fahrrad", "eine Lampe", "ein Zelt", "einen Rucksack", "einen Mantel", "einen Drucker"],
    "es": ["una bicicleta", "una lámpara", "una tienda de campaña", "una mochila", "un abrigo", "una impresora"],
    "fr": ["un vélo", "une lampe", "une tente", "un sac à dos", "un manteau", "une imprimante"],
    "en": ["a bicycle", "a desk lamp", "a tent", "a rucksack", "a coat", "a printer"],
}
_NAMES = ["Mira", "Jonas", "Elif", "Pablo", "Chloé", "Anton", "Ines", "Tariq", "Lotte", "Rui", "Nadia", "Oskar"]
_PROMPTS = {
    ("discount", "de"): "Für {item} verlangt {who} {a} Euro und gewährt {b} % Rabatt. Was kostet der Kauf am Ende?",
    ("discount", "es"): "{who} vende {item} por {a} euros con un descuento del {b} %. ¿Cuánto se paga al final?",
    ("discount", "fr"): "{who} vend {item} à {a} euros avec une remise de {b} %. Combien paie-t-on à la fin ?",
    ("discount", "en"): "{who} sells {item} for {a} euros with {b}% off. What does the buyer pay in the end?",
    ("journey", "de"): "{who} fährt {h} Stunden lang mit {a} km/h und danach noch {b} km. Wie weit ist die Fahrt?",
    ("journey", "es"): "{who} conduce {h} horas a {a} km/h y después {b} km más. ¿Qué distancia recorre en total?",
    ("journey", "fr"): "{who} roule {h} heures à {a} km/h puis encore {b} km. Quelle distance parcourt-on au total ?",
    ("journey", "en"): "{who} drives for {h} hours at {a} km/h and then another {b} km. How long is the whole trip?",
    ("parts", "de"): "{who} teilt {a} Murmeln im Verhältnis {b} : 3 auf. Wie viele Murmeln hat der erste Teil?",
    ("parts", "es"): "{who} reparte {a} canicas en la razón {b} : 3. ¿Cuántas canicas tiene la primera parte?",
    ("parts", "fr"): "{who} partage {a} billes dans le rapport {b} : 3. Combien de billes contient la première part ?",
    ("parts", "en"): "{who} splits {a} marbles in the ratio {b} : 3. How many marbles are in the first part?",
}
_WORK = {
    ("discount", "de"): ["Der Rabatt beträgt {b} % von {a}, also {m} Euro.", "Davon bleibt {a} - {m} = {r} übrig."],
    ("discount", "es"): ["El descuento es el {b} % de {a}, es decir {m} euros.", "Queda {a} - {m} = {r}."],
    ("discount", "fr"): ["La remise vaut {b} % de {a}, soit {m} euros.", "Il reste {a} - {m} = {r}."],
    ("discount", "en"): ["The discount is {b}% of {a}, which is {m} euros.", "That leaves {a} - {m} = {r}."],
    ("journey", "de"): ["In {h} Stunden kommt man {h} · {a} = {m} km weit.", "Mit dem Rest sind es {m} + {b} = {r}."],
    ("journey", "es"): ["En {h} horas se recorren {h} · {a} = {m} km.", "Con el resto son {m} + {b} = {r}."],
    ("journey", "fr"): ["En {h} heures on parcourt {h} · {a} = {m} km.", "Avec le reste cela fait {m} + {b} = {r}."],
    ("journey", "en"): ["In {h} hours the car covers {h} · {a} = {m} km.", "Adding the rest gives {m} + {b} = {r}."],
    ("parts", "de"): ["Es gibt {b} + 3 Teile, jeder hat {m} Murmeln.", "Der erste hat {b} · {m} = {r}."],
    ("parts", "es"): ["Hay {b} + 3 partes y cada una tiene {m} canicas.", "La primera tiene {b} · {m} = {r}."],
    ("parts", "fr"): ["Il y a {b} + 3 parts de {m} billes chacune.", "La première en a {b} · {m} = {r}."],
    ("parts", "en"): ["There are {b} + 3 shares of {m} marbles each.", "The first holds {b} · {m} = {r}."],
}
_OPEN = {
    "de": ["Zuerst ordne ich die Angaben zu {who}.", "Gegeben sind {a} und {b}.", "Schauen wir uns die Zahlen an.", ""],
    "es": ["Primero ordeno los datos de {who}.", "Tenemos {a} y {b}.", "Veamos los números con calma.", ""],
    "fr": ["D'abord, les données pour {who}.", "On connaît {a} et {b}.", "Regardons les nombres du problème.", ""],
    "en": ["Let me sort the facts about {who} first.", "We are given {a} and {b}.", "Start with the numbers.", ""],
}
_CHECK = {
    "de": ["Die Größenordnung passt zu {a}.", "Eine Probe mit gerundeten Werten bestätigt das.", ""],
    "es": ["El orden de magnitud encaja con {a}.", "Una prueba con valores redondeados lo confirma.", ""],
    "fr": ["L'ordre de grandeur convient pour {a}.", "Un essai avec des valeurs arrondies le confirme.", ""],
    "en": ["The size of it fits with {a}.", "A check with rounded values agrees.", ""],
}
_LAST = {"de": "Antwort", "es": "Respuesta", "fr": "Réponse", "en": "Answer"}


def show(value: float, comma: bool = False) -> str:
    """A number without needless zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") if comma else text


def _solve(kind: str, a: int, b: int, h: float) -> tuple[float, float]:
    if kind == "discount":
        return a * b / 100, a - a * b / 100
    if kind == "journey":
        return a * h, a * h + b
    return a / (b + 3), b * a / (b + 3)


def _slip(rng: random.Random, kind: str, a: int, b: int, m: float) -> tuple[float, float]:
    """A wrong middle value, carried on rightly."""
    m = m + rng.choice([-10, -4, -2, -1, 1, 2, 3, 5, 10])
    return m, {"discount": a - m, "journey": m + b, "parts": b * m}[kind]


def exam(rng: random.Random, number: int, language: str, kind: str, comma: bool = False) -> Task:
    """One question; `comma` says whether its language's attempts write decimal commas."""
    h = rng.choice([1.5, 2.5, 3.5, 4.5]) if kind == "journey" else 0.0
    if kind == "discount":
        a, b = rng.randrange(40, 480), rng.choice([5, 10, 15, 20, 25, 30, 35, 40])
    elif kind == "journey":
        a, b = rng.randrange(41, 119), rng.randrange(12, 90)
    else:
        b = rng.choice([2, 4, 5, 7, 8])
        a = (b + 3) * rng.randrange(12, 70)
    m0, r0 = _solve(kind, a, b, h)
    base: dict[str, Any] = {"a": a, "b": b, "h": show(h, comma), "who": rng.choice(_NAMES)}
    prompt = _PROMPTS[kind, language].format(item=rng.choice(_ITEMS[language]), **base)

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        m, r = (m0, r0) if right else _slip(rng, kind, a, b, m0)
        values = {**base, "m": show(m, comma), "r": show(r, comma)}
        lines = [rng.choice(_OPEN[language]), *_WORK[kind, language], rng.choice(_CHECK[language])]
        body = " ".join(line.format(**values) for line in lines if line)
        answer = show(r, comma)
        return f"{body}\n{_LAST[language]}: \\boxed{{{answer}}}", answer

    return Task(f"{kind}-{language}-{number}", prompt, show(r0), f"{kind}_{language}", write, {"language": language})


def exams(
    rng: random.Random, count: int, languages: tuple[str, ...] = ("de", "es", "fr", "en"), comma: bool = False
) -> list[Task]:
    """Distinct questions of all sorts in these languages."""
    kinds, found, seen = ("discount", "journey", "parts"), [], set()
    while len(found) < count:
        n = len(found)
        task = exam(rng, n, languages[n % len(languages)], kinds[n // len(languages) % 3], comma)
        if task.prompt not in seen:
            seen.add(task.prompt)
            found.append(task)
    return found
