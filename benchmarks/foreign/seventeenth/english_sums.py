"""Story sums in English, answered in a box."""

from random import Random

from benchmarks.foreign.seventeenth.chains import Link, Story, Sum, draw_sum, two_digits
from benchmarks.foreign.seventeenth.names import GIVEN_NAMES, TOWNS
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

STORIES = (
    Story(
        "{who} bakes {a} trays with {b} rolls each in {town}. The school takes {c} of them, {d} more are baked at "
        "noon and {e} go over the counter. How many rolls are left?",
        6,
        14,
        (
            Link("*", 18, 32, "rolls on all trays"),
            Link("-", 20, 60, "the school's share"),
            Link("+", 15, 48, "baked at noon"),
            Link("-", 12, 44, "sold"),
        ),
    ),
    Story(
        "A ferry leaves {town} with {a} passengers. At the first pier {b} get off and {c} get on, at the second {d} "
        "get off. Every passenger still aboard pays {e} crowns. How many crowns does {who} collect?",
        140,
        260,
        (
            Link("-", 21, 58, "off at the first pier"),
            Link("+", 17, 46, "on at the first pier"),
            Link("-", 13, 49, "off at the second"),
            Link("*", 3, 9, "fares"),
        ),
    ),
    Story(
        "{who} stacks {a} crates of pears, then {b} more. Rain spoils {c} of them. A crate holds {d} pears. {who} "
        "gives {e} pears to the neighbours in {town}. How many pears remain?",
        22,
        61,
        (
            Link("+", 14, 39, "crates after the second load"),
            Link("-", 4, 17, "without the spoilt ones"),
            Link("*", 24, 45, "pears in all"),
            Link("-", 33, 95, "given away"),
        ),
    ),
    Story(
        "The library of {town} owns {a} atlases on each of {b} shelves. It lends {c}, buys {d} and throws out {e}. How "
        "many atlases does {who} count on the shelves?",
        17,
        44,
        (
            Link("*", 6, 15, "on all shelves"),
            Link("-", 22, 57, "lent"),
            Link("+", 18, 63, "bought"),
            Link("-", 5, 29, "thrown out"),
        ),
    ),
    Story(
        "{who} walks {a} steps to the gate at {town}, turns back {b} steps for a key, and then walks "
        "{c} steps further. "
        "{who} does the whole thing {d} times and finally {e} steps home. How many steps is that, "
        "counting only the net way?",
        310,
        590,
        (
            Link("-", 42, 97, "back for the key"),
            Link("+", 66, 188, "further on"),
            Link("*", 2, 7, "all the times"),
            Link("+", 120, 480, "home"),
        ),
    ),
    Story(
        "A press in {town} prints {a} posters an hour for {b} hours. {c} are smudged, {d} come from an older run, and "
        "the theatre of {who} takes {e}. How many are left?",
        64,
        128,
        (
            Link("*", 4, 9, "printed"),
            Link("-", 11, 46, "smudged"),
            Link("+", 25, 90, "from the older run"),
            Link("-", 70, 140, "taken by the theatre"),
        ),
    ),
)
BILL = Story(
    "{who} runs a repair shop in {town}. A bill starts at {a} for the visit. Parts cost {b}, a voucher takes off {c}, "
    "and the client orders the same again, {d} bills in all. Delivery adds {e}. What is the total?",
    1900,
    5400,
    (
        Link("+", 875, 4300, "visit and parts"),
        Link("-", 210, 990, "after the voucher"),
        Link("*", 2, 5, "all bills"),
        Link("+", 395, 1250, "with delivery"),
    ),
)
OPENERS = (
    "Let me take it step by step.",
    "I go through the story in order.",
    "First I note what changes.",
    "Okay, one event at a time.",
    "We keep a running total.",
    "Start from the beginning of the story.",
)
LINES = ("{why}: {line}.", "{line} ({why})", "Then {why}, so {line}.", "- {why}: {line}")
CHECKS = (
    "Checking the order of events: fine.",
    "That looks plausible.",
    "Rereading the question, this is what is asked.",
    "No event is left out.",
    "",
    "",
)


def told_lines(rng: Random, lines: list[tuple[str, str]], wordy: float = 0.5) -> str:
    """The lines of a working in the policy's words."""
    form = rng.choice(LINES)
    parts = [rng.choice(OPENERS)] if rng.random() < wordy + 0.2 else []
    for line, why in lines:
        parts.append((form if rng.random() < 0.7 else rng.choice(LINES)).format(line=line, why=why))
        if rng.random() < 0.12 * wordy:
            parts.append(rng.choice(("Wait, is that right? Yes.", "Good.", "I keep that number.")))
    check = rng.choice(CHECKS)
    return "\n".join([*parts, check] if check and rng.random() < wordy + 0.2 else parts)


def task_of(made: Sum, name: str, family: str, hardness: float, system: str = "") -> Task:
    """A task whose answer stands in a box."""

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        lines, value = made.lines(None if right else rng)
        text, answer = told_lines(rng, lines, 0.8 - 0.4 * progress), made.show(value)
        last = rng.choice(
            ("The answer is \\boxed{{{}}}.", "So \\boxed{{{}}}", "\\boxed{{{}}}", "Answer: \\boxed{{{}}}")
        )
        return Reply([says(f"{text}\n{last.format(answer)}")], answer)

    prompt = user(made.text + " Give the final number in \\boxed{}.", system)
    return Task(name, family, prompt, made.show(made.value), hardness, solve)


def english_sum(rng: Random) -> tuple[Sum, str]:
    """A story sum and its kind."""
    number = rng.randrange(len(STORIES))
    words = {"who": rng.choice(GIVEN_NAMES), "town": rng.choice(TOWNS)}
    kind = ("bakery", "ferry", "orchard", "library", "steps", "press")[number]
    return draw_sum(rng, STORIES[number], words), kind


def story_task(rng: Random, number: int) -> Task:
    """A story sum with whole numbers."""
    made, kind = english_sum(rng)
    return task_of(made, f"story-{number:04d}", kind, rng.gauss(0, 0.8))


def bill_sum(rng: Random, whole: bool) -> Sum:
    """A bill with cents, or one whose total is whole."""
    words = {"who": rng.choice(GIVEN_NAMES), "town": rng.choice(TOWNS)}
    while True:
        made = draw_sum(rng, BILL, words, two_digits("."))
        if (made.value % 100 == 0) == whole:
            return made
