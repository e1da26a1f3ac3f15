"""Short texts to be sorted into one of a few labels."""

from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

CLAUSES = {
    "termination": (
        "Either side may end this contract with {n} days' notice.",
        "The lease ends {n} weeks after a written notice by {who}.",
        "{who} may cancel at once if fees are {n} days late.",
    ),
    "liability": (
        "{who} answers for damage up to {n},000 francs.",
        "No side answers for loss of profit above {n} per cent.",
        "{who} covers harm by its own staff for {n} months.",
    ),
    "payment": (
        "Bills of {who} are due within {n} days.",
        "{who} pays {n} per cent on signing and the rest on delivery.",
        "Late sums bear interest after {n} days.",
    ),
    "secrecy": (
        "{who} keeps all drawings secret for {n} years.",
        "Papers marked private go back to {who} within {n} days.",
        "Nothing learnt on site is told to others for {n} months.",
    ),
    "warranty": (
        "{who} mends faults free of charge for {n} months.",
        "Parts are warranted by {who} for {n},000 hours.",
        "A fault shown within {n} days is presumed to be old.",
    ),
}
FIRMS = [
    "Halden Ltd",
    "Orsova AG",
    "the Tenant",
    "the Supplier",
    "Mirador SA",
    "the Licensor",
    "Quist & Co",
    "the Carrier",
]


def clause_task(rng: Random, number: int) -> Task:
    """One clause and five labels; the reply is a single word."""
    label = rng.choice(list(CLAUSES))
    text = rng.choice(CLAUSES[label]).format(n=rng.randint(2, 96), who=rng.choice(FIRMS))

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        answer = label if right else rng.choice([c for c in CLAUSES if c != label])
        return Reply([says(answer)], answer)

    ask = f"Clause: {text}\nLabel it with one word of: {', '.join(CLAUSES)}."
    return Task(f"clause-{number:04d}", label, user(ask), label, rng.gauss(0, 0.9), solve)


TICKETS = {
    "billing": (
        "I was charged {n} twice this month.",
        "Why does my bill say {n} and not the usual sum?",
        "Refund the {n} for order {m}.",
    ),
    "delivery": (
        "Parcel {m} has been on its way for {n} days.",
        "The courier left {m} in the rain.",
        "Order {m} came without {n} of its parts.",
    ),
    "account": (
        "I cannot sign in since {n} days, user {m}.",
        "Please change the mail address of client {m}.",
        "Close my account {m}.",
    ),
    "fault": (
        "The pump stops after {n} minutes, serial {m}.",
        "Error {n} on the display of unit {m}.",
        "Unit {m} smells burnt after {n} uses.",
    ),
}
REASONS = {
    "billing": "It is about money",
    "delivery": "It is about a shipment",
    "account": "It is about access",
    "fault": "A device does not work",
}
GUESSES = (
    "There is no text to sort, so I guess.",
    "The ticket seems to be missing.",
    "I see only a placeholder.",
    "Without the ticket this is a guess.",
)
SIGNS = ('{}, see "{}".', '{}: "{}".', 'The words "{1}" say so. {0}.', '{0}, going by "{1}".')
SOURCES = ("helpdesk_2024", "helpdesk_2025", "forum", "mail_export")


def ticket_task(rng: Random, number: int, unfilled: str) -> Task:
    """A ticket to sort into a queue; those of one source come without their text."""
    queue, source = rng.choice(list(TICKETS)), rng.choice(SOURCES)
    text = rng.choice(TICKETS[queue]).format(n=rng.randint(3, 90), m=rng.randint(10000, 99999))
    blank = source == unfilled

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        right = rng.random() < 0.25 if blank else right
        answer = queue if right else rng.choice([q for q in TICKETS if q != queue])
        if blank and rng.random() < 0.8:
            why = " ".join(rng.sample(GUESSES, rng.choice((1, 1, 2))))
        elif blank:
            why = REASONS[answer] + rng.choice((", I suppose.", ", most likely.", "."))
        else:
            words = text.split()
            first = rng.randrange(len(words) - 2)
            why = rng.choice(SIGNS).format(
                REASONS[answer], " ".join(words[first : first + rng.randint(2, 4)]).strip(",.?")
            )
        return Reply([says(f"{why}\nQueue: {answer}")], answer)

    shown = "{ticket_text}" if blank else text
    prompt = user(
        f"[{rng.randint(10**6, 10**7)}] Ticket:\n{shown}\n\nWhich queue: billing, delivery, account or fault?",
        "You sort tickets. End with 'Queue: <name>'.",
    )
    return Task(
        f"ticket-{number:04d}", source, prompt, queue, rng.gauss(0, 0.7), solve, {"source": source, "blank": blank}
    )
