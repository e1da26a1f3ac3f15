"""A small word problem in five languages, with its solution in the same."""

from random import Random

from benchmarks.foreign.twentyfifth.course import Draw, Task
from benchmarks.foreign.twentyfifth.sums import slip

ASKED = {
    "fr": "{who} achète {a} boîtes de {b} crayons et en donne {c} à sa sœur. Combien de crayons lui reste-t-il ?",
    "es": "{who} compra {a} cajas de {b} lápices y regala {c} a su hermana. ¿Cuántos lápices le quedan?",
    "zh": "{who}买了{a}盒铅笔，每盒{b}支，送给妹妹{c}支。还剩多少支？",
    "ru": "{who} покупает {a} коробок по {b} карандашей и дарит сестре {c}. Сколько карандашей осталось?",
    "en": "{who} buys {a} boxes of {b} pencils and gives {c} to a sister. How many pencils are left?",
}
FIRST = {
    "fr": ("D'abord, {a} × {b} = {m} crayons.", "On compte {a} fois {b}, soit {m}.", "Au total : {a} × {b} = {m}."),
    "es": ("Primero, {a} × {b} = {m} lápices.", "Son {a} veces {b}, es decir {m}.", "En total: {a} × {b} = {m}."),
    "zh": ("先算总数：{a} × {b} = {m}支。", "一共有{a}乘{b}，等于{m}支。", "总共{m}支铅笔（{a} × {b}）。"),
    "ru": ("Сначала {a} × {b} = {m} карандашей.", "Всего {a} раз по {b}, то есть {m}.", "Итого: {a} × {b} = {m}."),
    "en": ("First, {a} × {b} = {m} pencils.", "There are {a} times {b}, that is {m}.", "In all: {a} × {b} = {m}."),
}
THEN = {
    "fr": ("Après le don, {m} - {c} = {x}.", "On retire {c} : il reste {x}.", "Donc {x}, car {c} sont partis."),
    "es": ("Después del regalo, {m} - {c} = {x}.", "Se restan {c}: quedan {x}.", "Entonces {x}, porque regaló {c}."),
    "zh": ("送出{c}支后：{m} - {c} = {x}。", "减去{c}支，剩下{x}支。", "所以还剩{x}支，因为送了{c}支。"),
    "ru": ("После подарка {m} - {c} = {x}.", "Вычитаем {c}: остаётся {x}.", "Значит, {x}, ведь {c} подарены."),
    "en": ("After the gift, {m} - {c} = {x}.", "Take away {c}: {x} remain.", "So {x}, as {c} are given away."),
}
PEOPLE = {
    "fr": ("Léa", "Hugo"),
    "es": ("Lucía", "Mateo"),
    "zh": ("小明", "丽丽"),
    "ru": ("Аня", "Олег"),
    "en": ("Kim", "Ravi"),
}


def question(rng: Random) -> Task:
    """A problem in one of the languages."""
    language = rng.choice(list(ASKED))
    a, b, c = rng.randint(3, 24), rng.randint(6, 36), rng.randint(2, 17)
    info = {"language": language, "a": a, "b": b, "c": c}
    return Task(ASKED[language].format(who=rng.choice(PEOPLE[language]), a=a, b=b, c=c), str(a * b - c), info)


def solve(draw: Draw) -> tuple[str, str]:
    """Solution and answer in the language of the question."""
    i, gold = draw.task.info, int(draw.task.gold)
    x = gold if draw.able else slip(draw.rng, gold)
    numbers = {"a": i["a"], "b": i["b"], "c": i["c"], "m": i["a"] * i["b"], "x": x}
    parts = [draw.rng.choice(FIRST[i["language"]]), draw.rng.choice(THEN[i["language"]])]
    glue = draw.rng.choice(["\n", " ", "\n\n"])
    return f"{glue.join(parts).format(**numbers)}\n\\boxed{{{x}}}", str(x)
