"""Questions of knowledge with options, and short texts to sort into classes."""

from random import Random

from benchmarks.foreign.eighth.course import Reply, Task, answered, words

CAPITALS = dict(
    pair.split(":")
    for pair in words(
        "Norway:Oslo,Portugal:Lisbon,Hungary:Budapest,Kenya:Nairobi,Peru:Lima,Mongolia:Ulaanbaatar,Nepal:Kathmandu,"
        "Ghana:Accra,Uruguay:Montevideo,Estonia:Tallinn,Latvia:Riga,Jordan:Amman,Cuba:Havana,Chile:Santiago,"
        "Senegal:Dakar,Laos:Vientiane,Fiji:Suva,Malta:Valletta,Iceland:Reykjavik,Zambia:Lusaka,Bulgaria:Sofia",
        ",",
    )
)
SYMBOLS = dict(
    pair.split(":")
    for pair in words(
        "tungsten:W,potassium:K,sodium:Na,antimony:Sb,tin:Sn,lead:Pb,mercury:Hg,iron:Fe,silver:Ag,gold:Au,copper:Cu,"
        "manganese:Mn,magnesium:Mg,arsenic:As,argon:Ar,strontium:Sr,cobalt:Co,zinc:Zn,boron:B,bismuth:Bi",
        ",",
    )
)
AUTHORS = dict(
    pair.split(":")
    for pair in words(
        "Middlemarch:George Eliot,Ulysses:James Joyce,Beloved:Toni Morrison,Emma:Jane Austen,Dracula:Bram Stoker,"
        "Persuasion:Jane Austen,Solaris:Stanislaw Lem,Faust:J. W. von Goethe,Candide:Voltaire,Dubliners:James Joyce,"
        "Germinal:Emile Zola,Buddenbrooks:Thomas Mann,Siddhartha:Hermann Hesse,Oblomov:Ivan Goncharov,"
        "Kim:Rudyard Kipling,Walden:H. D. Thoreau,Nostromo:Joseph Conrad,Rebecca:Daphne du Maurier",
        ",",
    )
)
POOLS = (
    ("capital", "What is the capital of {}?", CAPITALS),
    ("symbol", "Which chemical symbol belongs to {}?", SYMBOLS),
    ("author", "Who wrote {}?", AUTHORS),
)
RECALLS = [
    "I recall that {a} belongs to {q}.",
    "For {q} it is {a}; the others belong elsewhere.",
    "Going through the options, only {a} fits {q}.",
    "{a} is what I remember for {q}.",
    "The options look alike, but {q} goes with {a}.",
]


def option_task(rng: Random) -> Task:
    """A question with four options; `extra.options` holds them and `extra.place` where the true one stands."""
    family, form, pool = rng.choice(POOLS)
    asked = rng.choice(sorted(pool))
    others = rng.sample(sorted(set(pool.values()) - {pool[asked]}), 3)
    options = rng.sample([pool[asked], *others], 4)
    lines = "\n".join(f"{letter}. {option}" for letter, option in zip("ABCD", options, strict=True))
    prompt = f"{form.format(asked)}\n{lines}\nThink briefly, then end with `Answer: X`."
    place = options.index(pool[asked])

    def solve(rng: Random, right: bool) -> Reply:
        at = place if right else rng.choice([k for k in range(4) if k != place])
        text = rng.choice(RECALLS).format(a=options[at], q=asked)
        letter = "ABCD"[at]
        return answered(f"{text} That is option {letter}.\nAnswer: {letter}", letter)

    return Task(prompt, "ABCD"[place], family, -0.6, solve, extra={"subject": family})


OBJECTS = ["kettle", "headset", "rucksack", "desk lamp", "router", "raincoat", "blender", "keyboard", "tent", "watch"]
MOODS = {
    "positive": [
        "works better than I hoped",
        "was worth every cent",
        "arrived early and looks great",
        "I would buy again",
    ],
    "negative": ["broke after two days", "smells of plastic and leaks", "never worked properly", "is a waste of money"],
    "mixed": ["is fine, but the colour is off", "does its job though it is loud", "looks good, yet feels flimsy"],
}
TAILS = [
    "Bought it for my sister.",
    "Delivery took {} days.",
    "I have had it for {} weeks.",
    "Paid {} euros.",
    "Third one this year.",
]


def review_task(rng: Random) -> Task:
    """A review to label with one word."""
    mood = rng.choice(sorted(MOODS))
    tails = " ".join(t.format(rng.randint(2, 80)) for t in rng.sample(TAILS, 2))
    body = f"The {rng.choice(OBJECTS)} {rng.choice(MOODS[mood])}. {tails}"

    def solve(rng: Random, right: bool) -> Reply:
        label = mood if right else rng.choice([m for m in MOODS if m != mood])
        return answered(label, label)

    return Task(f"Label the review as positive, negative or mixed. One word.\n\n{body}", mood, "review", -0.4, solve)
