"""Letters that people ask a chat model to write, and replies of more or less merit."""

import random

from benchmarks.foreign.fiftysecond.learning import Task

_WHO = ("my landlord", "a supplier", "the school office", "a former colleague", "our neighbours", "the insurance")
_WHY = (
    ("a leaking tap that nobody came to mend", "the tap has leaked for two weeks", "could someone come by on Friday"),
    ("an invoice that was paid twice", "invoice and bank statement show two payments", "please send one of them back"),
    ("a meeting that has to be moved", "the train that day is cancelled", "would the Tuesday after suit you"),
    ("thanks for help with a move", "you carried half of it up four floors", "let us cook for you one evening"),
    ("noise late in the evening", "it wakes the children after ten", "could the music end a little earlier"),
    ("a parcel that came damaged", "the corner was crushed and the glass broken", "a replacement would settle it"),
)
_TONES = ("friendly", "formal", "brief", "warm", "firm but polite")
_FILL = (
    "I hope this message finds you well in these busy days.",
    "I do understand that you have a great many things to see to.",
    "Please know that I value how things have gone between us so far.",
    "It goes without saying that I am glad to help with whatever is needed.",
    "Should anything be unclear, I am at your disposal at any time.",
    "I would like to add that this matter has been on my mind for a while.",
    "All in all I am confident that we find a way that suits everybody.",
    "Let me also say how much your attention to this means to me.",
    "Of course there may be reasons of which I know nothing.",
    "In closing, may I thank you once more for your time and patience.",
)


def letter_task(rng: random.Random, place: int) -> Task:
    """A letter to write."""
    who, tone = rng.choice(_WHO), rng.choice(_TONES)
    why, fact, wish = rng.choice(_WHY)
    prompt = f"Write a {tone} letter to {who} about {why}. Mention the date, {rng.randint(2, 28)} May."
    data = {"who": who, "tone": tone, "why": why, "fact": fact, "wish": wish, "date": prompt.split(", ")[-1][:-1]}
    return Task(f"letter-{place:04d}", tone, prompt, "", rng.gauss(0, 0.8), data=data)


def letter(rng: random.Random, task: Task, good: float, fill: int = 0) -> str:
    """A letter; the better it is, the more of what was asked it holds. Filling says nothing."""
    d = task.data
    lines = [rng.choice(["Hello,", "Good day,", "Dear all,", "Dear Sir or Madam,", "Hi there,"])]
    lines.append(f"I am writing about {d['why']}." if rng.random() < 0.5 + good / 2 else "There is something to say.")
    if rng.random() < good:
        lines.append(rng.choice(["As it stands,", "You may know that", "To be plain,"]) + f" {d['fact']}.")
    if rng.random() < good:
        lines.append(f"This was on {d['date']}.")
    lines += rng.sample(_FILL, min(fill, len(_FILL)))
    if rng.random() < good:
        lines.append(f"My wish: {d['wish']}{'?' if d['wish'].startswith(('could', 'would')) else '.'}")
    lines.append(rng.choice(["Best wishes", "Kind regards", "Yours", "Many thanks", "With thanks"]))
    return "\n".join(lines)


def merit(task: Task, text: str) -> float:
    """How much of what was asked a letter holds, 0 to 1."""
    d = task.data
    return sum(part in text for part in (d["why"], d["fact"], d["date"], d["wish"])) / 4
