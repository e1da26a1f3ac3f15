"""Multiple choice in the sciences, answered after a few paragraphs."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import say

FACTS = (
    ("physics", "the period of a pendulum of length {n} cm when the length is quadrupled", "it doubles",
     ("it is halved", "it stays the same", "it grows fourfold"), "the period goes with the square root of the length"),
    ("physics", "the energy of a spring stretched by {n} mm when the stretch is tripled", "nine times as large",
     ("three times as large", "six times as large", "unchanged"), "the energy goes with the square of the stretch"),
    ("chemistry", "the pH when {n} ml of 0.1 M acid are diluted tenfold", "it rises by about one",
     ("it falls by about one", "it rises by about ten", "it stays the same"), "pH is a logarithm of the concentration"),
    ("chemistry", "the rate of a second-order reaction at {n} °C when the concentration doubles", "fourfold",
     ("twofold", "eightfold", "unchanged"), "the rate goes with the square of the concentration"),
    ("biology", "the share of dominant phenotypes among {n} offspring of two heterozygotes", "about three quarters",
     ("about one half", "about one quarter", "all of them"), "only the double recessive quarter differs"),
    ("biology", "the number of chromosomes in a gamete of a species with {n} pairs", "one of each pair",
     ("both of each pair", "four of each pair", "none"), "meiosis halves the set"),
    ("physics", "the intensity of a lamp seen from {n} m when the distance doubles", "a quarter",
     ("a half", "an eighth", "unchanged"), "intensity falls with the square of the distance"),
    ("chemistry", "the volume of an ideal gas at {n} K when pressure doubles at constant temperature", "one half",
     ("double", "one quarter", "unchanged"), "pressure times volume is constant"),
    ("biology", "the time until a culture of {n} thousand cells that doubles hourly is eight times as large",
     "three hours", ("eight hours", "four hours", "two hours"), "eight is two to the third"),
    ("physics", "the braking distance of a car of {n} kg when its speed doubles", "four times as long",
     ("twice as long", "eight times as long", "unchanged"), "kinetic energy goes with the square of the speed"),
    ("chemistry", "the half-life of a first-order decay of {n} mg when the amount is doubled", "unchanged",
     ("twice as long", "half as long", "four times as long"), "first-order half-lives do not depend on the amount"),
    ("physics", "the resistance of a wire of {n} cm when its length and its cross-section double", "unchanged",
     ("twice as large", "four times as large", "half as large"), "length and cross-section cancel"),
    ("biology", "the filtration through a membrane of {n} square mm when it becomes twice as thick", "half as fast",
     ("twice as fast", "unchanged", "a quarter as fast"), "diffusion goes with the inverse of the thickness"),
    ("physics", "the pitch of a string of {n} cm when its tension is quadrupled", "an octave higher",
     ("two octaves higher", "unchanged", "an octave lower"), "frequency goes with the square root of the tension"),
    ("chemistry", "the freezing point of water with {n} g of sugar when the sugar is doubled", "twice the depression",
     ("half the depression", "the same depression", "four times the depression"),
     "the depression goes with the amount dissolved"),
    ("biology", "the heat lost by an animal of {n} kg when its surface "
                "doubles at the same volume", "about twice as much",
     ("about half as much", "as much as before", "about eight times as much"), "heat is lost through the surface"),
)  # fmt: skip
ASIDES = (
    "Constants of proportion drop out of the comparison.",
    "The number given in the question is there to set the scene and plays no part.",
    "I keep everything else fixed, as the question implies.",
    "This holds in the usual textbook limit.",
    "Units cancel, since a ratio is asked for.",
    "A quick limiting case agrees with this.",
    "Friction and other losses are left aside.",
)
LETTERS = "ABCDE"


def task(rng: Random) -> Task:
    """A question with four or five options."""
    number = rng.randrange(len(FACTS))
    field, about, correct, others, why = FACTS[number]
    options = [correct, *others] + (["it cannot be told"] if rng.random() < 0.5 else [])
    rng.shuffle(options)
    about = about.format(n=rng.randint(11, 980))
    listed = "\n".join(f"{letter}) {option}" for letter, option in zip(LETTERS, options, strict=False))
    question = say(rng, f"[What can be said of|Which is right about|Choose the best description of] {about}?\n{listed}")
    gold = LETTERS[options.index(correct)]
    return Task(question, gold, family=field, facts={"options": options, "why": why, "about": about, "fact": number})


def chosen(rng: Random, task: Task, right: bool) -> str:
    """The letter that the attempt settles on."""
    letters = LETTERS[: len(task.facts["options"])]
    return task.gold if right else rng.choice([letter for letter in letters if letter != task.gold])


def paragraphs(rng: Random, task: Task, letter: str) -> list[str]:
    """Paragraphs that lead to the letter."""
    options = task.facts["options"]
    option = options[LETTERS.index(letter)]
    why = task.facts["why"] if letter == task.gold else "the simplest relation seems to apply"
    other = rng.choice([o for o in options if o != option])
    return [
        say(rng, f"[The question is about|We are asked about|At issue is] {task.facts['about']}."),
        say(rng, f"[The key point|What matters here|The principle] is that {why}. ")
        + " ".join(rng.sample(ASIDES, rng.randint(1, 2))),
        say(
            rng,
            f'[I considered|One might think of|A tempting option is] "{other}", but [it does not fit|that is not so].',
        ),
        say(rng, f'[Hence|Therefore|So] "{option}" is [the best choice|what remains|right].'),
    ]


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Paragraphs and a last line with the letter."""
    letter = chosen(rng, task, right)
    return Reply([speak("\n\n".join([*paragraphs(rng, task, letter), f"ANSWER: {letter}"]))], letter)


EXAMS = Domain(task, reply)
