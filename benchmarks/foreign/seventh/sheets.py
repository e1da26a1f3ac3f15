"""Spreadsheets: a formula for a cell, with the value it gives."""

from random import Random
from typing import Any

from benchmarks.foreign.seventh.prose import GOODS, checked, joined, opener, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

Grid = list[list[Any]]
"""Rows of item, quantity, price and region."""
Way = tuple[str, int]
"""A formula with its value."""


def table(rng: Random) -> Grid:
    """Draw goods with quantity, price and region."""
    goods = rng.sample(GOODS, rng.randint(5, 9))
    return [[g, rng.randint(1, 40), rng.randint(2, 90), rng.choice(("north", "south", "west"))] for g in goods]


def drawn(grid: Grid) -> str:
    """Return the sheet as text."""
    lines = ["   A | B | C | D", "1  item | qty | price | region"]
    return "\n".join(lines + [f"{i}  " + " | ".join(map(str, row)) for i, row in enumerate(grid, 2)])


def asks(rng: Random, grid: Grid) -> tuple[str, str, Way, list[Way]]:
    """Draw a family; return it with the question, the right formula with its value, and wrong ones."""
    end, region, least = len(grid) + 1, rng.choice([row[3] for row in grid]), rng.randint(8, 25)
    here = [row for row in grid if row[3] == region]
    q, p = [row[1] for row in grid], [row[2] for row in grid]
    choices = {
        "sumproduct": (
            "the total value (qty times price)",
            (f"=SUMPRODUCT(B2:B{end};C2:C{end})", sum(a * b for a, b in zip(q, p, strict=True))),
            [
                (f"=SUM(B2:B{end})*SUM(C2:C{end})", sum(q) * sum(p)),
                (f"=SUMPRODUCT(B2:B{end - 1};C2:C{end - 1})", sum(a * b for a, b in zip(q[:-1], p[:-1], strict=True))),
            ],
        ),
        "sumif": (
            f"the quantity in region {region}",
            (f'=SUMIF(D2:D{end};"{region}";B2:B{end})', sum(r[1] for r in here)),
            [
                (f'=COUNTIF(D2:D{end};"{region}")', len(here)),
                (f'=SUMIF(D2:D{end};"{region}";C2:C{end})', sum(r[2] for r in here)),
            ],
        ),
        "countif": (
            f"how many items have a quantity of more than {least}",
            (f'=COUNTIF(B2:B{end};">{least}")', sum(x > least for x in q)),
            [
                (f'=COUNTIF(C2:C{end};">{least}")', sum(x > least for x in p)),
                (f'=SUMIF(B2:B{end};">{least}")', sum(x for x in q if x > least)),
            ],
        ),
        "maxprice": (
            "the highest price",
            (f"=MAX(C2:C{end})", max(p)),
            [(f"=MAX(B2:B{end})", max(q)), (f"=MAX(C2:C{end - 2})", max(p[:-2]))],
        ),
    }
    family = rng.choice(list(choices))
    return family, *choices[family]


def sheet_task(rng: Random, name: str) -> Task:
    """Draw a question on a sheet; its answer is a formula with the value."""
    while True:
        grid = table(rng)
        family, ask, good, bad = asks(rng, grid)
        bad = [way for way in bad if way[1] != good[1]]
        if bad:
            break

    def reply(draw: Random, right: bool) -> Reply:
        formula, value = good if right else draw.choice(bad)
        lines = [
            opener(draw),
            say(draw, "[We need|Looking for|The task asks for] " + ask + "."),
            say(draw, f"[Formula|In the cell|So I enter]: {formula}"),
            checked(draw),
            f"Value: {value}",
        ]
        return Reply([said(joined(lines))], str(value), {"formula": formula})

    prompt = f"Sheet:\n{drawn(grid)}\n\nGive a formula and its value for {ask}. End with 'Value: ...'."
    return Task(name, family, "spreadsheet", prompt, str(good[1]), reply, level=rng.gauss(0, 0.8))
