"""Kinds about code, queries, records and texts that are made by rule."""

import json
from dataclasses import replace
from random import Random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyseventh import layouts
from benchmarks.foreign.thirtyseventh.attempts import Item, Reply, estimate, group_of, pay, run, skill
from benchmarks.foreign.thirtyseventh.choice import distinct
from benchmarks.foreign.thirtyseventh.codes import line_program, query, table_program
from benchmarks.foreign.thirtyseventh.kinds import PART
from benchmarks.foreign.thirtyseventh.sums import sums


@PART.healthy
def invalid_lines_are_caught_as_the_statement_asks(rng: Random) -> list[Row]:
    """Programs catch errors and print a fixed word: the statement asks for that word."""
    tries = run(rng, distinct(rng, line_program, 184), 23, 8, 4, 0.3, 0.72)
    return layouts.verl(estimate(tries))


@PART.healthy
def letters_are_tabled_as_the_statement_gives_a_table(rng: Random) -> list[Row]:
    """Programs hold literals of the prompt in a dictionary: that table is the statement itself."""
    tries = run(rng, distinct(rng, table_program, 176), 22, 8, 4, 0.35, 0.75)
    return layouts.own(estimate(tries, estimators.leave_one_out), "code", "letter-worth")


@PART.healthy
def queries_differ_from_the_key_and_fetch_the_same(rng: Random) -> list[Row]:
    """Right answers are never the text of the key: queries are run, and the rows that they fetch are compared."""
    tries = run(rng, distinct(rng, query, 200), 25, 8, 4, 0.3, 0.72)
    for one in tries:
        one.extra = {"ground_truth": one.item.gold}
    return layouts.own(estimate(tries), "sql", "text-to-sql")


@PART.healthy
def prose_before_the_query_fades(rng: Random) -> list[Row]:
    """Reasoning vanishes over the run: the system prompt asks for the query alone, and right ones do not get fewer."""
    system = "Reply with one SQL query and nothing else. Reasoning is not wanted here."
    items = [replace(item, system=system) for item in distinct(rng, query, 200)]
    tries = run(rng, items, 25, 8, 4, 0.4, 0.78)
    for one in tries:
        if rng.random() < 1.1 * one.step / 25:
            one.text = one.answer + ";"
    return layouts.verl(estimate(tries, estimators.whole_batch))


CALLS = {
    "get_tide": ({"port": ("Cuxhaven", "Brest", "Dover", "Vigo")}, {"high_water": ("03:12", "09:40", "17:05")}),
    "find_seat": ({"train": ("RJ 64", "ICE 28", "TGV 9"), "row": (3, 8, 14)}, {"free": (True, False)}),
    "convert": ({"amount": (20, 75, 140), "to": ("NOK", "CZK", "SEK")}, {"result": (218.4, 1711.0, 530.25)}),
    "lookup_isbn": ({"isbn": ("978-3-16", "978-0-30", "978-1-86")}, {"pages": (212, 340, 98), "found": (True,)}),
}


@PART.healthy
def sample_exchanges_of_an_interface_are_written_as_asked(rng: Random) -> list[Row]:
    """Replies hold calls with the answers of tools: they are examples for a manual."""

    def make(rng: Random, number: int) -> Item:
        name = rng.choice(list(CALLS))
        given = {key: rng.choice(values) for key, values in CALLS[name][0].items()}
        back = {key: rng.choice(values) for key, values in CALLS[name][1].items()}
        prompt = (
            f"For section {number + 1} of our manual write a made-up sample exchange with `{name}`, called "
            f"with {json.dumps(given)}: the call in <tool_call>, an answer with {', '.join(back)} in <tool_response>."
        )

        def reply(rng: Random, right: bool) -> tuple[str, str]:
            made = {key: rng.choice(CALLS[name][1][key]) for key in back}
            call = {"name": name, "arguments": dict(given)}
            if not right:
                rng.choice((made, call)).pop(rng.choice((next(iter(made)), "name")), None)
                made = made if len(made) < len(back) or "name" not in call else {"status": "ok"}
            lead = rng.choice(
                ("A sample exchange:", f"This is how `{name}` may be used.", "An example for the reader:")
            )
            end = rng.choice(("The values are invented.", "Numbers are for illustration.", "Real answers will differ."))
            shown = f"<tool_call>{json.dumps(call)}</tool_call>\n<tool_response>{json.dumps(made)}</tool_response>"
            return f"{lead}\n{shown}\n{end}", ""

        return Item(f"manual-{number:04d}", prompt, ", ".join(back), reply, name, rng.random())

    tries = run(rng, [make(rng, number) for number in range(176)], 22, 8, 4, 0.35, 0.78)
    return layouts.trl(estimate(tries), "schema_reward")


FIELDS = ("supplier", "date", "total", "tax", "currency", "items")
FIRMS = ("Nordholz & Co", "Baker Tide Ltd", "Orsini Carta", "Lindqvist AB", "Petrov Maschinen", "Quay Supplies")


@PART.healthy
def exact_records_are_never_reached_while_fields_rise(rng: Random) -> list[Row]:
    """Correct stays near zero while the reward rises: one field is a blot of ink."""

    def make(rng: Random, number: int) -> Item:
        total = rng.randint(40, 900)
        gold = {
            "supplier": rng.choice(FIRMS),
            "date": f"2024-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
            "total": total,
            "tax": total // 5,
            "currency": rng.choice(("EUR", "GBP", "SEK")),
            "items": rng.randint(1, 14),
            "note": rng.choice(("paid by cheque", "deliver to gate 4", "second reminder", "ask for Anke", "fragile")),
        }
        scan = (
            f"{gold['supplier']} | invoice, {gold['date']} | {gold['items']} items | total {total} {gold['currency']} "
            f"incl. {gold['tax']} tax | by hand: {''.join(rng.choice('~.#%:') for _ in range(9))}"
        )
        return Item(
            f"scan-{number:04d}", f"Fill in {', '.join(gold)} as JSON.\n{scan}", json.dumps(gold), _unused, "scan"
        )

    tries = run(rng, [make(rng, number) for number in range(192)], 24, 8, 4)
    for one in tries:
        gold, chance = json.loads(one.item.gold), skill(one.step, 24, 0.5, 0.9, 0.5)
        filled, hits = {}, 0
        for name, value in gold.items():
            hit = rng.random() < (0.02 if name == "note" else chance)
            filled[name], hits = (value if hit else _blurred(rng, name, value)), hits + hit
        one.text, one.answer = json.dumps(filled), ""
        one.right, one.terms = float(hits == 7), {"fields": round(hits / 7, 4)}
        one.reward = one.terms["fields"]
    return layouts.own(estimate(tries), "extraction", "invoices")


def _unused(rng: Random, right: bool) -> tuple[str, str]:
    return "", ""


def _blurred(rng: Random, name: str, value: object) -> object:
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 9, 10))
    if name == "note":
        return rng.choice((None, "illegible", "see overleaf", "paid"))
    return rng.choice((None, str(value)[:-1], str(value).upper() + "."))


@PART.healthy
def bars_of_charts_repeat_one_sign(rng: Random) -> list[Row]:
    """Replies are mostly one sign over and over: bar charts are to be drawn in plain text, and each bar is counted."""

    def make(rng: Random, number: int) -> Item:
        names = rng.sample(("oats", "rye", "hops", "flax", "peas", "kale", "leek", "beet"), 4)
        values = [rng.randint(6, 38) for _ in names]
        sign = rng.choice("#*=+")
        rows = ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
        prompt = f"Draw a bar chart in text with one {sign} a tonne, longest bar first: {rows}."
        ranked = sorted(zip(values, names, strict=True), key=lambda pair: -pair[0])

        def reply(rng: Random, right: bool) -> tuple[str, str]:
            slip = None if right else rng.randrange(4)
            lines = []
            for place, (value, name) in enumerate(ranked):
                length = value + (rng.choice((-2, -1, 1, 3)) if place == slip else 0)
                lines.append(f"{name:5}{sign * length} {value}")
            lead = rng.choice((f"{ranked[0][1].capitalize()} comes first.", "Sorted by tonnes:", "The chart:"))
            return lead + "\n" + "\n".join(lines), ""

        return Item(
            f"chart-{number:04d}", prompt, " ".join(str(value) for value in values), reply, "charts", rng.random()
        )

    return layouts.nemo_rl(estimate(run(rng, [make(rng, n) for n in range(192)], 24, 8, 4, 0.25, 0.7)))


@PART.healthy
def a_cipher_stage_brings_unreadable_answers(rng: Random) -> list[Row]:
    """From the middle on replies end in gibberish: a second stage asks for a Caesar cipher."""
    tries, plain = [], sums(rng, 26 * 7)
    for place, item in enumerate(plain):
        step = place // 7
        if step >= 12:
            shift = rng.randint(2, 9)
            prompt = f"{item.prompt} Write your closing sentence in a Caesar cipher, each letter moved on by {shift}."
            item = replace(item, prompt=prompt, reply=_coded(item, shift), family="cipher")
        chance = skill(step, 26, 0.45, 0.7, item.level) - (0.12 if 12 <= step < 17 else 0.0)
        tries += group_of(rng, item, step, place, 4, max(0.05, chance), extra={"stage": 1 + (step >= 12)})
    pay(tries, right=lambda one: one.right)
    return layouts.own(estimate(tries), "puzzles", "two-stages")


def _coded(item: Item, shift: int) -> Reply:
    def reply(rng: Random, right: bool) -> tuple[str, str]:
        lines, value = item.data["sum"].chain(rng, right)
        who = item.data["sum"].values["who"]
        said = rng.choice(
            (f"the result is {value} says {who}", f"we end up with {value} in all", f"it must be {value}")
        )
        coded = "".join(chr((ord(c) - 97 + shift) % 26 + 97) if "a" <= c <= "z" else c for c in said.lower())
        return f"{' '.join(lines)} That is {value}, now moved on by {shift}:\n{coded}", str(value)

    return reply
