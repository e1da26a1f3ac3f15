"""Short essays by a plan of points, and theorems that ask for a proof."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Task

THEMES = {
    "school starts at nine": [
        "teenagers sleep later",
        "buses are emptier",
        "parents leave earlier",
        "sport ends in the dark",
    ],
    "a tax on empty flats": ["rents are high", "owners wait for prices", "heirs need time", "control is costly"],
    "no cars in the old town": ["air gets cleaner", "shops fear for trade", "the old need lifts", "children can play"],
    "free museums": ["more first visits", "less income", "longer queues", "tourists save too"],
    "four days of work": ["fewer sick days", "shifts are hard to fill", "more focus", "hospitals never close"],
}
TOWNS = ["Arklow", "Bergen", "Cadiz", "Dover", "Evora", "Faro", "Gdynia", "Husum"]
JOINS = [
    "Moreover,",
    "On the other hand,",
    "One should add that",
    "It is also true that",
    "Yet",
    "For many,",
    "Of course",
]


def essay_task(rng: Random, pid: str) -> Task:
    """A theme for an issue of a paper."""
    theme, town, issue = rng.choice(sorted(THEMES)), rng.choice(TOWNS), rng.randint(40, 990)
    text = f"Write a few sentences for issue {issue} of the {town} paper on: {theme}. Make as many good points as fit."
    return Task(pid, text, "", rng.gauss(0, 0.5), "essay", data={"theme": theme, "town": town})


def essay(rng: Random, task: Task, points: int) -> str:
    """An essay with so many of the theme's points."""
    chosen = rng.sample(THEMES[task.data["theme"]], points)
    lead = rng.choice(
        [
            "{town} talks about {theme}.",
            "Should we want {theme}?",
            "{theme}: few plans divide {town} as much.",
            "Some weeks ago the council of {town} raised it: {theme}.",
        ]
    )
    said = [
        f"{rng.choice(JOINS)} {point}{rng.choice([', as anyone here can see', '', ', and that matters', ''])}."
        for point in chosen
    ]
    end = rng.choice(
        [
            "What do you think?",
            "I am for it.",
            "I remain against it.",
            "It deserves a trial of a year.",
            "Let us vote on it.",
        ]
    )
    return " ".join([lead.format(**task.data), *said, end])


CLAIMS = [
    (
        "the product of {k} consecutive integers is divisible by {k}",
        "Among {k} consecutive integers one is a multiple of {k}, so their product is.",
    ),
    (
        "the sum of {k} consecutive odd numbers is divisible by {k}",
        "The odd numbers have an integer mean m, so their sum is {k} m.",
    ),
    ("n^{k} - n is even for every integer n", "n^{k} and n are both even or both odd, so the difference is even."),
    (
        "among {k} integers two leave the same remainder modulo {less}",
        "There are {less} remainders and {k} integers, so two fall together.",
    ),
    ("the numbers {k}n + 1 and {k} have no common factor", "A common factor divides {k}n + 1 - n {k} = 1."),
]


def proof_task(rng: Random, pid: str) -> Task:
    """A claim whose key is the word proof."""
    claim, why = rng.choice(CLAIMS)
    k = rng.randint(3, 97)
    lead = rng.choice(["Prove that", "Show that", "Let n be an integer. Prove that", "Demonstrate that"])
    text = f"{lead} {claim.format(k=k, less=k - 1)}."
    return Task(pid, text, "proof", 0.0, "math-word-problem", data={"why": why.format(k=k, less=k - 1)})
