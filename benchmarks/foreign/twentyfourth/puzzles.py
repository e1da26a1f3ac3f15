"""Puzzles and games: islanders who lie, a robot in a maze, questions to a database."""

from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task
from benchmarks.foreign.twentyfourth.voice import plain, weave

FOLK = ("Aldo", "Bea", "Cyr", "Dag", "Eve", "Finn", "Gus", "Hal", "Isa", "Jon", "Kay", "Lou")


def islanders(rng: Random, key: str) -> Task:
    """Knights tell the truth and knaves lie; who is what."""
    trio = rng.sample(FOLK, 3)
    kinds = [rng.random() < 0.5 for _ in trio]
    said = []
    for n, who in enumerate(trio):
        other = rng.choice([m for m in range(3) if m != n])
        claim = kinds[other] if kinds[n] else not kinds[other]
        said.append(f'{who} says: "{trio[other]} is a {"knight" if claim else "knave"}."')
    words = {w: "knight" if k else "knave" for w, k in zip(trio, kinds, strict=True)}
    gold = ", ".join(f"{w}={k}" for w, k in words.items())
    question = "Knights always tell the truth and knaves always lie. " + " ".join(said)
    shape = ", ".join(f"{who}=..." for who in trio)
    question += f" {trio[0]} is known to be a {words[trio[0]]}. Who is what? Last line as `{shape}`."

    def write(r: Random, right: bool) -> Reply:
        final = dict(words)
        if not right:
            flip = r.choice(trio[1:])
            final[flip] = "knave" if final[flip] == "knight" else "knight"
        steps = [f"{trio[0]} is a {words[trio[0]]}, so the claim of {trio[0]} is {'true' if kinds[0] else 'false'}."]
        for who in r.sample(trio[1:], 2):
            steps.append(f"{r.choice(('This makes', 'It follows for', 'I take'))} {who}: {final[who]}.")
        text = ", ".join(f"{w}={k}" for w, k in final.items())
        return Reply(plain(weave(r, steps, text)), text)

    return Task(key, question, gold, write, family="islanders")


MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def maze(rng: Random, key: str) -> Task:
    """Walk a robot to a flag; the game answers each move."""
    size = rng.randint(4, 7)
    fx, fy = rng.randrange(1, size), rng.randrange(1, size)
    hole = rng.randrange(size), rng.randrange(1, size)
    rows = [
        "".join("F" if (x, y) == (fx, fy) else "O" if (x, y) == hole else "." for x in range(size)) for y in range(size)
    ]
    question = (
        f"You stand at the top left of this board, F is the flag, O a hole (#{key[-4:]}):\n"
        + "\n".join(rows)
        + "\nMove one word a turn."
    )

    def write(r: Random, right: bool) -> Reply:
        path = ["right"] * fx + ["down"] * fy
        r.shuffle(path)
        if not right:
            path = path[: r.randint(1, max(1, len(path) - 1))] + [r.choice(("up", "left", "down"))]
        turns, x, y = [], 0, 0
        for n, move in enumerate(path):
            x, y = max(0, min(size - 1, x + MOVES[move][0])), max(0, min(size - 1, y + MOVES[move][1]))
            think = r.choice(
                (f"The flag is at column {fx + 1}, row {fy + 1}.", f"I am at {x},{y}.", f"Going {move}.", "Closer.")
            )
            turns.append({"role": "assistant", "content": f"{think}\n{move}"})
            last = n == len(path) - 1
            word = "flag reached" if last and right else "out of moves" if last else "ok"
            turns.append({"role": "user", "content": f"position ({x},{y}): {word}"})
        return Reply(turns, path[-1])

    return Task(key, question, "", write, "You play a board game.", family=f"maze{size}")


TABLES = {
    "orders": ("amount", "region"),
    "trips": ("distance", "driver"),
    "loans": ("days", "branch"),
    "visits": ("minutes", "clinic"),
}


def query(rng: Random, key: str) -> Task:
    """One SQL statement that answers a question."""
    table = rng.choice(tuple(TABLES))
    number, label = TABLES[table]
    word, verb = rng.choice((("average", "AVG"), ("total", "SUM"), ("largest", "MAX"), ("smallest", "MIN")))
    least, year = rng.randint(2, 90), rng.randint(2009, 2024)
    gold = (
        f"SELECT {label}, {verb}({number}) FROM {table} WHERE year = {year} GROUP BY {label} HAVING COUNT(*) >= {least}"
    )
    question = (
        f"Table {table}({label}, {number}, year). For {year}: the {word} {number} of each {label} "
        f"with at least {least} rows. One statement."
    )

    def write(r: Random, right: bool) -> Reply:
        text = gold
        if not right:
            text = r.choice(
                (
                    gold.replace("HAVING COUNT(*) >=", "HAVING COUNT(*) >"),
                    gold.replace(f"WHERE year = {year} ", ""),
                    gold.replace(verb, "COUNT"),
                    gold.split(" HAVING")[0],
                )
            )
        steps = [
            f"Rows of {table} in {year}.",
            f"One group for each {label}; {word} is {verb}.",
            f"Groups below {least} rows fall away by HAVING.",
        ]
        r.shuffle(steps)
        return Reply(plain(weave(r, steps[: r.randint(2, 3)], f"```sql\n{text};\n```")), text)

    return Task(key, question, gold, write, family=table)
