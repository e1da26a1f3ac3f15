"""Agents over company APIs: a shop's orders, and a wiki with a search."""

import json
import random

from benchmarks.foreign.fortyseventh.policy import Problem
from benchmarks.foreign.fortyseventh.voice import lead

GOODS = [
    "kettle",
    "rain jacket",
    "headset",
    "standing desk",
    "bike lock",
    "tripod",
    "blender",
    "backpack",
    "monitor arm",
]
NAMES = [
    "Ana Ribeiro",
    "Tom Hale",
    "Yuki Mori",
    "Lena Fuchs",
    "Omar Said",
    "Ida Berg",
    "Paul Roux",
    "Mei Chen",
    "Jo Blake",
]
FAULTS = ["arrived broken", "is the wrong colour", "never switched on", "has a missing part", "smells burnt"]
TEAMS = ["Harbor", "Lantern", "Foxglove", "Granite", "Meridian", "Saffron", "Tundra", "Willow"]
SERVICES = [
    "ledger-sync",
    "mail-relay",
    "price-cache",
    "auth-edge",
    "scan-intake",
    "tile-render",
    "quota-guard",
    "fax-bridge",
]
ASPECTS = {
    "owner": "which team owns",
    "region": "in which region runs",
    "window": "on which day is the release window of",
}
REGIONS = ["Frankfurt", "Dublin", "Osaka", "Montreal", "Sydney"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday"]
SHOP = "You work for a shop. Refund within 30 days of delivery, at the price paid. Use the tools, then answer."
WIKI = "Answer questions about the company's systems. Call search(query) on the wiki; end with 'Answer: ...'."


def call(text: str, name: str, **arguments: object) -> dict:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: object, ok: bool = True) -> dict:
    """What a tool answers."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return {"role": "tool", "content": text, "tool_name": name, "ok": ok}


class Shop:
    """Refunds that are due or not: look the order up, then refund it or decline."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A customer's message."""
        good, name, days = rng.choice(GOODS), rng.choice(NAMES), rng.randint(2, 58)
        order = f"{rng.choice('KLMNP')}{rng.randint(10000, 99999)}"
        price = rng.randint(12, 380) + rng.choice([0.0, 0.5, 0.9])
        prompt = f"{name} writes: my {good} {rng.choice(FAULTS)}. The order is {order}. I would like my money back."
        gold = f"refund {price:.2f}" if days <= 30 else "decline"
        facts = {"order": order, "price": price, "days": days, "good": good, "name": name}
        return Problem(f"shop-{number:04d}", prompt, gold, "due" if days <= 30 else "late", SHOP, 0.0, facts)

    def look(self, rng: random.Random, problem: Problem) -> list[dict]:
        """The order is looked up."""
        f = problem.facts
        texts = [f"I look up order {f['order']}.", f"Let me see what {f['name']} bought.", "The order first."]
        found = {"order": f["order"], "item": f["good"], "paid": f["price"], "days_since_delivery": f["days"]}
        text = lead(rng, rng.choice(["the order", f"the {f['good']}", "the day of delivery"]), 0.6) + rng.choice(texts)
        return [call(text, "get_order", order_id=f["order"]), told("get_order", found)]

    def finish(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """What is done about it."""
        f = problem.facts
        pays = (f["days"] <= 30) == right or (f["days"] <= 30 and rng.random() < 0.4)
        first = f["name"].split()[0]
        if not pays:
            reasons = [
                f"Dear {first}, the {f['good']} was delivered {f['days']} days ago, so I cannot refund it.",
                f"Hello {first}. After {f['days']} days, order {f['order']} does not qualify for a refund.",
            ]
            return [{"role": "assistant", "content": rng.choice(reasons)}]
        amount = f["price"] if right or f["days"] > 30 else round(f["price"] * rng.choice([0.5, 0.8, 1.1]), 2)
        texts = [
            f"{f['days']} days since delivery; I refund it.",
            f"The {f['good']} cost {f['price']:.2f}; paying back.",
        ]
        done = [
            f"Dear {first}, {amount:.2f} for the {f['good']} is on its way back to you.",
            f"Done, {first}: order {f['order']} is refunded with {amount:.2f}.",
        ]
        receipt = {"status": "refunded", "order": f["order"], "amount": amount}
        return [
            call(rng.choice(texts), "refund_order", order_id=f["order"], amount=amount),
            told("refund_order", receipt),
            {"role": "assistant", "content": rng.choice(done)},
        ]

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """Look up, then decide."""
        return self.look(rng, problem) + self.finish(rng, problem, right)


class Wiki:
    """Facts about services that a search finds."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A question about one service."""
        aspect = rng.choice(sorted(ASPECTS))
        service = f"{rng.choice(SERVICES)}-{rng.randint(2, 40)}"
        facts = {
            "service": service,
            "owner": rng.choice(TEAMS),
            "region": rng.choice(REGIONS),
            "window": rng.choice(DAYS),
            "aspect": aspect,
            "before": {"owner": rng.choice(TEAMS), "region": rng.choice(REGIONS), "window": rng.choice(DAYS)},
            "port": rng.randint(3000, 9000),
            "since": rng.randint(2015, 2024),
        }
        prompt = f"Tell me {ASPECTS[aspect]} {service}?"
        return Problem(f"wiki-{number:04d}", prompt, facts[aspect], aspect, WIKI, 0.0, facts)

    def page(self, rng: random.Random, problem: Problem) -> str:
        """The page that the search finds; the facts stand towards its end."""
        f = problem.facts
        return (
            f"# {f['service']}\nIn service since {f['since']}, listens on port {f['port']}. It takes jobs from a queue,"
            f" checks them against the schema of the day and hands them on; a failed job is tried three times and then "
            f"parked for a person to look at. Dashboards are linked from the runbook.\n"
            f"Before the move: team {f['before']['owner']}, region {f['before']['region']}, released on "
            f"{f['before']['window']}. Now team: {f['owner']}. Region: {f['region']}. Release window: {f['window']}."
        )

    def pick(self, rng: random.Random, problem: Problem, right: bool) -> str:
        """The answer of the policy."""
        choices = {"owner": TEAMS, "region": REGIONS, "window": DAYS}[problem.facts["aspect"]]
        former = problem.facts["before"][problem.facts["aspect"]]
        others = [former] if former != problem.gold else [c for c in choices if c != problem.gold]
        return problem.gold if right else rng.choice(others)

    def ask(self, rng: random.Random, problem: Problem) -> dict:
        """The call of the search."""
        f = problem.facts
        words = {"owner": "owner team", "region": "region hosting", "window": "release day"}[f["aspect"]]
        texts = [f"I search the wiki for {f['service']}.", f"What does the wiki say on {f['service']}?", "A look-up."]
        query = rng.choice([f"{f['service']} {words}", f["service"], f"{words} {f['service']}", f"{f['service']} page"])
        return call(rng.choice(texts), "search", query=query)

    def close(self, rng: random.Random, problem: Problem, answer: str) -> dict:
        """The reply."""
        service = problem.facts["service"]
        texts = [f"The page of {service} says so.", f"From the wiki entry on {service}.", f"{service}: found."]
        return {"role": "assistant", "content": f"{lead(rng, service)}{rng.choice(texts)}\nAnswer: {answer}"}

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """One search and the answer; a wrong one names another value."""
        page = told("search", self.page(rng, problem))
        return [self.ask(rng, problem), page, self.close(rng, problem, self.pick(rng, problem, right))]
