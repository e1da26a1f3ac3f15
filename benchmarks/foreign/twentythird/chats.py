"""Letters to write, for a judge to mark."""

from random import Random

from benchmarks.foreign.twentythird.rollouts import Attempt, Plan, Task
from benchmarks.foreign.twentythird.talk import say

TOPICS = (
    ("a late parcel", "parcel", "the carrier lost the label"),
    ("a double charge", "refund", "the card was billed twice"),
    ("a cancelled class", "class", "the teacher is ill"),
    ("a broken kettle", "replacement", "the lid cracked"),
    ("a moved appointment", "appointment", "the clinic closes early"),
    ("a wrong size", "exchange", "the label was swapped"),
    ("a missing invoice", "invoice", "the mail bounced"),
    ("a noisy neighbour", "complaint", "the works run at night"),
    ("a lost suitcase", "suitcase", "it was sent to another airport"),
    ("a cold meal", "meal", "the courier had an accident"),
)
WHO = ("Ms Okafor", "Mr Lindqvist", "Dr Benali", "Ms Tanaka", "Mr Duarte", "Ms Novak", "Mr Achterberg", "Ms Pillay")
TONES = ("warm", "brief", "formal", "plain", "apologetic", "cheerful")
GREET = ("Dear {w},", "Hello {w},", "Good morning {w},", "{w}, good day,")
SORRY = (
    "I am sorry about this.",
    "Please accept our apologies.",
    "We regret the trouble.",
    "This should not have happened.",
)
WHY = ("As we found, {c}.", "The reason is simple: {c}.", "What went wrong: {c}.", "It turns out that {c}.")
FIX = (
    "Your {t} will be dealt with within {n} days.",
    "We handle the {t} first thing; allow {n} days.",
    "I have put the {t} at the top of our list, which takes {n} days.",
    "Expect news on the {t} in {n} days at most.",
)
MORE = (
    "You need not do anything.",
    "A reply to this mail reaches me directly.",
    "I attach the details for your records.",
    "Should that not suit you, tell me what would.",
    "As a small thank you, the next delivery is free.",
    "I will call on Thursday to make sure.",
    "Our desk is open from eight to six.",
    "Let me know if anything is unclear.",
)
BYE = ("Kind regards", "With best wishes", "Yours sincerely", "Many thanks", "Warmly")
REMARKS = (
    "clear and polite",
    "names the cause",
    "a bit generic",
    "good tone",
    "misses a date",
    "to the point",
    "wordy",
)


def letter(rng: Random, who: str, thing: str, cause: str, care: int) -> str:
    """A letter with as many of its parts as care is taken."""
    parts = [
        rng.choice(SORRY),
        rng.choice(WHY).format(c=cause),
        rng.choice(FIX).format(t=thing, n=rng.randint(2, 9)),
        *rng.sample(MORE, 3),
    ]
    kept = [parts[i] for i in sorted(rng.sample(range(len(parts)), min(len(parts), max(2, care))))]
    return f"{rng.choice(GREET).format(w=who)}\n\n{' '.join(kept)}\n\n{rng.choice(BYE)}"


def chat_task(r: Random, number: int) -> Task:
    """A letter to write; the answer is how many parts it has."""
    (matter, thing, cause), who, tone = r.choice(TOPICS), r.choice(WHO), r.choice(TONES)
    days = r.randint(2, 30)
    return Task(
        id=f"mail-{number:04d}",
        prompt=f"Reply to {who}, who wrote {days} days ago about {matter}. Keep it {tone}. Mention that {cause}.",
        gold="",
        level=r.gauss(0, 0.6),
        reply=lambda rng, answer: [say(letter(rng, who, thing, cause, int(answer)))],
        slips=["2"],
        family=thing,
        extra={"tone": tone},
    )


def letters(rng: Random, tasks: list[Task], plan: Plan) -> list[Attempt]:
    """A run of letters whose care grows; a judge marks each from 0 to 10."""
    found: list[Attempt] = []
    for step in range(plan.steps):
        for place in range(plan.prompts):
            task = tasks[(step * plan.prompts + place) % len(tasks)]
            for number in range(plan.group):
                care = max(2, min(6, round(3.4 + plan.skill(step) - task.level + rng.gauss(0, 1.0))))
                mark = max(0.0, min(10.0, round(1.0 + 1.3 * care + rng.gauss(0, 0.7), 1)))
                a = Attempt(
                    task, step, number, True, str(care), task.reply(rng, str(care)), mark, None, {"judge": mark}
                )
                a.extra = {
                    "judge_comment": ", ".join(rng.sample(REMARKS, 2)),
                    "judge_seconds": round(rng.uniform(1.2, 9), 2),
                }
                found.append(a)
    return found
