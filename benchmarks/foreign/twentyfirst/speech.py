"""Essays, consultations and short facts: what is said, better or worse, longer or shorter."""

from random import Random

from benchmarks.foreign.twentyfirst.messages import say
from benchmarks.foreign.twentyfirst.rollouts import Now, Reply, Task

TOPICS = (
    ("the Congress of Vienna", "Metternich", "the balance of power", 1815),
    ("the Meiji Restoration", "the Satsuma leaders", "central taxation", 1868),
    ("the Hanseatic League", "Lübeck's merchants", "toll privileges", 1356),
    ("the abolition of the Corn Laws", "Peel", "the price of bread", 1846),
    ("the Treaty of Tordesillas", "the two crowns", "Atlantic routes", 1494),
    ("the Gracchan land reform", "Tiberius Gracchus", "public land", 133),
    ("the Taiping rebellion", "Hong Xiuquan", "rural poverty", 1850),
    ("the Dutch revolt", "William of Orange", "the tenth penny tax", 1568),
    ("the Zollverein", "Prussia's ministers", "internal tariffs", 1834),
    ("the Tanzimat reforms", "the Sublime Porte", "legal equality", 1839),
)
FRAMES = (
    "How far was {0} a response to {2}?",
    "Assess the role of {1} in {0}.",
    "Why did {0} matter beyond {3}?",
    "'{0} changed less than it promised.' Discuss.",
    "Compare the short-term and long-term effects of {0}.",
)
GOOD = (
    "The case rests on {2}, which contemporaries named again and again.",
    "Yet {1} had little room: the treasury and the provinces set the limits.",
    "A counter-argument is that events of {3} only sped up what was under way.",
    "Local archives qualify this picture, since the effects differed by region.",
    "What decided the matter was who would pay, and {2} settled that.",
    "One should weigh motive against result; {1} intended one thing and got another.",
    "Seen from below, {0} meant new duties before it meant new rights.",
)
WEAK = (
    "{0} was very important in history.",
    "Many people were affected and many things changed.",
    "{1} did a lot and it was big.",
    "In {3} a lot happened, as everybody knows.",
    "There were good sides and bad sides.",
)
AILMENTS = (
    ("a dull headache every afternoon", "screen breaks and water", "sudden onset or fever"),
    ("a sore knee after running", "a week of lower load", "swelling or locking"),
    ("heartburn at night", "earlier and smaller dinners", "weight loss or black stools"),
    ("a dry cough", "warm fluids and patience", "breathlessness or blood"),
    ("an itchy rash on the forearm", "a bland emollient", "spreading or blisters"),
    ("trouble falling asleep", "a fixed rising time", "low mood lasting weeks"),
    ("low back pain from gardening", "gentle walking", "numbness or weak legs"),
    ("dizziness on standing up", "rising slowly, drinking more", "fainting or palpitations"),
)
BALM = (
    "I completely understand how worrying this must feel, and you are so right to ask.",
    "Your attention to your own body is truly admirable.",
    "Please know that you are not alone on this journey.",
    "It is wonderful that you reached out; that alone is a big step.",
    "Let us look at this together, gently and without haste.",
    "Every body is unique, and yours deserves care, warmth and time.",
    "Remember to be kind to yourself; you are doing an amazing job.",
    "I am here for you, and together we will find the calm that you deserve.",
)


def essay(rng: Random, number: int) -> Task:
    """A question of history."""
    topic = rng.choice(TOPICS)
    words = rng.randint(8, 24) * 10
    ask = rng.choice(FRAMES).format(*topic)
    prompt = f"{ask[0].upper()}{ask[1:]} Write about {words} words for a class of age {rng.randint(14, 18)}."
    return Task(f"es{number:04d}", prompt, "", None, 0.0, "history", data={"topic": topic})


def write(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """An essay; the right one argues."""
    topic = task.data["topic"]
    good, weak = (rng.randint(4, 6), rng.randint(0, 1)) if right else (rng.randint(1, 2), rng.randint(2, 4))
    lines = rng.sample(GOOD, good) + rng.sample(WEAK, weak)
    rng.shuffle(lines)
    told = [line.format(*topic) for line in lines]
    return Reply([say(" ".join(line[0].upper() + line[1:] for line in told))], "")


def ailment(rng: Random, number: int) -> Task:
    """A patient's question."""
    trouble, advice, alarm = rng.choice(AILMENTS)
    age, days = rng.randint(19, 78), rng.randint(3, 40)
    prompt = f"I am {age} and have had {trouble} for {days} days. What should I do?"
    return Task(f"pt{number:04d}", prompt, "", None, 0.0, "advice", data={"advice": advice, "alarm": alarm})


def advise(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Advice; the right one names what helps and when to see a doctor; with time there is more balm."""
    advice, alarm = task.data["advice"], task.data["alarm"]
    useful = [f"Try {advice} for a week.", f"See a doctor soon if there is {alarm}.", f"What often helps is {advice}."]
    lines = rng.sample(useful[1:], 2) if right else [rng.choice((useful[0], "It usually passes by itself."))]
    much = int(rng.uniform(0, 2) + 9 * max(0.0, now.share - 0.25) * rng.uniform(0.7, 1.3))
    balm = rng.sample(BALM, min(len(BALM), much))
    lines = balm[: len(balm) // 2] + lines + balm[len(balm) // 2 :]
    return Reply([say(" ".join(lines))], "")
