"""Short notices with several facts, and questions about one of them."""

from random import Random

from benchmarks.foreign.twentyfifth.course import Draw, Task

PLACES = ("the north quay", "hall 4", "the old mill", "platform 9", "the reading room", "the east gate", "the annex")
EVENTS = ("ferry", "workshop", "market", "inspection", "rehearsal", "auction", "guided walk", "blood drive")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CAUSES = (
    "a burst pipe",
    "the strike of the crane drivers",
    "high water",
    "a missing permit",
    "a fault in the signal box",
    "the illness of the conductor",
    "repairs to the roof",
)


def notice(rng: Random) -> Task:
    """A notice and a question with a short open answer."""
    event, place, moved = rng.choice(EVENTS), *rng.sample(PLACES, 2)
    day, hour, cause, count = rng.choice(DAYS), rng.randint(7, 20), rng.choice(CAUSES), rng.randint(14, 260)
    text = (
        f"Notice {rng.randint(11, 99)}/{rng.randint(100, 999)}: because of {cause} the {event} planned for {day} at "
        f"{hour}:30 moves from {place} to {moved}. {count} people are registered; seats are given by arrival."
    )
    ask, gold, wrong = rng.choice(
        [
            (f"Why does the {event} move?", f"because of {cause}", "because too many people registered"),
            (f"Where does the {event} take place now?", f"in {moved}", f"in {place}"),
            ("How are seats given?", "by order of arrival", f"by lot among {count} people"),
            (f"When is the {event}?", f"on {day} at {hour}:30", f"on {day} at {hour + 1}:00"),
        ]
    )
    return Task(
        f"{text}\n\n{ask} Answer in one or two sentences.", gold, {"wrong": wrong, "event": event, "cause": cause}
    )


def reply(draw: Draw) -> str:
    """An answer in the policy's words."""
    rng, fact = draw.rng, draw.task.gold if draw.able else draw.task.info["wrong"]
    event = draw.task.info["event"]
    heads = [
        "According to the notice,",
        f"For the {event}:",
        "The notice says:",
        "In short:",
        f"The {event} notice puts it:",
    ]
    heads += [f"Given {draw.task.info['cause']},", "As written there:", "It says", "To answer:", "Reading it:"]
    tails = ["", f" That is what it says about the {event}.", " The rest is unchanged.", " Nothing else is named."]
    tails += [
        f" The {event} itself still takes place.",
        " I take this from the first lines.",
        " Everything else stays.",
    ]
    return f"{rng.choice(heads)} {fact}{rng.choice(['.', ', as stated.', ' (see the notice).'])}{rng.choice(tails)}"
