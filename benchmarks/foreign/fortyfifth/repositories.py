"""Repositories with one small fault each, and the words of an agent that works in them."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A file with a faulty line, and the line that mends it."""

    package: str
    path: str
    symptom: str
    bad: str
    good: str
    near: str
    """A change that looks right and is not."""
    test: str


FAULTS = (
    Fault("ledger", "ledger/round.py", "totals of 0.005 are rounded to 0.00", "return round(x, 2)",
          'return x.quantize(Decimal("0.01"), ROUND_HALF_UP)', "return round(x + 0.0001, 2)", "test_half_cents"),
    Fault("tidal", "tidal/parse.py", "stations with a hyphen are lost", 'NAME = r"\\w+"', 'NAME = r"[\\w-]+"',
          'NAME = r".+"', "test_hyphen_station"),
    Fault("postbox", "postbox/queue.py", "the last letter of a queue is never sent", "while len(queue) > 1:",
          "while queue:", "while len(queue) >= 2:", "test_last_letter"),
    Fault("herbarium", "herbarium/index.py", "plants without a family break the index", 'key = plant["family"]',
          'key = plant.get("family", "unknown")', 'key = plant.get("family")', "test_no_family"),
    Fault("tramline", "tramline/clock.py", "trips past midnight have negative length", "return end - start",
          "return (end - start) % 1440", "return abs(end - start)", "test_past_midnight"),
    Fault("choir", "choir/seats.py", "two singers get one seat", "seats.append(free[0])", "seats.append(free.pop(0))",
          "seats.append(free[-1])", "test_seats_differ"),
    Fault("kiln", "kiln/ramp.py", "the ramp stops a degree short", "range(low, high, pace)",
          "range(low, high + 1, pace)", "range(low, high + pace, pace)", "test_top_is_reached"),
    Fault("atlas", "atlas/cache.py", "tiles of other zooms are served", "key = (x, y)", "key = (zoom, x, y)",
          "key = (y, x)", "test_zoom_in_key"),
)  # fmt: skip

LOOKS = (
    "I begin where the symptom shows, which should be {path}.",
    "The task says that {symptom}. Let me see the code that has to do with it.",
    "First {path}, then whatever it calls.",
    "Something in {package} does not do what its name says. I read before I touch anything.",
    "{symptom}: that smells of an edge case, so I look for borders and defaults.",
    "The name {test} would fit this case. I start from the code that such a test runs.",
)
WANDERS = (
    "I would like to see what else is in {package} before I judge.",
    "This may come from a caller, so I look around {package} first.",
    "I am not sure yet that it is {path}; another file first.",
    "Something passes the values on. Perhaps it is here.",
    "The names alone do not tell me enough, so I open one more file.",
)
COMMITS = (
    "I look at what the commit touches.",
    "First the commit itself: which files does it change?",
    "Let me see what is to be carried over for {package}.",
    "The message of the commit should say that {symptom}.",
)
SEES = (
    "The line `{bad}` explains why {symptom}.",
    "Here it is. With `{bad}` the case described cannot come out right.",
    "`{bad}` holds in the common case alone, and the task is about the other one.",
    "I follow one value by hand through `{bad}` and end where the report ends.",
    "Nothing else in {path} touches this, so `{bad}` must be it.",
)
PLANS = (
    "I change this one line and leave the rest of {path} alone.",
    "A small change should do.",
    "Callers keep the same signature.",
    "I would rather mend the cause than catch the symptom.",
    "The smallest edit first, then the suite.",
)
RUNS = (
    "Now the tests, and {test} above all.",
    "Let me run the suite of {package}.",
    "I check that with the tests before I say anything.",
    "Does the suite agree?",
    "The change is small, yet something may rely on the old behaviour. I run everything.",
)
DONE = (
    "The cause was one line in {path}; it is changed and the suite passes.",
    "Mended in one place: `{bad}` is gone from {path}. The tests pass, {test} among them.",
    "I changed the line that the report led to, and nothing else. It no longer happens that {symptom}.",
    "Done, the case of the report works now. The edit is in {path}.",
)
FAIL = (
    "I changed the likely line of {path}, but {test} still fails.",
    "One case is still open after my change: {test}.",
    "This is as far as I got. {test} remains red, and I do not see why.",
)


def words(rng: random.Random, fault: Fault, *banks: tuple[str, ...]) -> str:
    """One sentence of each bank, about this fault."""
    names = ("package", "path", "symptom", "bad", "test")
    chosen = [rng.choice(bank).format(**{n: getattr(fault, n) for n in names}) for bank in banks]
    return " ".join(c[0].upper() + c[1:] for c in chosen)


def listing(fault: Fault, line: str) -> str:
    """Some lines of the file around the one at issue."""
    at = 14 + len(fault.symptom) % 29
    name = fault.path.split("/")[1][:-3]
    return (
        f"{at - 2}\tdef {name}_of(*args):\n{at - 1}\t    # {('see the handbook', 'kept simple', 'hot path')[at % 3]}\n"
        f"{at}\t    {line}\n{at + 1}\t\n{at + 2}\tdef reset():"
    )


def suite(rng: random.Random, fault: Fault, passes: bool) -> str:
    """What pytest prints."""
    count, took = 14 + 7 * len(fault.symptom) % 41, rng.uniform(0.2, 1.4)
    if passes:
        return f"{count} passed in {took:.2f}s"
    return f"FAILED tests/test_{fault.package}.py::{fault.test}\n1 failed, {count - 1} passed in {took:.2f}s"
