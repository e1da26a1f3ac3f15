"""Word problems in four further languages, answered in the language they are put in."""

from random import Random

from benchmarks.foreign.twentythird.rollouts import Task
from benchmarks.foreign.twentythird.sums import slips_of
from benchmarks.foreign.twentythird.talk import say

WHO = {
    "de": ("Jana", "Ulrich", "Frau Pohl", "Herr Brandt"),
    "es": ("Lucía", "Andrés", "la señora Gil", "Mateo"),
    "zh": ("小明", "李老师", "王芳", "张师傅"),
    "ru": ("Ольга", "Игорь", "тётя Вера", "мастер Фомин"),
}
ASKS = {
    "de": "{w} kauft {n} Kisten mit je {k} Flaschen und gibt {x} Flaschen zurück. Wie viele Flaschen bleiben?",
    "es": "{w} compra {n} cajas de {k} botellas y devuelve {x} botellas. ¿Cuántas botellas quedan?",
    "zh": "{w}买了{n}箱瓶子，每箱{k}瓶，退回{x}瓶。还剩多少瓶？",
    "ru": "{w} берёт {n} ящиков по {k} бутылок и возвращает {x} бутылок. Сколько бутылок остаётся?",
}
STARTS = {
    "de": (
        "Zuerst die Gesamtzahl.",
        "Rechnen wir es aus.",
        "Gegeben sind Kisten und Flaschen.",
        "Schritt für Schritt:",
    ),
    "es": ("Primero el total.", "Calculemos paso a paso.", "Veamos los datos.", "Empecemos por las cajas."),
    "zh": ("先算总数。", "我们一步一步来。", "看一下已知条件。", "首先列出算式。"),
    "ru": ("Сначала найдём общее число.", "Решаем по шагам.", "Запишем, что дано.", "Начнём с ящиков."),
}
MIDDLES = {
    "de": ("{n} mal {k} sind {m} Flaschen.", "In {n} Kisten stehen {m} Flaschen.", "Das macht {n}·{k} = {m}."),
    "es": ("{n} por {k} son {m} botellas.", "En {n} cajas hay {m} botellas.", "Eso da {n}·{k} = {m}."),
    "zh": ("{n}乘{k}等于{m}瓶。", "{n}箱一共有{m}瓶。", "所以{n}×{k}={m}。"),
    "ru": ("{n} умножить на {k} будет {m}.", "В {n} ящиках {m} бутылок.", "Получаем {n}·{k} = {m}."),
}
ENDS = {
    "de": ("Davon gehen {x} ab.", "Minus {x} Rückgaben.", "Zurück gehen {x} Stück."),
    "es": ("Se restan {x}.", "Menos {x} devueltas.", "Quitamos las {x} devueltas."),
    "zh": ("再减去{x}瓶。", "退回{x}瓶。", "减掉退回的{x}瓶。"),
    "ru": ("Вычитаем {x}.", "Минус {x} возвращённых.", "Отнимаем {x} штук."),
}
LAST = {"de": "Antwort: {a}", "es": "Respuesta: {a}", "zh": "答案：{a}", "ru": "Ответ: {a}"}


def tongue_task(r: Random, number: int) -> Task:
    """A purchase in another language."""
    tongue = r.choice(list(ASKS))
    n, k, x = r.randint(6, 48), r.choice((6, 8, 9, 12, 15, 20)), r.randint(3, 34)
    facts = {"w": r.choice(WHO[tongue]), "n": n, "k": k, "x": x, "m": n * k}

    def reply(rng: Random, answer: str) -> list[dict]:
        parts = [rng.choice(words[tongue]).format(**facts) for words in (STARTS, MIDDLES, ENDS)]
        kept = parts[rng.random() < 0.3 :]
        gap = rng.choice((" ", "\n", "\n\n"))
        return [say(f"{gap.join(kept)}\n\n{LAST[tongue].format(a=answer)}")]

    return Task(
        id=f"{tongue}-{number:04d}",
        prompt=ASKS[tongue].format(**facts),
        gold=str(n * k - x),
        level=r.gauss(0, 0.9),
        reply=reply,
        slips=slips_of(r, n * k - x),
        family=tongue,
    )
