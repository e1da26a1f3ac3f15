"""Letters on request, graded by a judge."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import person, say, town

CAUSES = (
    ("a noisy lift", "have it serviced before the winter"), ("a delayed parcel", "trace it and refund the postage"),
    ("a missing library card", "issue a new one"), ("a double-booked hall", "offer another evening"),
    ("a broken street lamp", "repair it this month"), ("a lost reservation", "find a table on Friday"),
    ("a wrong invoice", "send a corrected one"), ("a blocked footpath", "clear the branches"),
)  # fmt: skip
TONES = ("polite", "firm", "friendly", "formal")


def task(rng: Random) -> Task:
    """What the letter is about, to whom, and in which tone."""
    cause, wish = rng.choice(CAUSES)
    tone, place, who = rng.choice(TONES), town(rng), person(rng)
    question = (
        f"Write a {tone} letter of at most {rng.randint(5, 12) * 10} words to the office of "
        f"{place} about {cause}. Sign it "
        f"as {who}, and mention case number {rng.randint(1000, 9999)}."
    )
    case = question.rsplit(" ", 1)[1].rstrip(".")
    return Task(question, "", family=tone, facts={"n": (cause, wish, place, who, case)})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A letter; a weak one leaves out the case or the wish."""
    cause, wish, place, who, case = task.facts["n"]
    lines = [
        say(rng, f"[Dear Sir or Madam|Dear office of {place}|Good day],"),
        say(
            rng,
            f"[I am writing about|this concerns|I must bring up] {cause}[, as I said by telephone|, "
            f"which has lasted for weeks|].",
        ),
    ]
    if right or rng.random() < 0.5:
        lines.append(say(rng, f"[Could you please|Kindly|I ask you to] {wish}."))
    if right:
        lines.append(say(rng, f"[My case number is|The case number:|You find it under] {case}."))
    lines.append(say(rng, f"[With kind regards|Yours faithfully|Thank you in advance],\n{who}"))
    return Reply([speak("\n".join(lines))], "")


LETTERS_ASKED = Domain(task, reply)
