"""Word problems in German and in Spanish."""

from random import Random

from benchmarks.foreign.tenth.names import PEOPLE, TOWNS
from benchmarks.foreign.tenth.sums import Sum


def _lager(rng: Random) -> Sum:
    who, town = rng.choice(PEOPLE), rng.choice(TOWNS)
    g = {"a": rng.randint(12, 64), "b": rng.randint(18, 75), "c": rng.randint(9, 120)}
    return Sum(
        "lager",
        f"{who} führt ein Lager in {town}. Es kommen {g['a']} Kisten mit je {g['b']} Gläsern an; {g['c']} Gläser sind "
        "zerbrochen. Wie viele heile Gläser bleiben übrig?",
        g,
        (
            ("n", "Insgesamt sind es {a} · {b} = {it} Gläser.|Gläser: {a} mal {b} = {it}", lambda v: v["a"] * v["b"]),
            ("k", "Ohne die {c} zerbrochenen bleiben {it}.|{n} - {c} = {it}", lambda v: v["n"] - v["c"]),
        ),
    )


def _verein(rng: Random) -> Sum:
    g = {"a": rng.randint(40, 190), "b": rng.randint(6, 25), "c": rng.randint(110, 480), "d": rng.randint(3, 9)}
    return Sum(
        "verein",
        f"Ein Verein in {rng.choice(TOWNS)} hat {g['a']} Mitglieder, die je {g['b']} Euro zahlen. Dazu kommt ein "
        f"Zuschuss von {g['c']} Euro. Für {g['d']} Fahrten werden je {g['d'] * 5} Euro ausgegeben. Wie viele Euro "
        "bleiben in der Kasse?",
        g,
        (
            ("x", "Beiträge: {a} · {b} = {it}|Die Mitglieder zahlen {it} Euro.", lambda v: v["a"] * v["b"]),
            ("y", "mit Zuschuss {x} + {c} = {it}|zusammen mit {c} sind das {it}", lambda v: v["x"] + v["c"]),
            ("f", "die Fahrten kosten {it}|Ausgaben: {d} · 5 · {d} = {it}", lambda v: v["d"] * 5 * v["d"]),
            ("z", "Rest: {y} - {f} = {it}|es bleiben {it} Euro", lambda v: v["y"] - v["f"]),
        ),
    )


def _feld(rng: Random) -> Sum:
    who = rng.choice(PEOPLE)
    g = {"a": rng.randint(14, 88), "b": rng.randint(12, 70), "c": rng.randint(2, 6)}
    return Sum(
        "feld",
        f"Das Feld von {who} ist {g['a']} m lang und {g['b']} m breit. Auf jedem Quadratmeter stehen {g['c']} "
        "Pflanzen. Wie viele Pflanzen sind es?",
        g,
        (
            ("f", "Fläche: {a} · {b} = {it}|Das Feld misst {it} Quadratmeter.", lambda v: v["a"] * v["b"]),
            ("p", "Pflanzen: {f} · {c} = {it}|je {c} auf {f}, das macht {it}", lambda v: v["f"] * v["c"]),
        ),
    )


def _tienda(rng: Random) -> Sum:
    who, town = rng.choice(PEOPLE), rng.choice(TOWNS)
    g = {"a": rng.randint(15, 70), "b": rng.randint(12, 66), "c": rng.randint(20, 150)}
    return Sum(
        "tienda",
        f"{who} tiene una tienda en {town}. Recibe {g['a']} cajas con {g['b']} velas cada una y devuelve {g['c']} "
        "velas defectuosas. ¿Cuántas velas le quedan?",
        g,
        (
            ("n", "En total hay {a} · {b} = {it} velas.|velas: {a} por {b} = {it}", lambda v: v["a"] * v["b"]),
            ("k", "Al quitar {c} quedan {it}.|{n} - {c} = {it}", lambda v: v["n"] - v["c"]),
        ),
    )


def _feria(rng: Random) -> Sum:
    g = {"a": rng.randint(120, 640), "b": rng.randint(4, 14), "c": rng.randint(60, 210), "d": rng.randint(2, 3)}
    return Sum(
        "feria",
        f"A la feria de {rng.choice(TOWNS)} van {g['a']} adultos que pagan {g['b']} euros y {g['c']} niños que pagan "
        f"{g['d']} euros. ¿Cuántos euros se recaudan?",
        g,
        (
            ("x", "Los adultos pagan {a} · {b} = {it}.|adultos: {it}", lambda v: v["a"] * v["b"]),
            ("y", "Los niños, {c} · {d} = {it}.|niños: {it}", lambda v: v["c"] * v["d"]),
            ("z", "La suma es {x} + {y} = {it}.|total: {it}", lambda v: v["x"] + v["y"]),
        ),
    )


def _viaje(rng: Random) -> Sum:
    one, two = rng.sample(TOWNS, 2)
    g = {"a": rng.randint(3, 9), "b": rng.randint(62, 110), "c": rng.randint(15, 95)}
    return Sum(
        "viaje",
        f"Un camión va de {one} a {two}: conduce {g['a']} horas a {g['b']} km por hora y después {g['c']} km por un "
        "camino de tierra. Vuelve por la misma ruta. ¿Cuántos kilómetros recorre?",
        g,
        (
            ("x", "Por carretera: {a} · {b} = {it} km.|{a} horas a {b} son {it} km", lambda v: v["a"] * v["b"]),
            ("y", "La ida suma {x} + {c} = {it}.|con el camino: {it}", lambda v: v["x"] + v["c"]),
            ("z", "Ida y vuelta: 2 · {y} = {it}.|el doble es {it}", lambda v: 2 * v["y"]),
        ),
    )


GERMAN_PROBLEMS = (_lager, _verein, _feld)
"""A store, a club, a field."""
SPANISH_PROBLEMS = (_tienda, _feria, _viaje)
"""A shop, a fair, a journey."""
