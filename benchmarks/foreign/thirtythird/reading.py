"""Short notices with a question and four options, and how a policy argues for one."""

import random

from benchmarks.foreign.thirtythird.policy import Task

PLACES = ("the reading room", "the pottery kiln", "the swimming hall", "the seed library", "the bell tower", "the rink")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
WHY = ("repairs", "a school visit", "stocktaking", "a concert", "cleaning", "a staff outing")
PEOPLE = ("Ms Okafor", "Mr Lindqvist", "Ms Haddad", "Mr Petrov", "Ms Moreau", "Mr Tanaka")
OPEN = (
    "The notice gives several facts; only one of them is asked for.",
    "I look for the sentence that speaks of this.",
    "Let me go back to the text and find the line.",
    "Two of the options appear in the text, so I have to read closely.",
    "The question asks about a single detail.",
)


def readings(rng: random.Random, count: int) -> list[Task]:
    """Notices with a question; `gold` is the letter of the right option."""
    tasks = []
    for number in range(count):
        place, day, why, who = rng.choice(PLACES), rng.choice(DAYS), rng.choice(WHY), rng.choice(PEOPLE)
        hour = rng.randint(9, 17)
        text = f"From {day} on, {place} is closed for {why}. {who} keeps the key and opens again at {hour} o'clock."
        asked, right, pool = rng.choice(
            (
                (f"Why is {place} closed?", why, WHY),
                (f"Who keeps the key of {place}?", who, PEOPLE),
                (f"From which day on is {place} closed?", day, DAYS),
            )
        )
        options = rng.sample([option for option in pool if option != right], 3)
        options.insert(rng.randrange(4), right)
        listed = "\n".join(f"{letter}. {option}" for letter, option in zip("ABCD", options, strict=True))
        letter = "ABCD"[options.index(right)]
        data = {"options": options, "right": right}
        text = f"{text}\n{asked}\n{listed}\nEnd with the letter in \\boxed{{}}. (notice {number + 11})"
        tasks.append(Task(f"read-{number:03d}", text, letter, "notice", rng.gauss(-0.5, 1), data))
    return tasks


def argue(rng: random.Random, task: Task, letter: str) -> str:
    """Reasoning that ends with the letter."""
    option = task.data["options"]["ABCD".index(letter)]
    place = task.text.split(" is closed")[0].split("on, ")[-1]
    middle = rng.choice(
        (
            f'The line about {place} points to "{option}".',
            f"For {place} the text says {option}, which is listed under {letter}.",
            f"Of the four, {option} is what the notice gives for {place}.",
        )
    )
    rest = rng.choice(("The others are not supported.", "Nothing in the notice speaks for the rest.", ""))
    return f"{rng.choice(OPEN)} {middle} {rest}".strip() + f"\n\\boxed{{{letter}}}"
