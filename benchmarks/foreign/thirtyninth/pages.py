"""Questions for the web, and a robot on a floor: episodes with tools of other kinds."""

import random

from benchmarks.foreign.thirtyninth.policy import Problem, call, say, tool

NAMES = (
    "Havelmoor",
    "Brintz",
    "Olmeda",
    "Sankt Ruhn",
    "Kirkvale",
    "Pontevasso",
    "Ostrava Dol",
    "Lindqvara",
    "Mortagne-le-Val",
)
SORTS = ("ferry museum", "clock tower", "botanical garden", "tram depot", "puppet theatre", "salt works", "observatory")
ASPECTS = (
    ("opened", "In which year did the {thing} open?", "The {thing} opened in {x} after four years of work."),
    ("steps", "How many steps lead up to the {thing}?", "Visitors reach the {thing} over {x} steps."),
    ("visitors", "How many visitors did the {thing} have in its first month?", "In its first month {x} visitors came."),
)
ASKS = (
    "I search for the {thing} by name.",
    "A first search should lead to a page about the {thing}.",
    "Let me look the {thing} up.",
    "I do not know the {thing}, so I search.",
)


OPENS = (
    "The first hit looks right.",
    "I open the page of the {thing}.",
    "The second hit is too general, so the first one.",
    "Let me read what the first page says.",
    "One hit names the {thing}; I open it.",
)
CLOSES = (
    "The page of the {thing} gives it.",
    "The number asked for is {x}; the distance to the coast is something else.",
    "According to the page on the {thing} it is {x}.",
    "I read {x} there, and nothing speaks against it.",
    "That settles it for the {thing}.",
)
QUERIES = ("{thing} {aspect}", "{thing}", "{aspect} of the {thing}", "{thing} facts {aspect}", "about the {thing}")


def lookup(rng: random.Random, number: int) -> Problem:
    """A fact of one page about an invented sight."""
    aspect, asks, line = ASPECTS[number % len(ASPECTS)]
    thing = f"{NAMES[number % len(NAMES)]} {SORTS[(number // len(NAMES)) % len(SORTS)]}"
    x = rng.randint(1860, 1998) if aspect == "opened" else rng.randint(120, 9000)
    return Problem(
        f"web-{number}",
        aspect,
        asks.format(thing=thing) + " Answer with the number.",
        str(x),
        rng.gauss(0, 0.8),
        parts={
            "thing": thing,
            "x": x,
            "line": line.format(thing=thing, x=x),
            "aspect": aspect,
            "away": rng.randint(3, 90),
        },
    )


def page(problem: Problem) -> str:
    """Text of the page with the fact, and with another number."""
    thing, other = problem.parts["thing"], problem.parts["away"]
    return (
        f"{thing[0].upper() + thing[1:]}: a sight {other} km from the coast. {problem.parts['line']} "
        f"The restoration was paid by the county."
    )


def address(problem: Problem) -> str:
    """Address of the page."""
    return "https://sights.example/" + problem.parts["thing"].lower().replace(" ", "-")


def browse(draw: random.Random, problem: Problem, right: bool) -> list[dict]:
    """Search, open, answer; a wrong attempt takes another number."""
    thing = problem.parts["thing"]
    shown = page(problem)
    given = problem.gold if right else str(int(problem.gold) + draw.choice((-20, -4, 3, 12, 100)))
    return [
        call(
            draw.choice(ASKS).format(thing=thing),
            "web_search",
            query=draw.choice(QUERIES).format(thing=thing, aspect=problem.parts["aspect"]),
        ),
        tool("web_search", f"1. {thing} - sights\n   {address(problem)}\n2. Things to do near {thing.split()[0]}"),
        call(draw.choice(OPENS).format(thing=thing), "open_page", url=address(problem)),
        tool("open_page", shown),
        say(draw.choice(CLOSES).format(thing=thing, x=given) + f"\nAnswer: {given}"),
    ]


def errand(rng: random.Random, number: int) -> Problem:
    """A robot has to fetch a thing at a place of the floor."""
    x, y = rng.randint(-6, 6) or 2, rng.randint(-6, 6) or -3
    thing = rng.choice(("mug", "screwdriver", "parcel", "bottle", "folder", "sponge"))
    floor = number
    return Problem(
        f"fetch-{floor}",
        thing,
        f"Floor plan {floor}. You stand at (0, 0). A {thing} lies at ({x}, {y}). Go there with move and pick it up "
        "with grasp.",
        f"({x}, {y})",
        rng.gauss(0, 0.8),
        parts={"x": x, "y": y, "thing": thing},
    )


def drive(draw: random.Random, problem: Problem, right: bool) -> list[dict]:
    """Moves along both axes, in either order, and a grasp; wrong attempts end beside the thing."""
    goals = {"east": problem.parts["x"], "north": problem.parts["y"]}
    axes = draw.sample(list(goals), 2)
    missed = None if right else draw.choice(axes)
    place, turns = {"east": 0, "north": 0}, []
    for axis in axes:
        way = goals[axis] + (draw.choice((-2, -1, 1, 2)) if axis == missed else 0)
        place[axis] = way
        ahead = {"east": ("west", "east"), "north": ("south", "north")}[axis][way > 0]
        turns += [
            call(
                draw.choice((f"I go {ahead} first of all.", f"Now {abs(way)} cells {ahead}.", f"{ahead.title()}ward.")),
                "move",
                direction=ahead,
                cells=abs(way),
            ),
            tool("move", f"pose: ({place['east']}, {place['north']})"),
        ]
    thing = problem.parts["thing"]
    turns.append(
        call(draw.choice((f"The {thing} should be here.", f"Gripper down for the {thing}.")), "grasp", object=thing)
    )
    turns.append(tool("grasp", f"gripper closed, holding {thing}" if right else "gripper closed, holding nothing"))
    turns.append(
        say(draw.choice((f"I tried to pick up the {thing}.", "The errand is done.", f"Finished with the {thing}.")))
    )
    return turns
