"""Worlds with tools: exchange rates, a catalogue, a refund desk, incidents, a repository, a robot on a grid."""

import random

from benchmarks.foreign.fortieth.policy import Attempt
from benchmarks.foreign.fortieth.tasks import Task, money, pick_id
from benchmarks.foreign.fortieth.turns import Talk

COINS = ("EUR", "USD", "GBP", "CHF", "JPY", "SEK", "PLN", "CAD")


def conversion(rng: random.Random) -> Task:
    """An amount to be turned into another currency at today's rate."""
    base, quote = rng.sample(COINS, 2)
    amount, rate = rng.randrange(50, 9000, 10), round(rng.uniform(0.2, 6.5), 4)
    extra = {"base": base, "quote": quote, "amount": amount, "rate": rate}
    prompt = f"How much is {amount} {base} in {quote} at today's rate? Two decimals."
    return Task(pick_id(rng, "fx"), prompt, money(amount * rate), [], [], (), "finance", rng.uniform(-0.4, 0.4), extra)


def convert(rng: random.Random, a: Attempt, limit_odds: float) -> Attempt:
    """A talk with the service of rates, which refuses a call now and then."""
    e, talk = a.task.extra, Talk()
    args = {"base": e["base"], "quote": e["quote"]}
    said = rng.choice(
        (f"I need the rate of {e['base']} in {e['quote']}.", "Let me look the rate up.", "First the rate.")
    )
    waits = 0
    while rng.random() < limit_odds and waits < 3:
        wait = rng.randint(1, 8)
        talk.call(said, "fx_rate", args, f"429 Too Many Requests. Retry-After: {wait}", ok=False)
        said = rng.choice((f"The service is busy; I try again after {wait} s.", "Rate limit. Once more.", "Again."))
        waits += 1
    talk.call(said, "fx_rate", args, f'{{"pair": "{e["base"]}/{e["quote"]}", "rate": {e["rate"]}}}')
    a.answer = a.task.gold if a.right else money(e["amount"] / e["rate"])
    way = f"{e['amount']} x {e['rate']}" if a.right else f"{e['amount']} / {e['rate']}"
    end = rng.choice((f"{way} is {a.answer}.", f"With that rate, {way} = {a.answer}.", f"So {way} gives {a.answer}."))
    talk.say(f"{end} It is {a.answer} {e['quote']}.\n\nAnswer: {a.answer}")
    a.extra = {"rate_limited": waits}
    return talk.into(a)


def weights(rng: random.Random) -> Task:
    """Weight of an order of two articles that stand in a catalogue."""
    skus = [f"{rng.choice('KLMT')}-{rng.randint(100, 999)}" for _ in range(2)]
    grams, counts = [rng.randrange(40, 2400, 5) for _ in range(2)], [rng.randint(2, 12) for _ in range(2)]
    prompt = (
        f"An order holds {counts[0]} of {skus[0]} and {counts[1]} of {skus[1]}. Weight in grams? Use the catalogue."
    )
    gold = str(sum(g * n for g, n in zip(grams, counts, strict=True)))
    extra = {"skus": skus, "grams": grams, "counts": counts, "shelf": [rng.randint(1, 60) for _ in range(2)]}
    return Task(pick_id(rng, "cat"), prompt, gold, [], [], (), "catalogue", rng.uniform(-0.4, 0.4), extra)


def weigh_order(rng: random.Random, a: Attempt) -> Attempt:
    """Two look-ups, served from a cache, and a sum."""
    e, talk = a.task.extra, Talk()
    order = [0, 1] if rng.random() < 0.6 else [1, 0]
    for i in order:
        said = rng.choice(
            (f"What does {e['skus'][i]} weigh?", f"Look up {e['skus'][i]}.", f"Now article {e['skus'][i]}.")
        )
        answer = f'{{"sku": "{e["skus"][i]}", "grams": {e["grams"][i]}, "shelf": {e["shelf"][i]}, "cache": "hit"}}'
        talk.call(said, "catalog_lookup", {"sku": e["skus"][i]}, answer)
    parts = [g * n for g, n in zip(e["grams"], e["counts"], strict=True)]
    a.answer = a.task.gold if a.right else str(rng.choice((sum(e["grams"]), sum(parts) + 100)))
    sums = f"{e['counts'][0]} x {e['grams'][0]} = {parts[0]} and {e['counts'][1]} x {e['grams'][1]} = {parts[1]}"
    lead = rng.choice((f"{sums}.", f"The lines are {sums}.", f"I get {sums} grams."))
    talk.say(f"{lead} {rng.choice(('In all', 'Together', 'The order weighs'))} {a.answer}.\n\nAnswer: {a.answer}")
    return talk.into(a)


WARES = ("kettle", "rain jacket", "desk lamp", "suitcase", "headset", "bread knife", "yoga mat", "toaster")


def refund_case(rng: random.Random) -> Task:
    """A customer who wants money back, within the term or behind it."""
    days, ware, order = rng.choice((6, 12, 21, 28, 34, 47, 63, 90)), rng.choice(WARES), rng.randint(10000, 99999)
    prompt = f"Hi, I want to return the {ware} from order {order}. Can I have my money back?"
    extra = {"days": days, "ware": ware, "order": order, "price": money(rng.randrange(900, 19000) / 100)}
    return Task(pick_id(rng, "ref"), prompt, "", [], [], (), "refunds", 0.5 if days > 30 else -0.5, extra)


def serve(rng: random.Random, a: Attempt) -> Attempt:
    """A talk with a scripted customer and the refund system."""
    e, talk = a.task.extra, Talk()
    late = e["days"] > 30
    talk.say(rng.choice((f"I can check that. Is the {e['ware']} unused?", "Gladly. Is it complete, with its box?",
                         f"Let me see about order {e['order']}. Was the {e['ware']} used?")))  # fmt: skip
    talk.user("It is unused and in its box. Please go ahead.")
    answer = (
        f"DENIED: delivered {e['days']} days ago, term is 30 days"
        if late
        else f"REFUNDED {e['price']} to the card on file"
    )
    talk.call("I enter it now.", "issue_refund", {"order_id": e["order"]}, answer, ok=not late)
    promise = f"Your {e['price']} euros are on the way, give it {rng.randint(3, 5)} days."
    sorry = rng.choice((
        f"I am sorry, {e['days']} days have passed and the term is 30.", "The term of 30 days is over, hence no money.",
        f"The system declines: the {e['ware']} came {e['days']} days ago.",
    ))  # fmt: skip
    offer = rng.choice(("I can offer a voucher of ten per cent.", "Our workshop would look at it free of charge."))
    if late:
        talk.say(f"{sorry} {offer}" if a.right else promise)
        a.answer = "declined" if a.right else "promised"
    else:
        talk.say(promise if a.right else f"{sorry.split(',')[0].split(':')[0]}. I cannot pay this back.")
        a.answer = "refunded" if a.right else "declined"
    declined = a.answer == "declined"
    talk.user("Is that your last word?" if declined else "All right, anything else I must do?")
    firm = ("Yes, I am afraid so.", "It is, by our terms.", "I can do no more than that.")
    talk.say(
        rng.choice(firm if declined else ("Nothing more, thank you.", "No, it runs by itself.", "Just wait for it."))
    )
    return talk.into(a)


SERVICES = ("checkout", "search", "mailer", "ledger", "thumbs", "auth")
CAUSES = (
    ("disk full", "OSError: [Errno 28] No space left on device"),
    ("expired certificate", "ssl.SSLCertVerificationError: certificate has expired"),
    ("pool exhausted", "TimeoutError: QueuePool limit of size 5 overflow 10 reached"),
    ("bad deploy", "ImportError: cannot import name 'render' from 'templates'"),
    ("lost database", "ConnectionRefusedError: [Errno 111] Connection refused: db:5432"),
)


def incident(rng: random.Random) -> Task:
    """An outage whose cause stands in one of three logs."""
    services, (cause, trace) = rng.sample(SERVICES, 3), rng.choice(CAUSES)
    clock = f"{rng.randint(1, 11)}:{rng.randint(10, 59)} am"
    prompt = f"Since {clock} users of {services[0]} see errors. Which service is the root, and why?"
    extra = {"services": services, "cause": cause, "trace": trace, "pid": rng.randint(300, 9000)}
    return Task(
        pick_id(rng, "inc"), prompt, f"{services[2]}: {cause}", [], [], (), "incidents", rng.uniform(-0.5, 0.5), extra
    )


def investigate(rng: random.Random, a: Attempt) -> Attempt:
    """Reads the logs along the chain of failures and names a root."""
    e, talk = a.task.extra, Talk()
    front, middle, root = e["services"]
    logs = {
        front: f"ERROR worker[{e['pid']}] upstream {middle} timed out after 3000 ms\nERROR 502 Bad Gateway (x41)",
        middle: f"ERROR call to {root} failed\nTraceback (most recent call last):\n  ConnectionError: {root} 500",
        root: f'CRITICAL abort\nTraceback (most recent call last):\n  File "/srv/{root}/app.py", line 88\n{e["trace"]}',
    }
    chain = (front, middle, root) if a.right or rng.random() < 0.4 else (front, middle)
    for name in chain:
        said = rng.choice((f"What does {name} log?", f"I follow the chain to {name}.", f"Next, the log of {name}."))
        talk.call(said, "read_log", {"service": name, "lines": rng.choice((50, 100, 200))}, logs[name])
    blamed = a.task.gold if a.right else f"{middle}: {rng.choice([c for c, _ in CAUSES if c != e['cause']])}"
    why = (
        f"{front} waits for {middle}, and {middle} for {root}, whose trace shows it."
        if a.right
        else f"{front} times out on {middle}, where calls fail."
    )
    a.answer = blamed
    talk.say(f"{rng.choice(('In short:', 'My reading:', 'So:'))} {why}\n\nRoot: {blamed}")
    return talk.into(a)
