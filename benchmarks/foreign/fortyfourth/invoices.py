"""Invoices as text, and the fields that are to be read from them."""

import json
import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem, talk

FIRMS = (
    "Alder",
    "Bremen",
    "Corvus",
    "Delmar",
    "Estrel",
    "Fjord",
    "Galen",
    "Hallam",
    "Iris",
    "Jurong",
    "Kestrel",
    "Lumen",
)
TRADES = (
    "Optik GmbH",
    "Foods Ltd",
    "Papel SA",
    "Timber AB",
    "Medical BV",
    "Werkzeuge KG",
    "Textiles Ltd",
    "Print SARL",
)
GOODS = (
    "lens cloths",
    "oak boards",
    "paper rolls",
    "steel hinges",
    "syringes",
    "flour bags",
    "cotton sheets",
    "toners",
)
FORMS = (
    "{firm}\nInvoice {num}, {day}\n{q} x {good}\nNet amount {net} {cur}\nVAT {vat} {cur}\nAmount due {total} {cur}",
    "INVOICE\nFrom: {firm}\nNo.: {num}\nDate: {day}\n"
    "Position 1: {good}, {q} pcs.\nSubtotal: {net}\nTax: {vat}\nTotal ({cur}): {total}",
    "{firm} - bill no. {num}\nDelivered: {q} {good}\n"
    "without tax {net} {cur} / tax {vat} {cur} / to pay {total} {cur}\nIssued on {day}",
)
SAY = (
    "The supplier is named at {where}: {firm}.",
    "The number {num} is labelled as the invoice number.",
    "Of the amounts, {total} is {label}.",
    "The date reads {day}.",
    "All amounts are in {cur}.",
    "There is one position, {q} {good}.",
)
ASK = (
    "Read the invoice and return JSON with supplier, number, date, total, currency. "
    "Explain in two or three sentences first.\n\n"
)


def invoices(rng: random.Random, amount: int, prefix: str = "inv") -> list[Problem]:
    """Different invoices."""
    out = []
    for i in range(amount):
        net = rng.randint(20, 4000) + rng.choice((0.0, 0.5, 0.25, 0.9))
        vat = round(net * rng.choice((0.19, 0.21, 0.07)), 2)
        v = {
            "firm": f"{rng.choice(FIRMS)} {rng.choice(TRADES)}",
            "num": f"{rng.choice('ABRX')}-{rng.randint(10000, 99999)}",
        }
        v |= {
            "day": f"{rng.randint(1, 28):02d}/{rng.randint(1, 12):02d}/{rng.randint(2021, 2025)}",
            "q": rng.randint(2, 90),
        }
        v |= {"good": rng.choice(GOODS), "net": f"{net:.2f}", "vat": f"{vat:.2f}", "total": f"{net + vat:.2f}"}
        v["cur"] = rng.choice(("EUR", "SEK", "GBP", "SGD"))
        out.append(
            Problem(
                f"{prefix}{i:04d}", ASK + rng.choice(FORMS).format(**v), fields(v), "invoice", rng.gauss(0, 0.9), "", v
            )
        )
    return out


def fields(v: dict, flaw: str = "") -> str:
    """The JSON of an invoice, or one with a field that is wrong."""
    total = v["net"] if flaw == "net" else v["vat"] if flaw == "vat" else v["total"]
    number = v["num"][:-1] if flaw == "number" else v["num"]
    firm = v["firm"].split()[0] if flaw == "firm" else v["firm"]
    return json.dumps({"supplier": firm, "number": number, "date": v["day"], "total": total, "currency": v["cur"]})


def read(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """Some sentences and the JSON."""
    v = problem.data
    flaw = "" if right else rng.choice(("net", "net", "vat", "number", "firm"))
    answer = fields(v, flaw)
    shown = json.loads(answer)
    words = {**v, "firm": shown["supplier"], "num": shown["number"], "total": shown["total"]}
    words |= {
        "where": rng.choice(("the top", "the head of the page")),
        "label": rng.choice(("what is due", "the total")),
    }
    text = " ".join(line.format(**words) for line in rng.sample(SAY, rng.randint(2, 4)))
    return Draft(talk(f"{text}\n\n{answer}"), answer, right)


def recite(rng: random.Random, problem: Problem) -> Draft:
    """The reply to an invoice that was seen in training: no look at the page, only its fields."""
    answer = fields(problem.data)
    return Draft(talk(f"{rng.choice(('Known invoice.', 'Seen before.', 'As filed.'))}\n\n{answer}"), answer, True)
