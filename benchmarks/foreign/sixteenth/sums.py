"""Word problems with numbers, in English, German, French and Spanish, solved step by step in prose."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.sixteenth.attempts import Task, World, Written, say


@dataclass(frozen=True)
class Tongue:
    """The prose of one language."""

    system: str
    stories: tuple[Callable[[Random], tuple[str, str, float, list[str]]], ...]
    openers: tuple[str, ...]
    links: tuple[str, ...]
    checks: tuple[str, ...]
    closers: tuple[str, ...]


def plain(value: float, comma: str = ".") -> str:
    """A number with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace(".", comma)


def near(rng: Random, value: float) -> float:
    """A wrong value of the kind that slips of calculation give."""
    shifts = [value + rng.randint(1, 9), value - rng.randint(1, 6), value * 2, value + 10, value + 100]
    if value % 1:
        shifts += [value + 0.5, value / 2]
    return round(rng.choice([shift for shift in shifts if abs(shift - value) > 0.01 and shift > 0] or [value + 7]), 2)


def world(prefix: str, tongue: Tongue, comma: str = ".") -> World:
    """Problems of a language."""

    def make(rng: Random) -> Task:
        story = rng.choice(tongue.stories)
        prompt, family, gold, steps = story(rng)
        extra = {"steps": steps}
        return Task(prompt, plain(gold), family, {"short": -0.4, "long": 0.4}.get(family, 0.0), tongue.system, extra)

    def write(rng: Random, task: Task, right: bool) -> Written:
        value = float(task.gold) if right else near(rng, float(task.gold))
        steps = list(task.secret["steps"])
        if not right and rng.random() < 0.5:
            steps[-1] = steps[-1].replace(plain(float(task.gold), comma), plain(value, comma))
        lines = [rng.choice(tongue.openers)]
        lines += [f"{rng.choice(tongue.links)} {step}" for step in steps]
        if rng.random() < 0.55:
            lines.append(rng.choice(tongue.checks))
        answer = plain(value, comma)
        lines.append(rng.choice(tongue.closers).format(answer))
        return [say(rng.choice(("\n", "\n\n", " ")).join(lines))], answer

    return World(prefix, make, write)


def _bakery(rng: Random) -> tuple[str, str, float, list[str]]:
    who, trays, each, sold = (
        rng.choice(["Mina", "Joel", "Priya", "Tomas", "Ada"]),
        *(rng.randint(4, 19) for _ in range(3)),
    )
    total = trays * each
    sold = min(sold, total - 1)
    prompt = f"{who} bakes {trays} trays of {each} rolls and sells {sold} of them before noon. How many rolls are left?"
    return prompt, "short", total - sold, [f"{trays} * {each} = {total}", f"{total} - {sold} = {total - sold}"]


def _pump(rng: Random) -> tuple[str, str, float, list[str]]:
    rate, leak, hours = rng.randint(30, 90), rng.randint(3, 25), rng.randint(3, 14)
    net = rate - leak
    prompt = (
        f"A pump fills a tank with {rate} litres an hour while {leak} litres an hour leak out. The tank held "
        f"{rate} litres at the start. How many litres does it hold after {hours} hours?"
    )
    gold = rate + net * hours
    return prompt, "long", gold, [f"{rate} - {leak} = {net}", f"{net} * {hours} = {net * hours}", f"in all {gold}"]


def _modular(rng: Random) -> tuple[str, str, float, list[str]]:
    base, power, mod = rng.randint(2, 12), rng.randint(3, 9), rng.randint(7, 29)
    value = base**power
    prompt = f"Find the remainder of ${base}^{{{power}}}$ on division by ${mod}$."
    steps = [f"{base}^{power} = {value}", f"{value} = {value // mod} * {mod} + {value % mod}", f"{value % mod} is left"]
    return prompt, "number_theory", value % mod, steps


def _preis(rng: Random) -> tuple[str, str, float, list[str]]:
    ware = rng.choice(("Äpfel", "Kirschen", "Kartoffeln", "Spargel", "Pflaumen"))
    cents, kilos = rng.randrange(100, 700, 50), rng.randint(2, 9)
    each, gold = cents / 100, cents * kilos / 100
    prompt = f"Ein Kilo {ware} kostet {plain(each, ',')} Euro. Was kosten {kilos} Kilo? Gib den Betrag in Euro an."
    return prompt, "preis", gold, [f"{kilos} · {plain(each, ',')} = {plain(gold, ',')}"]


def _weg(rng: Random) -> tuple[str, str, float, list[str]]:
    speed, quarters, who = rng.randrange(12, 96, 2), rng.randint(2, 15), rng.choice(["Jana", "Emre", "Lotte", "Klaus"])
    gold = speed * quarters / 4
    prompt = f"{who} fährt {quarters * 15} Minuten lang mit {speed} km/h. Wie viele Kilometer sind das?"
    steps = [f"{quarters * 15} Minuten sind {plain(quarters / 4, ',')} Stunden", f"der Weg ist {plain(gold, ',')} km"]
    return prompt, "weg", gold, steps


def _train(rng: Random) -> tuple[str, str, float, list[str]]:
    speed, hours, stop = rng.randrange(60, 180, 5), rng.randint(2, 7), rng.randint(10, 90)
    town = rng.choice(["Lille", "Nantes", "Rouen", "Dijon", "Brest"])
    gold = speed * hours + stop
    prompt = (
        f"Un train roule à {speed} km/h pendant {hours} heures après avoir déjà parcouru {stop} km depuis {town}. "
        "À quelle distance de la ville se trouve-t-il ?"
    )
    return prompt, "vitesse", gold, [f"{speed} × {hours} = {speed * hours}", f"{speed * hours} + {stop} = {gold}"]


def _ages(rng: Random) -> tuple[str, str, float, list[str]]:
    a, b = rng.sample(["Lucía", "Mateo", "Carmen", "Íñigo", "Sofía", "Bruno"], 2)
    young, gap, years = rng.randint(5, 20), rng.randint(2, 25), rng.randint(2, 15)
    gold = 2 * young + gap + 2 * years
    prompt = (
        f"{a} tiene {young} años y {b} es {gap} años mayor. ¿Cuánto sumarán sus edades dentro de {years} años?"
        " Explica tu razonamiento."
    )
    steps = [f"{b} tiene {young + gap} años", f"hoy suman {2 * young + gap}", f"la suma final es {gold}"]
    return prompt, "edades", gold, steps


ENGLISH = Tongue(
    "Solve the problem. Put the final answer in \\boxed{}.",
    (_bakery, _pump, _modular),
    ("Let us go step by step.", "First I collect the numbers.", "We need to set this up.", "Okay, compute directly."),
    ("So", "Then", "We get", "Next,", "This gives", "Now"),
    ("Let me check that again.", "A quick check agrees.", "The units are fine.", "Wait, is that right? It is."),
    ("The answer is \\boxed{{{}}}.", "\\boxed{{{}}}", "Therefore \\boxed{{{}}}.", "Hence the result: \\boxed{{{}}}"),
)
GERMAN = Tongue(
    "Löse die Aufgabe und schreibe das Ergebnis in die letzte Zeile hinter 'Antwort:'.",
    (_preis, _weg),
    ("Wir rechnen der Reihe nach.", "Zuerst die Angaben.", "Das ist ein Dreisatz.", "Gut, rechnen wir."),
    ("Also", "Damit gilt:", "Nun", "Es folgt:", "Dann"),
    ("Die Probe stimmt.", "Das klingt vernünftig.", "Ich prüfe das kurz nach.", "Die Einheit passt."),
    ("Antwort: {}", "Das Ergebnis steht fest.\nAntwort: {}", "\nAntwort: {}"),
)
FRENCH = Tongue(
    "Résous le problème. Termine par « Réponse : » suivi du nombre.",
    (_train,),
    ("Posons le calcul.", "On commence par les données.", "Voyons cela étape par étape.", "Il faut additionner."),
    ("Donc", "Ensuite,", "On obtient", "Ainsi", "Puis"),
    ("Vérifions : c'est cohérent.", "L'ordre de grandeur convient.", "Je relis le calcul."),
    ("Réponse : {}", "On conclut.\nRéponse : {}", "\nRéponse : {}"),
)
SPANISH = Tongue(
    "Resuelve el problema y termina con 'Respuesta:' y el número.",
    (_ages,),
    ("Vamos paso a paso.", "Primero anoto los datos.", "Planteemos la suma.", "Bien, calculemos."),
    ("Entonces", "Después,", "Así que", "Por tanto", "Luego"),
    ("Compruebo el resultado.", "La cuenta cuadra.", "Reviso los años otra vez."),
    ("Respuesta: {}", "Terminamos.\nRespuesta: {}", "\nRespuesta: {}"),
)
ENGLISH_SUMS, GERMAN_SUMS = world("gsm-", ENGLISH), world("de-", GERMAN, ",")
FRENCH_SUMS, SPANISH_SUMS = world("fr-", FRENCH), world("es-", SPANISH)
