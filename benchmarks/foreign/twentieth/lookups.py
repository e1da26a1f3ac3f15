"""Questions that are answered by searching an archive or by reading a long page."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, called, said, told

SHIPS = ("Corvina", "Stella Maris", "Halcyon", "Grey Widow", "Amalia", "Perpetua", "Northern Spy", "Tern", "Ondine")
YARDS = ("Hollis yard", "Brekke and Sons", "the Varr slip", "Dunmore docks", "Pascoe's", "the royal yard at Lund")
ASKS = {
    "master": "Who was master of the {ship} ({tons} tons) when she left {yard}?",
    "cargo": "What was the main cargo of the {ship} ({tons} tons) built at {yard}?",
    "loss": "In which year was the {ship} ({tons} tons, {yard}) lost?",
}
MASTERS = ("J. Quill", "P. Aarnes", "T. Boothroyd", "M. Descamps", "O. Lindqvist", "R. Tregear", "E. Vasko")
CARGOES = ("salt", "tin ore", "barrel staves", "dried cod", "slate", "indigo", "wool", "pit props")
DEEDS = ("called at {p} for water", "was caulked at {p}", "lost an anchor off {p}", "lay in ballast at {p}")
PORTS = ("Funchal", "Hull", "Bergen", "Cadiz", "Halifax", "Riga", "Ponce")


def _sentence(task: Task, answer: str, whose: str = "") -> str:
    line = {"master": "{s} sailed under {a}", "cargo": "{s} mostly carried {a}", "loss": "{s} was lost in {a}"}
    return line[task.family].format(s=task.data["ship"] + whose, a=answer)


def _filler(rng: Random, task: Task) -> str:
    port, year = rng.choice(PORTS), rng.randint(1830, 1905)
    return f"In {year} the {task.data['ship']} {rng.choice(DEEDS).format(p=port)}."


def _facts(rng: Random, task: Task) -> None:
    near = other(rng, task)
    hits = [_filler(rng, task), _sentence(task, task.gold) + ".", _sentence(task, near, " of another yard") + "."]
    rng.shuffle(hits)
    pages = [[_filler(rng, task) for _ in range(rng.randint(5, 8))] for _ in range(rng.randint(2, 4))]
    pages[-1].insert(rng.randrange(4), _sentence(task, task.gold) + ".")
    task.data |= {"near": near, "hits": hits, "pages": pages, "vague": [_filler(rng, task), _filler(rng, task)]}


def _task(rng: Random) -> Task:
    ship, yard, tons = rng.choice(SHIPS), rng.choice(YARDS), rng.randint(90, 1400)
    kind = rng.choice(list(ASKS))
    gold = {"master": rng.choice(MASTERS), "cargo": rng.choice(CARGOES), "loss": str(rng.randint(1840, 1911))}[kind]
    text = ASKS[kind].format(ship=ship, yard=yard, tons=tons) + " Search the archive, then answer shortly."
    task = Task(text, gold, kind, data={"ship": ship, "yard": yard, "tons": tons, "shard": rng.randrange(5)})
    _facts(rng, task)
    return task


def other(rng: Random, task: Task) -> str:
    """Give a wrong answer of the right kind."""
    pool = {"master": MASTERS, "cargo": CARGOES, "loss": tuple(str(y) for y in range(1840, 1912))}[task.family]
    return rng.choice([x for x in pool if x != task.gold])


def query(rng: Random, task: Task, narrow: bool = False) -> dict:
    """Search the archive."""
    d = task.data
    words = [d["ship"], d["yard"] if narrow else rng.choice((task.family, "register", "log")), f"{d['tons']} tons"]
    thought = rng.choice(("I look her up.", "Let me search.", "", "Another query may help." if narrow else ""))
    return called(thought, "archive_search", query=" ".join(words), k=rng.choice((3, 5)))


def _numbered(lines: list[str]) -> str:
    return "\n".join(f"[{number}] {line}" for number, line in enumerate(lines, 1))


def _reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    answer = task.gold if right else task.data["near"]
    turns = []
    if rng.random() < 0.4:
        turns += [query(rng, task), told("archive_search", _numbered(task.data["vague"]))]
    start = rng.choice(("The archive says so:", "According to the register,", "Found:"))
    turns += [
        query(rng, task, narrow=True),
        told("archive_search", _numbered(task.data["hits"])),
        said(f"{start} {answer}\nAnswer: {answer}"),
    ]
    return Reply(turns, answer)


def _page_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    answer = task.gold if right else other(rng, task)
    pages = task.data["pages"]
    seen = len(pages) if right or rng.random() < 0.4 else len(pages) - 1
    name = f"logs/{task.data['ship'].lower().replace(' ', '_')}.txt"
    turns = []
    for page, lines in enumerate(pages[:seen], 1):
        more = f"[page {page} of {len(pages)}; {len(pages) - page} more, ask with page={page + 1}]"
        thought = rng.choice(("", "Not there yet.", "I read on.")) if page > 1 else "I open the log."
        foot = more if page < len(pages) else "[end]"
        turns += [called(thought, "read_page", file=name, page=page), told("read_page", "\n".join([*lines, foot]))]
    return Reply([*turns, said(f"{_sentence(task, answer)}.\nAnswer: {answer}")], answer)


ARCHIVE = Domain("arch", _task, _reply)
PAGES = Domain("page", _task, _page_reply)
