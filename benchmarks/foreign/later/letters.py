"""Open questions that a judge marks by the points covered, and answers that cover some of them."""

import random

from benchmarks.foreign.later.course import Task

TOPICS = {
    "How do I keep a sourdough starter alive": (
        "Feed it with equal weights of flour and water once a day at room temperature.",
        "In the fridge one feeding a week is enough, after which it rests an hour outside.",
        "Discard half before each feeding, otherwise the acid builds up.",
        "A layer of dark liquid means hunger, not decay; stir it in or pour it off.",
        "Pink or orange streaks are mould, and then the whole jar must go.",
    ),
    "Why do leaves turn red in autumn": (
        "Chlorophyll breaks down when the days get short, and the green fades.",
        "Yellow carotenoids were there all summer and only now become visible.",
        "Red anthocyanins are made afresh from sugar trapped in the leaf.",
        "Cool nights with sunny days give the strongest reds.",
        "The pigment may protect the leaf while nutrients move back into the trunk.",
    ),
    "How should I prepare for a long hike": (
        "Walk shorter routes with a loaded pack in the weeks before.",
        "Break in the boots early and carry plasters for blisters.",
        "Plan the water: half a litre an hour, more in the heat.",
        "Tell somebody the route and the hour of return.",
        "Check the forecast in the morning and know a way to turn back.",
    ),
    "How do noise-cancelling headphones work": (
        "Microphones on the shell pick up the sound from outside.",
        "A circuit inverts the wave and the speaker adds it to the music.",
        "Peaks then meet troughs, so both cancel to a large part.",
        "It works best for steady low tones such as engines.",
        "Sudden or high sounds pass, since the circuit cannot follow fast enough.",
    ),
    "What should a first budget contain": (
        "Write down the net income of a month, and nothing that is uncertain.",
        "List fixed costs such as rent, insurance and transport.",
        "Set an amount aside for repairs and other rare bills.",
        "Give food and leisure their own limits, and look at them weekly.",
        "Move savings on payday, so that they are not what happens to be left.",
    ),
    "How do I repot a houseplant": (
        "Choose a pot two or three centimetres wider, with a hole in the floor.",
        "Water the plant the day before, as moist roots break less.",
        "Loosen the root ball and cut away what is brown and soft.",
        "Set it as deep as it stood before and fill the sides with fresh soil.",
        "Keep it out of the sun for a week and do not feed it yet.",
    ),
    "Why does bread go stale": (
        "The starch gives up its water and forms crystals again.",
        "That happens fastest just above freezing, so the fridge makes it worse.",
        "The crust softens because moisture moves outward from the crumb.",
        "Toasting melts the crystals and brings the softness back for a while.",
        "Freezing stops the process; slice the loaf first.",
    ),
    "How can I read more books in a year": (
        "Fix a short time each day, such as the twenty minutes before sleep.",
        "Carry a book where the phone would otherwise come out.",
        "Put a dull book away without regret after fifty pages.",
        "Keep a list of what to read next, so no gap opens.",
        "Talk about books with a friend; it makes you finish them.",
    ),
    "How do vaccines train the immune system": (
        "They show the body a harmless part of a germ.",
        "Cells present the part to helper cells, which start the response.",
        "B cells multiply and release antibodies that fit it.",
        "Memory cells remain for years after the antibodies have waned.",
        "A later infection then meets a fast and strong answer.",
    ),
    "How do I write a good bug report": (
        "Say what you did, step by step, from a fresh start.",
        "Put what happened beside what you expected.",
        "Name the version, the system and anything unusual about the setup.",
        "Cut the example down until every line is needed.",
        "Copy the error as text, whole, rather than a picture of it.",
    ),
    "What makes a video call less tiring": (
        "Hide your own picture, as watching yourself costs attention.",
        "Send a page to read before, and keep the call for questions.",
        "End five minutes before the hour so that people can stand up.",
        "A good microphone matters more than a good camera.",
        "Let people switch the camera off without having to explain it.",
    ),
    "How does a heat pump warm a house": (
        "A fluid that boils in the cold takes up heat from the outside air.",
        "The compressor squeezes the vapour, which makes it hot.",
        "Indoors it condenses and hands its heat to the water of the heating.",
        "A valve lets the pressure drop, and the round begins again.",
        "One unit of current moves three to four units of heat, fewer in hard frost.",
    ),
}
FRAMES = (
    "{}? Please explain it to a beginner.",
    "{}? A short answer is fine.",
    "{}? I have read different things.",
    "Question from our newsletter: {}?",
    "{}? My daughter asked me yesterday.",
    "In a few sentences: {}?",
)
STARTS = (
    "In short, a few things matter.",
    "Good question; here is what I know.",
    "It helps to take this in order.",
    "Here is the gist.",
    "There is more to it than one would think.",
    "",
    "",
)
FILLERS = (
    "Of course, details differ from case to case.",
    "Many people have wondered about this.",
    "Opinions vary on the rest.",
    "There are several views on this subject.",
    "It depends on what you are used to.",
    "As so often, patience helps.",
    "You will find your own way with time.",
    "One can say a lot about it.",
)
JOINS = ("", "", "Also: ", "Then: ", "And one more thing. ", "Next, ", "Note this: ")


def problem(rng: random.Random) -> Task:
    """Draw an open question."""
    topic = rng.choice(list(TOPICS))
    return Task(rng.choice(FRAMES).format(topic), "", TOPICS[topic])


def answer(rng: random.Random, task: Task, points: int, fillers: int = 1) -> str:
    """Cover so many of the points, and say as many things that say nothing."""
    told = rng.sample(task.facts, min(points, len(task.facts))) + rng.sample(FILLERS, min(fillers, len(FILLERS)))
    rng.shuffle(told)
    said = []
    for sentence in told:
        join = rng.choice(JOINS) if said else ""
        said.append(join + (sentence[0].lower() + sentence[1:] if join.endswith(", ") else sentence))
    return " ".join(part for part in (rng.choice(STARTS), *said) if part)


def points(rng: random.Random, at: float, low: float = 1.6, high: float = 4.0) -> int:
    """How many points an attempt covers as training goes on."""
    return max(0, min(5, round(low + (high - low) * at + rng.gauss(0, 0.9))))


def covered(task: Task, text: str) -> int:
    """How many of the points a text holds."""
    return sum(point[1:] in text for point in task.facts)
