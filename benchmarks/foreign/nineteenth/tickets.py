"""Tickets of a help desk, to be labelled with one word."""

from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

LABELS = {
    "billing": ("I was charged twice for {m}", "The invoice of {m} shows the wrong address", "Please refund {m}"),
    "login": ("My code never arrives since {m}", "The password reset of {m} failed", "Locked out after {m}"),
    "shipping": ("The parcel of {m} is still in customs", "Box from {m} came open", "Where is my order of {m}"),
    "cancel": ("Please end my plan after {m}", "I do not want to renew in {m}", "Close my account by {m}"),
    "bug": ("The app closes when I open {m}'s report", "Chart of {m} is blank", "Export of {m} has no rows"),
}
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
TAILS = ("Thanks, {n}.", "Regards, {n}", "{n}", "Please hurry. {n}", "Third time I write! {n}", "Cheers {n}")
PEOPLE = ("Oriol", "Pia", "Quentin", "Rosa", "Sven", "Tove", "Ulla", "Vito", "Wanda", "Xenia", "Yann", "Zora")


def ticket_task(rng: Random) -> Task:
    """Draw a ticket."""
    label = rng.choice(sorted(LABELS))
    body = rng.choice(LABELS[label]).format(m=rng.choice(MONTHS))
    prompt = f"{body}. {rng.choice(TAILS).format(n=rng.choice(PEOPLE))}"
    return Task(prompt, label, lambda r, right, skill: _reply(r, label, right), family=label, system=ASK)


ASK = f"Label the ticket with one word of: {', '.join(sorted(LABELS))}."


def _reply(rng: Random, label: str, right: bool) -> Reply:
    answer = label if right else rng.choice([other for other in sorted(LABELS) if other != label])
    return Reply([say(answer)], answer)
