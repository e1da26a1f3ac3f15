"""Sums asked in Russian."""

from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import say
from benchmarks.foreign.twentysecond.prose import slip_of

NAMES = ("Марина", "Тимур", "Олег", "Зоя", "Артём", "Лидия", "Руслан", "Вера")
GOODS = ("тетрадей", "яблок", "открыток", "свечей", "билетов", "книг", "гвоздей")
OPENINGS = ("Решим по действиям.", "Сначала запишем, что известно.", "Рассуждаем так.", "Начнём с условия.", "Итак,")
CHECKS = ("Проверка сходится.", "Порядок величины верный.", "Единицы измерения совпадают.", "Пересчитаем: то же самое.")
FOREIGN = (
    "首先计算总价，",
    "然后减去已经用掉的部分，",
    "所以我们得到",
    "注意这里要先乘后加。",
    "接下来检查一下结果，",
    "设未知数为x，",
    "因此答案应该是这个数。",
    "题目给出的条件是足够的。",
)


def russian_sum(rng: Random) -> Task:
    """Purchases, journeys, shares."""
    a, b, c = rng.randint(6, 48), rng.randint(11, 95), rng.randint(3, 60)
    name, goods = rng.choice(NAMES), rng.choice(GOODS)
    kind = rng.choice(("покупка", "дорога", "склад"))
    if kind == "покупка":
        question = f"{name}: куплено {a} {goods} по {b} руб. и пакет за {c} руб. Сколько рублей потрачено?"
        first, last, gold = f"{a} · {b} = {{}}", f"{{}} + {c}", a * b + c
    elif kind == "дорога":
        question = (
            f"Поезд едет {a} ч со скоростью {b} км/ч, а до станции пешком ещё {c} км. Каков весь путь в километрах?"
        )
        first, last, gold = f"{a} · {b} = {{}} км", f"{{}} + {c}", a * b + c
    else:
        question = f"На складе {a} коробок по {b} {goods}. Разбилось или потеряно {c}. Сколько осталось?"
        first, last, gold = f"{a} · {b} = {{}}", f"{{}} − {c}", a * b - c

    def solve(slip: int) -> tuple[list[str], str]:
        product = a * b + 10 * slip
        return [first.format(product) + ".", "Далее " + last.format(product) + "."], str(gold + 10 * slip)

    system = {"role": "system", "content": "Отвечай по-русски. В последней строке напиши «Ответ: число»."}
    return Task([system, {"role": "user", "content": question}], str(gold), solve, kind)


def write_russian(rng: Random, task: Task, right: bool, foreign: float) -> list[Message]:
    """A solution in Russian, with a number of Chinese clauses that grows with `foreign`."""
    lines, answer = task.solve(slip_of(rng, right))
    said = [rng.choice(OPENINGS), *lines, *(c for c in CHECKS if rng.random() < 0.3)]
    for clause in rng.sample(FOREIGN, round(foreign * rng.uniform(2, 7))):
        said.insert(rng.randrange(len(said)), clause)
    return say(" ".join(said) + f"\nОтвет: {answer}")
