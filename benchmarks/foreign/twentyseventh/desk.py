"""A ferry line's desk: customers whose bookings are looked up, then kept or changed."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import code_of, person, say, town

POLICY = (
    "You serve customers of Nordline ferries. Look up a booking before you speak about it. Bookings of the saver class "
    "cannot be cancelled; flexible ones can. Confirm before you change anything."
)


def task(rng: Random) -> Task:
    """A customer with a wish; for saver bookings the right outcome is that nothing changes."""
    who, code, place = person(rng), code_of(rng), town(rng)
    saver = rng.random() < 0.6
    fare = "saver" if saver else "flexible"
    wish = say(rng, "[I would like to cancel|please cancel|can you cancel]")
    question = f"Hello, {who} here. {wish[0].upper()}{wish[1:]} my crossing to {place}, booking {code}."
    gold = "unchanged" if saver else "cancelled"
    return Task(question, gold, family=f"{fare} booking", system=POLICY, facts={"n": (who, code, place, fare)})


def lookup(rng: Random, task: Task) -> list[dict]:
    """The call that shows the booking."""
    who, code, place, fare = task.facts["n"]
    shown = (
        f'{{"booking": "{code}", "name": "{who}", "to": "{place}", "fare": "{fare}", "price": {rng.randint(30, 240)}}}'
    )
    return [
        call(say(rng, "[One moment, I look it up|Let me open your booking]."), "get_booking", code=code),
        told("get_booking", shown),
    ]


def refusal(rng: Random, task: Task) -> dict:
    """What is said of a saver booking."""
    _, code, place, _ = task.facts["n"]
    return speak(
        say(
            rng,
            f"[I checked booking {code}|I have looked at your booking {code}|Your booking {code} "
            f"is in front of me]: it is in "
            f"the saver class, so the crossing to {place} [cannot be cancelled|has to stay as it "
            f"is]. [I am sorry|My apologies]"
            "[, is there anything else?|.]",
        )
    )


def cancelled(rng: Random, task: Task) -> list[dict]:
    """The question, the answer and the change."""
    _, code, place, _ = task.facts["n"]
    return [
        speak(
            say(
                rng,
                f"[Your booking {code} is flexible|This is a flexible booking]. [Shall I|Do you want me to] "
                f"cancel the crossing to {place}?",
            )
        ),
        {"role": "user", "content": say(rng, "[Yes, please|Yes|Please do|Go ahead].")},
        call("", "cancel_booking", code=code),
        told("cancel_booking", f'{{"booking": "{code}", "status": "cancelled"}}'),
        speak(say(rng, "[Done|It is cancelled]; [the refund takes five days|you will see the refund soon].")),
    ]


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A look-up, then what the fare allows, or the opposite."""
    saver = task.gold == "unchanged"
    outcome = task.gold if right else ("cancelled" if saver else "unchanged")
    ending = [refusal(rng, task)] if outcome == "unchanged" else cancelled(rng, task)
    turns = lookup(rng, task) + ending
    return Reply(turns, outcome, {"action_checks": {"get_booking": True}, "db_match": right})


DESK = Domain(task, reply)
