"""Worlds of texts: invoices, notice periods, sheets, logs, captions, contract clauses, rovers, lists of entities."""

import datetime
import random

from benchmarks.foreign.fortieth.tasks import Task, money, pick_id

GOODS = ("toner", "desk lamps", "cable drums", "binders", "filters", "gaskets", "name plates", "label rolls", "hinges")
FIRMS = (
    "Halvorsen Marine",
    "Ostrava Glass",
    "Kiva Textiles",
    "Brandt & Sohn",
    "Lumen Dental",
    "Tarn Foods",
    "Orbis Rail",
)


def invoice(rng: random.Random) -> Task:
    """Gross total of an invoice with VAT."""
    lines = [(g, rng.randint(1, 24), rng.randrange(200, 9900, 25) / 100) for g in rng.sample(GOODS, rng.choice((2, 3)))]
    vat = rng.choice((7, 19, 20, 21))
    net = sum(n * p for _, n, p in lines)
    gold, bare = money(net * (100 + vat) / 100 + 1e-9), money(net)
    sums = (
        "Lines: " + ", ".join(f"{g} {money(n * p)}" for g, n, p in lines) + f". The net is {bare}.",
        f"The positions add up to {bare} net.",
        f"Net I find {bare}, after {' and '.join(money(n * p) for _, n, p in lines)}.",
    )
    first = money(net * (100 - vat) / 100)
    return Task(
        pick_id(rng, "inv"),
        f"Invoice of {rng.choice(FIRMS)}: " + "; ".join(f"{n} {g} at {money(p)}" for g, n, p in lines)
        + f". VAT {vat}%. Gross total?",
        gold,
        [sums, (f"With {vat}% on top the gross is {gold}.", f"VAT of {money(net * vat / 100)} makes it {gold}.")],
        [([sums, ("I report this as the total.",)], bare), ([sums, (f"Taking {vat}% off gives {first}.",)], first)],
        (f"{vat}% is the rate printed below.", f"There are {len(lines)} positions.", "No discount is agreed."),
        "invoices",
        0.3 * (len(lines) - 2),
        {"lines": lines},
    )  # fmt: skip


def notice(rng: random.Random) -> Task:
    """Last day of a contract under a notice period in days."""
    day, days = datetime.date(2023, 1, 1) + datetime.timedelta(rng.randrange(900)), rng.choice((14, 21, 30, 45, 60, 90))
    end = day + datetime.timedelta(days)
    gold, early = end.isoformat(), (end - datetime.timedelta(1)).isoformat()
    late = (end + datetime.timedelta(rng.choice((1, 2, 3)))).isoformat()
    firm = rng.choice(FIRMS)
    got = (f"Notice reached {firm} on {day}.", f"The period is {days} days, from {day}.", f"Receipt is dated {day}.")
    return Task(
        pick_id(rng, "law"),
        f"Clause 11.{rng.randint(1, 9)}: the agreement with {firm} ends {days} days after receipt of notice, the day of"
        f" receipt not counted. Notice was received on {day}. On which date does it end (YYYY-MM-DD)?",
        gold,
        [got, (f"The day itself not counted, day {days} is {gold}.", f"counting {days} days on leads to {gold}.")],
        [
            ([got, (f"Counting that day as the first, it ends on {early}.",)], early),
            ([got, (f"With the length of the months in mind I arrive at {late}.",)], late),
        ],
        ("Weekends are not excluded by the clause.", "Form of the notice is not in dispute.", f"{days} calendar days."),
        "contracts",
        0.2 if days > 30 else -0.2,
    )


def sheet(rng: random.Random) -> Task:
    """Sum of a column under a condition."""
    regions = ("North", "South", "East", "West")
    rows = [(rng.choice(regions), rng.randint(12, 480)) for _ in range(rng.randint(6, 10))]
    region = rows[0][0]
    hits = [v for r, v in rows if r == region]
    gold, whole, short = str(sum(hits)), str(sum(v for _, v in rows) + 1), str(max(v for _, v in rows) + len(hits))
    listed = (
        f"Rows with {region} hold {', '.join(map(str, hits))}.",
        f"Column A equals {region} {len(hits)} times: {', '.join(map(str, hits))}.",
    )
    return Task(
        pick_id(rng, "xls"),
        "Sheet Sales, columns A (region), B (units):\n" + "\n".join(f"{r},{v}" for r, v in rows)
        + f'\nWhat does =SUMIF(A:A,"{region}",B:B) return?',
        gold,
        [listed, (f"Their sum is {gold}.", f"SUMIF adds them to {gold}.", f"added up this is {gold}.")],
        [([listed, (f"The column comes to {whole}.",)], whole), ([listed, (f"This makes {short}.",)], short)],
        (f"{len(rows)} rows carry data.", "There is no header row to skip.", "Case does not matter to SUMIF."),
        "spreadsheets",
        rng.uniform(-0.3, 0.6),
        {"region": region, "rows": rows},
    )  # fmt: skip


def log_count(rng: random.Random) -> Task:
    """How many requests of a service log failed."""
    service = rng.choice(("billing", "search-api", "mailer", "gateway", "thumbs", "ledger"))
    codes = [rng.choice((200, 200, 201, 204, 404, 500, 502, 503)) for _ in range(rng.randint(7, 14))]
    minute = rng.randint(0, 50)
    lines = [
        f"12:{minute + i // 4:02d}:{7 * (i % 4) + 11} {service} status={c} ms={rng.randint(4, 900)}"
        for i, c in enumerate(codes)
    ]
    bad = [c for c in codes if c >= 500]
    gold, four = str(len(bad)), str(sum(c >= 400 for c in codes) + (sum(c == 404 for c in codes) == 0))
    seen = (
        f"Server errors start at 500; here I see {', '.join(map(str, bad)) or 'none'}.",
        f"Of {len(codes)} lines of {service} those with 5xx count.",
    )
    return Task(
        pick_id(rng, "log"),
        "Log excerpt:\n" + "\n".join(lines) + "\nHow many lines are server errors (5xx)?",
        gold,
        [seen, (f"That makes {gold}.", f"the count is {gold}.", f"I find {gold} of them.")],
        [
            ([("Everything from 400 up failed.", "Errors are 4xx and 5xx."), (f"I count {four} lines.",)], four),
            ([seen, (f"That makes {len(bad) + 2}.",)], str(len(bad) + 2)),
        ],
        ("A 404 is the client's fault.", f"All lines are of {service}.", "Latency does not matter here."),
        "logs",
        rng.uniform(-0.4, 0.5),
        {"service": service, "lines": lines},
    )


THINGS = ("bicycles", "umbrellas", "pigeons", "lanterns", "crates", "boats", "scooters", "potted plants", "stools")
PLACES = ("a wet square", "the quay at dusk", "a covered market", "a school yard", "a hill road", "an old tram stop")


def caption(rng: random.Random, question: str = "") -> Task:
    """A count or difference that an image's caption supports."""
    one, two = rng.sample(THINGS, 2)
    a, b, c = rng.randint(3, 14), rng.randint(2, 11), rng.randint(1, 6)
    text = f"[caption] {rng.choice(PLACES)}, with {a} {one} on the left, {b} {two} behind, and {c} people beside them."
    ask = question or f"How many {one} and {two} are there together?"
    total = a + b + (c if question else 0)
    sums = f"{a} + {b} + {c}" if question else f"{a} + {b}"
    gold, less, more = str(total), str(a + (c if question else 0)), str(total + rng.choice((1, 2)))
    seen = (f"The caption lists {a} {one} and {b} {two}.", f"I see {a} {one} to the left and {b} {two} behind.")
    return Task(
        pick_id(rng, "img"),
        f"<image>\n{text}\n{ask}",
        gold,
        [seen, (f"{sums} = {gold}.", f"together this is {gold}.")],
        [([seen, (f"The {two} are background, leaving {less}.",)], less), ([seen, (f"{sums} = {more}.",)], more)],
        (
            f"{c} people stand there.",
            "Reflections are not counted.",
            "The image itself may hold more, the caption decides.",
        ),
        "captions",
        rng.uniform(-0.4, 0.4),
    )


def rover(rng: random.Random, commands: int = 0) -> Task:
    """Cell in which a rover ends after a list of commands."""
    x, y, heading = rng.randint(0, 6), rng.randint(0, 6), rng.randrange(4)
    start, moves, trail = (x, y, "NESW"[heading]), [], []
    for _ in range(commands or rng.randint(3, 6)):
        turn, go = rng.choice("LR"), rng.randint(1, 5)
        heading = (heading + (1 if turn == "R" else -1)) % 4
        dx, dy = ((0, 1), (1, 0), (0, -1), (-1, 0))[heading]
        x, y = x + dx * go, y + dy * go
        moves.append(f"{turn}{go}")
        trail.append((f"{turn}{go}: face {'NESW'[heading]}, reach ({x}, {y}).", f"{turn}{go} brings it to ({x}, {y})."))
    gold, swapped, off = f"({x}, {y})", f"({y}, {x + (x == y)})", f"({x + 1}, {y - 1})"
    return Task(
        pick_id(rng, "rov"),
        f"A rover at ({start[0]}, {start[1]}) faces {start[2]}. Each command turns left or right, then drives that many"
        f" cells: {' '.join(moves)}. Where does it end?",
        gold,
        trail,
        [
            ([*trail[:-1], (f"{moves[-1]} then lands at {swapped}.",)], swapped),
            ([*trail[:-1], (f"{moves[-1]} ends the drive at {off}.",)], off),
        ],
        ("North is +y.", "Nothing blocks the way.", f"{len(moves)} commands in all."),
        "robotics",
        0.25 * (len(moves) - 4),
    )
