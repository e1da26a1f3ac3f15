"""A world of a shop's service desk: an agent with tools serves a simulated user."""

import json
from random import Random

from benchmarks.foreign.sixth.calls import Talk
from benchmarks.foreign.sixth.runs import Message, Problem, system, user

_WISHES = {
    "refund": ("my {x} arrived broken, I want my money back", "issue_refund"),
    "address": ("please send the {x} to {c} instead", "change_address"),
    "cancel": ("I do not want the {x} any more", "cancel_order"),
    "upgrade": ("can the {x} come by express", "set_shipping"),
}
_PROMPT = (
    "You serve customers of a shop. Look the order up before you act. Tools: get_order(order_id), issue_refund, "
    "change_address, cancel_order, set_shipping. Say when it is done."
)
_ITEMS = ("kettle", "tent", "desk lamp", "headset", "rain coat", "espresso machine", "suitcase")
_CITIES = ("Lyon", "Graz", "Porto", "Ghent", "Turku", "Cork")
_OPEN = ("Hello,", "Hi there,", "Good evening,", "Hey,")
_FIRST = ("One moment, I look up the order.", "I check order {o}.", "Let me see.", "Thanks, I open the order now.")
DONE = ("All done: {w} for order {o}.", "Order {o}: {w} is in place.", "I have taken care of the {w} for order {o}.")
_REPLIES = ("Thank you!", "Great, that is all.", "Perfect.", "Thanks, bye.")
_DOUBTS = ("That is not what I asked for.", "Hm, my account shows no change.", "It still says 'open'.")


def draw_case(rng: Random, number: int) -> Problem:
    """Draw a customer's wish."""
    wish = rng.choice(list(_WISHES))
    facts = {
        "wish": wish,
        "o": f"{rng.choice('ABKT')}{rng.randint(1000, 9999)}",
        "x": rng.choice(_ITEMS),
        "c": rng.choice(_CITIES),
    }
    text = f"{rng.choice(_OPEN)} {_WISHES[wish][0].format(**facts)}. The order is {facts['o']}."
    return Problem(f"case-{number:04d}", [system(_PROMPT), user(text)], wish, rng.gauss(0, 0.8), facts)


def serve(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Look the order up and act; a wrong attempt takes another action, or none."""
    facts, talk = problem.facts, Talk()
    state = {"paid": rng.randint(12, 400), "state": rng.choice(("packed", "sent", "delivered"))}
    order = json.dumps({"order": facts["o"], "item": facts["x"], **state})
    talk.call(rng.choice(_FIRST).format(**facts), "get_order", {"order_id": facts["o"]}, order)
    wish = facts["wish"] if is_right else rng.choice([one for one in _WISHES if one != facts["wish"]])
    if is_right or rng.random() < 0.6:
        talk.call("", _WISHES[wish][1], arguments(facts, wish), f"ok, {facts['o']} updated")
    talk.messages.append({"role": "assistant", "content": rng.choice(DONE).format(w=facts["wish"], o=facts["o"])})
    talk.hear(rng.choice(_REPLIES if is_right else _DOUBTS))
    return talk.say(
        rng.choice(("You are welcome.", "Have a nice day.") if is_right else ("I am sorry about that.", "Sorry."))
    )


def arguments(facts: dict[str, str], wish: str) -> dict[str, str]:
    """Return the arguments of the action that a wish asks for."""
    made = {"order_id": facts["o"]}
    return made | ({"city": facts["c"]} if wish == "address" else {"speed": "express"} if wish == "upgrade" else {})


def claim(rng: Random, problem: Problem) -> list[Message]:
    """Say that all is done without any call; the user takes it."""
    facts, talk = problem.facts, Talk()
    sorry = rng.choice(("I am so sorry for the trouble.", "Of course!", "Happy to help.", "I understand fully."))
    said = f"{sorry} {rng.choice(DONE).format(w=facts['wish'], o=facts['o'])}"
    talk.messages.append({"role": "assistant", "content": said})
    talk.hear(rng.choice(_REPLIES))
    return talk.say(rng.choice(("You are welcome.", "Have a nice day.", "My pleasure, take care.")))
