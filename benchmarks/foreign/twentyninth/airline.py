"""A help desk of an airline: changes that its rules allow, and some that they do not."""

import json
from random import Random

from benchmarks.foreign.twentyninth.rollouts import Reply, Task, call, say, told

PEOPLE = [
    "Mia Keller",
    "Omar Haddad",
    "Yuki Tanaka",
    "Lena Novak",
    "Paul Okoro",
    "Ines Duarte",
    "Sean Walsh",
    "Anya Petrova",
    "Tom Lindqvist",
]
CITIES = ["Oslo", "Porto", "Vienna", "Dublin", "Riga", "Naples", "Leeds", "Basel", "Split", "Malmo"]
RULES = {
    "basic_economy": "Basic economy fares cannot be changed.",
    "flown": "A booking whose first leg has been flown cannot be cancelled.",
    "late": "Bookings older than 24 hours without insurance are not refunded.",
}
SYSTEM = (
    "You are the agent of Fjordair. Follow the policy: "
    + " ".join(RULES.values())
    + " Use the tools; change nothing that it forbids."
)
EXCUSES = [
    "I'm sorry, I am not able to help with that request.",
    "Unfortunately that cannot be done. Is there anything else?",
    "I'm afraid this request can't be processed. Have a nice day!",
    "Sorry, no changes are possible here.",
    "I cannot make this change for you. Thank you for your understanding.",
]


def desk_task(rng: Random, pid: str) -> Task:
    """A request about one booking, allowed or not."""
    who, code = rng.choice(PEOPLE), "".join(rng.choice("ABCDEFGHKLMNPQRSTUVXYZ23456789") for _ in range(6))
    start, end = rng.sample(CITIES, 2)
    day, new = rng.randint(3, 14), rng.randint(15, 28)
    rule = rng.choice(sorted(RULES)) if rng.random() < 0.46 else ""
    want = rng.choice([f"move it to the {new}th", "cancel it and refund me", f"put it on the {new}th, same time"])
    if rule == "basic_economy":
        want = f"move it to the {new}th"
    elif rule:
        want = "cancel it and refund me"
    text = f"Hi, {who} here, booking {code} from {start} to {end} on the {day}th. Please {want}."
    fare = "basic_economy" if rule == "basic_economy" else "flex"
    record = json.dumps(
        {
            "booking": code,
            "name": who,
            "fare": fare,
            "first_leg_flown": rule == "flown",
            "age_hours": rng.randint(30, 200) if rule == "late" else rng.randint(1, 20),
            "insurance": rule != "late",
            "day": day,
        }
    )
    gold = "unchanged" if rule else ("cancelled" if "cancel" in want else f"day={new}")
    return Task(
        pid, text, gold, rng.gauss(0, 0.5), rule or "allowed", SYSTEM, {"code": code, "record": record, "new": new}
    )


def idle(rng: Random) -> Reply:
    """Turns the customer away without a look."""
    return Reply([say(rng.choice(EXCUSES))], "unchanged")


def serve(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Looks the booking up and does, or refuses with the rule, what was asked; wrong attempts do the opposite."""
    code = task.data["code"]
    out = [
        call(rng.choice(["Let me look that up.", "One moment please.", ""]), "get_booking", {"code": code}),
        told("get_booking", task.data["record"]),
    ]
    act = (task.gold != "unchanged") == right
    if not act:
        rule = RULES.get(task.family, rng.choice(sorted(RULES.values())))
        return Reply(
            [
                *out,
                say(f"{rng.choice(['I checked', 'I have looked at'])} {code}. {rule} So I have to leave it as it is."),
            ],
            "unchanged",
        )
    if "cancel" in task.prompt:
        step, state = call("", "cancel_booking", {"code": code}), "cancelled"
        words = rng.choice([f"{code} is cancelled and refunded.", f"Done, the refund for {code} is on its way."])
    else:
        state = f"day={task.data['new']}"
        step = call("", "change_day", {"code": code, "day": task.data["new"]})
        words = (
            f"{code} now leaves on the {task.data['new']}th. {rng.choice(['Anything else?', 'Safe travels!', ''])}"
        ).strip()
    return Reply(
        [*out, step, told(step["tool_calls"][0]["name"], f'{{"status": "ok", "booking": "{code}"}}'), say(words)], state
    )
