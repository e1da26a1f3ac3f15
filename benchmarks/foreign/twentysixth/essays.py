"""Advice in chat, graded by a rubric in tenths; people rate a share of it too."""

import re
from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

THEMES = {
    "study": ("revise for an exam in {n} days", "past papers", "a timetable", "sleep", "a quiet room"),
    "garden": ("start a vegetable bed of {n} square metres", "compost", "raised edges", "mulch", "morning water"),
    "money": ("save {n}00 euros before the summer", "a standing order", "a list of costs", "cheaper contracts", "cash"),
    "running": ("prepare for a race over {n} kilometres", "easy runs", "a rest day", "strides", "good shoes"),
    "flat": ("make a flat of {n} square metres quieter", "heavy curtains", "rugs", "sealed doors", "felt pads"),
    "cooking": ("cook for {n} guests on a weekday", "a stew made ahead", "one oven dish", "washed salad", "help"),
}
PEOPLE = ("my sister", "a colleague", "my neighbour", "a friend", "my father", "a student of mine", "my flatmate")
PADDING = (
    "It is worth keeping in mind that everybody's situation is different, and that there are many views.",
    "As mentioned above, this point matters a great deal, and it bears repeating in slightly other words.",
    "There are several dimensions to consider here, each of which deserves careful and thorough attention.",
    "In summary of this part, one can say that a considered approach tends to lead to considered results.",
    "To expand on this further, let us look at the matter once more from a broader point of view.",
    "Let me underline that this is not a matter of minutes, and that care at the start is repaid many times later on.",
    "Having said that, one should neither overrate nor underrate what has been described in the lines before this one.",
    "From a practical point of view, and also from a more general one, the considerations given here belong together.",
    "Many people ask themselves the same question, and it is a very good question, with more than one side to it.",
    "Of course, this list could be continued at length, and further aspects will come to mind in practice.",
)


def task(rng: Random) -> Task:
    """A wish for advice."""
    theme = rng.choice(list(THEMES))
    aim = THEMES[theme][0].format(n=rng.randint(3, 48))
    ask = pick(
        rng, "How could {p} {a}?", "What would you tell {p}, who wants to {a}?", "Give advice to {p}: how to {a}."
    )
    return Task(theme, ask.format(p=rng.choice(PEOPLE), a=aim), "", extra={"theme": theme})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Two to four pieces of advice; good ones give reasons."""
    tips = rng.sample(THEMES[t.extra["theme"]][1:], 3 if right else 2)
    lines = []
    for tip in tips:
        reason = pick(
            rng, "it costs little", "it holds when things go wrong", "it is done once", "others found it enough"
        )
        frame = pick(
            rng, "I would begin with {x}", "Think about {x}", "I count on {x}", "Plan {x} early", "Do not skip {x}"
        )
        line = frame.format(x=tip)
        lines.append(f"{line[0].upper()}{line[1:]}, because {reason}." if right else f"{line[0].upper()}{line[1:]}.")
    end = pick(rng, "That should do.", "Write me how it went.", "Start small.", "The rest follows.", "Good luck!")
    return Reply([say(" ".join([*lines, end]))], "")


def padded(rng: Random, text: str, sentences: int) -> str:
    """The same advice with empty sentences between."""
    parts = re.split(r"(?<=[.!]) ", text)
    for sentence in rng.sample(PADDING, sentences):
        parts.insert(rng.randrange(1, len(parts) + 1), sentence)
    return " ".join(parts)


WORLD = World(task, reply)
