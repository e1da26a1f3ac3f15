"""Research over a small made-up web: a question in two hops."""

from random import Random
from typing import Any

from benchmarks.foreign.seventh.prose import LAST, TOWNS, person, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, call, said, told

_THINGS = (
    "observatory",
    "lighthouse",
    "opera house",
    "botanical garden",
    "paper mill",
    "tram line",
    "suspension bridge",
    "polar museum",
    "concert hall",
    "fish market",
)
_NOTES = (
    "It was restored after the [flood|fire|war] of {y}.",
    "Admission is [free on Sundays|reduced for students].",
    "The [archive|library] holds {n} [letters|drawings|photographs].",
    "About {n} [people|visitors] come each [season|year].",
    "A [plaque|bust] at the entrance was [unveiled|added] in {y}.",
    "The [roof|façade] is made of [slate|copper|larch|granite].",
)


def note(rng: Random) -> str:
    """Draw a sentence beside the point."""
    return say(rng, rng.choice(_NOTES)).format(y=rng.randint(1900, 2010), n=rng.randint(120, 9000))


def world(rng: Random) -> dict[str, Any]:
    """Draw a building, its architect and facts of both."""
    thing, town, who = rng.choice(_THINGS), rng.choice(TOWNS), person(rng)
    opened = rng.randint(1840, 1960)
    born = opened - rng.randint(26, 60)
    home = rng.choice([t for t in TOWNS if t != town])
    rival = person(rng)
    return {
        "thing": thing,
        "town": town,
        "who": who,
        "opened": opened,
        "born": born,
        "home": home,
        "rival": rival,
        "school": f"{rng.choice(LAST)} Academy",
        "notes": [note(rng) for _ in range(4)],
        "number": rng.randint(100, 999),
    }


def hits(w: dict[str, Any], about: str) -> str:
    """Return search results for the building or its architect."""
    slug = w["town"].lower().replace(" ", "-")
    if about == "building":
        rows = [
            f"{w['town']} {w['thing']} - history | https://{slug}.example/{w['thing'].replace(' ', '-')}",
            f"Ten sights of {w['town']} | https://travel.example/{slug}",
            f"{w['rival']} on architecture | https://blog.example/{w['number']}",
        ]
    else:
        path = w["who"].lower().replace(" ", "_")
        rows = [
            f"{w['who']}, architect | https://lexicon.example/{path}",
            f"List of architects of the region | https://lexicon.example/list{w['number'] % 40}",
            f"Estate of {w['who']} | https://archive.example/{path}",
        ]
    return "\n".join(f"{i}. {row}" for i, row in enumerate(rows, 1))


def building_page(w: dict[str, Any]) -> str:
    """Return the page of the building."""
    lines = [
        w["notes"][0],
        f"The {w['thing']} of {w['town']} was designed by {w['who']} and opened in {w['opened']}.",
        w["notes"][1],
        f"A rival design by {w['rival']} was rejected.",
    ]
    return " ".join(lines)


def life_page(w: dict[str, Any]) -> str:
    """Return the page of the architect."""
    return (
        f"{w['who']} was born in {w['home']} in {w['born']} and trained at the {w['school']}. "
        f"{w['notes'][2]} {w['notes'][3]}"
    )


_ASKS = {
    "home": "In which town was the architect of the {thing} of {town} born?",
    "born": "In what year was the designer of the {thing} in {town} born?",
    "school": "Where was the architect of {town}'s {thing} trained?",
}


def mistaken(rng: Random, w: dict[str, Any], key: str) -> str:
    """Draw a wrong answer."""
    if key == "born":
        return str(rng.choice((w["opened"], w["born"] + rng.choice((-10, -3, 2, 5, 11)))))
    if key == "home":
        return rng.choice([t for t in TOWNS if t != w["home"]])
    return f"{rng.choice([name for name in LAST if name not in w['school']])} Academy"


def researched(rng: Random, w: dict[str, Any], key: str, right: bool) -> Reply:
    """Return a reply of two searches and two pages, or of fewer where it goes wrong."""
    asked = say(
        rng,
        f"[{w['thing']} {w['town']} architect|who designed the {w['thing']} of {w['town']}"
        f"|{w['town']} {w['thing']} history]",
    )
    slug = f"https://{w['town'].lower().replace(' ', '-')}.example/{w['thing'].replace(' ', '-')}"
    messages = [
        call(say(rng, "[I'll find the architect first.|First: who built it?|Searching.|]"), "search", query=asked),
        told("search", hits(w, "building")),
    ]
    messages += [call("", "open", url=slug), told("open", building_page(w))]
    answer = str(w[key]) if right else mistaken(rng, w, key)
    if right or rng.random() < 0.5:
        again = say(rng, f"[{w['who']} biography|{w['who']} architect born|{w['who']}]")
        messages += [
            call(say(rng, f"[The designer is {w['who']}.|So it is {w['who']}; now the life.|]"), "search", query=again),
            told("search", hits(w, "life")),
        ]
        if right:
            url = f"https://lexicon.example/{w['who'].lower().replace(' ', '_')}"
            messages += [call("", "open", url=url), told("open", life_page(w))]
    messages.append(
        said(say(rng, f"[According to the pages I read, the answer is|Answer:|The answer is|I conclude:] {answer}[.|]"))
    )
    return Reply(messages, answer)


def research_task(rng: Random, name: str) -> Task:
    """Draw a question with a short answer."""
    w, key = world(rng), rng.choice(list(_ASKS))
    system = "You can call search(query) and open(url). End with a short answer."
    return Task(
        name,
        key,
        "research",
        _ASKS[key].format(**w),
        str(w[key]),
        lambda r, ok: researched(r, w, key, ok),
        system,
        rng.gauss(0, 0.8),
        identity=w["thing"] + w["town"],
    )
