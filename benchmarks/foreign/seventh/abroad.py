"""Word problems in German, Spanish and English with the same numbers."""

from random import Random

from benchmarks.foreign.seventh.prose import FIRST, joined, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

_PAIRS = {
    "boxes": (
        "{a} packs {x} boxes with {y} pears each and sells {z} pears. How many pears are left?",
        "{a} llena {x} cajas con {y} peras cada una y vende {z} peras. ¿Cuántas peras quedan?",
        lambda x, y, z: (x * y - z, f"{x}*{y} = {x * y}", f"{x * y} - {z} = {x * y - z}"),
    ),
    "savings": (
        "{a} has {z} euros and saves {y} euros a week. How much does {a} have after {x} weeks?",
        "{a} tiene {z} euros y ahorra {y} euros por semana. ¿Cuánto tiene {a} después de {x} semanas?",
        lambda x, y, z: (z + x * y, f"{x}*{y} = {x * y}", f"{z} + {x * y} = {z + x * y}"),
    ),
    "pool": (
        (
            "A pool with {z} litres of water is filled by {x} pumps of {y} litres a minute each. How many litres "
            "does it hold after 3 minutes?"
        ),
        (
            "Una piscina con {z} litros de agua se llena con {x} bombas de {y} litros por minuto cada una. "
            "¿Cuántos litros contiene después de 3 minutos?"
        ),
        lambda x, y, z: (z + 3 * x * y, f"3*{x}*{y} = {3 * x * y}", f"{z} + {3 * x * y} = {z + 3 * x * y}"),
    ),
    "stairs": (
        (
            "A tower has {x} floors with {y} steps each and {z} more steps to the roof. How many steps does {a} "
            "climb going to the roof twice?"
        ),
        (
            "Una torre tiene {x} pisos con {y} escalones cada uno y {z} escalones más hasta el tejado. ¿Cuántos "
            "escalones sube {a} si va dos veces al tejado?"
        ),
        lambda x, y, z: (2 * (x * y + z), f"{x}*{y} + {z} = {x * y + z}", f"2*{x * y + z} = {2 * (x * y + z)}"),
    ),
    "pages": (
        "{a} reads {y} pages on each of {x} days, but {z} pages twice. How many different pages are these?",
        "{a} lee {y} páginas cada uno de {x} días, pero {z} páginas dos veces. ¿Cuántas páginas distintas son?",
        lambda x, y, z: (x * y - z, f"{x}*{y} = {x * y}", f"{x * y} - {z} = {x * y - z}"),
    ),
}
_LEADS = (
    "[Let us count.|First the product.|We compute:|Step by step.]",
    "[Contemos.|Primero el producto.|Calculamos:|Paso a paso.]",
)
_ENDS = ("[So|Thus|Hence] the answer is", "[Por lo tanto|Así que|Entonces] la respuesta es")


def numbers(rng: Random) -> tuple[str, int, int, int, str]:
    """Draw a family, three numbers and a name."""
    return rng.choice(list(_PAIRS)), rng.randint(6, 29), rng.randint(11, 48), rng.randint(12, 60), rng.choice(FIRST)


def pair_task(name: str, drawn: tuple[str, int, int, int, str], spanish: bool, level: float) -> Task:
    """Return the problem of these numbers in one of the two languages."""
    family, x, y, z, who = drawn
    value, one, two = _PAIRS[family][2](x, y, z)

    def reply(rng: Random, right: bool) -> Reply:
        shown = value if right else value + rng.choice((-10, -2, -1, 1, 5, 10, x))
        second = two.rsplit("=", 1)[0] + f"= {shown}"
        text = joined(
            [
                say(rng, _LEADS[spanish]),
                one + rng.choice((".", "", ";")),
                second,
                f"{say(rng, _ENDS[spanish])} \\boxed{{{shown}}}.",
            ]
        )
        return Reply([said(text)], str(shown))

    ending = " Escribe la respuesta en \\boxed{}." if spanish else " Write the answer in \\boxed{}."
    prompt = _PAIRS[family][spanish].format(a=who, x=x, y=y, z=z) + ending
    return Task(name, family, "math", prompt, str(value), reply, level=level)


_GERMAN = {
    "strecke": (
        "{a} fährt {x} Minuten mit {y} km/h. Wie viele Kilometer sind das? Runde auf eine Stelle.",
        lambda x, y: (x * y + 3) // 6 / 10,
        "{x}/60 Stunden mal {y} km/h",
    ),
    "preis": (
        "{x} Brötchen kosten je {y} Cent. Wie viel Euro zahlt {a}?",
        lambda x, y: round(x * y / 100, 2),
        "{x} mal {y} Cent, geteilt durch 100",
    ),
    "schnitt": (
        "{a} wirft {x} und dann {y} Meter weit. Wie groß ist das Mittel der beiden Würfe in Metern?",
        lambda x, y: (x + y) / 2,
        "({x} + {y}) / 2",
    ),
    "anteil": (
        "Von {y} Litern Saft trinkt {a} {x} Prozent. Wie viele Liter sind das? Runde auf zwei Stellen.",
        lambda x, y: round(x * y / 100, 2),
        "{y} mal {x} Hundertstel",
    ),
}

_REMARKS = (
    "",
    "[Zuerst|Zunächst] [die Größen|die Angaben] [ordnen|notieren].",
    "[Gegeben sind|Wir haben] zwei Zahlen, gesucht ist [eine dritte|das Ergebnis].",
    "[Das ist|Hier geht es um] [eine einfache Aufgabe|einen Dreisatz|eine kurze Rechnung].",
    "[Auf die Einheiten achten|Einheiten beachten]!",
    "[Schritt für Schritt|Der Reihe nach]:",
    "[Ich lese noch einmal|Noch einmal gelesen]: [alles klar|gut].",
)


def comma(value: float) -> str:
    """Return the number as Germans write it."""
    return f"{value:g}".replace(".", ",")


def german_task(rng: Random, name: str) -> Task:
    """Draw a problem with a decimal answer, in German."""
    family, x, y, who = rng.choice(list(_GERMAN)), rng.randint(7, 58), rng.randint(21, 95), rng.choice(FIRST)
    ask, rule, way = _GERMAN[family]
    value = float(rule(x, y))

    def reply(draw: Random, right: bool) -> Reply:
        shown = value if right else round(value * draw.choice((0.1, 2, 10)) + draw.choice((0, 0.5, 1)), 2)
        lines = [
            say(draw, draw.choice(_REMARKS)),
            say(draw, "[Wir rechnen|Ich rechne|Ansatz|Rechnung|Also]: ") + way.format(x=x, y=y) + ".",
            say(draw, "[Ergebnis|Antwort|Das ergibt|Lösung|Endergebnis]: ") + comma(shown),
        ]
        return Reply([said(joined(lines))], comma(shown))

    return Task(name, family, "mathe", ask.format(a=who, x=x, y=y), f"{value:g}", reply, level=rng.gauss(0, 0.7))
