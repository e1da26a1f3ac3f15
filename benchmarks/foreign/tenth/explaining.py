"""Open questions that a judge grades by points."""

from random import Random

from benchmarks.foreign.tenth.core import Reply, Task, text_reply

TOPICS = {
    "why bread dough rises": (
        "yeast ferments the sugars in the flour", "fermentation releases carbon dioxide",
        "gluten strands trap the gas in bubbles", "warmth makes the yeast work faster",
        "the oven's heat expands the gas before the crumb sets"),
    "how a lighthouse lens works": (
        "a Fresnel lens is cut into concentric rings", "each ring bends light towards one beam",
        "the rings save weight compared with a solid lens", "rotation makes the beam appear as flashes",
        "the rhythm of flashes identifies the lighthouse"),
    "why the sky turns red at dusk": (
        "sunlight crosses more air when the sun is low", "short wavelengths are scattered out of the path",
        "red light survives the long way", "dust and aerosols deepen the colour",
        "clouds are lit from below by the reddened light"),
    "how vaccines protect people": (
        "they show the immune system a harmless part of a germ", "B cells learn to make matching antibodies",
        "memory cells stay for years", "a later infection is met faster",
        "fewer carriers also protect those who cannot be vaccinated"),
    "why bridges need expansion joints": (
        "steel and concrete grow when they warm up", "a long deck changes by several centimetres",
        "without gaps the forces would crack the deck", "joints let the parts slide",
        "seals keep water and grit out of the gap"),
    "how noise-cancelling headphones work": (
        "microphones pick up the sound outside", "a processor computes the inverted wave",
        "the speaker plays it together with the music", "both waves cancel at the ear",
        "steady low tones are cancelled best"),
    "why ice floats on water": (
        "water molecules form an open lattice when they freeze", "the lattice takes more room",
        "ice is therefore less dense than the liquid", "hydrogen bonds fix the distances",
        "lakes freeze from the top so that life survives below"),
    "how a refrigerator cools": (
        "a refrigerant evaporates inside and takes up heat", "a compressor raises its pressure",
        "it condenses at the back and gives heat away", "an expansion valve lowers the pressure again",
        "a thermostat switches the cycle"),
    "why leaves change colour in autumn": (
        "shorter days stop the making of chlorophyll", "green fades as chlorophyll breaks down",
        "yellow carotenoids become visible", "some trees make red anthocyanins",
        "a layer of cork then cuts the leaf off"),
    "how compound interest grows": (
        "interest is added to the capital", "the next period pays interest on the larger sum",
        "growth is exponential in time", "the rate and the period decide the doubling time",
        "fees and inflation work against it"),
}  # fmt: skip
READERS = (
    "a curious ten-year-old", "a night-shift nurse", "a new apprentice", "a retired sailor", "a debate club",
    "a visitor of the science centre", "a student before an exam", "a busy mayor", "a beekeeper", "a radio audience",
    "a class of adult learners", "a translator", "a train driver", "a chess coach",
)  # fmt: skip
PLACES = ("a poster", "a short talk", "a letter", "a leaflet", "a newsletter", "a phone call", "a museum label")
STARTS = (
    "Good question, and it has a clear answer.", "The short version first.", "Imagine watching it happen slowly.",
    "There are several parts to this.", "Let me explain it in order.", "Most people guess something else.",
    "It helps to begin with what can be seen.",
)  # fmt: skip
JOINTS = ("Also, ", "In addition, ", "Then ", "What matters too: ", "Besides, ", "It follows that ", "Note that ")
MISTAKES = (
    "this is mostly a matter of gravity", "it only happens at night",
    "the effect was first planned by engineers in Rome",
    "it has to do with magnetism", "salt is the main cause", "the moon drives the whole process",
    "electric charge builds up and does the rest", "nobody has measured it so far",
)  # fmt: skip
ENDS = (
    "That is the whole idea.",
    "I hope this helps.",
    "Ask again if a part stays unclear.",
    "",
    "",
    "So much for it.",
)


def essay(rng: Random, topic: str, covered: int) -> str:
    """An explanation with so many of the topic's points, the rest mistaken or left out."""
    points = rng.sample(TOPICS[topic], covered) + rng.sample(MISTAKES, rng.randint(0, 2) if covered < 4 else 0)
    rng.shuffle(points)
    said = [(p[0].upper() + p[1:] if rng.random() < 0.5 else rng.choice(JOINTS) + p) + "." for p in points]
    return " ".join([rng.choice(STARTS), *said, rng.choice(ENDS)]).strip()


def essay_task(rng: Random, name: str) -> Task:
    """A thing to explain to somebody; right with four of five points."""
    topic, reader, place = rng.choice(list(TOPICS)), rng.choice(READERS), rng.choice(PLACES)
    words = rng.randrange(60, 161, 10)
    prompt = f"Explain {topic} to {reader} for {place}, in about {words} words."

    def answer(rng: Random, right: bool) -> Reply:
        covered = rng.randint(4, 5) if right else rng.choice((0, 1, 1, 2, 2, 3, 3))
        return text_reply(essay(rng, topic, covered), "", points_covered=covered)

    return Task(name, prompt, "", answer, topic.split()[0])
