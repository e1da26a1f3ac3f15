"""Agents with tools: a database, a search, a desk for orders, logs of services."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Task, World, Written, call, say, told

TOWNS = [
    "Halden",
    "Morven",
    "Tarrow",
    "Ostra",
    "Quimby",
    "Veldt",
    "Saltash",
    "Orlo",
    "Brenn",
    "Cardew",
    "Lisk",
    "Nantwell",
]
GOODS = ["lamps", "kettles", "ropes", "tents", "stools", "maps", "drills", "saddles", "clocks", "flasks"]
PEOPLE = ["Ilse Varga", "Tomas Quell", "Ruth Adeyo", "Piet Lang", "Mara Soley", "Owen Hask", "Nadia Brix", "Jonas Feld"]
WORKS = ["observatory", "botanical garden", "canal lock", "town library", "maritime museum", "tram depot", "music hall"]


def _sql_make(rng: Random) -> Task:
    good, town, year, gold = rng.choice(GOODS), rng.choice(TOWNS), rng.randint(2009, 2024), rng.randint(12, 4800)
    what = rng.choice(("How many {g} were shipped to {t} in {y}?", "Give the number of {g} sent to {t} during {y}."))
    extra = {"table": rng.choice(("shipments", "deliveries", "orders_out")), "where": [good, town, year]}
    system = "Answer from the database. Tool: run_sql(query). End with 'Answer: N'."
    return Task(what.format(g=good, t=town, y=year), str(gold), "count", 0.1, system, extra)


def query(task: Task, column: str, *, full: bool) -> str:
    """A query; without the year where it is not full."""
    good, town, year = task.secret["where"]
    rest = f" AND year = {year}" if full else ""
    return f"SELECT sum({column}) FROM {task.secret['table']} WHERE item = '{good}' AND town = '{town}'{rest}"


def _sql_write(rng: Random, task: Task, right: bool) -> Written:
    turns: list[Row] = []
    said = (
        "Let me query the table.",
        "I will ask the database.",
        "Sum the pieces.",
        "One query should do.",
        "Checking.",
    )
    if rng.random() < 0.3:
        turns += [say(rng.choice(said), call("run_sql", query=query(task, "amount", full=True)))]
        turns += [told("run_sql", "no such column: amount (columns: id, item, town, year, pieces)", ok=False)]
    value = task.gold if right else str(int(task.gold) + Random(task.prompt).randint(3, 900))
    turns += [say(rng.choice(said), call("run_sql", query=query(task, "pieces", full=right)))]
    turns += [told("run_sql", f"[({value},)]")]
    return [
        *turns,
        say(f"{rng.choice(('The table says so.', 'That is the sum.', 'Found it.'))}\nAnswer: {value}"),
    ], value


def passage(rng: Random, task: Task, year: str) -> str:
    """What the search answers."""
    work, town, who = task.secret["about"]
    more = rng.choice(
        ("It was widened later.", "A plaque recalls it.", "Records of the time are few.", "It is still in use.")
    )
    return f"[{rng.randint(1, 9)}] The {work} of {town} was planned by {who} and opened in {year}. {more}"


def _find_make(rng: Random) -> Task:
    work, town, who = rng.choice(WORKS), rng.choice(TOWNS), rng.choice(PEOPLE)
    prompt = f"In which year was the {work} opened that {who} planned for {town}?"
    system = "Use search(query) as often as needed. Finish with <answer>...</answer>."
    return Task(prompt, str(rng.randint(1790, 1990)), "two_hop", 0.2, system, {"about": [work, town, who]})


def _find_write(rng: Random, task: Task, right: bool) -> Written:
    work, town, who = task.secret["about"]
    turns: list[Row] = []
    if rng.random() < 0.5:
        turns += [say("Who planned it?", call("search", query=f"{who} architect"))]
        turns += [told("search", f"[1] {who} worked in {town} and {rng.choice(TOWNS)}.")]
    other = str(int(task.gold) + Random(task.prompt).choice((-31, -14, 9, 17, 26)))
    value = task.gold if right else rng.choice((other, other, str(int(task.gold) + rng.choice((-10, -1, 1, 10)))))
    ask = rng.choice((f"{work} {town} opened", f"{town} {work} year", f"{who} {work}"))
    turns += [say(rng.choice(("Search the opening.", "Now the year.", "Look it up.")), call("search", query=ask))]
    beside = f"[12] The {Random(ask).choice(WORKS)} nearby, by another hand, dates from {other}."
    turns += [told("search", f"{passage(Random(ask), task, task.gold)}\n{beside}")]
    return [
        *turns,
        say(f"{rng.choice(('The passage gives it.', 'So:', 'It opened then.'))} <answer>{value}</answer>"),
    ], value


def _order_make(rng: Random) -> Task:
    order, item, town = f"R{rng.randint(10000, 99999)}", rng.choice(GOODS)[:-1], rng.choice(TOWNS)
    wish = rng.choice(("refund", "new_address", "cancel"))
    ask = {
        "refund": f"My {item} came broken (order {order}). I want my money back.",
        "new_address": f"Please send order {order} to my sister in {town} instead.",
        "cancel": f"I ordered the {item} twice. Cancel {order}, please.",
    }[wish]
    hello = rng.choice(("Hi! ", "Hello, ", "", "Good evening. "))
    return Task(
        hello + ask, wish, wish, 0.0, "You are the agent of a shop. Follow the policy.", {"order": order, "item": item}
    )


ACTIONS = {"refund": "refund_order", "new_address": "change_address", "cancel": "cancel_order"}


def _order_write(rng: Random, task: Task, right: bool) -> Written:
    order = task.secret["order"]
    status = Random(order).choice(("sent", "open", "packed"))
    state = f'{{"order": "{order}", "item": "{task.secret["item"]}", "status": "{status}"}}'
    turns = [say("Let me look at your order.", call("get_order", order_id=order)), told("get_order", state)]
    wrong = rng.choice([name for wish, name in ACTIONS.items() if wish != task.gold] + ["none"])
    action = ACTIONS[task.gold] if right else wrong
    if action != "none":
        turns += [say(rng.choice(("I do that now.", "One moment.", "Of course.")), call(action, order_id=order))]
        turns += [told(action, f'{{"ok": true, "ref": "{rng.randint(1000, 9999)}"}}')]
    end = rng.choice(
        ("Is there anything else?", "You will get a mail soon.", "Have a good day!", "All is set for you.")
    )
    return [*turns, say(f"That is settled for {order}. {end}")], action


def _log_make(rng: Random) -> Task:
    service, level = rng.choice(["auth", "cart", "mailer", "search", "billing"]), rng.choice(("ERROR", "WARN"))
    lines, day = (
        rng.choice((12, 18, 24, 70, 130)) + rng.randint(0, 12),
        f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
    )
    prompt = f"How many {level} lines does /var/log/{service}-{day}.log hold? Tools: read_file. End with 'Answer: N'."
    return Task(
        prompt, str(max(1, lines // rng.randint(3, 6))), "long" if lines > 50 else "short", 0.0, "", {"lines": lines}
    )


def log_text(rng: Random, task: Task) -> str:
    """A log with as many lines of the level as the gold answer says."""
    level, name = task.prompt.split()[2], task.prompt.split("/var/log/")[1].split("-")[0]
    hits, lines = int(task.gold), task.secret["lines"]
    levels = [level] * hits + [rng.choice(("INFO", "DEBUG")) for _ in range(lines - hits)]
    rng.shuffle(levels)
    what = ("handled request", "pool resized", "slow answer", "user gone", "token renewed")
    return "\n".join(
        f"12:{n // 60:02d}:{n % 60:02d} {lev} {name} {rng.choice(what)} {rng.randint(10, 999)}"
        for n, lev in enumerate(levels)
    )


def _log_write(rng: Random, task: Task, right: bool) -> Written:
    path = task.prompt.split()[5]
    value = task.gold if right else str(max(0, int(task.gold) + rng.choice((-3, -2, -1, 1, 2, 4))))
    said = rng.choice(("Read the log.", "Open the file.", "I will count in the file."))
    turns = [say(said, call("read_file", path=path)), told("read_file", log_text(Random(task.prompt), task))]
    return [
        *turns,
        say(f"{rng.choice(('Counted line by line.', 'I went through it once.', 'Done.'))}\nAnswer: {value}"),
    ], value


DATABASE = World("sql-", _sql_make, _sql_write)
SEARCH = World("hop-", _find_make, _find_write)
ORDERS = World("tau-", _order_make, _order_write)
LOGS = World("log-", _log_make, _log_write)
