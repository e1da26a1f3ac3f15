"""Word problems with whole-number answers and the lines that solve them."""

import re
from collections.abc import Callable
from random import Random

from benchmarks.foreign.twentyfifth.course import Draw, Task
from benchmarks.foreign.twentyfifth.prose import working

NAMES = ("Mira", "Tobias", "Anouk", "Rahul", "Ifeoma", "Lars", "Wen", "Paloma", "Yusuf", "Greta", "Hana", "Bruno")
TOWNS = ("Gent", "Turku", "Braga", "Leeds", "Cork", "Lodz", "Arles", "Trier", "Bari")
THINGS = ("notebooks", "lamps", "cups", "bulbs", "tickets", "seedlings", "bricks", "jars", "maps", "scarves")


def _shop(rng: Random) -> Task:
    who, thing = rng.choice(NAMES), rng.choice(THINGS)
    price, count, fee, off = rng.randint(3, 29), rng.randint(4, 38), rng.randint(5, 40), rng.randint(2, 19)
    gold = price * count + fee - off
    lines = [f"{count} {thing} at {price} each are {count} * {price} = {count * price}."]
    lines += [f"with the delivery fee of {fee} it is {count * price + fee}.", f"less the voucher of {off}: {gold}."]
    prompt = f"{who} orders {count} {thing} for {price} euros each. Delivery costs {fee} euros and a voucher takes off"
    info = {"lines": lines, "unit": "euros", "expr": f"{count} * {price} + {fee} - {off}"}
    return Task(f"{prompt} {off} euros. How many euros does {who} pay?", str(gold), info)


def _tank(rng: Random) -> Task:
    into, out, hours, had = rng.randint(30, 95), rng.randint(5, 28), rng.randint(3, 14), rng.randint(50, 600)
    gold = had + (into - out) * hours
    lines = [f"the net flow is {into} - {out} = {into - out} litres an hour."]
    lines += [f"over {hours} hours that is {(into - out) * hours} litres.", f"added to {had}, we have {gold} litres."]
    prompt = f"A tank holds {had} litres. A pump adds {into} litres an hour while a leak loses {out} litres an hour."
    info = {"lines": lines, "unit": "litres", "expr": f"{had} + ({into} - {out}) * {hours}"}
    return Task(f"{prompt} How many litres are in it after {hours} hours?", str(gold), info)


def _rows(rng: Random) -> Task:
    who, first, more, rows = rng.choice(NAMES), rng.randint(6, 30), rng.randint(2, 7), rng.randint(6, 21)
    last = first + more * (rows - 1)
    gold = rows * (first + last) // 2
    lines = [f"the last row has {first} + {more} * {rows - 1} = {last} seats."]
    lines += [f"the rows average ({first} + {last}) / 2 seats.", f"times {rows} rows gives {gold} seats."]
    prompt = f"{who} plans a hall of {rows} rows. The first row has {first} seats and each row has {more} seats more"
    info = {"lines": lines, "unit": "seats", "expr": f"{rows} * ({first} + {last}) // 2"}
    return Task(f"{prompt} than the one before. How many seats are there?", str(gold), info)


def _trip(rng: Random) -> Task:
    who, fast, slow = rng.choice(NAMES), rng.randint(60, 130), rng.randint(15, 55)
    a, b = rng.randint(2, 7), rng.randint(2, 9)
    gold = fast * a + slow * b
    lines = [f"by train: {fast} * {a} = {fast * a} km.", f"by bicycle: {slow} * {b} = {slow * b} km."]
    lines.append(f"together {fast * a} + {slow * b} = {gold} km.")
    prompt = f"{who} rides a train for {a} hours at {fast} km/h and then a bicycle for {b} hours at {slow} km/h."
    info = {"lines": lines, "unit": "km", "expr": f"{fast} * {a} + {slow} * {b}"}
    return Task(f"{prompt} How many kilometres is the whole way?", str(gold), info)


def _bakery(rng: Random) -> Task:
    trays, each, eaten, packs = rng.randint(5, 30), rng.randint(8, 36), rng.randint(2, 12), rng.choice([2, 3, 4])
    gold = (trays * each - eaten) * packs
    lines = [
        f"one oven gives {trays} * {each} = {trays * each} rolls.",
        f"minus {eaten} burnt ones: {trays * each - eaten}.",
    ]
    lines.append(f"{packs} ovens of this kind yield {gold} rolls.")
    place = rng.choice(TOWNS)
    prompt = f"An oven bakes {trays} trays of {each} rolls, of which {eaten} burn. A baker in {place} has {packs}"
    info = {"lines": lines, "unit": "rolls", "expr": f"({trays} * {each} - {eaten}) * {packs}"}
    return Task(f"{prompt} such ovens. How many good rolls come out?", str(gold), info)


def _wages(rng: Random) -> Task:
    who, hours, rate = rng.choice(NAMES), rng.randint(20, 40), rng.randint(11, 34)
    extra, bonus = rng.randint(2, 9), rng.randint(1, 9)
    gold = hours * rate + extra * (rate + bonus)
    lines = [
        f"regular pay is {hours} * {rate} = {hours * rate}.",
        f"an extra hour pays {rate} + {bonus} = {rate + bonus}.",
    ]
    lines.append(f"with {extra} of these the week comes to {gold}.")
    prompt = f"{who} works {hours} hours at {rate} francs and {extra} extra hours that pay {bonus} francs more each."
    info = {"lines": lines, "unit": "francs", "expr": f"{hours} * {rate} + {extra} * ({rate} + {bonus})"}
    return Task(f"{prompt} How many francs does {who} earn?", str(gold), info)


def _fence(rng: Random) -> Task:
    long, wide, gate, price = rng.randint(12, 90), rng.randint(8, 60), rng.randint(2, 6), rng.randint(3, 25)
    gold = (2 * (long + wide) - gate) * price
    lines = [
        f"the way around is 2 * ({long} + {wide}) = {2 * (long + wide)} m.",
        f"without the gate {2 * (long + wide) - gate} m.",
    ]
    lines.append(f"at {price} a metre the fence costs {gold}.")
    prompt = (
        f"A garden of {rng.choice(TOWNS)} is {long} m long and {wide} m wide. It gets a fence at {price} crowns a metre"
    )
    info = {"lines": lines, "unit": "crowns", "expr": f"(2 * ({long} + {wide}) - {gate}) * {price}"}
    return Task(f"{prompt}, save for a gate of {gate} m. What does the fence cost?", str(gold), info)


FAMILIES = {
    "shop": _shop,
    "tank": _tank,
    "rows": _rows,
    "trip": _trip,
    "bakery": _bakery,
    "wages": _wages,
    "fence": _fence,
}


def problems(*families: str) -> Callable[[Random], Task]:
    """A maker of problems of these families."""

    def make(rng: Random) -> Task:
        family = rng.choice(families)
        task = FAMILIES[family](rng)
        task.info["family"] = family
        return task

    return make


def slip(rng: Random, gold: int) -> int:
    """A wrong result as arithmetic slips give it."""
    return gold + rng.choice([-100, -20, -10, -9, -2, -1, 1, 2, 3, 10, 18, 90, 100]) + rng.choice([0, 0, 0, 1])


def _shown(draw: Draw) -> str:
    return draw.rng.choice(re.findall(r"\d+ [-+*] \d+", draw.task.info["expr"]))


def solve(draw: Draw) -> tuple[str, str]:
    """Reasoning and final answer of one attempt at a word problem."""
    gold = int(draw.task.gold)
    answer = gold if draw.able else slip(draw.rng, gold)
    lines = list(draw.task.info["lines"])
    lines[-1] = lines[-1].replace(str(gold), str(answer))
    if draw.rng.random() < 0.3:
        lines.insert(
            1, draw.rng.choice(["I keep the units in mind.", "nothing else is asked for.", "no rounding needed."])
        )
    return working(draw.rng, lines, str(answer), _shown(draw)), str(answer)
