"""Tables that agents ask with cells of a notebook, or with SQL."""

import random
from dataclasses import dataclass
from statistics import mean, median

from benchmarks.foreign.fortythird.policy import call, said

PLACES = ("north", "harbour", "mill", "station", "castle", "meadow", "bridge", "quarry")
SETS = (("visits", "clinic", "wait"), ("trips", "depot", "km"), ("sales", "shop", "amount"), ("samples", "site", "ppm"))
FIRMS = (
    "Aldous Metals", "Birkin & Co", "Cavendish Parts", "Dole Works", "Everett Supply", "Fenner Tools", "Gantry Ltd",
    "Hollis Steel", "Ingram Goods", "Jessop Trade", "Kemble Stores", "Lomax Wire", "Merrow Cables", "Norris Pipes",
)  # fmt: skip


@dataclass(frozen=True)
class Table:
    """A table and a question about the mean of one place."""

    text: str
    name: str
    key: str
    column: str
    place: str
    rows: tuple[tuple[str, float], ...]

    def stat(self, way: str) -> str:
        """The mean asked for, or what a mistake gives."""
        mine = [v for p, v in self.rows if p == self.place]
        values = {"right": mean(mine), "all": mean(v for _, v in self.rows), "median": median(mine)}
        return f"{values[way]:.2f}"

    @property
    def answer(self) -> str:
        """The right mean."""
        return self.stat("right")


def table(rng: random.Random) -> Table:
    """A table of some forty rows."""
    name, key, column = rng.choice(SETS)
    places = rng.sample(PLACES, 4)
    centre = {p: rng.uniform(12, 80) for p in places}
    rows = tuple((p, round(centre[p] * rng.lognormvariate(0, 0.35), 1)) for p in rng.choices(places, k=40))
    place, month = rng.choice(sorted({p for p, _ in rows})), rng.choice(["January", "April", "July", "November"])
    text = (
        f"data/{name}.csv holds the {name} of {month} with the columns {key} and {column}. What is the mean "
        f"{column} at the {key} '{place}'? Give two decimals in <answer></answer>."
    )
    return Table(text, name, key, column, place, rows)


def load_cell(rng: random.Random, t: Table) -> tuple[str, str]:
    """Code that loads the table, and what it prints."""
    head = "\n".join(f"{i}  {p}  {v}" for i, (p, v) in enumerate(t.rows[:3]))
    show = rng.choice(["print(df.head(3))", "print(df[:3])", "print(df.iloc[:3])"])
    return f"import pandas as pd\ndf = pd.read_csv('data/{t.name}.csv')\n{show}", f"   {t.key}  {t.column}\n{head}"


def stat_cell(rng: random.Random, t: Table, way: str, target: str = "") -> tuple[str, str]:
    """Code that computes a statistic, and what it prints."""
    picked = f"df[df['{t.key}'] == '{t.place}']['{t.column}']"
    code = {"right": f"{picked}.mean()", "all": f"df['{t.column}'].mean()", "median": f"{picked}.median()"}[way]
    if target:
        return f"{target} = round({code}, 2)\nprint({target})", t.stat(way)
    return rng.choice([f"round({code}, 2)", f'print(f"{{{code}:.2f}}")', f"print(round({code}, 2))"]), t.stat(way)


def close(rng: random.Random, t: Table, value: str) -> list[dict]:
    """The last message of an analysis."""
    words = (
        f"The {t.column} at {t.place} averages {value}.",
        f"So the mean over the rows of {t.place} is {value}.",
        f"From the {t.name} of this {t.key} I read {value}.",
        f"The cell gives {value}, which is of the size of the rows that were shown.",
    )
    return said(rng.choice(words) + f"\n<answer>{value}</answer>")


def analyse(rng: random.Random, t: Table, way: str) -> tuple[list[dict], str]:
    """A whole analysis in two or three cells."""
    code, out = load_cell(rng, t)
    look = rng.choice([f"Let me look at {t.name} first.", f"I load the table and see how {t.key} is spelled."])
    reply = call(look, "run_cell", out, code=code)
    if rng.random() < 0.4:
        counts = {p: sum(q == p for q, _ in t.rows) for p in sorted({p for p, _ in t.rows})}
        shown = "\n".join(f"{p}  {n}" for p, n in counts.items())
        code = f"df['{t.key}'].value_counts().sort_index()"
        reply += call(f"How many rows does each {t.key} have?", "run_cell", shown, code=code)
    code, out = stat_cell(rng, t, way)
    think = rng.choice([f"Now the mean of {t.column}.", f"Next I take {t.column} for the question.", "Now compute it."])
    reply += call(think, "run_cell", out, code=code)
    return reply + close(rng, t, out), out


@dataclass(frozen=True)
class Stock:
    """Firms with what they hold of a part; who holds most is asked."""

    text: str
    part: str
    held: tuple[tuple[str, int], ...]

    @property
    def answer(self) -> str:
        """The firm with the most."""
        return max(self.held, key=lambda x: x[1])[0]


def stock(rng: random.Random) -> Stock:
    """A part and the firms that hold it."""
    part = f"{rng.choice(['valve', 'hinge', 'rotor', 'clamp', 'gasket', 'bearing'])}-{rng.randint(100, 999)}"
    firms = sorted(rng.sample(FIRMS, rng.randint(3, 13)))
    held = tuple(zip(firms, rng.sample(range(12, 990), len(firms)), strict=True))
    ask = rng.choice(
        ["Which firm holds most of", "Can you find the firm with the largest quantity of", "Who has the most of"]
    )
    return Stock(f"{ask} {part} in the table stock(firm, part, qty)? Answer with the firm's name.", part, held)


def query(rng: random.Random, s: Stock, is_listed: bool, is_right: bool, limit: int = 10_000) -> tuple[list[dict], str]:
    """Ask a database, by a list that is read or by an order; answers of tools end at a limit."""
    if is_listed:
        sql = f"SELECT firm, qty FROM stock WHERE part = '{s.part}'"
        full = "firm|qty\n" + "\n".join(f"{f}|{n}" for f, n in s.held)
        out = full[:limit]
        lines = [x.split("|") for x in out.split("\n")[1:] if "|" in x]
        seen = [(f, int(n)) for f, n in lines if n]
        ranked = sorted(seen, key=lambda x: -x[1])
    else:
        sql = f"SELECT firm, qty FROM stock WHERE part = '{s.part}' ORDER BY qty DESC LIMIT 2"
        ranked = sorted(s.held, key=lambda x: -x[1])[:2]
        out = ("firm|qty\n" + "\n".join(f"{f}|{n}" for f, n in ranked))[:limit]
    pick = ranked[0] if is_right or len(ranked) < 2 else ranked[1]
    look = rng.choice([f"I ask the table for {s.part}.", f"Let me see who holds {s.part}.", "One query should do."])
    end = rng.choice(
        [f"With {pick[1]} pieces it is {pick[0]}.", f"The largest number is {pick[1]}, held by {pick[0]}.",
         f"{pick[0]} comes first with {pick[1]} of {s.part}."]
    )  # fmt: skip
    return call(look, "sql", out, query=sql) + said(f"{end}\n<answer>{pick[0]}</answer>"), pick[0]
