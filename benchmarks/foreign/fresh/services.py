"""Agents that others answer: a cluster, a help desk, a browser, a word game, a handbook."""

from benchmarks.foreign.fresh.answers import LABS, NAMES
from benchmarks.foreign.fresh.repositories import PARTS
from benchmarks.foreign.fresh.sampling import Item, Rng, Turns, asked, ease, got, say, use


class Cluster:
    """Finding why a service is down. Logs speak of refused connections and time-outs: that is the work, no outage."""

    name = "cluster"
    symptoms = (
        "dial tcp 10.0.{m}.{n}:5432: connect: connection refused",
        "upstream timed out (110: Connection timed out) while reading",
        "503 Service Unavailable from {part}",
        "OOMKilled: container {part} used {n} MiB",
        "x509: certificate of {other} has expired",
        "readiness probe failed: HTTP 500 on /{other}",
    )

    def item(self, rng: Rng, number: int) -> Item:
        """An incident."""
        part, other = (str(x) for x in rng.choice(PARTS, 2, replace=False))
        facts = {"part": part, "other": other, "cause": int(rng.integers(len(self.symptoms)))}
        where, hour = str(rng.choice(LABS)).lower(), int(rng.integers(1, 24))
        text = f"Incident {number}: {part}.{where} has been failing since {hour}:00. Find the cause."
        return Item(f"inc-{number}", asked(text), str(facts["cause"]), facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Look at logs, state, a conclusion by a tool."""
        f, out = item.facts, []
        for _ in range(int(rng.integers(2, 6))):
            which = f["cause"] if rng.random() < 0.5 else int(rng.integers(len(self.symptoms)))
            line = self.symptoms[which].format(n=rng.integers(2, 250), m=rng.integers(2, 90), **f)
            where = str(rng.choice([f["part"], f["other"], "gateway", "db-0"]))
            call = (
                use("tail_logs", unit=where, lines=int(rng.integers(10, 200)))
                if rng.random() < 0.6
                else use("kc", args=f"describe pod {where}")
            )
            remark = str(
                rng.choice(
                    [
                        f"What does {where} say?",
                        f"Maybe {where} is behind it.",
                        f"Checking {where} next.",
                        f"The {f['part']} depends on {where}.",
                    ]
                )
            )
            out += [
                say(remark, call),
                got(call["name"], f"{rng.integers(10, 23)}:{rng.integers(10, 59)} {where} {line}"),
            ]
        cause = f["cause"] if is_right else (f["cause"] + 1) % len(self.symptoms)
        why = self.symptoms[cause].format(n=rng.integers(2, 250), m=rng.integers(2, 90), **f)
        return [*out, say(f"I am confident enough about {f['part']}.", use("conclude", cause=f"{f['part']}: {why}"))]


class HelpDesk:
    """A customer who is played by a model, and tools of the shop's own."""

    name = "helpdesk"
    wishes = ("a refund for", "a new address for", "an invoice for", "to cancel", "to exchange")

    def item(self, rng: Rng, number: int) -> Item:
        """A customer."""
        who, wish, part = str(rng.choice(NAMES)), str(rng.choice(self.wishes)), str(rng.choice(PARTS))
        facts = {"who": who, "wish": wish, "part": part, "order": int(rng.integers(10_000, 99_999))}
        text = f"Hello, this is {who}. I want {wish} my {part}, order {facts['order']}."
        return Item(f"desk-{number}", asked(text, "Be kind. Follow policy 12."), "", facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Look the order up, ask, do it."""
        f = item.facts
        opening = (
            f"Of course, {f['who']}. Let me open order {f['order']}.",
            f"Thanks for writing, {f['who']}! One moment.",
            f"I am looking at the {f['part']} now.",
            f"Happy to help with {f['wish']} the {f['part']}.",
        )
        out = [
            say(str(rng.choice(opening)), use("order_card", number=str(f["order"]))),
            got(
                "order_card", f"{f['part']}, paid {rng.integers(5, 400)} euros, {rng.choice(['sent', 'open', 'lost'])}"
            ),
        ]
        for _ in range(int(rng.integers(1, 4))):
            question = (
                f"Is the {f['part']} still in its box?",
                f"Could you confirm the city, {f['who']}?",
                f"May I send {f['wish']} confirmation to the address on file?",
                f"Policy allows {f['wish']} within {rng.integers(10, 40)} days; is that fine?",
            )
            reply = (
                "Yes.",
                f"It is {rng.choice(LABS)}.",
                "I think so.",
                f"No, since {rng.integers(2, 28)} days.",
                "Please hurry.",
            )
            out += [say(str(rng.choice(question))), {"role": "user", "content": str(rng.choice(reply))}]
        if is_right or rng.random() < 0.5:
            state = "done" if is_right else str(rng.choice(["pending", "noted"]))
            out += [
                say(
                    f"I am entering {f['wish']} the {f['part']}.", use("set_case", number=str(f["order"]), state=state)
                ),
                got("set_case", f"case {f['order']} {state}"),
            ]
        closing = (
            f"All settled, {f['who']}.",
            f"Your {f['part']} is taken care of.",
            f"Goodbye, {f['who']}, and sorry again.",
            "Is there anything else?",
        )
        return [*out, say(str(rng.choice(closing)))]


class Browser:
    """A browser that is driven by text; pages answer as the user."""

    name = "browser"

    def item(self, rng: Rng, number: int) -> Item:
        """Something to find."""
        part, city = str(rng.choice(PARTS)), str(rng.choice(LABS))
        text = f"Task {number}: find the price of the {part} that ships from {city} and report it."
        return Item(
            f"web-{number}",
            asked(text, "Actions: <go>URL</go>, <press>N</press>, <back/>, <tell>ANSWER</tell>"),
            str(int(rng.integers(3, 900))),
            {"part": part, "city": city},
            ease(rng),
        )

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Pages until the answer."""
        f, out = item.facts, [say(f"<go>shop.example/{item.facts['part']}</go>")]
        for _ in range(int(rng.integers(2, 7))):
            links = "; ".join(
                f"[{k}] {rng.choice(PARTS)} {rng.choice(LABS)} {rng.integers(3, 900)}" for k in range(1, 5)
            )
            out += [{"role": "user", "content": f"PAGE {rng.integers(1, 9)}: {links}"}]
            remark = str(rng.choice(["Not yet.", "Another page.", "This may be it.", "Back, then on."]))
            out += [say(f"{remark} <press>{rng.integers(1, 5)}</press>" if rng.random() < 0.8 else "<back/>")]
        out += [{"role": "user", "content": f"DETAIL {f['part']} {item.truth if is_right else rng.integers(3, 900)}"}]
        return [*out, say(f"<tell>{item.truth if is_right else rng.integers(3, 900)}</tell>")]


class Words:
    """A guessing game of six turns, paid by how soon it is won."""

    name = "words"
    stock = (
        "crane",
        "slate",
        "pious",
        "mound",
        "berth",
        "fling",
        "quirk",
        "waltz",
        "gypsy",
        "jumbo",
        "ovary",
        "thumb",
        "delta",
        "ember",
        "knack",
        "lucid",
    )

    def item(self, rng: Rng, number: int) -> Item:
        """A hidden word."""
        return Item(
            f"word-{number}",
            asked(f"Game {number}. Guess the five-letter word in six turns.", "Reply with one word in brackets."),
            str(rng.choice(self.stock)),
            {},
            ease(rng),
        )

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Guesses."""
        count, out = int(rng.integers(2, 6)) if is_right else 6, []
        words = [str(w) for w in rng.permutation([w for w in self.stock if w != item.truth])[:count]]
        if is_right:
            words[-1] = item.truth
        for word in words:
            marks = "".join(
                "G" if a == b else "Y" if a in item.truth else "-" for a, b in zip(word, item.truth, strict=True)
            )
            reason = str(
                rng.choice(
                    [
                        "Vowels first.",
                        f"{marks[:2]} fits.",
                        "Trying rare letters.",
                        f"It may hold {word[0]} and {word[-1]}.",
                        f"Ruling out {word[2]}.",
                    ]
                )
            )
            out += [say(f"{reason} [{word}]"), {"role": "user", "content": f"{marks}, {rng.integers(1, 9)} points"}]
        return out[:-1]


class Handbook:
    """A question that one look into a handbook answers."""

    name = "handbook"

    def __init__(self, tool: str = "lookup") -> None:
        self.tool = tool

    def item(self, rng: Rng, number: int) -> Item:
        """A question about a machine."""
        part, city = str(rng.choice(PARTS)), str(rng.choice(LABS))
        facts = {"part": part, "city": city, "model": f"{part[:2].upper()}{rng.integers(10, 9999)}"}
        text = f"What pressure does the {facts['model']} {part} machine in {city} need?"
        return Item(f"hb-{number}", asked(text), f"{rng.integers(2, 90)}.{rng.integers(10)}", facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """One look, then the answer in words."""
        f = item.facts
        value = item.truth if is_right else f"{rng.integers(2, 90)}.{rng.integers(10)}"
        key = str(
            rng.choice([f["model"], f"{f['model']} {f['city']}", f"pressure {f['part']}", f"{f['part']} {f['model']}"])
        )
        most, hours = int(rng.integers(90, 200)), int(rng.integers(100, 9000))
        page = f"{f['model']}: nominal {value} bar, at most {most} bar, service after {hours} h"
        told = (
            f"It needs {value} bar.",
            f"The {f['model']} runs at {value} bar in {f['city']}.",
            f"According to the handbook: {value} bar.",
            f"{value} bar, since the {f['part']} is small.",
        )
        return [say("", use(self.tool, term=key)), got(self.tool, page), say(str(rng.choice(told)))]
