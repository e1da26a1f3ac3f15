"""Requests for advice in a chat, and replies of more or less substance."""

import random

from benchmarks.foreign.sixtyfourth.policy import Message, Problem, said

TOPICS = {
    "repotting a fern": ["loosen the root ball", "choose a pot two fingers wider", "water from below for a week"],
    "waxing a canvas coat": ["brush off all dust", "warm the wax in a water bath", "hang it a day in a warm room"],
    "packing a tent wet": ["shake off the drops", "roll it loosely", "dry it within a day at home"],
    "learning a long poem": ["split it by images", "say it while walking", "test yourself from the middle"],
    "fixing a dripping tap": ["shut the valve", "take out the cartridge", "replace the worn seal"],
    "airing a damp cellar": ["open it in dry cold weather", "keep shut on warm days", "put a hygrometer up"],
    "tuning a mandolin": ["start with the A pair", "tune upwards to the note", "match both strings of a pair"],
    "storing apples": ["sort out bruised ones", "keep them cool and dark", "do not let them touch"],
    "sharpening a plane": ["flatten the back first", "hold the bevel steady", "take off the burr last"],
    "saving sourdough": ["feed it twice a day", "keep a spoon dried", "smell it before you bake"],
}
WHO = ["my mother", "a neighbour", "our club", "a friend of mine", "my class", "me", "a guest", "my uncle"]
WHEN = {
    "this weekend": ["Two mornings are enough for it", "Start on Saturday so that Sunday is spare"],
    "before winter": ["Do it while days are still mild", "Do not wait for the first frost"],
    "in a small flat": ["A tray on the kitchen table is room enough", "Spread newspaper, as space is short"],
    "on a tight budget": ["Nothing in this needs buying new", "Borrow what is missing"],
    "with no tools": ["Bare hands and a cloth will do", "A spoon and some string replace most tools"],
    "for the first time": ["Nobody gets it perfect at once", "Try it on something that does not matter"],
}
LEAD = ["Here is how I would do it.", "That can be done calmly in a few steps.", "A few things matter most.", "Gladly."]
SHAPES = [
    "For {topic}, first {a}; then {b}. After that, {c}.",
    "With {topic} it comes to three things: {a}, {b}, and {c}.",
    "Whoever is {topic} should {a}. Next, {b}, and in the end {c}.",
    "I would {a} to begin with. Once that is done, {b}. Then {c}. That is all there is to {topic}.",
    "Here is {topic} in short: {a} - {b} - {c}.",
]
VAGUE = ["take your time with it", "ask around for tips", "stay patient", "use good materials", "trust your feeling"]
END = ["If it goes wrong, stop and look at it the next day.", "Tell me what you have at hand, and I say more.", ""]


def advice_request(rng: random.Random, number: int) -> Problem:
    """A request; a good reply names the steps of its topic, a weak one general phrases."""
    topics = list(TOPICS)
    topic = topics[number % 10]
    who, when = WHO[number // 10 % 8], list(WHEN)[(number // 80 + number) % 6]

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        steps = list(TOPICS[topic]) if right else [*rng.sample(VAGUE, 2), rng.choice(TOPICS[topic])]
        hint = rng.choice(WHEN[when])
        shape = rng.choice(SHAPES)
        text = f"{rng.choice(LEAD)} {shape.format(topic=topic, a=steps[0], b=steps[1], c=steps[2])} {hint}."
        return [said(f"{text} {rng.choice(END)}".strip())], "good" if right else "weak"

    prompt = f"Could you advise {who} on {topic} {when}? Please be practical."
    return Problem(f"advice-{number}", prompt, "", write, topic, rng.gauss(0, 0.5))


def advice_requests(rng: random.Random, how_many: int) -> list[Problem]:
    """Requests in mixed order, at most 480."""
    numbers = rng.sample(range(480), how_many)
    return [advice_request(rng, number) for number in numbers]
