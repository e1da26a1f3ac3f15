"""Customers of a booking desk, served by an agent with tools over a database."""

import json
from random import Random

from benchmarks.foreign.ninth.episodes import Message, Reply, Task, call, tell
from benchmarks.foreign.ninth.wording import PEOPLE, TOWNS, key, person, say

POLICY = (
    "You serve customers of a rail and hotel desk. Look a booking up before you change it. Cancel only flexible "
    "bookings; saver bookings are never refunded. Tell the customer what was done."
)


def desk_task(rng: Random) -> Task:
    """A wish of a customer that the policy allows or forbids."""
    code, who, town = key(rng, "", 6).upper(), person(rng), rng.choice(TOWNS)
    kind = rng.choice(("cancel", "cancel", "move", "seat"))
    fare = rng.choice(("flexible", "flexible", "saver"))
    day, other, price = rng.randint(1, 28), rng.randint(1, 28), rng.randint(29, 420)
    wish = {
        "cancel": "«I have to cancel|Please cancel|Can you call off» my booking {c} to {t} and «give me my money back|"
        "refund it».",
        "move": "«I need to move|Please shift» booking {c} to {t} «from|, now on» the {d}th, to the {o}th.",
        "seat": "Could «you|somebody» add a «window seat|quiet seat|bicycle place» to {c} to {t}?",
    }[kind]
    prompt = say(
        rng, f"Hello, {who} here. " + wish.format(c=code, t=town, d=day, o=other) + "« Thanks.| It is urgent.|»"
    )
    facts = {"code": code, "kind": kind, "fare": fare, "price": price, "who": who, "day": other, "town": town}
    is_denied = kind == "cancel" and fare == "saver"

    def solve(r: Random, right: bool) -> Reply:
        messages = lookup(r, facts)
        if is_denied == right:
            messages.append(refuse(r, facts))
        else:
            messages += act(r, facts)
        return Reply(messages, "denied" if is_denied == right else "done")

    return Task(prompt, "denied" if is_denied else "done", "dialogue", solve, POLICY, data=facts)


def record(f: dict, state: str = "confirmed") -> str:
    """The booking as the database holds it."""
    return json.dumps(
        {"id": f["code"], "name": f["who"], "to": f["town"], "fare": f["fare"], "price": f["price"], "status": state}
    )


def lookup(r: Random, f: dict, state: str = "confirmed") -> list[Message]:
    """Look the booking up."""
    thought = say(r, "«I look up your booking.|One moment, I check.|Let me see.|»")
    return call("get_booking", {"booking_id": f["code"]}, record(f, state), thought)


def act(r: Random, f: dict) -> list[Message]:
    """Do what was asked."""
    name, more, done = {
        "cancel": ("cancel_booking", {"refund": True}, f"is cancelled; {f['price']} go back to your card"),
        "move": ("change_date", {"day": f["day"]}, f"is moved to the {f['day']}th"),
        "seat": ("add_extra", {"extra": "place"}, "has the place you asked for"),
    }[f["kind"]]
    messages = call(name, {"booking_id": f["code"], **more}, json.dumps({"ok": True, "id": f["code"], "ref": key(r)}))
    return [
        *messages,
        tell(
            say(
                r,
                f"«Done|All set|Good news», {f['who'].split()[0]}: {f['code']} {done}. «Anything else?|Have a "
                "good trip.|»",
            )
        ),
    ]


def refuse(r: Random, f: dict) -> Message:
    """Say no."""
    return tell(
        say(
            r,
            f"«I am sorry|Unfortunately|My apologies», {f['who'].split()[0] or r.choice(PEOPLE)}: {f['code']} is a "
            f"{f['fare']} booking, «and I cannot change it as you ask|which our rules do not let me change so». "
            "«It stays as it is.|Nothing was changed.»",
        )
    )
