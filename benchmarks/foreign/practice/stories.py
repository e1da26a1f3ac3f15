"""Problems answered in one message, and stories with numbers in three languages."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Draw = random.Random


@dataclass(frozen=True)
class Task:
    """One problem: what is asked, what is right, how hard it is (logits), and what the world knows of it."""

    name: str
    family: str
    prompt: str
    answer: str
    difficulty: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class World:
    """How problems are drawn, and how one is answered in writing: right or wrong, with more or less words."""

    draw: Callable[[Draw, str], Task]
    answer: Callable[[Draw, Task, bool, float], tuple[str, str]]
    """(text, final answer)"""


WHO = [
    "Imani",
    "Tobias",
    "Yuki",
    "Carmen",
    "Dmitri",
    "Aisling",
    "Femi",
    "Greta",
    "Hassan",
    "Ines",
    "Jorge",
    "Kalpana",
    "Liam",
    "Maren",
    "Noor",
    "Otto",
    "Priya",
]
THINGS = [
    "lanterns",
    "kites",
    "notebooks",
    "marbles",
    "seedlings",
    "postcards",
    "buttons",
    "candles",
    "oranges",
    "bricks",
    "tickets",
    "badges",
    "teacups",
    "ribbons",
    "pebbles",
    "stamps",
    "loaves",
    "jars",
]
PLACES = (
    "the harbour market",
    "a school fair",
    "the village hall",
    "her uncle's garage",
    "the night train",
    "the allotment",
    "a flea market in Leeds",
    "the workshop",
    "the community library",
    "a beach kiosk",
)
STEPS = {
    "gain": (
        (
            "Then {n} more {thing} arrive.",
            "A neighbour brings another {n} {thing}.",
            "{n} further {thing} turn up in a box.",
            "At {place}, {who} finds {n} extra {thing}.",
            "The next morning {n} {thing} are added.",
        ),
        (
            "Adding those: {a} + {n} = {b}.",
            "That raises the count to {a} + {n} = {b}.",
            "Now we have {b}, since {a} and {n} make {b}.",
            "{n} on top of {a} is {b}.",
            "So {a} + {n}, which is {b}.",
        ),
    ),
    "lose": (
        (
            "{n} of them are sold at {place}.",
            "Rain ruins {n} {thing}.",
            "{who} hands {n} {thing} to a friend.",
            "{n} {thing} go missing on the way.",
            "A customer takes {n} {thing}.",
        ),
        (
            "Take away {n}: {a} - {n} = {b}.",
            "{a} less {n} leaves {b}.",
            "Removing {n} from {a}, {b} remain.",
            "After that {b} are left ({a} - {n}).",
            "Subtracting gives {a} - {n} = {b}.",
        ),
    ),
    "times": (
        (
            "A trader swaps the whole lot for {n} times as many.",
            "By Sunday the pile is {n} times its size.",
            "Every one of them is exchanged for {n} smaller ones.",
            "The stock is then multiplied by {n}.",
        ),
        (
            "Multiply: {a} * {n} = {b}.",
            "{n} times {a} comes to {b}.",
            "{a} x {n} is {b}, so {b} now.",
            "That becomes {a} * {n} = {b}.",
        ),
    ),
}
OPENERS = (
    "Let me work through this.",
    "First, the starting amount.",
    "Okay, track the count step by step.",
    "We need the final number of {thing}.",
    "Start with what {who} has.",
    "Reading the story in order.",
    "The question asks about {thing}.",
    "I will keep a running total.",
    "",
)
ASIDES = (
    "Checking that again, it looks consistent.",
    "The order of events matters here.",
    "Wait, was that before or after {place}? Before, so it counts.",
    "Nothing else in the text changes the number of {thing}.",
    "Going back over the sentence about {who}, yes.",
    "No fractions are needed.",
    "That is plausible for {place}.",
    "Let me redo the last line mentally.",
    "The name {who} does not matter for the arithmetic.",
    "Each sentence gives one operation.",
    "I should not forget the initial {first}.",
    "Good so far.",
)
CLOSERS = (
    "The answer is {x}.",
    "Therefore {x}.",
    "So the result: {x}.",
    "Final answer: {x}",
    "Answer: {x}",
    "Hence there are {x} {thing}.",
    "That leaves {x}.",
)


def draw_story(rng: Draw, name: str, length: int | None = None, big: bool = False) -> Task:
    """Draw a story of two to four operations on a count."""
    who, thing, place = rng.choice(WHO), rng.choice(THINGS), rng.choice(PLACES)
    first = rng.randint(400, 900) if big else rng.randint(6, 60)
    value, said, plan = first, [f"{who} starts with {first} {thing} at {place}."], []
    for _ in range(length or rng.randint(2, 4)):
        kind = rng.choice([kind for kind in STEPS if kind != "lose" or value > 8])
        n = rng.randint(2, 4) if kind == "times" else rng.randint(2, max(3, min(value - 2, 45)))
        before, value = value, {"gain": value + n, "lose": value - n, "times": value * n}[kind]
        said.append(rng.choice(STEPS[kind][0]).format(n=n, thing=thing, who=rng.choice(WHO), place=rng.choice(PLACES)))
        plan.append((kind, before, n, value))
    said.append(
        rng.choice(
            (
                f"How many {thing} are there now?",
                f"What is the final number of {thing}?",
                f"How many {thing} does {who} end with?",
                f"Count the {thing} at the end.",
            )
        )
    )
    facts = {"plan": plan, "who": who, "thing": thing, "place": place, "first": first}
    return Task(name, "story", " ".join(said), str(value), 0.6 * (len(plan) - 3) + rng.gauss(0, 0.7), facts)


def answer_story(rng: Draw, task: Task, right: bool, talk: float) -> tuple[str, str]:
    """Write the running count; a wrong answer slips in one line and carries on."""
    facts, plan = task.facts, task.facts["plan"]
    words = {key: facts[key] for key in ("who", "thing", "place", "first")}
    slip = None if right else rng.randrange(len(plan))
    value, lines = facts["first"], [rng.choice(OPENERS).format(**words)]
    for place, (kind, _, n, _) in enumerate(plan):
        before, value = value, {"gain": value + n, "lose": value - n, "times": value * n}[kind]
        if place == slip:
            value += rng.choice((-10, -3, -2, -1, 1, 2, 4, 10))
        lines.append(rng.choice(STEPS[kind][1]).format(a=before, n=n, b=value))
        while rng.random() < talk:
            lines.append(rng.choice(ASIDES).format(**words))
    lines.append(rng.choice(CLOSERS).format(x=value, **words))
    return " ".join(line for line in lines if line), str(value)


CIUDADES = ["Sevilla", "Toledo", "Lugo", "Cádiz", "Murcia", "Gijón", "Teruel", "Huesca", "Cuenca", "Vigo"]
COSAS = ["libros", "velas", "naranjas", "monedas", "sillas", "cuadernos", "flores", "panes", "llaves", "botellas"]
NOMBRES = ["Lucía", "Mateo", "Elena", "Bruno", "Sofía", "Andrés", "Paula", "Hugo", "Irene", "Pablo"]


def draw_spanish(rng: Draw, name: str) -> Task:
    """Draw a Spanish story: buy, give away, double."""
    quien, cosa, ciudad = rng.choice(NOMBRES), rng.choice(COSAS), rng.choice(CIUDADES)
    a, b, c, k = rng.randint(10, 90), rng.randint(3, 60), rng.randint(2, 9), rng.randint(2, 5)
    asks = (
        f"En {ciudad}, {quien} tiene {a} {cosa} y compra {b} más. Después regala {c}. ¿Cuántas unidades le quedan?",
        f"{quien} vende en {ciudad} {k} cajas con {a} {cosa} cada una y se rompen {c}. ¿Cuántas llegan enteras?",
        f"Un almacén de {ciudad} guarda {a} {cosa}; llegan {b} por la mañana y {b} por la tarde. ¿Cuántas hay?",
    )
    form = rng.randrange(3)
    value = (a + b - c, k * a - c, a + 2 * b)[form]
    return Task(name, "relato", asks[form], str(value), rng.gauss(0, 0.8), {"n": (a, b, c, k, form), "cosa": cosa})


def answer_spanish(rng: Draw, task: Task, right: bool, talk: float) -> tuple[str, str]:
    """Write the calculation in Spanish."""
    a, b, c, k, form = task.facts["n"]
    value = int(task.answer) + (0 if right else rng.choice((-10, -2, -1, 1, 2, 9, 10)))
    sums = (f"{a} + {b} - {c} = {value}", f"{k} * {a} - {c} = {value}", f"{a} + {b} + {b} = {value}")[form]
    lines = [
        rng.choice(
            (
                "Veamos los datos.",
                "Empiezo por el principio.",
                "Vamos paso a paso.",
                "Hay que sumar y restar con cuidado.",
                "El enunciado da tres cantidades.",
                "Primero, lo que hay.",
            )
        )
    ]
    lines.append(rng.choice((f"La cuenta es {sums}.", f"Calculo {sums}.", f"Entonces {sums}.", f"Queda así: {sums}.")))
    while rng.random() < talk:
        lines.append(
            rng.choice(
                (
                    f"Repaso el número {a} del texto.",
                    "No hay que contar nada dos veces.",
                    f"Los {task.facts['cosa']} no se dividen.",
                    "La ciudad no cambia el resultado.",
                    f"Compruebo: el valor {value} parece razonable.",
                    "Sigo con la última parte.",
                )
            )
        )
    lines.append(rng.choice((f"Respuesta: {value}", f"Por lo tanto, son {value}.", f"La solución es {value}.")))
    return " ".join(lines), str(value)


KANA = ("りんご", "みかん", "えんぴつ", "きって", "たまご", "ほん", "かさ", "はな")
HITO = ("さくら", "けんた", "ゆうと", "はるか", "みさき", "だいち", "あおい")


def draw_japanese(rng: Draw, name: str) -> Task:
    """Draw a Japanese story of one or two operations."""
    who, thing, a, b, c = rng.choice(HITO), rng.choice(KANA), rng.randint(11, 95), rng.randint(3, 60), rng.randint(2, 9)
    form = rng.randrange(3)
    asks = (
        f"{who}さんは{thing}を{a}こ持っています。{b}こもらい、{c}こ使いました。残りはいくつですか。",
        f"一箱に{thing}が{a}こ入っています。{c}箱あると全部でいくつですか。",
        f"{thing}が{a}こありました。友だち{c}人が{b}こずつ持ってきました。合計はいくつですか。",
    )
    value = (a + b - c, a * c, a + b * c)[form]
    return Task(
        name, "文章題", asks[form], str(value), rng.gauss(0, 0.8), {"n": (a, b, c, form), "who": who, "thing": thing}
    )


def answer_japanese(rng: Draw, task: Task, right: bool, talk: float) -> tuple[str, str]:
    """Write the calculation in Japanese."""
    a, b, c, form = task.facts["n"]
    value = int(task.answer) + (0 if right else rng.choice((-10, -2, -1, 1, 2, 10)))
    sums = (f"{a}+{b}-{c}={value}", f"{a}×{c}={value}", f"{a}+{b}×{c}={value}")[form]
    lines = [
        rng.choice(
            (
                "まず問題を整理します。",
                "順番に考えます。",
                "式を立てましょう。",
                f"{task.facts['who']}さんの数を求めます。" if form == 0 else "全体の数を求めます。",
                "",
            )
        )
    ]
    lines.append(
        rng.choice((f"式は{sums}です。", f"計算すると{sums}。", f"よって{sums}となります。", f"{sums}になる。"))
    )
    while rng.random() < talk:
        lines.append(
            rng.choice(
                (
                    f"もう一度{a}から確かめます。",
                    "単位はこです。",
                    "くり上がりに注意します。",
                    f"{task.facts['thing']}の数なので整数です。",
                    "見直しても同じでした。",
                )
            )
        )
    lines.append(rng.choice((f"答え：{value}", f"答えは{value}です。", f"したがって{value}こ。")))
    return "".join(lines), str(value)


def story_world(length: int | None = None, big: bool = False) -> World:
    """Stories of one length, or with counts in the hundreds."""
    return World(lambda rng, name: draw_story(rng, name, length, big), answer_story)


STORY = story_world()
SPANISH = World(draw_spanish, answer_spanish)
JAPANESE = World(draw_japanese, answer_japanese)
