"""Everyday sums in German: answers with a decimal comma, and some whole ones."""

from decimal import ROUND_HALF_UP, Decimal
from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, say

SYSTEM = "Rechne Schritt für Schritt. Schreibe das Ergebnis in die letzte Zeile nach »Antwort:«."
GOODS = ("Äpfel", "Birnen", "Kartoffeln", "Kirschen", "Möhren", "Pflaumen", "Zwiebeln", "Spargel", "Erdbeeren")
WAYS = ("vom Bahnhof zum See", "von Celle nach Uelzen", "rund um den Stausee", "zur Berghütte", "durch das Moor")
STARTS = (
    "Ich rechne das nacheinander aus.",
    "Zuerst notiere ich, was gegeben ist.",
    "Also:",
    "Schauen wir auf die Zahlen.",
)


def comma(value: Decimal) -> str:
    """A number as Germans write it."""
    return f"{value}".replace(".", ",")


def cents(value: Decimal) -> Decimal:
    """Rounded to two places."""
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


def price(rng: Random) -> tuple[str, str, Decimal, str]:
    """What so many kilos cost."""
    each = Decimal(rng.randint(89, 799)) / 100
    kilos = Decimal(rng.randint(3, 19)) / 2
    good = rng.choice(GOODS)
    text = f"Ein Kilo {good} kostet {comma(each)} Euro. Wie viel Euro kosten {comma(kilos)} Kilo?"
    return "preise", text, cents(each * kilos), f"{comma(each)} · {comma(kilos)}"


def distance(rng: Random) -> tuple[str, str, Decimal, str]:
    """How long a way is."""
    first, second = Decimal(rng.randint(21, 189)) / 10, Decimal(rng.randint(21, 189)) / 10
    text = (
        f"Eine Wanderung {rng.choice(WAYS)} hat zwei Abschnitte von {comma(first)} km und {comma(second)} km. Wie lang "
        "ist sie hin und zurück, in Kilometern?"
    )
    return "strecken", text, 2 * (first + second), f"2 · ({comma(first)} + {comma(second)})"


def count(rng: Random) -> tuple[str, str, Decimal, str]:
    """How many chairs stand in a hall."""
    rows, seats, gone = rng.randint(8, 32), rng.randint(9, 28), rng.randint(3, 40)
    text = (
        f"In einem Saal stehen {rows} Reihen mit je {seats} Stühlen. {gone} Stühle werden entfernt. Wie viele bleiben?"
    )
    return "anzahlen", text, Decimal(rows * seats - gone), f"{rows} · {seats} − {gone}"


def german_sum(rng: Random, number: int) -> Task:
    """One of the three."""
    family, text, value, shown = rng.choice((price, distance, count, count))(rng)
    unit = Decimal(1) if family == "anzahlen" else Decimal("0.1")

    def write(rng: Random, right: bool, progress: float) -> Reply:
        said = value if right else value + unit * rng.choice((-10, -7, -3, 2, 4, 9, 20))
        lines = [rng.choice(STARTS), f"{shown} = {comma(said)}"]
        if rng.random() < 0.5 * progress + 0.1:
            lines.append(rng.choice(("Die Größenordnung passt.", "Überschlag: das kommt hin.", "Probe stimmt.")))
        return Reply([say("\n".join([*lines, f"Antwort: {comma(said)}"]))], comma(said))

    return Task(f"de-{number:04d}", family, text, comma(value), write, rng.gauss(0, 0.6), SYSTEM)
