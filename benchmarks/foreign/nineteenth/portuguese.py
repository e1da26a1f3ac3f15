"""Kitchen and workshop sums in Portuguese, some with a decimal comma."""

from random import Random

from benchmarks.foreign.nineteenth.chains import Chain, Tongue, plain, task_of
from benchmarks.foreign.nineteenth.core import Task

NAMES = (
    "Beatriz",
    "Caio",
    "Duda",
    "Edson",
    "Fabiana",
    "Gilmar",
    "Heloísa",
    "Ivo",
    "Joana",
    "Leandro",
    "Márcia",
    "Otávio",
)
THINGS = ("bolos de fubá", "pães de queijo", "queijadinhas", "tortas de palmito", "cocadas", "brigadeiros")


def comma(value: float) -> str:
    """Write a number with a decimal comma."""
    return plain(value).replace(".", ",")


TONGUE = Tongue(
    ("Vamos por partes.", "Primeiro, os dados do problema.", "Começo organizando as contas.", "Bom, vejamos."),
    ("{what}: {sum}.", "Passo {n}: {what}, ou seja, {sum}.", "Então {what} dá {sum}.", "Depois, {what}: {sum}"),
    (
        "Conferindo: {value} faz sentido.",
        "A estimativa também fica perto de {value}.",
        "Refazendo de trás para frente, {value} bate.",
    ),
    ("Resposta: {answer}", "Portanto,\nResposta: {answer}", "Chegamos ao fim.\nResposta: {answer}"),
    comma,
    "Resolva em português. Termine com uma linha «Resposta: NÚMERO».",
)


def bakery(rng: Random) -> Chain:
    """Whole things, counted."""
    who, what, a, b, c = (
        rng.choice(NAMES),
        rng.choice(THINGS),
        rng.randrange(4, 30),
        rng.randrange(6, 24),
        rng.randrange(5, 60),
    )
    prompt = f"{who} assa {a} fornadas de {b} {what} e vende {c}. Quantos sobram?"
    return Chain(prompt, a, (("total assado", "*", b), ("depois da venda", "-", c)), "contagem")


def students(rng: Random) -> Chain:
    """People in rows."""
    a, b, c = rng.randrange(5, 20), rng.randrange(8, 30), rng.randrange(3, 40)
    place = rng.choice(("Num auditório", "Num teatro", "Numa escola"))
    prompt = f"{place} há {a} fileiras com {b} cadeiras; chegam mais {c} avulsas. Quantas cadeiras há ao todo?"
    return Chain(prompt, a, (("cadeiras em fileiras", "*", b), ("com as avulsas", "+", c)), "contagem")


def recipe(rng: Random) -> Chain:
    """Litres and kilos with a comma."""
    who, a, b, c = (
        rng.choice(NAMES),
        rng.randrange(3, 30) / 4 + 0.05,
        rng.randrange(2, 9),
        rng.randrange(2, 12) / 4 + 0.25,
    )
    c = c + 0.1
    prompt = (
        f"Uma receita leva {comma(a)} litros de leite. {who} faz {b} receitas e ainda usa {comma(c)} litros. "
        "Quantos litros no total?"
    )
    return Chain(prompt, a, (("leite das receitas", "*", b), ("com o resto", "+", c)), "medidas")


def planks(rng: Random) -> Chain:
    """Wood cut to length."""
    who, a, b, c = (
        rng.choice(NAMES),
        rng.randrange(40, 99) / 4 + 0.15,
        rng.randrange(2, 8),
        rng.randrange(1, 9) / 10 + 0.05,
    )
    prompt = (
        f"{who} tem uma ripa de {comma(a * b)} metros, corta em {b} partes iguais e tira {comma(c)} m de uma delas. "
        "Quanto mede essa parte, em metros?"
    )
    return Chain(prompt, round(a * b, 4), (("cada parte", "/", b), ("depois do corte", "-", c)), "medidas")


def portuguese_problem(rng: Random) -> Task:
    """Draw a problem in Portuguese."""
    return task_of(rng, rng.choice((bakery, students, recipe, planks, bakery))(rng), TONGUE)
