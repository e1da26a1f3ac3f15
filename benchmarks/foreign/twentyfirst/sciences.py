"""Physics with four options, products of rising length, and sums of a Swiss office."""

from random import Random

from benchmarks.foreign.twentyfirst.rollouts import Task

FORMULAS = (
    ("A {a} kg sled is accelerated at {b} m/s². What net force acts on it?", "N", lambda a, b: a * b, "F = m·a"),
    ("A current of {a} A flows through a {b} Ω resistor. What is the voltage?", "V", lambda a, b: a * b, "U = R·I"),
    ("A pump delivers {a} W for {b} s. How much energy is that?", "J", lambda a, b: a * b, "E = P·t"),
    ("A wave of {a} Hz has a wavelength of {b} m. What is its speed?", "m/s", lambda a, b: a * b, "v = f·λ"),
    ("A {a} kg cart rolls at {b} m/s. What is its momentum?", "kg·m/s", lambda a, b: a * b, "p = m·v"),
    ("A spring of {a} N/m is stretched by {b} m. Which force is needed?", "N", lambda a, b: a * b, "F = k·x"),
)
SOURCES = ("openphys", "examvault", "scibowl", "textbook-ch")
POSTS = ("Papier", "Toner", "Porto", "Kaffee", "Reinigung", "Miete", "Telefon", "Werkzeug", "Transport", "Kabel")
FIRMS = (
    "Zgraggen AG",
    "Huber & Söhne",
    "Bieri Treuhand",
    "Studer GmbH",
    "Malerei Ammann",
    "Gasser Holzbau",
    "Rüegg Velos",
)


def options(rng: Random, number: int) -> Task:
    """Physics with four options, A to D."""
    text, unit, rule, law = rng.choice(FORMULAS)
    a, b = rng.randint(3, 95), rng.randint(2, 19)
    value = rule(a, b)
    wrong = rng.sample([value + a, value - b, value * 2, a + b, value * 10, abs(value - a) + 1, value + 7], 6)
    values = [value, *[v for v in dict.fromkeys(wrong) if v != value][:3]]
    rng.shuffle(values)
    gold = "ABCD"[values.index(value)]

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        letter = gold if right else rng.choice([x for x in "ABCD" if x != gold])
        lines = [rng.choice(("Law: ", "Use ", "We need ", "The relation is ")) + law + "."]
        if right:
            lines.append(f"With {a} and {b} this gives {value} {unit}, option {letter}.")
        else:
            said = rng.choice((f"I get about {values['ABCD'.index(letter)]} {unit}", "By elimination"))
            lines.append(f"{said}, option {letter}.")
        return lines, letter

    listed = "\n".join(f"{x}) {v} {unit}" for x, v in zip("ABCD", values, strict=True))
    prompt = f"{text.format(a=a, b=b)}\n{listed}"
    source = SOURCES[number % len(SOURCES)]
    return Task(f"{source}-{number:04d}", prompt, gold, work, 0.0, source, data={"value": f"{value} {unit}"})


def product(rng: Random, number: int, level: int) -> Task:
    """A product whose factors are as long as the level says."""
    a, b = (rng.randint(10 ** (level - 1) + 1, 10**level - 1) for _ in range(2))
    b = b % 900 + 12

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        parts = [a * int(d) * 10**p for p, d in enumerate(reversed(str(b))) if d != "0"]
        if not right:
            parts[rng.randrange(len(parts))] += rng.choice((-1, 1)) * 10 ** rng.randint(0, level)
        order = parts if rng.random() < 0.7 else parts[::-1]
        name = rng.choice(("Partial products", "Parts", "Column sums"))
        return [f"{name}: {' + '.join(map(str, order))}", f"Sum: {sum(parts)}"], str(sum(parts))

    prompt = f"What is {a} × {b}? No calculator; show the partial products."
    return Task(f"L{level}-{number:04d}", prompt, str(a * b), work, 0.0, f"digits-{level}", data={"level": level})


def franken(value: int, rng: Random) -> str:
    """An amount of centimes, as it is written in Zürich."""
    return f"{value // 100:,}".replace(",", rng.choice(("'", "'", "’"))) + f".{value % 100:02d}"


def invoice(rng: Random, number: int) -> Task:
    """The total of an invoice with discount, in Swiss German spelling."""
    items = [(rng.choice(POSTS), rng.randint(1, 6), rng.randint(100, 3400) * 5) for _ in range(rng.randint(2, 4))]
    rebate = rng.choice((0, 0, 5, 10, 20))
    net = sum(count * price for _, count, price in items)
    total = net * (100 - rebate) // 100

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        lines, slip = [], -1 if right else rng.randrange(len(items))
        summed = 0
        for at, (name, count, price) in enumerate(items):
            part = count * price + (rng.choice((-900, 1000, price, 4500)) if at == slip else 0)
            summed += part
            lines.append(f"{name}: {count} × {franken(price, rng)} = {franken(part, rng)}")
        lines.append(rng.choice(("Zwischentotal", "Summe", "Netto")) + f" Fr. {franken(summed, rng)}")
        if rebate:
            lines.append(f"Rabatt {rebate} %: Fr. {franken(summed * rebate // 100, rng)}")
        return lines, franken(summed * (100 - rebate) // 100, rng)

    rows = "; ".join(f"{count} × {name} zu je Fr. {price // 100}.{price % 100:02d}" for name, count, price in items)
    discount = f" Auf alles gilt ein Rabatt von {rebate} %." if rebate else ""
    prompt = (
        f"Rechnung {rng.choice(FIRMS)} Nr. {rng.randint(1000, 99999)}: "
        f"{rows}.{discount} Wie hoch ist das Total in Franken?"
    )
    size = "ab tausend" if total >= 100000 else "unter tausend"
    return Task(f"re{number:04d}", prompt, f"{total / 100:.2f}", work, 0.0, size, data={"total": total})
