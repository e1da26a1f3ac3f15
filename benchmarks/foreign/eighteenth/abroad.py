"""Word problems of German, French and Spanish askers, with results of two decimals."""

from collections.abc import Callable
from random import Random

from benchmarks.foreign.eighteenth.people import NAMES
from benchmarks.foreign.eighteenth.shapes import Reply, Task, said

TEXTS = {
    "de": (
        (
            "{who} kauft {n} Hefte zu je {p} Euro und {m} Stifte zu je {q} Euro. Was kostet der Einkauf in Euro?",
            "Auf dem Markt nimmt {who} {n} Beutel Nüsse zu {p} Euro und {m} Gläser Honig zu {q} Euro. "
            "Wie viel Euro sind zu zahlen?",
            "{who} mietet ein Rad für {n} Stunden zu {p} Euro und ein Boot für {m} Stunden zu {q} Euro. "
            "Wie hoch ist die Rechnung in Euro?",
        ),
        ("Zuerst rechne ich {n} mal {p}, das sind {x}.", "Für den ersten Posten gilt {n} · {p} = {x}."),
        ("Dann {m} mal {q}, das ergibt {y}.", "Der zweite Posten macht {m} · {q} = {y}."),
        ("Zusammen sind es {z}.", "Die Summe beträgt {z}.", "Beides addiert ergibt {z}."),
    ),
    "fr": (
        (
            "{who} achète {n} cahiers à {p} euros pièce et {m} stylos à {q} euros pièce. Combien paie-t-on en euros ?",
            "Au marché, {who} prend {n} sachets de noix à {p} euros et {m} pots de miel à {q} euros. "
            "Quel est le total en euros ?",
            "{who} loue un vélo {n} heures à {p} euros et une barque {m} heures à {q} euros. Quelle est la somme due ?",
        ),
        ("On calcule d'abord {n} fois {p}, soit {x}.", "Pour le premier achat : {n} × {p} = {x}."),
        ("Ensuite {m} fois {q}, ce qui donne {y}.", "Le second achat coûte {m} × {q} = {y}."),
        ("Au total cela fait {z}.", "La somme est donc {z}.", "On ajoute les deux : {z}."),
    ),
    "es": (
        (
            "{who} compra {n} cuadernos a {p} euros cada uno y {m} lápices a {q} euros. ¿Cuánto paga en euros?",
            "En el mercado {who} lleva {n} bolsas de nueces a {p} euros y {m} tarros de miel a {q} euros. "
            "¿Cuál es el total en euros?",
        ),
        ("Primero multiplicamos {n} por {p} y sale {x}.", "La primera parte cuesta {n} × {p} = {x}."),
        ("Luego {m} por {q}, que son {y}.", "La segunda parte cuesta {m} × {q} = {y}."),
        ("En total son {z}.", "Sumando las dos partes queda {z}."),
    ),
}

FRAMES = {
    "de": (("", ""), ("Wir gehen der Reihe nach vor.", ""), ("", "Das ist der Betrag."), ("Gut, also:", "Fertig.")),
    "fr": (("", ""), ("Procédons par étapes.", ""), ("", "Voilà le montant."), ("Bien, alors :", "C'est tout.")),
    "es": (("", ""), ("Vamos paso a paso.", ""), ("", "Ese es el importe."), ("Bien, entonces:", "Eso es todo.")),
}
"""Openings and closings, together."""


def plain(cents: int, mark: str = ",") -> str:
    """Cents as euros with the given decimal mark; whole euros without any."""
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}{mark}{cents % 100:02d}"


def bill_of(
    rng: Random, tongues: tuple[str, ...] = ("de", "fr", "es"), mark: Callable[[Random], str] | None = None
) -> Task:
    """A bill in one of the languages; `mark` chooses the decimal mark of an answer."""
    tongue = rng.choice(tongues)
    n, m = rng.randint(2, 12), rng.randint(2, 9)
    p, q = rng.randrange(100, 900, rng.choice((5, 50, 100))), rng.randrange(100, 1200, rng.choice((10, 50, 100)))
    told = {"who": rng.choice(NAMES), "n": n, "m": m, "p": plain(p), "q": plain(q)}
    gold = n * p + m * q

    def write(rng: Random, right: bool) -> Reply:
        x, y = n * p, m * q
        if not right:
            x += rng.choice((-1, 1)) * rng.choice((p, 100, 50, 1000))
        own = mark(rng) if mark else ","
        parts = told | {"x": plain(x, own), "y": plain(y, own), "z": plain(x + y, own)}
        lines = [rng.choice(options).format(**parts) for options in TEXTS[tongue][1:]]
        head, tail = rng.choice(FRAMES[tongue])
        joint = rng.choice((" ", "\n"))
        text = joint.join(x for x in (head, *lines, tail, rf"\boxed{{{parts['z']}}}") if x)
        return said(text, parts["z"])

    prompt = rng.choice(TEXTS[tongue][0]).format(**told)
    return Task(prompt, plain(gold, "."), write, f"bills_{tongue}", 0.1, extra={"lang": tongue})
