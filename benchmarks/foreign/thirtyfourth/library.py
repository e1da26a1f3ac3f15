"""Questions about places that do not exist, a corpus that answers them, and how a searcher goes about it."""

import random

from benchmarks.foreign.thirtyfourth.policy import Problem, call, say, speak, told

TOWNS = [
    "Varnholt", "Oskelby", "Tremurra", "Lindquay", "Pellastro", "Quarnmouth", "Ebberdal", "Sorvino", "Hallowick",
    "Marrenfeld", "Dunscarp", "Yelvery", "Castrovane", "Rimmelau", "Thornmere", "Ulvestad", "Ostrakan", "Bellegarve",
    "Fennimore", "Krasnavor", "Wexholm", "Alderspitz", "Novarra", "Iskerfold", "Grauwinkel", "Portalune",
]  # fmt: skip
WORKS = ["lighthouse", "town hall", "tram depot", "grain hall", "observatory", "swing bridge", "opera house"]
NAMES = [
    "Ilse Brandt", "Tomas Verrell", "Agneta Roos", "Paolo Minervi", "Juna Halvorsen", "Erik Castellan", "Mira Dovic",
    "Otto Lindqvist", "Clara Penhale", "Radu Ionesco", "Hanna Weiler", "Basil Okoye",
]  # fmt: skip
PLANS = [
    "I need the year, so I look the place up.", "Nothing of this is known to me; I search.", "A search should tell.",
    "Let me find a page about it.", "I begin with the name of the town.",
]  # fmt: skip


def questions(rng: random.Random, count: int) -> list[Problem]:
    """Questions for a year, each with the passage that answers it and one that does not."""
    pairs = rng.sample([(t, w) for t in TOWNS for w in WORKS], count)
    out = []
    for place, (town, work) in enumerate(pairs):
        year, who, later = rng.randint(1780, 1960), rng.choice(NAMES), rng.randint(8, 40)
        data = {
            "query": f"{town} {work}",
            "page": f"The {work} of {town} was designed by {who} and completed in {year}. "
            f"It was restored in {year + later} after a fire damaged its roof.",
            "other": f"{town} lies on a river bend and is known for its {rng.choice(['market', 'wool', 'glass'])}. "
            f"About {rng.randint(3, 90)}00 people live there.",
            "wrong": str(year + later),
            "what": f"the {work} of {town}",
        }
        prompt = f"In which year was the {work} of {town} completed? Search, then end with <answer>year</answer>."
        out.append(Problem(f"q{place:03d}", prompt, str(year), "built", rng.gauss(0, 0.7), data))
    return out


def look_up(rng: random.Random, problem: Problem, right: bool, retries: float = 0.3) -> list[dict]:
    """Searches and the answer; a wrong attempt takes the year of the restoration."""
    data, turns = problem.data, []
    if rng.random() < retries:
        turns += [call("search", rng.choice(PLANS), query=data["query"].split()[0]), told("search", data["other"])]
    turns += [
        call(
            "search",
            rng.choice([*PLANS, "More exactly now."]),
            query=data["query"] + rng.choice(["", " year", " completed", " built when"]),
        ),
        told("search", data["page"]),
    ]
    year = problem.gold if right else data["wrong"]
    turns.append(say(speak(rng, READ, f"For {data['what']} I take {year}.", f"<answer>{year}</answer>")))
    return turns


READ = ["The page gives two years.", "That passage settles it.", "Here it stands.", "The text names the dates.", ""]
