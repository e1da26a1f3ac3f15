"""Questions to a database, and a lantern-lit game in a cellar."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, called, said, told

TABLES = (("loans", "branch", "days_late"), ("harvests", "field", "tonnes"), ("trips", "driver", "km"))
PLACES = ("Ashby", "Brook", "Cray", "Dell", "Eaves", "Fenn", "Goss")
ROOMS = ("pump room", "wine vault", "coal hole", "boiler room", "ice house", "smithy", "root cellar")
THINGS = ("brass key", "silver coin", "wax seal", "iron ring", "glass eye")


def _sql_task(rng: Random) -> Task:
    (table, key, value), place = rng.choice(TABLES), rng.choice(PLACES)
    year, limit = rng.randint(2003, 2024), rng.randint(2, 60)
    ask = rng.choice(("count", "sum"))
    what = f"how many rows with {value} above {limit}" if ask == "count" else f"what sum of {value} above {limit}"
    text = f"Table {table}({key}, year, {value}): {what} does {key} {place} have in {year}? Use the tool sql."
    data = {"table": table, "key": key, "value": value, "place": place, "year": year, "limit": limit, "ask": ask}
    gold = rng.randint(40, 900)
    data["results"] = {">": gold, ">=": gold + rng.randint(1, 30), "<": rng.randint(1, 39)}
    data["sample"] = "\n".join(f"{rng.choice(PLACES)}|{rng.randint(2003, 2024)}|{rng.randint(1, 90)}" for _ in range(8))
    return Task(text, str(gold), table, data=data)


def _sql_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    d = task.data
    what = "count(*)" if d["ask"] == "count" else f"sum({d['value']})"
    sign = ">" if right else rng.choice((">=", "<"))
    where = f"{d['key']} = '{d['place']}' AND year = {d['year']} AND {d['value']} {sign} {d['limit']}"
    answer = str(d["results"][sign])
    turns = []
    if rng.random() < 0.5:
        first = called("A look at the rows.", "sql", query=f"SELECT * FROM {d['table']} LIMIT 8")
        turns += [first, told("sql", f"{d['key']}|year|{d['value']}\n{d['sample']}")]
    thought = rng.choice(("Now the question itself.", "One query is enough.", ""))
    turns += [
        called(thought, "sql", query=f"SELECT {what} FROM {d['table']} WHERE {where}"),
        told("sql", f"{what}\n{answer}"),
        said(f"{rng.choice(('The database gives', 'It is', 'The result is'))} {answer}.\nAnswer: {answer}"),
    ]
    return Reply(turns, answer)


def _game_task(rng: Random) -> Task:
    rooms, thing = rng.sample(ROOMS, 5), rng.choice(THINGS)
    text = (
        f"You wake in the {rooms[0]} of a cellar, an old lantern and {rng.randint(3, 9)} matches in hand. "
        f"Bring the {thing} to the {rooms[-1]} in at most 14 moves. Moves: go ROOM, take THING, "
        "examine THING. Act with the tool move."
    )
    seen = {
        room: rng.choice(("It is dusty.", "Water drips.", "It smells of tar.", "A draught blows.")) for room in rooms
    }
    seen[rooms[rng.randint(1, 3)]] = f"The {thing} lies here."
    data = {"rooms": rooms, "thing": thing, "seen": seen}
    return Task(text, "", thing, hard=rng.uniform(-0.3, 0.3), data=data)


def move(rng: Random, text: str, answer: str) -> list[dict]:
    """Make one move."""
    thought = rng.choice(("", "", "On with it.", "Let me see.", "This way, I think."))
    return [called(thought, "move", action=text), told("move", answer)]


def _game_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    rooms, thing = task.data["rooms"], task.data["thing"]
    turns = []
    path = rooms[1:] if right else rng.sample(rooms[1:], rng.randint(3, 4))
    for number, room in enumerate(path, 1):
        turns += move(rng, f"go {room}", f"You are in the {room}. {task.data['seen'][room]}")
        if rng.random() < 0.4 * (1 - progress):
            turns += move(rng, f"examine wall {number}", "Bare stone.")
        if right and thing in task.data["seen"][room]:
            turns += move(rng, f"take {thing}", "Taken.")
    end = f"The {thing} is in the {rooms[-1]}." if right else "I am out of ideas."
    return Reply([*turns, said(end)], data={"moves": len(turns) // 2})


def lantern_loop(rng: Random, task: Task) -> Reply:
    """Examine the same thing over and over until the moves are used up."""
    turns: list[dict] = []
    for room in task.data["rooms"][1 : rng.randint(2, 4)]:
        turns += move(rng, f"go {room}", f"You are in the {room}. {task.data['seen'][room]}")
    while len(turns) < 28:
        turns += move(rng, "examine lantern", "It is the old lantern in your hand. Nothing about it has changed.")
    return Reply(
        [*turns, said("The lantern may still hold the answer; I examine it again.")], data={"moves": len(turns) // 2}
    )


LEDGER = Domain("sql", _sql_task, _sql_reply)
CELLAR = Domain("cel", _game_task, _game_reply)
