"""Long account books, read page by page."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import person, say, town

ITEMS = ("rope", "tar", "oats", "nails", "candles", "sailcloth", "lamp oil", "bricks", "paper", "coal")


def task(rng: Random) -> Task:
    """A book whose sum for one customer is asked."""
    who = [person(rng) for _ in range(4)]
    lines = [(rng.choice(who), rng.choice(ITEMS), rng.randint(2, 90)) for _ in range(rng.randint(14, 26))]
    asked = lines[0][0]
    total = sum(price for name, _, price in lines if name == asked)
    book = f"/books/{town(rng).lower()}-{rng.randint(1850, 1899)}.txt"
    question = f"The account book {book} lists sales, one a line. How much did {asked} spend in all?"
    return Task(question, str(total), family="ledger", facts={"lines": lines, "book": book, "asked": asked})


def page(lines: list[tuple[str, str, int]], first: int, all_lines: int) -> str:
    """Some lines of the book and a word on what is left."""
    text = "\n".join(
        f"{number:3d}  {name:<8} {item:<10} {price:>3}" for number, (name, item, price) in enumerate(lines, first)
    )
    left = all_lines - first - len(lines) + 1
    return text + (
        f"\n[output truncated: {left} more lines, read on with offset={first + len(lines) - 1}]"
        if left > 0
        else "\n[end of file]"
    )


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Every page is read; the sum is right or a line was missed."""
    lines, book, asked = task.facts["lines"], task.facts["book"], task.facts["asked"]
    turns, first, size = [], 1, rng.choice((7, 8, 9))
    while first <= len(lines):
        turns.append(
            call(
                say(rng, "[Next page|Reading on|On with the book|Let me read it]."),
                "read_file",
                path=book,
                offset=first - 1,
            )
        )
        turns.append(told("read_file", page(lines[first - 1 : first - 1 + size], first, len(lines))))
        first += size
    prices = [price for name, _, price in lines if name == asked]
    total = sum(prices) - (0 if right else rng.choice((prices[-1], -3, 10)))
    turns.append(speak(say(rng, f"[{asked} spent|The sum for {asked} is|In all:] {total}[ marks|].")))
    return Reply(turns, str(total))


LEDGERS = Domain(task, reply)
