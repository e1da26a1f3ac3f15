"""Families of word problems in English, German and Spanish: how one is posed, and the steps that solve it."""

import random
from collections.abc import Callable
from dataclasses import dataclass

Env = dict


@dataclass(frozen=True)
class Family:
    """Prompts, the numbers in them, and each step with the ways to say it. The last step is the answer."""

    name: str
    language: str
    prompts: tuple[str, ...]
    draw: Callable[[random.Random], Env]
    steps: tuple[tuple[str, Callable[[Env], int], tuple[str, ...]], ...]
    cents: bool = False


NAMES = ("Asha", "Bruno", "Chidi", "Dana", "Elif", "Farid", "Greta", "Hiro", "Ines", "Jonas", "Kaya", "Lena", "Mateo")


def _name(rng: random.Random) -> str:
    return rng.choice(NAMES)


def _shop(rng: random.Random) -> Env:
    things = rng.sample(["notebooks", "lamps", "mugs", "brushes", "cables", "cushions", "planters"], 2)
    a, p, b, q = rng.randint(3, 14), rng.randint(4, 19), rng.randint(2, 9), rng.randint(6, 31)
    n = (a * p + b * q) // 100 * 100 + 100
    return {"name": _name(rng), "u": things[0], "v": things[1], "a": a, "p": p, "b": b, "q": q, "n": n}


SHOP = Family(
    "shop",
    "en",
    (
        "{name} buys {a} {u} at {p} euros each and {b} {v} at {q} euros each, and hands over {n} euros. How many euros "
        "of change are due?",
        "At a market stall {name} takes {a} {u} ({p} euros apiece) and {b} {v} ({q} euros apiece). The purse holds {n} "
        "euros. How many euros are left after paying?",
    ),
    _shop,
    (
        (
            "x",
            lambda e: e["a"] * e["p"],
            ("The {u} cost {a} times {p}, which is {x} euros.", "{a} * {p} = {x} for {u}."),
        ),
        ("y", lambda e: e["b"] * e["q"], ("For the {v} we pay {b} * {q} = {y}.", "The {v} come to {y} euros.")),
        ("s", lambda e: e["x"] + e["y"], ("Together that makes {x} + {y} = {s}.", "So the bill is {s} euros in all.")),
        ("z", lambda e: e["n"] - e["s"], ("Taken from {n} this leaves {n} - {s} = {z}.", "What remains is {z} euros.")),
    ),
)


def _tank(rng: random.Random) -> Env:
    a, b, h, g = rng.randint(12, 48), rng.randint(3, 11), rng.randint(3, 17), rng.randint(140, 460)
    return {"a": a, "b": b, "h": h, "g": g, "k": rng.randint(2, 9) * 10}


TANK = Family(
    "tank",
    "en",
    (
        "A cistern holds {g} litres. A pump adds {a} litres an hour while a leak loses {b} litres an hour. After {h} "
        "hours a farmer draws {k} litres. How many litres are in the cistern then?",
        "Water enters a tank at {a} litres an hour and escapes at {b} litres an hour. It starts with {g} litres, runs "
        "for {h} hours, and then {k} litres are poured in at once from the truck's hose and twice that are drawn. How "
        "many litres does it hold?",
    ),
    _tank,
    (
        (
            "x",
            lambda e: e["a"] - e["b"],
            ("The net gain is {a} - {b} = {x} an hour.", "Each hour the level grows by {x}."),
        ),
        (
            "y",
            lambda e: e["x"] * e["h"],
            ("Over {h} hours it gains {x} * {h} = {y}.", "In {h} hours that is {y} litres."),
        ),
        ("s", lambda e: e["g"] + e["y"], ("With the first {g} litres we have {s}.", "{g} + {y} = {s} before the end.")),
        ("z", lambda e: e["s"] - e["k"], ("At the end {k} litres are gone on balance: {z}.", "{s} - {k} = {z} stay.")),
    ),
)


def _knit(rng: random.Random) -> Env:
    return {"a": rng.randint(60, 180), "d": rng.randint(2, 4), "r": rng.randint(4, 12), "m": rng.randint(5, 24)}


KNIT = Family(
    "knitting",
    "en",
    (
        "A sleeve is cast on with {a} stitches. In each of {r} shaping rows {d} stitches are lost. Then {m} plain rows "
        "are knitted. How many stitches are worked in the plain rows together?",
        "You cast on {a} stitches and decrease by {d} in every one of {r} rows; {m} rows without shaping follow. How "
        "many stitches do these {m} rows hold in total?",
    ),
    _knit,
    (
        (
            "x",
            lambda e: e["d"] * e["r"],
            ("Shaping takes away {d} * {r} = {x} stitches.", "In all {x} stitches are lost."),
        ),
        ("y", lambda e: e["a"] - e["x"], ("So {a} - {x} = {y} stay on the needle.", "The needle then carries {y}.")),
        (
            "z",
            lambda e: e["y"] * e["m"],
            ("The {m} rows hold {y} * {m} = {z} stitches.", "Times {m} rows this is {z}."),
        ),
    ),
)


def _ferry(rng: random.Random) -> Env:
    return {"c": rng.randint(18, 46), "t": rng.randint(3, 9), "w": rng.randint(2, 12), "l": rng.randint(4, 17)}


FERRY = Family(
    "ferry",
    "en",
    (
        "A ferry takes {c} cars a crossing and makes {t} crossings a day. On {w} days it sails full, but {l} "
        "places stay "
        "empty over the whole period. How many cars were carried?",
        "Each trip of a river ferry has room for {c} cars. There are {t} trips a day over {w} days, and {l} places in "
        "total were not used. How many cars crossed?",
    ),
    _ferry,
    (
        ("x", lambda e: e["c"] * e["t"], ("A day has room for {c} * {t} = {x} cars.", "That is {x} places each day.")),
        ("y", lambda e: e["x"] * e["w"], ("Over {w} days: {x} * {w} = {y} places.", "{w} such days give {y} places.")),
        ("z", lambda e: e["y"] - e["l"], ("Without the {l} empty ones {z} remain.", "{y} - {l} = {z} cars crossed.")),
    ),
)


def _kasse(rng: random.Random) -> Env:
    a, p, b, q = rng.randint(2, 7), rng.randint(45, 390), rng.randint(2, 6), rng.randint(110, 720)
    n = (a * p + b * q) // 1000 * 1000 + 1000
    u, v = rng.sample(["Hefte", "Kerzen", "Schrauben", "Tassen", "Blumen", "Postkarten"], 2)
    return {"name": _name(rng), "u": u, "v": v, "a": a, "p": p, "b": b, "q": q, "n": n}


KASSE = Family(
    "kasse",
    "de",
    (
        "{name} kauft {a} {u} zu je {p} Euro und {b} {v} zu je {q} Euro und zahlt mit {n} Euro. Wie viel Euro "
        "Wechselgeld "
        "gibt es?",
        "Im Laden legt {name} {a} {u} (je {p} Euro) und {b} {v} (je {q} Euro) auf den Tisch und bezahlt mit {n} "
        "Euro. Wie "
        "viele Euro bleiben?",
    ),
    _kasse,
    (
        ("x", lambda e: e["a"] * e["p"], ("Die {u} kosten {a} mal {p}, also {x} Euro.", "Zuerst {a} * {p} = {x}.")),
        (
            "y",
            lambda e: e["b"] * e["q"],
            ("Für die {v} sind es {b} * {q} = {y} Euro.", "Dazu kommen {y} Euro für {v}."),
        ),
        ("s", lambda e: e["x"] + e["y"], ("Zusammen macht das {s} Euro.", "Die Summe ist {x} + {y} = {s}.")),
        ("z", lambda e: e["n"] - e["s"], ("Von {n} Euro bleiben {z} übrig.", "Also {n} - {s} = {z} Euro zurück.")),
    ),
    cents=True,
)


def _huerto(rng: random.Random) -> Env:
    return {"f": rng.randint(6, 19), "t": rng.randint(7, 23), "k": rng.randint(2, 9), "s0": rng.randint(11, 60)}


HUERTO = Family(
    "huerto",
    "es",
    (
        "Un huerto tiene {f} filas con {t} tomates cada una. Cada tomate da {k} frutos y se pierden {s0} frutos por el "
        "granizo. ¿Cuántos frutos quedan?",
        "En {f} hileras hay {t} plantas por hilera, y cada planta da {k} frutos. El granizo estropea {s0}. ¿Cuántos "
        "frutos se recogen?",
    ),
    _huerto,
    (
        (
            "x",
            lambda e: e["f"] * e["t"],
            ("Hay {f} por {t}, es decir {x} plantas.", "Primero: {f} * {t} = {x} plantas."),
        ),
        ("y", lambda e: e["x"] * e["k"], ("Todas juntas dan {x} * {k} = {y} frutos.", "Eso son {y} frutos en total.")),
        ("z", lambda e: e["y"] - e["s0"], ("Menos {s0} quedan {z} frutos.", "Al restar {s0} nos quedan {z}.")),
    ),
)

ENGLISH = (SHOP, TANK, KNIT, FERRY)
