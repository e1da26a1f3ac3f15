"""A world of short pieces of writing that a judge scores."""

from random import Random

from benchmarks.foreign.sixth.runs import Message, Problem, says, user

_FORMS = ("a notice", "a short letter", "a paragraph for the newsletter", "a message to the members", "a post")
_TOPICS = {
    "the new bike shed": (
        "room for forty bikes",
        "a code at the door",
        "no cargo bikes at night",
        "two charging points",
    ),
    "the winter opening hours": ("closed on Mondays", "open until six", "soup at noon", "tours by appointment"),
    "the water outage on Tuesday": ("from nine to two", "bottled water in the hall", "lifts keep running", "call 114"),
    "a garden party": ("bring a dish", "music from five", "children welcome", "rain date on Sunday"),
    "the lost cat Momo": ("grey with one white paw", "last seen near the mill", "shy but friendly", "reward of fifty"),
    "our reading circle": ("meets every second Thursday", "short novels", "tea and cake", "new readers welcome"),
    "the choir's autumn concert": ("songs from four countries", "free entry", "a hat goes round", "doors at seven"),
    "a change of the bus line": ("line 12 skips the school", "a stop at the bridge", "from October on", "ask drivers"),
}
_READERS = ("neighbours", "parents", "volunteers", "club members", "tenants", "students", "retired teachers")
_TONES = ("warm", "plain", "cheerful", "formal", "brief and dry")
_OPEN = ("Dear {r},", "Hello {r},", "To all {r}:", "Good news, {r}:", "A word to our {r}.")
_LINK = (
    "This is about {t}: {p}.", "You will want to know one thing of {t}: {p}.", "As for {t}, {p}.", "Please note: {p}.",
    "Also, {p}.", "We would like to add: {p}.", "And one more point, {p}.", "Keep in mind: {p}.", "Do not forget: {p}.",
)  # fmt: skip
_COLOUR = (
    "It took us a whole spring to get here.", "The coffee will be strong.", "Nobody needs to sign anything.",
    "Our thanks go to those who carried the boxes.", "Last year taught us a thing or two.", "Bring good shoes.",
    "The committee argued about it for three evenings.", "If it does not work, we try something else.",
    "Ask Greta at the desk; she knows it all.", "We measured twice this time.", "The old sign stays on the wall.",
)  # fmt: skip
_END = ("See you there.", "With kind regards, the board.", "Yours, the office.", "Thank you.", "Until soon!")


def draw_letter(rng: Random, number: int) -> Problem:
    """Draw a task of writing: form, topic, readers and tone."""
    topic, reader, tone = rng.choice(list(_TOPICS)), rng.choice(_READERS), rng.choice(_TONES)
    points = rng.sample(_TOPICS[topic], rng.randint(2, 4))
    asked = (
        f"Write {rng.choice(_FORMS)} about {topic} to {reader}. Tone: {tone}. Mention: {'; '.join(points)}. "
        f"At most {rng.choice((80, 100, 120))} words."
    )
    facts = {"topic": topic, "reader": reader, "points": points}
    return Problem(f"letter-{number:04d}", [user(asked)], "", rng.gauss(0, 0.5), facts)


def letter(rng: Random, problem: Problem, is_right: bool) -> str:
    """Write a piece; a weak one leaves out points."""
    facts = problem.facts
    points = facts["points"] if is_right else rng.sample(facts["points"], len(facts["points"]) - 1)
    lines = [rng.choice(_OPEN).format(r=facts["reader"])]
    for point in rng.sample(points, len(points)):
        lines.append(rng.choice(_LINK).format(t=facts["topic"], p=point))
        if rng.random() < (0.5 if is_right else 0.2):
            lines.append(rng.choice(_COLOUR))
    return " ".join([*lines, rng.choice(_END)])


def write_letter(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Write a piece as a message."""
    return [says(letter(rng, problem, is_right))]
