"""A browser in a shop of several pages: find the cheapest article that has a property, and put it into the cart."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, call, pick, say, told

SYSTEM = "You control a browser. Tools: open_page(number), add_to_cart(article). Do what the user asks, then say so."
KINDS = ("umbrella", "notebook", "bottle", "headlamp", "cushion", "charger")
TRAITS = ("waterproof", "recycled", "foldable", "red", "for children")


def problem(rng: random.Random, number: int) -> Problem:
    """Pages of articles with prices, some with the property."""
    kind, trait, pages = rng.choice(KINDS), rng.choice(TRAITS), rng.randint(2, 5)
    articles = [
        (f"{kind[:2].upper()}{rng.randint(100, 999)}", rng.randint(4, 95), rng.random() < 0.5) for _ in range(pages * 3)
    ]
    articles[0] = (articles[0][0], articles[0][1], True)
    best = min((a for a in articles if a[2]), key=lambda a: a[1])
    shop = (
        f"{rng.choice(('Brook', 'Dale', 'Fenn', 'Holt'))} & {rng.choice(('Sons', 'Co'))}, branch {rng.randint(2, 980)},"
    )
    data = {"kind": kind, "trait": trait, "pages": pages, "articles": articles}
    prompt = f"The list of {kind}s at {shop} has {pages} pages. Put the cheapest {kind} that is {trait} into the cart."
    return Problem(f"shop-{number}", f"pages_{pages}", SYSTEM, prompt, best[0], data)


def page(rng: random.Random, problem: Problem, number: int) -> list[dict]:
    """One page of the list is opened."""
    d = problem.data
    lines = [
        f"{a} {d['kind']}, {p} euros" + (f", {d['trait']}" if has else "")
        for a, p, has in d["articles"][number * 3 - 3 : number * 3]
    ]
    text = pick(
        rng,
        f"I open page {number} of {d['pages']}.",
        f"On to page {number}, looking for '{d['trait']}'.",
        f"Page {number} next.",
    )
    return [call(text, "open_page", number=number), told("open_page", "\n".join(lines))]


def cheapest(problem: Problem, pages: int) -> tuple[str, int]:
    """The best article of the first pages."""
    found = [a for a in problem.data["articles"][: pages * 3] if a[2]]
    article, price, _ = min(found, key=lambda a: a[1])
    return article, price


def buy(rng: random.Random, problem: Problem, article: str, price: int) -> list[dict]:
    """The article goes into the cart."""
    d = problem.data
    why = pick(
        rng,
        f"{article} at {price} euros is the best of what I saw.",
        f"Nothing {d['trait']} was below {price} euros, so {article}.",
    )
    done = pick(
        rng,
        f"{article} is in your cart for {price} euros.",
        f"I put the {d['kind']} {article} ({price} euros) into the cart.",
    )
    return [call(why, "add_to_cart", article=article), told("add_to_cart", f"cart: 1 x {article}"), say(done)]


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """A wrong attempt reads the first page only, or takes an article without the property."""
    d = problem.data
    seen = d["pages"] if right else 1
    article, price = cheapest(problem, seen)
    if not right and article == problem.gold:
        article, price, _ = rng.choice([a for a in d["articles"] if a[0] != problem.gold])
        seen = d["pages"]
    messages = [m for number in range(1, seen + 1) for m in page(rng, problem, number)]
    return messages + buy(rng, problem, article, price), article
