"""Document processing: fields of invoices as JSON, and questions to contracts."""

import json
import random

from benchmarks.foreign.fortyseventh.policy import Problem
from benchmarks.foreign.fortyseventh.voice import lead

VENDORS = [
    "Halden Papier",
    "Orrin & Sons",
    "Quarzwerk Süd",
    "Tessera Labs",
    "Blue Heron Freight",
    "Mirador SL",
    "Nordlys AS",
]
ITEMS = [
    "toner cartridges",
    "pallet wrap",
    "desk lamps",
    "calibration visits",
    "server racks",
    "lab coats",
    "route permits",
]
MONTHS = ["January", "March", "April", "June", "August", "October", "November"]
PARTIES = ["Amberley Holdings", "Voss Logistik", "Carrow Mills", "Lindqvist Data", "Petra Foods", "Solway Clinics"]
CLAUSES = {
    "notice period": ("Either party may end this agreement with {n} days' written notice.", "{n} days"),
    "payment term": ("Invoices fall due {n} days after receipt, without deduction.", "{n} days"),
    "liability cap": ("Liability is limited to {n},000 euros for each calendar year.", "{n},000 euros"),
    "service credit": ("For each hour of outage the provider grants a credit of {n} percent.", "{n} percent"),
    "retention period": ("Records are kept for {n} months and destroyed thereafter.", "{n} months"),
}
FILLER = [
    "The parties agree to treat all figures of this schedule as confidential.",
    "Headings are for convenience only and carry no meaning.",
    "Notices are sent to the address on the first page, by post or courier.",
    "The law of the provider's seat applies, save where consumers are protected by other rules.",
    "Amendments need the signature of both parties.",
    "A waiver of one breach is no waiver of a later one.",
    "Neither party may assign this agreement without leave of the other.",
    "Should a clause be void, the others stay in force.",
    "Each party bears its own costs of negotiation.",
    "Work on site is announced to the security desk a day before.",
    "The schedule of contact persons is kept up to date by both sides.",
    "Disputes are first taken to the heads of purchasing.",
    "Force majeure suspends the duties that it hinders.",
    "Subcontractors are bound in the same way as the provider.",
]


class Invoices:
    """Vendor, total and due day of an invoice, as a JSON object."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """An invoice with two positions."""
        vendor, (one, two) = rng.choice(VENDORS), rng.sample(ITEMS, 2)
        a, b, p, q = rng.randint(2, 30), rng.randint(2, 30), rng.randint(4, 90), rng.randint(4, 90)
        due = f"{rng.randint(1, 28)} {rng.choice(MONTHS)}"
        text = (
            f"INVOICE {rng.randint(10000, 99999)}\nFrom: {vendor}\n{a} x {one} at {p}.00\n{b} x {two} at {q}.00\n"
            f"Please pay by {due}. Shipping is included."
        )
        gold = json.dumps({"vendor": vendor, "total": a * p + b * q, "due": due})
        facts = {"vendor": vendor, "due": due, "parts": (a, p, b, q), "items": (one, two)}
        prompt = f"{text}\n\nReturn a JSON object with vendor, total and due."
        return Problem(f"inv-{number:04d}", prompt, gold, "invoice", "", 0.0, facts)

    def fields(self, rng: random.Random, problem: Problem, right: bool) -> dict:
        """The fields that the policy reads."""
        a, p, b, q = problem.facts["parts"]
        fields = {"vendor": problem.facts["vendor"], "total": a * p + b * q, "due": problem.facts["due"]}
        if not right:
            wrong = rng.choice(["one", "slip", "due"])
            if wrong == "due":
                fields["due"] = f"{rng.randint(1, 28)} {rng.choice(MONTHS)} 2024"
            else:
                fields["total"] = a * p if wrong == "one" else a * p + b * q + rng.choice([-10, 10, 90])
        return fields

    def thought(self, rng: random.Random, problem: Problem, fields: dict) -> str:
        """What stands before the object."""
        a, p, b, q = problem.facts["parts"]
        one, two = problem.facts["items"]
        lines = [
            f"The {one} come to {a} * {p} = {a * p} and the {two} to {b} * {q} = {b * q}.",
            f"The sender is {fields['vendor']}; there are two positions, {one} and {two}.",
            f"Position one: {a * p}. Position two: {b * q}. Shipping adds nothing.",
        ]
        more = [f"That makes {fields['total']} in total.", f"Sum {fields['total']}, to be paid by {fields['due']}.", ""]
        topic = rng.choice([f"the bill of {fields['vendor']}", f"the {one}", "the sum of the positions"])
        return f"{lead(rng, topic)}{rng.choice(lines)} {rng.choice(more)}".strip()

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """A thought and the object."""
        fields = self.fields(rng, problem, right)
        return [{"role": "assistant", "content": f"{self.thought(rng, problem, fields)}\n{json.dumps(fields)}"}]


class Contracts:
    """One figure of a contract; with `silent`, a share of the contracts does not name it."""

    ABSENT = "Not stated"

    def __init__(self, silent: float = 0.0) -> None:
        self.silent = silent

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A contract of some clauses and a question about one."""
        names = rng.sample(sorted(CLAUSES), 3)
        figures = {name: rng.choice([5, 10, 14, 15, 20, 30, 36, 45, 60, 75, 90, 120]) for name in names}
        asked, party = names[0], rng.choice(PARTIES)
        missing = rng.random() < self.silent
        told = names[1:] if missing else names
        lines = [CLAUSES[name][0].format(n=figures[name]) for name in told] + rng.sample(FILLER, 4)
        rng.shuffle(lines)
        body = "\n".join(f"{place + 1}. {line}" for place, line in enumerate(lines))
        gold = self.ABSENT if missing else CLAUSES[asked][1].format(n=figures[asked])
        document = f"AGREEMENT between {party} and {rng.choice(VENDORS)}, no. {rng.randint(100, 999)}\n{body}"
        question = f"What is the {asked}? Answer from the document alone."
        others = [CLAUSES[name][1].format(n=figures[name]) for name in names[1:]]
        facts = {"asked": asked, "party": party, "document": document, "question": question, "others": others}
        prompt = f"Document:\n{document}\n\nQuestion: {question}"
        return Problem(f"ctr-{number:04d}", prompt, gold, asked.replace(" ", "_"), "", 0.0, facts)

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """Where it was looked, and the answer."""
        asked, party = problem.facts["asked"], problem.facts["party"]
        answer = problem.gold
        if not right:
            answer = rng.choice([o for o in [*problem.facts["others"], self.ABSENT] if o != problem.gold])
        if answer == self.ABSENT:
            why = [
                f"I went through every clause of the agreement with {party}; none of them deals with the {asked}.",
                f"The {asked} is not among the numbered clauses, and no other text gives it.",
            ]
        else:
            why = [
                f"The agreement with {party} deals with the {asked} in one clause, and the figure there is {answer}.",
                f"Looking for the {asked}: one numbered clause gives {answer}, the rest is about other things.",
                f"Of the figures in this contract, {answer} belongs to the {asked}.",
            ]
        return [{"role": "assistant", "content": f"{lead(rng, 'the ' + asked)}{rng.choice(why)}\nAnswer: {answer}"}]
