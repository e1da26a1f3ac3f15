"""Problems whose answers are computed: stock stories, powers, ciphers, weekdays."""

from datetime import date, timedelta
from random import Random

from benchmarks.foreign.twentyfirst.rollouts import Task

PLACES = [
    "bakery",
    "nursery",
    "warehouse",
    "library",
    "pharmacy",
    "bookshop",
    "dairy",
    "fishmonger",
    "florist",
    "tannery",
    "chandlery",
]
THINGS = [
    "crates",
    "jars",
    "folders",
    "lamps",
    "tickets",
    "bricks",
    "candles",
    "cartons",
    "rolls",
    "bulbs",
    "sacks",
    "tins",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WORDS = [
    "harbour",
    "lantern",
    "meadow",
    "copper",
    "winter",
    "saddle",
    "orchid",
    "timber",
    "velvet",
    "signal",
    "compass",
    "granite",
    "pepper",
    "ribbon",
    "canvas",
    "thunder",
    "bishop",
    "marble",
    "falcon",
    "cottage",
    "engine",
    "voyage",
    "pillow",
    "garden",
]


def stock(rng: Random, number: int) -> Task:
    """A stock that grows and shrinks in three to five events."""
    place, thing, count = rng.choice(PLACES), rng.choice(THINGS), rng.randint(18, 240)
    story, moves, held = [], [], count
    for _ in range(rng.randint(3, 5)):
        k = rng.randint(4, 60)
        kind = rng.choice(("add", "lose", "times"))
        if kind == "lose" and held > k:
            story.append(
                rng.choice((f"{k} are sold.", f"{k} are returned to the maker.", f"{k} break and are thrown out."))
            )
            moves.append(("-", k))
            held -= k
        elif kind == "times" and held < 900:
            k = rng.randint(2, 4)
            story.append(f"A takeover then brings the stock to {k} times what it was.")
            moves.append(("*", k))
            held *= k
        else:
            story.append(
                rng.choice((f"A delivery brings {k} more.", f"{k} turn up in the cellar.", f"It buys another {k}."))
            )
            moves.append(("+", k))
            held += k

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        value, lines, slip = count, [], -1 if right else rng.randrange(len(moves))
        for at, (sign, k) in enumerate(moves):
            after = {"+": value + k, "-": value - k, "*": value * k}[sign]
            after += rng.choice((-10, 10, 1, -1, k, 7)) if at == slip else 0
            lines.append(rng.choice(("Then ", "", "Next: ", "After that, ")) + f"{value} {sign} {k} = {after}.")
            value = after
        return lines, str(value)

    prompt = (
        f"A {place} starts the week with {count} {thing}. {' '.join(story)} How many {thing} does it hold in the end?"
    )
    return Task(f"st{number:04d}", prompt, str(held), work, 0.25 * (len(moves) - 4), "stock")


def power(rng: Random, number: int) -> Task:
    """A power modulo a small number."""
    base, exponent, modulus = rng.randint(2, 49), rng.randint(5, 40), rng.randint(7, 97)

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        value, lines, slip = 1, [], -1 if right else rng.randrange(len(f"{exponent:b}"))
        for at, bit in enumerate(f"{exponent:b}"):
            value = value * value * (base if bit == "1" else 1) % modulus
            value = (value + rng.randint(1, modulus - 1)) % modulus if at == slip else value
            lines.append(f"{rng.choice(('bit', 'Bit', 'binary digit'))} {bit}: we hold {value} mod {modulus}")
        if not right and value == pow(base, exponent, modulus):
            value = (value + 1) % modulus
            lines.append(f"reduced once more: {value}")
        return lines, str(value)

    ask = rng.choice(("Find the remainder of {0}^{1} divided by {2}.", "Compute {0}^{1} mod {2}."))
    gold = str(pow(base, exponent, modulus))
    return Task(f"pw{number:04d}", ask.format(base, exponent, modulus), gold, work, (exponent - 20) / 30, "powers")


def cipher(rng: Random, number: int) -> Task:
    """A pair of words under a Caesar shift."""
    clear, shift = " ".join(rng.sample(WORDS, 2)), rng.randint(2, 23)
    hidden = "".join(chr((ord(c) - 97 + shift) % 26 + 97) if c != " " else c for c in clear)

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        letters = list(clear)
        if not right:
            for at in rng.sample([i for i, c in enumerate(letters) if c != " "], rng.randint(1, 3)):
                letters[at] = chr((ord(letters[at]) - 97 + rng.choice((1, 2, 24, 25))) % 26 + 97)
        answer = "".join(letters)
        pairs = [f"{a}->{b}" for a, b in zip(hidden, answer, strict=True) if a != " "]
        return [f"Each letter goes back by {shift}.", ", ".join(pairs[: rng.randint(4, len(pairs))])], answer

    prompt = f"Each letter was moved forward by {shift} places in the alphabet (z is followed by a). Decode: {hidden}"
    return Task(f"ci{number:04d}", prompt, clear, work, 0.0, "cipher")


def weekday(rng: Random, number: int) -> Task:
    """The weekday some days after a date."""
    first, ahead = date(2019, 1, 1) + timedelta(days=rng.randrange(3000)), rng.randint(25, 700)
    known, gold = DAYS[first.weekday()], DAYS[(first.weekday() + ahead) % 7]

    def work(rng: Random, right: bool) -> tuple[list[str], str]:
        rest = ahead % 7 if right else (ahead + rng.randint(1, 6)) % 7
        answer = DAYS[(first.weekday() + rest) % 7]
        lines = [f"{ahead} days leave {rest} after whole weeks of 7.", f"From {known}, {rest} on: {answer}."]
        return lines, answer

    prompt = f"{first:%d %B %Y} is a {known}. Which day of the week is it {ahead} days later?"
    return Task(f"wd{number:04d}", prompt, gold, work, -0.2, "calendar")
