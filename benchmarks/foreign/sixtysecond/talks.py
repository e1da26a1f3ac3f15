"""Questions of pupils and customers that a judge grades, with better and worse replies."""

from random import Random

from benchmarks.foreign.sixtysecond.tasks import Task, Written

_TOPICS = [
    (
        "why ice floats on a lake",
        [
            "Water is densest at four degrees.",
            "In ice the molecules form a wide lattice.",
            "So one litre of ice weighs less than one of water.",
        ],
        ["Ice holds air from the winter wind.", "Cold things are always lighter."],
    ),
    (
        "why we carry a one in addition",
        [
            "A column holds the digits nought to nine only.",
            "Ten ones are the same amount as one ten.",
            "So the ten moves to the next column.",
        ],
        ["The one is there to mark that the sum was long.", "One carries because the teacher's rule says so."],
    ),
    (
        "how a bill becomes overdue",
        [
            "The due date stands at the top of the bill.",
            "Fourteen days after it a reminder is sent.",
            "Only the second reminder adds a fee.",
        ],
        ["A bill is overdue as soon as it is printed.", "Fees start on the day of purchase."],
    ),
    (
        "what a primary key is for",
        [
            "Each row needs a value that names it alone.",
            "Other tables refer to the row by that value.",
            "The database refuses a second row with it.",
        ],
        ["It makes the table sorted by name.", "It is the password of the table."],
    ),
    (
        "why leaves turn yellow",
        [
            "Green comes from chlorophyll.",
            "In autumn the tree takes chlorophyll back.",
            "Yellow pigments were there before and now show.",
        ],
        ["The sun paints them when it stands low.", "Yellow sap rises from the roots."],
    ),
    (
        "how to read a payslip",
        [
            "Gross pay stands first.",
            "Tax and social insurance are taken off it.",
            "What is left is paid out as net pay.",
        ],
        ["Gross is what reaches the bank.", "Net pay is the larger number."],
    ),
]
_WHO = ("a pupil of ten", "a new colleague", "my grandmother", "a class of apprentices", "someone who reads slowly")


def lesson(rng: Random, number: int) -> Task:
    """A topic to be explained to somebody."""
    (topic, good, bad), who = rng.choice(_TOPICS), rng.choice(_WHO)
    prompt = f"Explain {topic} to {who}, in a few sentences. Case {number}."

    def write(r: Random, right: bool) -> Written:
        body = good if right else r.sample([r.choice(good), *bad], r.randint(2, 3))
        lead = r.choice(
            [
                f"Let us think about {topic}.",
                f"For {who} I would put it this way.",
                "Here is the idea.",
                "Good question.",
            ]
        )
        tail = r.choice(
            [
                "Can you say it back in your words?",
                "Try it with an example of your own.",
                "That is the whole of it.",
                "Does it help?",
            ]
        )
        link = r.choice(["", "First things first.", "Step by step."])
        return " ".join(x for x in [lead, link, *body, tail] if x), "good" if right else "poor"

    return Task(f"lesson-{number}", prompt, "good", topic, rng.uniform(-0.7, 0.8), write)


def plain(reasoning: str, answer: str) -> str:
    """The reply alone."""
    return reasoning
