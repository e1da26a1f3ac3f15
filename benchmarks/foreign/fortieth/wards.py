"""Worlds of numbers: prescriptions, loans, circuits, dilutions, invoices, yields, sums in German."""

import random

from benchmarks.foreign.fortieth.tasks import Task, money, pick_id

DRUGS = ("amoxicillin", "ibuprofen", "paracetamol", "cefalexin", "valproate", "gabapentin", "ranitidine")


def dosing(rng: random.Random, drugs: int = 1) -> Task:
    """Millilitres a day of one or several syrups, by weight."""
    weight = rng.randint(8, 42)
    rows, path, total, sloppy = [], [], 0.0, 0.0
    for name in rng.sample(DRUGS, drugs):
        per_kg, strength, times = rng.choice((5, 10, 15, 20, 25)), rng.choice((20, 25, 40, 50)), rng.choice((2, 3, 4))
        dose = per_kg * weight
        ml = dose / strength
        total += ml * times
        sloppy += ml
        rows.append(f"{name} {per_kg} mg/kg per dose, {times} doses a day, syrup {strength} mg/ml")
        path += [
            (
                f"For {name} one dose is {per_kg} x {weight} = {dose} mg.",
                f"{name} comes to {dose} mg a dose at {weight} kg.",
                f"{per_kg} mg for each of {weight} kg makes {dose} mg of {name}.",
            ),
            (
                f"At {strength} mg/ml that is {round(ml, 3)} ml, and {times} doses make {round(ml * times, 2)} ml.",
                f"the syrup holds {strength} mg per ml, hence {round(ml, 3)} ml a dose, {round(ml * times, 2)} a day.",
            ),
        ]
    end = (f"Adding up gives {round(total, 2)} ml a day.", f"the day's volume is {round(total, 2)} ml.")
    off = round(total * rng.choice((0.5, 1.1, 2, 10)), 2)
    return Task(
        pick_id(rng, "rx"),
        f"A child weighs {weight} kg. Prescription: {'; '.join(rows)}. How many ml of syrup a day in all?",
        str(round(total, 2)),
        [*path, end],
        [
            (
                [*path[:-1], (f"One round of doses is {round(sloppy, 2)} ml, which I take as the day.",)],
                str(round(sloppy, 2)),
            ),
            ([*path, (f"Correcting the strength once more leads to {off} ml.",)], str(off)),
        ],
        (
            f"{weight} kg is plausible for a child.",
            "I keep two decimals.",
            "No maximum dose is stated, so none is applied.",
        ),
        "dosing",
        0.45 * (drugs - 1),
    )


def loan(rng: random.Random) -> Task:
    """Simple interest over months."""
    sum_, rate, months = rng.randrange(1200, 48000, 100), rng.choice((2.4, 3.6, 4.8, 6.0, 7.2, 9.0)), rng.randint(3, 30)
    year, gold = sum_ * rate / 100, money(sum_ * rate / 100 * months / 12)
    compound = money(sum_ * ((1 + rate / 1200) ** months - 1) + 0.07)
    first = (
        f"A year's interest on {sum_} at {rate}% is {money(year)}.",
        f"{rate}% of {sum_} makes {money(year)} in twelve months.",
        f"Twelve months would cost {money(year)}.",
    )
    return Task(
        pick_id(rng, "loan"),
        f"A shop borrows {sum_} euros at {rate}% simple interest a year for {months} months. How much interest is due?",
        gold,
        [first, (f"{months} of 12 months give {gold}.", f"scaled by {months}/12 the charge is {gold}.")],
        [
            ([first, (f"Interest on interest adds a little, {compound} in all.",)], compound),
            ([first, (f"I round the term to whole years and get {money(year * max(1, months // 12) + 1)}.",)],
             money(year * max(1, months // 12) + 1)),
        ],
        ("Simple interest never compounds.", f"The principal stays {sum_} throughout.", "Fees are not mentioned."),
        "finance",
        rng.uniform(-0.4, 0.6),
    )  # fmt: skip


def circuit(rng: random.Random) -> Task:
    """Current through two resistors in series or side by side."""
    a, b, volts = rng.randint(2, 60), rng.randint(2, 60), rng.choice((5, 9, 12, 24, 48))
    series = rng.random() < 0.5
    ohm, other = (a + b, a * b / (a + b)) if series else (a * b / (a + b), a + b)
    gold, wrong, upside = (f"{volts / ohm:.3f}", f"{volts / other:.3f}", f"{ohm / volts:.3f}")
    upside = upside if upside != gold else f"{ohm:.3f}"
    how = "in series" if series else "in parallel"
    total = (
        f"{a} and {b} ohm {how} act as {ohm:.3f} ohm.",
        f"the two {how} come to {ohm:.3f} ohm.",
        f"Combined {how}, the resistance is {ohm:.3f} ohm.",
    )
    return Task(
        pick_id(rng, "ohm"),
        f"Two resistors of {a} and {b} ohm are wired {how} to {volts} V. What current in amperes (3 decimals) flows?",
        gold,
        [total, (f"{volts} V over that is {gold} A.", f"by Ohm's law I = U/R = {gold} A.")],
        [
            ([(f"I join {a} and {b} ohm to {other:.3f} ohm.",), (f"{volts} V over it gives {wrong} A.",)], wrong),
            ([total, (f"Dividing resistance by voltage gives {upside}.",)], upside),
        ],
        ("The source is taken as ideal.", "Units: volts over ohms are amperes.", "Lead resistance is neglected."),
        "physics",
        0.0 if series else 0.5,
    )


def dilution(rng: random.Random) -> Task:
    """Stock volume for a dilution."""
    stock, want, volume = (
        rng.choice((2, 4, 5, 8, 10, 12)),
        rng.choice((0.1, 0.2, 0.25, 0.5, 0.8)),
        rng.randrange(50, 1000, 25),
    )
    gold = f"{want * volume / stock:.2f}"
    rest, flip = f"{volume - want * volume / stock:.2f}", f"{stock * volume / want / 1000:.2f}"
    law = (
        f"Amounts are kept: {stock} x V = {want} x {volume}.",
        f"C1 V1 = C2 V2 with C1 = {stock} and C2 = {want}.",
        f"What ends in the flask is {want} M times {volume} ml.",
    )
    return Task(
        pick_id(rng, "dil"),
        f"From a {stock} M stock, {volume} ml of a {want} M solution are made. How many ml of stock (2 decimals)?",
        gold,
        [law, (f"V is {gold} ml.", f"dividing by {stock} leaves {gold} ml of stock.")],
        [([law, (f"The remainder to the mark is {rest} ml.",)], rest), ([law, (f"Solving gives {flip} ml.",)], flip)],
        ("Volumes are taken as additive.", f"{stock} M is the stronger one.", "Temperature plays no part."),
        "chemistry",
        rng.uniform(-0.2, 0.7),
    )


def bond_yield(rng: random.Random) -> Task:
    """Current yield of a bond in per cent, three decimals."""
    coupon, price = rng.choice((1.5, 2.25, 3.0, 3.75, 4.5, 5.25)), rng.choice((-1, 1)) * round(rng.uniform(2, 18), 2)
    price = round(100 + price, 2)
    gold, par = f"{100 * coupon / price:.3f}", f"{coupon + (100 - price) / 10:.3f}"
    return Task(
        pick_id(rng, "bond"),
        f"A bond of 100 face value pays {coupon} a year and trades at {price}. Current yield in per cent?",
        gold,
        [
            (f"The coupon is {coupon} on a price of {price}.", f"Holders pay {price} and receive {coupon} each year."),
            (f"{coupon} / {price} is a yield of {gold} per cent.", f"the ratio in per cent is {gold}."),
        ],
        [([(f"Coupon {coupon} plus a tenth of the discount from {price}.",), (f"This makes {par} per cent.",)], par)],
        ("Pull to par is not part of the current yield.", "Accrued interest is left aside.", "Face value is 100."),
        "finance",
        rng.uniform(-0.3, 0.5),
    )


def german(rng: random.Random) -> Task:
    """Einkauf: price of two goods with a discount, in German."""
    n, m = rng.randint(2, 9), rng.randint(2, 9)
    a, b, off = rng.randrange(120, 900, 10) / 100, rng.randrange(120, 900, 10) / 100, rng.choice((5, 10, 20))
    full = n * a + m * b + 0.0
    n, full = (n + 1, full + a) if abs(full - 10) < 0.01 else (n, full)
    gold, wrong = money(full * (100 - off) / 100), money(full - off / 10)
    total = (f"Zusammen kostet der Einkauf {money(full)} Euro.", f"Die Summe der Waren beträgt {money(full)} Euro.")
    return Task(
        pick_id(rng, "markt"),
        f"{n} Kilo Äpfel zu je {money(a)} Euro und {m} Gläser Honig zu je {money(b)} Euro, {off} % Rabatt. Endpreis?",
        gold,
        [total, (f"Abzüglich {off} % bleiben {gold} Euro.", f"Mit dem Nachlass sind es {gold} Euro.")],
        [([total, (f"Der Rabatt macht {money(off / 10)} Euro aus, es bleiben {wrong} Euro.",)], wrong)],
        ("Gerundet wird erst am Schluss.", f"Die Äpfel allein kosten {money(n * a)} Euro.", "Pfand fällt nicht an."),
        "einkauf",
        rng.uniform(-0.3, 0.5),
        tongue="de",
    )
