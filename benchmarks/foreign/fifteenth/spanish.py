"""Everyday sums in Spanish, with replies in Spanish or in English."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

NAMES = ["Lucía", "Martín", "Íñigo", "Rocío", "Julián", "Nuria", "Tomás", "Begoña", "Andrés", "Pilar"]
THINGS = [
    ("naranjas", "oranges"),
    ("cuadernos", "notebooks"),
    ("botellas de aceite", "bottles of oil"),
    ("libros", "books"),
]


def make(rng: Random) -> Task:
    """A purchase with change, or a share-out."""
    who, (cosa, thing), a, b = rng.choice(NAMES), rng.choice(THINGS), rng.randint(3, 40), rng.randint(2, 19)
    if rng.random() < 0.5:
        paid = a * b + rng.randint(1, 90)
        text = f"{who} compra {a} {cosa} a {b} euros cada unidad y entrega {paid} euros. ¿Cuánto le devuelven?"
        work = {
            "es": f"{a} {cosa} por {b} euros son {a * b} euros",
            "en": f"{a} {thing} at {b} euros are {a * b} euros",
        }
        work |= {"es2": f"De {paid} euros se restan {a * b}", "en2": f"From {paid} euros we take {a * b}"}
        return Task(text, str(paid - a * b), "compras", 0.0, extra={"lang": "es"}, work=work)
    rest = rng.randint(0, b - 1)
    total = a * b + rest
    text = f"{who} reparte {total} {cosa} entre {b} vecinos, {a} a cada uno. ¿Cuántas unidades le sobran?"
    work = {"es": f"A los {b} vecinos les da {a * b} {cosa}", "en": f"The {b} neighbours get {a * b} {thing}"}
    work |= {"es2": f"Al total de {total} se le restan {a * b}", "en2": f"From the total of {total} we take {a * b}"}
    return Task(text, str(rest), "repartos", 0.2, extra={"lang": "es"}, work=work)


FRAMES = {
    "es": (
        ["Vamos por partes.", "Primero calculo el total.", "Leo los datos con cuidado.", "Empiezo por lo conocido."],
        ["y el resultado es", "por lo que queda", "así que la respuesta es"],
        ["Compruebo la resta y coincide.", "Es una cantidad razonable.", "Repasando los datos, todo encaja."],
        "Respuesta",
    ),
    "en": (
        [
            "Let me take it in parts.",
            "First I compute the total.",
            "I read the data with care.",
            "Start with what we know.",
        ],
        ["and the result is", "which leaves", "so the answer is"],
        [
            "I checked the subtraction and it agrees.",
            "That is a sensible amount.",
            "Going over the data, all of it fits.",
        ],
        "Answer",
    ),
}


def said(rng: Random, task: Task, right: bool, language: str) -> Reply:
    """The working in one language."""
    opens, links, checks, label = FRAMES[language]
    answer = task.gold if right else str(max(0, int(task.gold) + rng.choice([-10, -2, -1, 1, 3, 10])))
    if not right and answer == task.gold:
        answer = str(int(task.gold) + 4)
    first, second = task.work[language], task.work[f"{language}2"]
    text = f"{rng.choice(opens)} {first}. {second}, {rng.choice(links)} {answer}."
    if rng.random() < 0.6:
        text += f" {rng.choice(checks)}"
    return Reply([{"role": "assistant", "content": f"{text}\n\n{label}: {answer}"}], answer)


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """The working in Spanish."""
    return said(rng, task, right, "es")


SPANISH = World("cuentas", make, solve, "Eres un tutor. Responde siempre en español.")
