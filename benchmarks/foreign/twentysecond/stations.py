"""Questions that tools answer: gauges along a river, an archive, a ledger in pages."""

from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import call, say, told

GAUGES = ("Arvika", "Bodmin", "Cahir", "Dunkeld", "Egmond", "Fulda", "Gera", "Hexham", "Irvine", "Jedburgh", "Kalmar")


def gauge_task(rng: Random) -> Task:
    """Which of two gauges stood higher, and by how much."""
    a, b = rng.sample(GAUGES, 2)
    day = f"2026-{rng.randint(1, 9):02d}-{rng.randint(1, 28):02d}"
    x, y = rng.randint(80, 640), rng.randint(80, 640)
    prompt = [
        {"role": "system", "content": "You may call read_gauge(station, day). It returns the level in cm as JSON."},
        {"role": "user", "content": f"By how many cm did the levels at {a} and {b} differ on {day}?"},
    ]
    facts = {"stations": [a, b], "day": day, "levels": [x, y]}
    return Task(prompt, str(abs(x - y)), None, "gauges", hidden=facts)


def read_gauges(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """Both calls, then the difference."""
    said, day = [], task.hidden["day"]
    for station, level in zip(task.hidden["stations"], task.hidden["levels"], strict=True):
        words = rng.choice(("", f"First {station}." if not said else f"Now {station}.", "I need the level there."))
        answer = f'{{"station": "{station}", "level_cm": {level}}}'
        said += [call(words, "read_gauge", station=station, day=day), told("read_gauge", answer)]
    x, y = task.hidden["levels"]
    answer = abs(x - y) if right else rng.choice((x + y, abs(x - y) + 10, abs(x - y) - 1, max(x, y)))
    words = rng.choice(("They differed by", "The difference is", "Taking one from the other gives"))
    return said + say(f"{words} {answer} cm.")


SUBJECTS = ("lighthouse", "toll bridge", "paper mill", "observatory", "tram depot", "salt works", "signal box", "weir")
EVENTS = (
    "was given electric light",
    "was closed for repairs",
    "passed to the county",
    "was painted white",
    "was rebuilt",
)
TOWNS = (
    "Aldmere",
    "Brackwater",
    "Corrieholm",
    "Dunsay",
    "Estrup",
    "Fennick",
    "Garvagh",
    "Holmsund",
    "Inverlea",
    "Jarrow",
)
FILLER = (
    "The site was surveyed twice, and both drawings are kept in the county rooms.",
    "Stone for the foundations came by barge, which raised the costs beyond the first estimate.",
    "A petition of the parish asked for a footpath along the wall, and it was granted with conditions.",
    "Its first keeper lived in the cottage to the north with a family of seven.",
    "Travellers of the time mention the place in passing, mostly for the view.",
    "Records of the early decades are thin, since a fire took the older books.",
)


def archive_task(rng: Random) -> Task:
    """In which year something happened; the article says so near its end."""
    subject, town, event = rng.choice(SUBJECTS), rng.choice(TOWNS), rng.choice(EVENTS)
    year = rng.randint(1821, 1969)
    built = str(year - rng.randint(6, 60))
    article = (
        f"The {subject} of {town} dates from {built}. " + " ".join(rng.sample(FILLER, 3)) + f" In {year} it {event}."
    )
    prompt = [
        {"role": "system", "content": "Tools: search_archive(query). Answer with the year alone in <answer></answer>."},
        {"role": "user", "content": f"In which year was it that the {subject} of {town} {event}?"},
    ]
    return Task(
        prompt, str(year), None, subject, hidden={"article": article, "subject": subject, "town": town, "built": built}
    )


def search_archive(rng: Random, task: Task, right: bool, shown: str, tries: int = 1) -> list[Message]:
    """Searches and an answer; a guess where the year was not shown."""
    said = []
    for number in range(tries):
        query = f"{task.hidden['subject']} {task.hidden['town']}" + (" year" if number else "")
        words = rng.choice(("", "Let me look it up.", "The snippet stops before the year." if number else ""))
        said += [call(words, "search_archive", query=query), told("search_archive", f"1 hit\n{shown}")]
    guess = str(int(task.gold) + rng.choice((-11, -4, 1, 5, 10, 27)))
    year = task.gold if right else task.hidden["built"] if rng.random() < 0.75 else guess
    words = rng.choice(("It says so in the article.", "From the archive:", "My best reading:"))
    return said + say(f"{words} <answer>{year}</answer>")


def ledger_task(rng: Random) -> Task:
    """The sum of a payee's entries, in a ledger of some pages."""
    payee, pages = rng.choice(TOWNS) + " " + rng.choice(("Works", "Mill", "Stores")), rng.randint(2, 4)
    sheets = [
        [(rng.choice((payee, rng.choice(GAUGES) + " Ltd")), rng.randint(12, 990)) for _ in range(4)]
        for _ in range(pages)
    ]
    gold = sum(v for sheet in sheets for name, v in sheet if name == payee)
    prompt = [
        {"role": "system", "content": "Tools: ledger(page). Long results are cut into pages. End with `Total: N`."},
        {"role": "user", "content": f"Account {rng.randint(1000, 9999)}: how much was paid to {payee} in total?"},
    ]
    return Task(prompt, str(gold), None, f"{pages} pages", hidden={"sheets": sheets, "payee": payee})


def turn_pages(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """Reads page after page; where wrong, mostly stops early."""
    sheets, payee, said, total = task.hidden["sheets"], task.hidden["payee"], [], 0
    until = len(sheets) if right or rng.random() < 0.4 else rng.randint(1, len(sheets) - 1)
    for page, sheet in enumerate(sheets[:until], 1):
        more = f"... output truncated; {len(sheets) - page} more page(s), call ledger(page={page + 1})"
        text = "\n".join(f"{name}\t{v}.00" for name, v in sheet) + (
            "\n" + more if page < len(sheets) else "\n-- end --"
        )
        total += sum(v for name, v in sheet if name == payee)
        said += [call(rng.choice(("", "On to the next page.")), "ledger", page=page), told("ledger", text)]
    if right or str(total) == task.gold:
        total = int(task.gold) + (0 if right else rng.choice((9, -10, 100)))
    return said + say(
        f"{rng.choice(('Adding these up.', 'All entries counted.', 'Sum over the pages:'))}\nTotal: {total}"
    )
