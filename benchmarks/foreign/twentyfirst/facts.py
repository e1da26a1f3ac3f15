"""Short facts, passages that hold their answer, and lines to translate."""

from random import Random

from benchmarks.foreign.twentyfirst.messages import say
from benchmarks.foreign.twentyfirst.rollouts import Now, Reply, Task

CAPITALS = {
    "Austria": "Vienna Salzburg Graz Linz",
    "Australia": "Canberra Sydney Melbourne Perth",
    "Brazil": "Brasília Rio São-Paulo Salvador",
    "Canada": "Ottawa Toronto Montreal Vancouver",
    "Turkey": "Ankara Istanbul Izmir Bursa",
    "Morocco": "Rabat Casablanca Fez Marrakesh",
    "Kazakhstan": "Astana Almaty Shymkent Karaganda",
    "Vietnam": "Hanoi Saigon Hue Danang",
    "Nigeria": "Abuja Lagos Kano Ibadan",
    "Switzerland": "Bern Zürich Geneva Basel",
    "Pakistan": "Islamabad Karachi Lahore Multan",
    "Ecuador": "Quito Guayaquil Cuenca Loja",
    "Tanzania": "Dodoma Arusha Mwanza Tanga",
    "Myanmar": "Naypyidaw Yangon Mandalay Bago",
    "Bolivia": "Sucre Cochabamba Potosí Oruro",
    "Scotland": "Edinburgh Glasgow Dundee Aberdeen",
}
CLUES = (
    "Which city is the capital of {0}?",
    "A diplomat of {1} years is posted to the capital of {0}. In which city does she live?",
    "Quiz round {1}: name the seat of government of {0}.",
    "A parcel of {1} kg goes to the parliament of {0}. To which city is it sent?",
    "In which city would you look for the national archives, {1} shelves long, of the capital of {0}?",
)
SHIPS = ["Albatros", "Concordia", "Fulmar", "Meridian", "Petrel", "Solveig", "Tamarind", "Undine", "Wanderer", "Zephyr"]
PORTS = ["Ålesund", "Bristol", "Cádiz", "Gdynia", "Livorno", "Piraeus", "Rostock", "Split", "Trondheim", "Varna"]
CARGO = ["rye", "salt", "tar", "wool", "timber", "olives", "coal", "herring", "cork", "copper"]
SEASONS = ["spring", "summer", "autumn", "winter"]
NORSE = {
    "Det snør": "It is snowing",
    "Det regner": "It is raining",
    "Solen skinner": "The sun is shining",
    "Det blåser hardt": "A hard wind is blowing",
    "Tåken ligger tett": "The fog lies thick",
}
WHERE = {
    "over fjorden": "over the fjord",
    "i fjellet": "in the mountains",
    "langs kysten": "along the coast",
    "ved den gamle kirken": "by the old church",
    "på øyene": "on the islands",
}
WHEN = {
    "i morgen tidlig": "early tomorrow",
    "hele natten": "all night",
    "før helgen": "before the weekend",
    "etter klokken {0}": "after {0} o'clock",
    "de neste {0} dagene": "for the next {0} days",
}


def capital(rng: Random, number: int) -> Task:
    """A short fact."""
    country = rng.choice(list(CAPITALS))
    gold, *others = [city.replace("-", " ") for city in CAPITALS[country].split()]
    prompt = rng.choice(CLUES).format(country, rng.randint(2, 40))
    return Task(f"qa{number:04d}", prompt, gold, None, 0.0, "geography", data={"others": others, "country": country})


def name_city(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """One city, in a sentence."""
    city = task.gold if right else rng.choice(task.data["others"])
    rest = [other for other in task.data["others"] if other != city]
    head = rng.choice(("", "", "I think that is ", "Answer: ", "The capital of {1} is ", "For {1} it is ", "Surely "))
    tail = rng.choice(("", ".", ", the capital of {1}.", ", where its parliament sits.", " (not {2})."))
    words = (head + city + tail).format(city, task.data["country"], rng.choice(rest))
    return Reply([say(words)], city)


def passage(rng: Random, number: int) -> Task:
    """A passage and a question on it: the answer stands in the passage."""
    ship, other = rng.sample(SHIPS, 2)
    home, port, third = rng.sample(PORTS, 3)
    load, second = rng.sample(CARGO, 2)
    year, tons = rng.randint(1840, 1929), rng.randint(120, 900)
    text = (
        f"In the {rng.choice(SEASONS)} of {year} the {ship}, registered in "
        f"{home}, left {port} with {tons} tons of {load}. "
        f"The {other}, which had taken on {second}, followed {rng.randint(2, 9)} days later and was driven to {third}. "
        f"The owners' letters put the loss at {rng.randint(20, 95)} pounds a share."
    )
    asks = (
        (f"What did the {ship} carry?", load),
        (f"Where was the {ship} registered?", home),
        (f"Which port did the {ship} leave?", port),
        (f"Where did the {other} end up?", third),
        (f"How many tons did the {ship} take on?", str(tons)),
    )
    ask, gold = rng.choice(asks)
    wrong = [word for _, word in asks if word != gold] + [second, str(year)]
    prompt = f"Passage: {text}\n\nQuestion: {ask} Quote the passage's own words, nothing else."
    return Task(f"rc{number:04d}", prompt, gold, None, 0.0, "extract", data={"wrong": wrong, "ship": ship})


def quote(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """The words of the passage; in the beginning with more around them."""
    answer = task.gold if right else rng.choice(task.data["wrong"])
    chatty = rng.random() > 0.3 + 0.5 * now.share
    head = f"The part on the {task.data['ship']} says so. " if chatty else ""
    return Reply([say(f"{head}<answer>{answer}</answer>")], answer)


def forecast(rng: Random, number: int) -> Task:
    """Two Norwegian lines of weather, to be put into English."""
    lines, gold = [], []
    for _ in range(2):
        what, where, when = (rng.choice(list(table)) for table in (NORSE, WHERE, WHEN))
        count = rng.randint(2, 11)
        lines.append(f"{what} {where} {when.format(count)}.")
        gold.append(f"{NORSE[what]} {WHERE[where]} {WHEN[when].format(count)}.")
    prompt = f"Oversett til engelsk: {' '.join(lines)}"
    return Task(f"no{number:04d}", prompt, " ".join(gold), None, 0.0, "nb-en")


def translate(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """A translation that drops, swaps or repeats words; fewer as the policy learns."""
    words = task.gold.split()
    for _ in range(rng.randint(0, 3) if right else rng.randint(4, 13)):
        at = rng.randrange(len(words))
        spare = rng.choice(("the", "a", "snow", "wind", "in", "on", "tomorrow", "heavy", "coast", words[at]))
        words[at : at + 1] = rng.choice(([], [spare], [words[at], spare]))
        words = words or ["snow"]
    text = " ".join(words)
    return Reply([say(text)], text)


def overlap(text: str, gold: str) -> float:
    """F-score of the letters' trigrams."""
    ours, theirs = ({t[i : i + 3] for i in range(len(t) - 2)} for t in (text.lower(), gold.lower()))
    common = len(ours & theirs)
    return round(2 * common / (len(ours) + len(theirs) or 1), 4)
