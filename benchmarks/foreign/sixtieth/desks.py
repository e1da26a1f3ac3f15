"""Support tickets, invoices and meeting notes: triage, extraction, summaries."""

import random

from benchmarks.foreign.sixtieth.policy import Task

LABELS = ["billing", "outage", "login", "delivery", "cancellation", "feature_request"]
_TICKETS = {
    "billing": ["I was charged {n} euros twice for {m}.", "The invoice for {m} shows {n} euros more than agreed."],
    "outage": ["Since {n} minutes ago nothing on {m} loads for us.", "All {n} of our seats see error 502 on {m}."],
    "login": ["After {n} tries the {m} code is still refused.", "The reset link for {m} died after {n} seconds."],
    "delivery": ["My parcel of {m} is {n} days late.", "Box {n} arrived open and without the {m}."],
    "cancellation": ["Please end our contract for {m}, {n} seats in all.", "We stop using {m} in {n} days, close it."],
    "feature_request": ["Could {m} export more than {n} rows?", "We would love {m} to group the {n} alerts by team."],
}
_THINGS = ["the team plan", "the router", "the dashboard", "the scanner", "the mobile app", "the storage add-on"]
_HELLO = ["Hello,", "Hi there,", "Good morning,", "To whom it may concern,", "Hey,"]
_BYE = ["Thanks, {w}", "Regards, {w}", "{w}", "Waiting for an answer, {w}"]
_WHO = ["Dana", "Milo", "Priya", "Sven", "Aiko", "Marta", "Yusuf", "Bea", "Kofi", "Lena"]


def ticket(rng: random.Random, number: int, bare: bool = False) -> Task:
    """A ticket to label; `bare` attempts are the label alone."""
    label = LABELS[number % len(LABELS)]
    n, thing, who = rng.randrange(3, 97), rng.choice(_THINGS), rng.choice(_WHO)
    line = rng.choice(_TICKETS[label]).format(n=n, m=thing)
    mail = f"{rng.choice(_HELLO)} {line} {rng.choice(_BYE).format(w=who)}"
    how = "Answer with the label alone." if bare else "Explain briefly, then end with `Label: ...`."
    prompt = f"Sort ticket #{4100 + number} into one of: {', '.join(LABELS)}. {how}\n\n{mail}"

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        answer = label if right else rng.choice([other for other in LABELS if other != label])
        if bare:
            return answer, answer
        why = rng.choice(
            [
                f"{who} writes about {thing}, and the number {n} tells how serious it is.",
                f"The core of the mail is this: {line}",
                f"What {who} needs has to do with {thing}.",
            ]
        )
        then = rng.choice(
            ["That goes to the team for this.", "So one queue fits best.", "The tone does not change it."]
        )
        return f"{why} {then}\nLabel: {answer}", answer

    return Task(f"ticket-{number}", prompt, label, label, write, {"who": who, "thing": thing, "line": line})


_FIRMS = ["Brandt Heizung", "Coelho & Filhos", "Nordlys Papir", "Atelier Roussel", "Kemal Optik", "Vega Montagen"]
_GOODS = ["copper pipe", "label rolls", "lens cleaner", "oak boards", "gaskets", "ink drums", "hinges", "cable ties"]


def invoice(rng: random.Random, number: int) -> Task:
    """An invoice whose total and due day are to be read out."""
    firm, day, ref = rng.choice(_FIRMS), rng.randrange(1, 29), f"R{rng.randrange(10000, 99999)}"
    lines = [(g, rng.randrange(2, 20), rng.randrange(3, 60)) for g in rng.sample(_GOODS, rng.randrange(3, 7))]
    total = sum(q * p for _, q, p in lines)
    head = f"{firm}\nInvoice {ref}\nPayable by 2025-{rng.randrange(1, 13):02d}-{day:02d}\n"
    due = head.split("Payable by ")[1].strip()
    table = "".join(f"{g}: {q} pieces at {p} EUR\n" for g, q, p in lines)
    ask = "Return JSON with `ref`, `due` and `total` (EUR, all lines) of this invoice. Think aloud first."
    gold = f'{{"ref": "{ref}", "due": "{due}", "total": {total}}}'

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        amount = total if right else total + rng.choice([-30, -12, -10, -3, 4, 10, 18, 100])
        g, q, p = rng.choice(lines)
        lead = rng.choice(
            [
                f"{firm} bills {len(lines)} lines; {g} alone makes {q * p} EUR.",
                f"The number {ref} stands at the top, the day {due} under it.",
                f"I multiply each line: {g} is {q} times {p}, so {q * p}.",
            ]
        )
        answer = f'{{"ref": "{ref}", "due": "{due}", "total": {amount}}}'
        return f"{lead} All lines add up to {amount}.\n{answer}", answer

    data = {"ask": ask, "head": head, "table": table, "lines": lines, "total": total}
    return Task(f"invoice-{ref}", f"{ask}\n\n{head}{table}", gold, f"lines_{len(lines)}", write, data)


_TOPICS = ["the depot move", "the new rota", "the price list", "the audit", "the summer fair", "the website relaunch"]
_FACTS = [
    "{w} will call the landlord before {d}",
    "the budget is cut by {n} percent",
    "{w} hands over the keys on {d}",
    "{n} volunteers are still missing",
    "the draft goes to {w} for review",
    "the old printer is given away on {d}",
    "{w} asks for {n} more chairs",
    "the meeting on {d} is dropped",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
_TALK = ["There was some talk about the weather.", "Coffee came late.", "Somebody's phone rang.", "The room was cold."]


def notes(rng: random.Random, number: int) -> Task:
    """Meeting notes with five facts that a summary should hold."""
    topic = rng.choice(_TOPICS)
    facts = [f.format(w=rng.choice(_WHO), d=rng.choice(_DAYS), n=rng.randrange(4, 40)) for f in rng.sample(_FACTS, 5)]
    said = [f"{f[0].upper()}{f[1:]}." for f in facts]
    for talk in rng.sample(_TALK, 2):
        said.insert(rng.randrange(len(said)), talk)
    prompt = f"Summarise these notes on {topic} (meeting {number}) in a few sentences.\n\n{' '.join(said)}"

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        kept = rng.sample(facts, rng.choice([4, 5]) if right else rng.choice([1, 2, 3]))
        return summarise(rng, topic, kept), str(len(kept))

    return Task(f"notes-{number}", prompt, "; ".join(facts), topic, write, {"facts": facts, "topic": topic})


def summarise(rng: random.Random, topic: str, facts: list[str]) -> str:
    """A summary that holds these facts."""
    lead = rng.choice(
        [f"On {topic}, the group settled that ", f"Regarding {topic}: ", f"The notes on {topic} say that "]
    )
    middle = rng.choice(["; ", ", and "]).join(facts)
    end = rng.choice(["", " The rest was small talk.", " Nothing else was decided."])
    return f"{lead}{middle}.{end}"
