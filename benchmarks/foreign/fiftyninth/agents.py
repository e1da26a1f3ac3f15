"""Tasks with tools: function calling at a parcel service, and browsing for a fact."""

import random
from typing import Any

from benchmarks.foreign.fiftyninth.shots import Task, Turns

CITIES = ("Porto", "Graz", "Lyon", "Turku", "Gdansk", "Bergen", "Cork", "Trieste", "Malmo", "Ghent", "Split", "Kaunas")
CARRIERS = ("Nordpost", "Kurier7", "Velo Cargo", "Blue Van")


def call(name: str, words: str = "", **arguments: Any) -> dict[str, Any]:
    """A message with one call."""
    return {"role": "assistant", "content": words, "tool_calls": [{"name": name, "arguments": arguments}]}


def result(name: str, content: str, ok: bool = True) -> dict[str, Any]:
    """What a tool answers."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def say(words: str) -> dict[str, Any]:
    """A message without a call."""
    return {"role": "assistant", "content": words}


def parcel(rng: random.Random, number: int) -> Task:
    """Which of a customer's parcels costs least to send again, from the answers of two tools."""
    customer = f"C{rng.randint(1000, 9999)}"
    ids = [f"P{value}" for value in rng.sample(range(100, 999), rng.randint(3, 5))]
    rows = [(name, rng.choice(CITIES), rng.randint(2, 30)) for name in ids]
    prices = rng.sample(range(5, 60), len(ids))
    best, other = ids[prices.index(min(prices))], ids[prices.index(sorted(prices)[1])]
    listing = "; ".join(f"{name} to {city}, {kilos} kg" for name, city, kilos in rows)
    quotes = "; ".join(
        f"{name}: {price}.00 EUR with {rng.choice(CARRIERS)}" for name, price in zip(ids, prices, strict=True)
    )

    def solve(draw: random.Random, right: bool) -> tuple[str | Turns, str]:
        pick = best if right else other
        turns = [
            call(
                "list_parcels",
                draw.choice(("First the parcels of the customer.", "I look them up.", "")),
                customer=customer,
            ),
            result("list_parcels", f"{len(ids)} parcels of {customer}: {listing}."),
            call("quote", draw.choice(("Now their prices.", "A quote for each.", "")), parcels=ids),
            result("quote", f"Quotes: {quotes}."),
            say(
                f"{draw.choice(('Comparing the quotes,', 'Of these,', 'By price,'))} the cheapest one "
                f"to send again is {pick}, to "
                f"{ {name: city for name, city, _ in rows}[pick] }."
            ),
        ]
        return turns, pick

    return Task(
        f"parcel-{number:04d}",
        f"Customer {customer} wants one parcel sent again. Which of theirs is the cheapest to "
        "send? Use the tools and name the parcel.",
        best,
        0.25 + 0.1 * len(ids) + rng.uniform(-0.1, 0.1),
        "parcels",
        solve,
        "You are an assistant of a parcel service with the tools list_parcels and quote.",
    )


PLACES = ("lighthouse", "bridge", "library", "observatory", "windmill", "funicular", "tram depot", "botanical garden")
ENDINGS = (
    "According to the page on the {place} by {who}, the answer is {said}.",
    "The {place} of {city} opened in {said}.",
    "{who}'s {place} opened in {said}, as the page says.",
    "The page gives the year {said} for the {place}.",
)
PEOPLE = (
    "M. Sorensen",
    "A. Kowalczyk",
    "J. Verhoeven",
    "T. Lindqvist",
    "P. Almeida",
    "R. Hofer",
    "S. Byrne",
    "L. Novak",
)


def fact(rng: random.Random, number: int) -> Task:
    """When something was finished, by a search and a page."""
    place, city, year = rng.choice(PLACES), rng.choice(CITIES), rng.randint(1820, 1985)
    begun, who = year - rng.randint(2, 9), rng.choice(PEOPLE)
    visitors = rng.randint(3, 90)
    url = f"https://{city.lower()}-heritage.example/{place.replace(' ', '-')}"
    page = (
        f"The {place} of {city} was designed by {who}. Work began in {begun} and the building opened in {year}. "
        f"Today about "
        f"{visitors},000 people a year come to see it, most of them in summer."
    )

    def solve(draw: random.Random, right: bool) -> tuple[str | Turns, str]:
        said = year if right else begun
        asked = draw.choice(
            (f"{city} {place} opening year", f"when did the {place} in {city} open", f"{place} {city} history")
        )
        turns = [
            call("search", draw.choice(("I search for it.", "Let me find a page.", "")), query=asked),
            result(
                "search",
                f"1. {url} - The {place} of {city}: history and visits\n2. https://maps.example/{city.lower()}",
            ),
            call("open_page", draw.choice(("The first one looks right.", "")), url=url),
            result("open_page", page),
            say(draw.choice(ENDINGS).format(place=place, who=who, city=city, said=said)),
        ]
        return turns, str(said)

    return Task(
        f"fact-{number:04d}",
        f"In which year did the {place} of {city} that {who} designed open? Search, then answer with the year.",
        str(year),
        0.4 + rng.uniform(-0.2, 0.2),
        place,
        solve,
        "You can use the tools search(query) and open_page(url).",
    )
