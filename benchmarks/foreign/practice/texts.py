"""Problems answered in words: support messages to be sorted, open questions for a judge."""

from benchmarks.foreign.practice.stories import PLACES, WHO, Draw, Task, World

QUEUES = {
    "billing": ("charged twice for {m}", "an invoice from {m} with the wrong VAT", "a refund promised in {m}"),
    "delivery": (
        "a parcel stuck since {m}",
        "a courier who left the box at number {n}",
        "tracking that ends on {m} {n}",
    ),
    "account": ("a password reset mail that never comes", "two profiles with one e-mail", "a locked login since {m}"),
    "hardware": (
        "a fan that rattles after {n} minutes",
        "a screen with {n} dead pixels",
        "a battery that lasts {n} minutes",
    ),
    "privacy": ("a request to erase data from {m}", "a newsletter never agreed to", "what is stored since {m}"),
}
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"]


def draw_ticket(rng: Draw, name: str) -> Task:
    """Draw a support message to be sorted into a queue."""
    queue = rng.choice(list(QUEUES))
    what = rng.choice(QUEUES[queue]).format(m=rng.choice(MONTHS), n=rng.randint(2, 59))
    lead = rng.choice(
        (
            "Hello, I write about",
            "Third time now:",
            "Please help me with",
            "My issue is",
            "Not happy about",
            "Since the update there is",
            "Quick question on",
        )
    )
    close = rng.choice(("Order {n}.", "Regards, {who}", "I am at {place} until {m}.", "Customer no. {n}.", ""))
    close = close.format(n=rng.randint(1000, 9999), who=rng.choice(WHO), place=rng.choice(PLACES), m=rng.choice(MONTHS))
    prompt = f"Sort the message into one of {', '.join(QUEUES)}.\n\n{lead} {what}. {close}"
    return Task(name, "tickets", prompt.strip(), queue, rng.gauss(0, 0.9))


def answer_ticket(rng: Draw, task: Task, right: bool, talk: float) -> tuple[str, str]:
    """Answer with the queue alone, as a classifier does."""
    queue = task.answer if right else rng.choice([one for one in QUEUES if one != task.answer])
    return queue, queue


TOPICS = {
    "pruning an old pear tree": ("fruiting spurs", "water shoots", "a clean saw", "late February", "the crown"),
    "baking rye bread at home": ("a stiff starter", "the crumb", "a long proof", "steam", "caraway"),
    "planning a night hike": ("a red headlamp", "the contour lines", "wool layers", "the moonset", "a bail-out point"),
    "repairing a bicycle hub": ("cup and cone", "the cone spanner", "grease", "play in the axle", "the freewheel"),
    "learning to read Greek": ("the accents", "graded readers", "the aorist", "flash cards", "short sessions"),
    "keeping a reef tank": ("alkalinity", "live rock", "the skimmer", "a quarantine tank", "slow changes"),
    "negotiating a lease": ("the break clause", "service charges", "the deposit scheme", "an inventory", "the notice"),
    "sharpening kitchen knives": ("a burr", "a 1000 grit stone", "the bevel", "steady angle", "a leather strop"),
    "preparing a chess tournament": ("the opening file", "time trouble", "endgames", "sleep", "a clock"),
    "insulating a loft": ("vapour barriers", "the eaves", "mineral wool", "cold bridges", "a crawl board"),
}
FACES = (
    "For someone with little time",
    "On a small budget",
    "As a complete beginner",
    "With children around",
    "After a bad first attempt",
    "In a rented flat",
    "For the coming autumn",
    "Working alone",
)
ASKS = (
    "what would you advise on {t}?",
    "how should one go about {t}?",
    "explain the main mistakes in {t}.",
    "give me a plan for {t}.",
    "what matters most in {t}?",
    "which tools are needed for {t}?",
)
CLAUSES = (
    "{A} decides more than most people expect",
    "begin with {a} and leave {b} for later",
    "{b} is worth the money",
    "never rush {a}",
    "{a} and {b} go together",
    "ask somebody local about {a}",
    "a notebook on {b} saves trouble",
    "if {a} goes wrong, stop and look at {b}",
    "most guides overrate {b}",
    "practise {a} twice before it counts",
    "{A} depends on the season",
    "keep {b} simple",
    "there is no harm in skipping {a} at first",
    "watch how {a} responds over a week",
    "cheap versions of {b} fail early",
    "compare {a} with {b} first",
)
LINKS = (
    "",
    "",
    "",
    "Also, ",
    "In practice ",
    "Then ",
    "By contrast, ",
    "Over time, ",
    "Usually ",
    "To be fair, ",
    "Next, ",
)


def draw_chat(rng: Draw, name: str) -> Task:
    """Draw an open question; there is no right answer, a judge grades."""
    topic = rng.choice(list(TOPICS))
    prompt = f"{rng.choice(FACES)}, {rng.choice(ASKS).format(t=topic)}"
    return Task(name, "chat", prompt, "", rng.gauss(0, 0.6), {"topic": topic})


def sentence(rng: Draw, topic: str) -> str:
    """Write one sentence of advice on a topic."""
    a, b = rng.sample(TOPICS[topic], 2)
    text = rng.choice(LINKS) + rng.choice(CLAUSES).format(a=a, b=b, A=a[0].upper() + a[1:])
    tail = rng.choice(
        (
            "",
            "",
            "",
            f", {rng.choice(FACES).lower()}",
            " because it shows early",
            f" about {rng.randint(2, 9)} times",
            ", which surprises people",
            f" for {rng.randint(2, 40)} minutes",
            ", at least at first",
        )
    )
    return text[0].upper() + text[1:] + tail + "."


def answer_chat(rng: Draw, task: Task, right: bool, talk: float) -> tuple[str, str]:
    """Write advice; the good one stays with the topic, the weak one wanders off to another."""
    lines = []
    for _ in range(2 + int(rng.expovariate(1 / (1 + 8 * talk)))):
        stray = not right and rng.random() < 0.5
        lines.append(sentence(rng, rng.choice(list(TOPICS)) if stray else task.facts["topic"]))
    return " ".join(lines), ""


TICKETS = World(draw_ticket, answer_ticket)
CHAT = World(draw_chat, answer_chat)
