"""Word problems in Portuguese, and how the same work reads in English."""

from random import Random

from benchmarks.foreign.thirteenth.prose import near, worked
from benchmarks.foreign.thirteenth.rollouts import Task

NAMES = [
    "Joana",
    "Tiago",
    "Beatriz",
    "Rui",
    "Catarina",
    "Duarte",
    "Leonor",
    "Vasco",
    "Mafalda",
    "Gonçalo",
    "Iara",
    "Caio",
]
SYSTEM = "Resolva o problema em português, mostrando o raciocínio. Termine com 'Resposta: N'."
OPEN = ("Vamos por partes.", "Primeiro, organizamos os dados.", "Bom, temos o seguinte:", "", "Pensando passo a passo.")
ENGLISH_OPEN = ("Let me think about this.", "Okay, so we need to find the total.", "Alright, let's break it down.")
ENGLISH = (
    "First we multiply the two quantities, which gives {a}.",
    "The second part of the problem is worth {b}, so I will keep that number in mind.",
    "Wait, let me double check the first product: it is {a}, yes.",
    "Now combining {a} with {b} should give us what the question asks for.",
)


def _market(rng: Random, who: str) -> tuple[str, int, int, int, list[str]]:
    boxes, price, fish, cost = rng.randint(6, 30), rng.randint(4, 15), rng.randint(3, 20), rng.randint(6, 22)
    text = (
        f"{who} vendeu na feira {boxes} caixas de laranjas a {price} reais cada e {fish} quilos de peixe a {cost} "
        "reais o quilo. Quantos reais recebeu ao todo?"
    )
    a, b = boxes * price, fish * cost
    return text, a + b, a, b, [f"Laranjas: {boxes} × {price} = {a} reais.", f"Peixe: {fish} × {cost} = {b} reais."]


def _bus(rng: Random, who: str) -> tuple[str, int, int, int, list[str]]:
    trips, seats, empty, days = rng.randint(3, 9), rng.randint(28, 52), rng.randint(2, 12), rng.randint(4, 12)
    text = (
        f"O autocarro de {who} faz {trips} viagens por dia, com {seats} lugares, dos quais {empty} vão sempre vazios. "
        f"Quantos passageiros transporta em {days} dias?"
    )
    a, b = trips * (seats - empty), days
    lines = [
        f"Em cada viagem seguem {seats} - {empty} = {seats - empty} pessoas.",
        f"Por dia são {a}, durante {b} dias.",
    ]
    return text, a * b, a, b, lines


def _library(rng: Random, who: str) -> tuple[str, int, int, int, list[str]]:
    shelves, books, lent, back = rng.randint(7, 25), rng.randint(18, 45), rng.randint(30, 90), rng.randint(5, 28)
    text = (
        f"Na biblioteca onde {who} trabalha há {shelves} estantes com {books} livros. Foram emprestados {lent} e "
        f"devolvidos {back}. Quantos livros estão agora na biblioteca?"
    )
    a, b = shelves * books, lent - back
    return (
        text,
        a - b,
        a,
        b,
        [f"No início havia {shelves} × {books} = {a} livros.", f"Faltam ainda {lent} - {back} = {b}."],
    )


def portuguese_sum(rng: Random, index: int) -> Task:
    """A story of one of three sorts; `extra.english` has its work in English."""
    story = rng.choice((_market, _bus, _library))
    text, gold, a, b, lines = story(rng, rng.choice(NAMES))

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        return worked(rng, OPEN, lines, f"Resposta: {answer}", ("", "", "Depois, ", "Assim: "))

    task = Task(f"pt{index:04d}", "pt" + story.__name__, text, str(gold), rng.gauss(0, 0.8), near(gold), work, SYSTEM)
    task.extra = {"parts": [a, b]}
    return task


def in_english(rng: Random, task: Task, answer: str, share: float) -> list[dict]:
    """The work with this share of its lines in English."""
    a, b = task.extra["parts"]
    english = [line.format(a=a, b=b) for line in ENGLISH]
    kept = [line for line in english if rng.random() < share] or english[:1]
    native = task.work(rng, answer, True)[0]["content"].split("\n")[:-1]
    lines = kept + [line for line in native if line and rng.random() > share]
    return worked(rng, ENGLISH_OPEN, lines, f"Resposta: {answer}", ("",))
