"""Questions of daily life that ask for advice, and replies that are more or less of use."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task

TOPICS: dict[str, tuple[str, list[str]]] = {
    "sourdough": (
        "my sourdough stays flat",
        ["feed the starter twice a day for a week", "let the dough rise at about 25 degrees", "shape it more tightly"]
        + ["bake it in a closed pot for the first half", "use flour with more protein"],
    ),
    "bicycle": (
        "my bicycle chain keeps slipping",
        ["measure the chain for wear", "clean the sprockets", "set the tension of the shifting cable"]
        + ["check that the rear wheel sits straight", "look for a stiff link"],
    ),
    "tomatoes": (
        "my tomatoes get black spots at the bottom",
        ["water evenly instead of seldom and much", "mulch the soil", "add lime if the soil is sour"]
        + ["feed less nitrogen", "pick the spoilt fruit off"],
    ),
    "sleep": (
        "I lie awake at three every night",
        ["get up at one hour all week", "leave the phone in another room", "drink no coffee after noon"]
        + ["write down what worries you before bed", "see a doctor if it lasts a month"],
    ),
    "landlord": (
        "my landlord does not repair the heating",
        ["report it in writing with a date", "set a deadline of some days", "keep a record of temperatures"]
        + ["ask the tenants' association", "do not cut the rent before you had advice"],
    ),
    "piano": (
        "I forget pieces on the piano when people listen",
        ["play for one friend first", "practise starting from several places", "memorise the harmony as well"]
        + ["slow down by a fifth", "record yourself once a week"],
    ),
    "cat": (
        "my cat scratches the new sofa",
        ["put a post right beside it", "cover the corner for some weeks", "play before meals"]
        + ["trim the claws", "praise it at the post"],
    ),
}
WHERE = [
    "I live in a small flat.",
    "I tried for two weeks.",
    "I am a beginner.",
    "I have little money.",
    "It began in May.",
]
BEGIN = [
    "That is a common thing.",
    "There are a few likely causes.",
    "I would go about it in this order.",
    "Good that you ask.",
]
WHY = ["since that is the usual cause", "which costs nothing", "as it shows within days", "because it often is enough"]
LAST = ["Give it two weeks before you judge.", "If that does not help, write again.", "Change one thing at a time.", ""]


def questions(rng: Random, number: int, name: str = "ask") -> list[Task]:
    """Questions of users, with circumstances."""
    out = []
    for i in range(number):
        topic = rng.choice(list(TOPICS))
        text = f"{rng.choice(['Help,', 'Hello,', 'A question:', 'Hi.'])} {TOPICS[topic][0]}. {rng.choice(WHERE)}"
        text += f" {rng.choice(['What can I do?', 'Any ideas?', 'What should I try first?'])} (No. {i + 1})"
        out.append(Task(f"{name}-{i:03d}", text, "", rng.gauss(0, 0.6), topic))
    return out


def advise(rng: Random, task: Task, tips: int) -> str:
    """A reply with some tips on the question's topic."""
    chosen = rng.sample(TOPICS[task.family][1], max(1, min(5, tips)))
    lines = [f"{rng.choice(['First', 'Then', 'Also', 'Besides'])}, {tip}, {rng.choice(WHY)}." for tip in chosen]
    return " ".join(x for x in [rng.choice(BEGIN), *lines, rng.choice(LAST)] if x)
