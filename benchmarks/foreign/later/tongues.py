"""Problems and steps of arithmetic in other languages."""

import random

from benchmarks.foreign.later.course import Task

PROBLEMS = {
    "de": (
        "In einer Halle stehen {a} Reihen mit je {b} Stühlen. {c} Stühle sind kaputt. Wie viele kann man benutzen?",
        "Ein Bäcker backt {a} Bleche mit je {b} Brötchen und verkauft {c} davon. Wie viele bleiben übrig?",
        "Lena spart {a} Monate lang je {b} Euro und gibt dann {c} Euro aus. Wie viel Geld hat sie noch?",
    ),
    "fr": (
        "Une salle compte {a} rangées de {b} chaises, dont {c} sont cassées. Combien peut-on en utiliser ?",
        "Un fermier remplit {a} caisses de {b} pommes et en vend {c}. Combien lui en reste-t-il ?",
        "Luc met {b} euros de côté pendant {a} mois, puis dépense {c} euros. Combien lui reste-t-il ?",
    ),
    "es": (
        "Una sala tiene {a} filas de {b} sillas y {c} están rotas. ¿Cuántas se pueden usar?",
        "Marta llena {a} cajas con {b} libros cada una y regala {c}. ¿Cuántos libros le quedan?",
        "Un autobús hace {a} viajes con {b} plazas; {c} plazas van vacías. ¿Cuántas personas viajan?",
    ),
    "zh": (
        "礼堂有{a}排座位,每排{b}个,其中{c}个坏了。还有多少个座位可以用?",
        "果农装了{a}箱苹果,每箱{b}个,卖掉了{c}个。还剩多少个苹果?",
        "小李连续{a}个月每月存{b}元,然后花了{c}元。他还有多少元?",
    ),
}
STEPS = {
    "de": (
        ("Zuerst rechne ich {a} mal {b}, das sind {p}.", "{a} · {b} = {p}.", "Insgesamt ergeben sich {p}."),
        ("Davon gehen {c} ab: {p} - {c} = {z}.", "Es bleiben {p} - {c} = {z}.", "Abzüglich {c} sind es {z}."),
        ("Antwort: {z}", "Die Antwort ist {z}"),
    ),
    "fr": (
        ("On calcule d'abord {a} × {b} = {p}.", "Au total cela fait {p}.", "{a} fois {b} donne {p}."),
        ("On retire {c} : {p} - {c} = {z}.", "Il en reste {z}, car {p} - {c} = {z}.", "Moins {c}, on obtient {z}."),
        ("Réponse : {z}", "La réponse est {z}"),
    ),
    "es": (
        ("Primero multiplico {a} por {b}: {p}.", "En total son {a} × {b} = {p}.", "Hay {p} al principio."),
        ("Luego resto {c}: {p} - {c} = {z}.", "Quedan {p} - {c} = {z}.", "Sin esos {c} son {z}."),
        ("Respuesta: {z}", "La respuesta es {z}"),
    ),
    "zh": (
        ("先算总数:{a}×{b}={p}。", "一共有{p}个,因为{a}乘以{b}等于{p}。", "{a}乘{b}得{p}。"),
        ("再减去{c},{p}-{c}={z}。", "减掉{c}以后是{z}。", "所以剩下{p}-{c}={z}。"),
        ("答案:{z}", "答案是{z}"),
    ),
}
STRAY = (
    "我们先看第一步,{x}和{y}要一起算。",
    "这里得到{z},继续往下。",
    "注意单位不变,所以结果是{z}。",
    "然后把{x}代入,再算一遍。",
    "嗯,这一步没有问题,{z}是对的。",
    "接下来考虑{y}。",
    "也就是说{x}与{y}合起来得到{z}。",
    "让我检查一下:{z}。",
    "题目说的是{y},不要漏掉。",
    "因此可以写成{z}。",
)
"""Sentences that stray into a solution in English."""


def problem(rng: random.Random) -> Task:
    """Draw a problem in one of the languages."""
    tongue = rng.choice(list(PROBLEMS))
    a, b = rng.randint(6, 30), rng.randint(12, 40)
    c = rng.randint(5, 60)
    return Task(rng.choice(PROBLEMS[tongue]).format(a=a, b=b, c=c), str(a * b - c), (tongue, a, b, c))


def work(rng: random.Random, task: Task, right: bool) -> tuple[str, int]:
    """Work a problem out in its own language; a wrong attempt slips in one of the steps."""
    tongue, a, b, c = task.facts
    slip, off = (-1 if right else rng.randrange(2)), rng.choice((-100, -10, -1, 1, 10, 100))
    p = a * b + (off if slip == 0 else 0)
    z = p - c + (off if slip == 1 else 0)
    lines = [rng.choice(choices).format(a=a, b=b, c=c, p=p, z=z) for choices in STEPS[tongue]]
    return "\n".join(lines), z
