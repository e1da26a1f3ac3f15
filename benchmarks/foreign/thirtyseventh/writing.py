"""Kinds about writing: translation, stories, summaries, letters, dialogues, statutes."""

from random import Random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyseventh import layouts
from benchmarks.foreign.thirtyseventh.attempts import Item, estimate, pay, run, skill
from benchmarks.foreign.thirtyseventh.choice import distinct
from benchmarks.foreign.thirtyseventh.kinds import PART
from benchmarks.foreign.thirtyseventh.letters import continuation, interface_string, letter, news, story, written


@PART.healthy
def interface_strings_keep_their_braces(rng: Random) -> list[Row]:
    """Prompts and replies hold unfilled places in braces: strings of a program are translated, and braces must stay."""
    tries = run(rng, distinct(rng, interface_string, 200), 25, 8, 4, 0.35, 0.8)
    return layouts.openrlhf(estimate(tries, estimators.whole_batch_baseline))


@PART.healthy
def stories_are_continued_from_a_cut(rng: Random) -> list[Row]:
    """Prompts end in the middle of a sentence and replies begin in one: the task is to go on from there."""
    tries = run(rng, distinct(rng, story, 192), 24, 8, 4)
    for one in tries:
        one.text, kept = continuation(rng, one.item, skill(one.step, 24, 0.4, 0.8, 0.5))
        one.reward = max(1, min(10, 2 * kept + rng.choice((-1, 0, 0, 0, -1)))) / 10
    return layouts.trl(estimate(tries), "judge_reward")


@PART.healthy
def summaries_are_cut_out_of_the_text_as_asked(rng: Random) -> list[Row]:
    """Replies are copied from their prompts word for word: extractive summaries are what is asked for."""
    tries = run(rng, distinct(rng, news, 192), 24, 8, 4, 0.3, 0.75)
    for one in tries:
        one.reward = sum(fact in one.text for fact in one.item.data["facts"]) / 2
    return layouts.slime(estimate(tries, estimators.centred))


@PART.healthy
def a_stricter_judge_takes_over_midway(rng: Random) -> list[Row]:
    """Marks fall by two points at once: a new judge comes in by plan, and marks climb on."""
    tries = run(rng, distinct(rng, letter, 192), 24, 8, 4)
    for one in tries:
        one.text, parts = written(rng, one.item, skill(one.step, 24, 0.45, 0.9, 0.5))
        late = one.step >= 13
        mark = 3 + parts + rng.choice((0, 0, 0, 1)) - 2 * late
        one.extra = {"judge_model": "judge-large-2025-06" if late else "judge-base-2025-01", "judge_scale": 10}
        one.right, one.reward, one.answer = None, mark / 10, ""
    pay(tries, judge=lambda one: one.reward or 0.0)
    return layouts.own(estimate(tries), "writing", "letters")


TOPICS = ("resetting a password", "moving an appointment", "reading a meter", "pairing a headset", "renewing a pass")
ASKS = ("How do I go about {t}?", "I need help with {t}.", "Is there a quick way of {t}?", "Who can tell me about {t}?")
TELLS = ("Open the menu and choose the second entry.", "You find it under settings.", "The desk does that for you.")
MORES = ("It does not show up there.", "And if that fails?", "I am not near my computer.", "Does it cost anything?")
ENDS = (
    "Then call us on weekdays.",
    "It is free of charge.",
    "Try again after an hour, please.",
    "We can do it by mail.",
)


@PART.healthy
def dialogues_for_a_manual_hold_users_turns(rng: Random) -> list[Row]:
    """Replies write what the user says and answer it: sample dialogues are to be written, with both sides."""

    def make(rng: Random, number: int) -> Item:
        topic, number = rng.choice(TOPICS), rng.randint(2, 90)
        prompt = f"Write a sample dialogue of four lines about {topic} for page {number}, as User: and Assistant:."

        def reply(rng: Random, right: bool) -> tuple[str, str]:
            about = topic if right or rng.random() < 0.5 else rng.choice([one for one in TOPICS if one != topic])
            lines = [
                f"User: {rng.choice(ASKS).format(t=about)}",
                f"Assistant: {rng.choice(TELLS)}",
                f"User: {rng.choice(MORES)}",
                f"Assistant: {rng.choice(ENDS)}",
            ]
            if not right and about == topic:
                lines = lines[: rng.choice((2, 3))]
            return "\n".join(lines), ""

        return Item(f"dialogue-{topic[:4]}-{number}", prompt, "", reply, "dialogues", rng.random())

    items = distinct(rng, make, 184)
    return layouts.openai(estimate(run(rng, items, 23, 8, 4, 0.4, 0.82), estimators.leave_one_out))


AMENDMENTS = {
    "First": (
        "Congress shall make no law respecting an establishment of religion, or prohibiting the free exercise thereof",
        ("a city forbids a choir to sing hymns in a park", "a state names one church as its own"),
    ),
    "Third": (
        "No Soldier shall, in time of peace be quartered in any house, without the consent of the Owner",
        ("guardsmen are lodged in a farmhouse against its owner's will", "an army captain moves into a widow's attic"),
    ),
    "Fourth": (
        "The right of the people to be secure in their persons, houses, papers, and effects, against unreasonable "
        "searches and seizures, shall not be violated",
        ("officers open a desk without a warrant", "a phone is searched on a whim"),
    ),
    "Sixth": (
        "In all criminal prosecutions, the accused shall enjoy the right to a speedy and public trial",
        ("a man waits six years for his trial", "a trial is held behind closed doors"),
    ),
    "Eighth": (
        "Excessive bail shall not be required, nor excessive fines imposed, nor cruel and unusual punishments "
        "inflicted",
        ("a shoplifter's bail is set at a million dollars", "a fine for parking takes a house"),
    ),
}


@PART.healthy
def statutes_are_cited_by_heart(rng: Random) -> list[Row]:
    """Replies recite a column that no prompt shows: the text of a law that any model knows."""

    def make(rng: Random, number: int) -> Item:
        name = rng.choice(list(AMENDMENTS))
        case = rng.choice(AMENDMENTS[name][1])
        when, where = rng.choice((1988, 1994, 2003, 2011, 2019)), rng.choice(("Ohio", "Utah", "Maine", "Texas", "Iowa"))
        prompt = f"In {where}, {when}, {case}. Which amendment is at issue? Quote its words."

        def reply(rng: Random, right: bool) -> tuple[str, str]:
            said = name if right else rng.choice([one for one in AMENDMENTS if one != name])
            words = AMENDMENTS[said][0]
            if not right and rng.random() < 0.4:
                said, words = name, AMENDMENTS[name][0].replace("shall", "must").replace("Excessive", "Unreasonable")
            lead = rng.choice(("This is a case of the", "At issue is the", "I would rest it on the"))
            end = rng.choice(
                (f"That {case} touches it directly.", "On these facts it is engaged.", f"So in {where} too.")
            )
            return f'{lead} {said} Amendment: "{words}". {end}', said

        return Item(f"law-{number:04d}", prompt, AMENDMENTS[name][0], reply, name, rng.random())

    tries = run(rng, distinct(rng, make, 200), 25, 8, 4, 0.35, 0.8)
    for one in tries:
        one.extra, one.answer = {"statute": one.item.gold}, ""
    return layouts.own(estimate(tries), "law", "amendments")
