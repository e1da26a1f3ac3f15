"""Support tickets of a small shop for devices: the queue that each belongs to, and replies."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem, talk

QUEUES = {
    "billing": ("I was charged twice for the {d}", "the invoice for my {d} shows the wrong VAT number"),
    "shipping": ("my {d} has not left the warehouse since {k} days", "the parcel with the {d} went to my old address"),
    "returns": ("I would like to send the {d} back, it is unused", "how do I get a label to return the {d}"),
    "technical": ("the {d} turns itself off after {k} minutes", "the {d} does not pair with my phone any more"),
    "account": ("I cannot log in to register my {d}", "please change the mail address on the account of my {d}"),
    "sales": ("is there a discount on {k} pieces of the {d}", "does the {d} come with a British plug"),
}
DEVICES = (
    "kettle",
    "air sensor",
    "headset",
    "robot mower",
    "desk lamp",
    "heat pump remote",
    "e-reader",
    "bike computer",
)
ENDS = ("Order {o}.", "My order was {o}.", "Please look at {o}.", "Reference {o}.")
GREET = ("Hello,", "Hi team,", "Good morning,", "Dear support,")
EXTRA = (
    "I have tried to call twice.",
    "I am away from Friday on.",
    "This is the second mail about it.",
    "Thanks in advance.",
    "My neighbour has the same one and no trouble.",
    "I bought it {k} weeks ago.",
)
SYSTEM = "Route the ticket. Queues: billing, shipping, returns, technical, account, sales. End with `queue: NAME`."
WHY = {
    "billing": "money that was taken or billed",
    "shipping": "where the parcel is",
    "returns": "sending the device back",
    "technical": "how the device behaves",
    "account": "access to the account",
    "sales": "a purchase that has not been made yet",
}
LINES = (
    "The customer writes about the {d} and asks about {why}.",
    "What matters in {o} is {why}.",
    "The {d} is only the occasion; the request concerns {why}.",
    "There is some background, but the point is {why}.",
)
MORE = (
    "No other team needs to see {o} first.",
    "The tone is calm, so no escalation.",
    "I see no second request in it.",
)
NEAR = {
    "billing": "sales",
    "shipping": "returns",
    "returns": "shipping",
    "technical": "returns",
    "account": "technical",
}
SPANISH = {
    "billing": "revisaremos el cobro y le devolveremos lo que sobre",
    "shipping": "hemos pedido al almacén que compruebe el envío",
    "returns": "le enviamos hoy la etiqueta de devolución",
    "technical": "reinicie el aparato y actualice el programa",
    "account": "le mandamos un enlace para entrar de nuevo",
    "sales": "con mucho gusto le preparamos una oferta",
}
HOLA = (
    "Hola, gracias por escribirnos.",
    "Buenos días, hemos leído su mensaje.",
    "Estimado cliente, lamentamos la espera.",
)
ADIOS = ("Si queda algo por resolver, responda a este correo.", "Quedamos a su disposición.", "Un saludo del equipo.")


def tickets(rng: random.Random, amount: int, prefix: str = "t", system: str = SYSTEM) -> list[Problem]:
    """Different tickets."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        queue = rng.choice(list(QUEUES))
        d = {"d": rng.choice(DEVICES), "k": rng.randint(3, 21), "o": f"{rng.choice('KLMN')}{rng.randint(10000, 99999)}"}
        lines = [
            rng.choice(GREET),
            rng.choice(QUEUES[queue]) + ".",
            *rng.sample(EXTRA, rng.randint(0, 2)),
            rng.choice(ENDS),
        ]
        text = " ".join(lines).format(**d)
        out.setdefault(text, Problem(f"{prefix}{len(out):04d}", text, queue, queue, rng.gauss(0, 1.0), system, d))
    return list(out.values())


def other_queue(rng: random.Random, queue: str) -> str:
    """A queue that a ticket is taken for."""
    if queue in NEAR and rng.random() < 0.6:
        return NEAR[queue]
    return rng.choice([q for q in QUEUES if q != queue])


def route(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """Two or three sentences and the queue."""
    queue = problem.gold if right else other_queue(rng, problem.gold)
    words = {**problem.data, "why": WHY[queue]}
    lines = rng.sample(LINES, rng.randint(1, 2)) + rng.sample(MORE, rng.randint(0, 2))
    text = " ".join(line.format(**words) for line in lines)
    return Draft(talk(f"{text}\nqueue: {queue}"), queue, right)


def label(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """The queue alone."""
    queue = problem.gold if right else other_queue(rng, problem.gold)
    return Draft(talk(queue), queue, right)


def reply_in_spanish(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """A reply in Spanish, on the right matter or on another."""
    queue = problem.gold if right else other_queue(rng, problem.gold)
    order = problem.data["o"]
    middle = rng.choice(("Sobre el pedido {o}: {m}.", "En cuanto a {o}, {m}.", "Respecto a su pedido {o}, {m}."))
    parts = [rng.choice(HOLA), middle.format(o=order, m=SPANISH[queue]), rng.choice(ADIOS)]
    if rng.random() < 0.5:
        parts.insert(
            2, rng.choice(("Tardaremos unos dos días.", "No hace falta que llame.", "Le avisaremos por correo."))
        )
    return Draft(talk(" ".join(parts)), queue, right)
