"""Sums in Ukrainian, Chinese and Spanish, and short German sentences with their English."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Task

UK_NAMES = ["Оленка", "Тарас", "Марічка", "Богдан", "Соломія", "Назар", "Ганна", "Остап"]
UK_GOODS = ["яблука", "зошити", "олівці", "свічки", "горщики", "листівки"]
ES_NAMES = ["Lucía", "Mateo", "Carmen", "Diego", "Inés", "Rubén", "Paula", "Hugo"]
ES_GOODS = ["naranjas", "cuadernos", "lápices", "velas", "macetas", "postales"]


def uk_task(rng: Random, pid: str) -> Task:
    """Pieces, a price and change, in Ukrainian."""
    n, p = rng.randint(4, 30), rng.randint(3, 25)
    paid = n * p + rng.randint(5, 120)
    who, what = rng.choice(UK_NAMES), rng.choice(UK_GOODS)
    text = f"{who} купує {what}: {n} штук по {p} гривень, і дає касиру {paid} гривень. Скільки гривень решти?"
    return Task(pid, text, str(paid - n * p), rng.gauss(0, 0.6), "решта", data={"n": n, "p": p, "paid": paid})


def uk_lines(rng: Random, task: Task, answer: str) -> str:
    """The way there in Ukrainian."""
    d = task.data
    lead = rng.choice(
        [
            "Спочатку знайдемо вартість покупки.",
            "Рахуємо крок за кроком.",
            "Визначимо, скільки коштує все разом.",
            "Подивимось на умову.",
        ]
    )
    link = rng.choice(["Тепер віднімаємо від сплаченого:", "Отже, решта дорівнює", "Далі беремо різницю:"])
    return f"{lead} {d['n']} · {d['p']} = {d['n'] * d['p']} гривень. {link} {d['paid']} - {d['n'] * d['p']} = {answer}."


def uk_in_english(rng: Random, task: Task, answer: str) -> str:
    """The way there in English."""
    d = task.data
    lead = rng.choice(
        [
            "Okay, let me compute the cost first.",
            "We need the total price.",
            "So the purchase costs:",
            "Let's think about this.",
        ]
    )
    link = rng.choice(["Then the change is", "Subtract this from what was paid:", "Now the difference:"])
    tail = rng.choice(["Wait, check again: yes.", "That seems right.", "Good.", ""])
    return (
        f"{lead} {d['n']} * {d['p']} = {d['n'] * d['p']}. {link} {d['paid']} - {d['n'] * d['p']} = {answer}. {tail}"
    ).strip()


def zh_task(rng: Random, pid: str) -> Task:
    """An equation, a share, a length or a fraction, in Chinese; the key is written in one way only."""
    kind = rng.choice(["方程", "百分数", "长度", "分数"])
    a, b, c = rng.randint(2, 12), rng.randint(3, 40), rng.randint(2, 9)
    if kind == "方程":
        text, gold, other = f"解方程:{a}x + {b} = {a * c + b},求 x。", f"x={c}", [str(c), f"x = {c}", f"x的值为{c}"]
    elif kind == "百分数":
        whole = rng.choice([20, 25, 40, 50, 80])
        part = rng.randrange(whole // 5, whole, max(1, whole // 20))
        share = f"{100 * part / whole:g}"
        text = f"{whole} 名学生中有 {part} 名参加合唱队,参加的占百分之几?"
        gold, other = share + "%", [f"百分之{share}", f"{part / whole:g}", f"{share}\\%"]
    elif kind == "长度":
        text, gold, other = (
            f"长方形长 {a + b} 厘米,宽 {c} 厘米,周长是多少?",
            f"{2 * (a + b + c)}厘米",
            [f"{2 * (a + b + c)}", f"{2 * (a + b + c)} cm"],
        )
    else:
        low = rng.choice([3, 5, 7, 9, 11])
        text = f"一根绳子平均分成 {2 * low} 段,取其中 {2 * (low // 2)} 段,占几分之几?(最简分数)"
        gold, other = f"\\frac{{{low // 2}}}{{{low}}}", [f"{low // 2}/{low}", f"{low}分之{low // 2}"]
    if kind != "方程":
        text = f"{rng.choice(['小明', '小红', '李老师', '王芳', '张强'])}问:{text}"
    return Task(pid, text, gold, rng.gauss(0, 0.4), kind, data={"other": other, "salt": (a, b, c)})


def es_task(rng: Random, pid: str) -> Task:
    """Boxes, pieces and some that break, in Spanish."""
    boxes, each, lost = rng.randint(4, 30), rng.randint(6, 36), rng.randint(2, 20)
    who, what = rng.choice(ES_NAMES), rng.choice(ES_GOODS)
    text = f"{who} recibe {boxes} cajas con {each} {what} cada una y tira {lost} en mal estado. ¿Cuántas quedan?"
    return Task(
        pid,
        text,
        str(boxes * each - lost),
        rng.gauss(0, 0.6),
        "restas",
        data={"boxes": boxes, "each": each, "lost": lost},
    )


DE = [
    ("Der Bäcker", "the baker"),
    ("Die Lehrerin", "the teacher"),
    ("Unser Nachbar", "our neighbour"),
    ("Das Mädchen", "the girl"),
    ("Der alte Kapitän", "the old captain"),
    ("Meine Tante", "my aunt"),
]
DE_ACTS = [
    ("repariert das Fahrrad", "repairs the bicycle", "mends the bike"),
    ("verkauft frisches Brot", "sells fresh bread", "is selling new bread"),
    ("sucht den Schlüssel", "looks for the key", "searches the key"),
    ("wartet auf den Zug", "waits for the train", "is waiting on the train"),
    ("schreibt einen langen Brief", "writes a long letter", "writes a lengthy letter"),
    ("füttert die Katze", "feeds the cat", "gives the cat food"),
]
DE_WHEN = [
    ("vor dem Frühstück", "before breakfast"),
    ("seit drei Tagen", "since three days ago"),
    ("am Hafen", "at the harbour"),
    ("trotz des Regens", "despite the rain"),
    ("im Garten", "in the garden"),
    ("jeden Dienstag", "every Tuesday"),
]
