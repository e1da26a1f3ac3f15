"""Haggling with a seller over several turns; a bad deal costs, no deal costs a little."""

from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

GOODS = ["a brass telescope", "a used kayak", "a mantel clock", "an accordion", "a walnut desk", "a crate of records"]
OFFERS = ("Would you take {}?", "I can pay {}.", "{} and I carry it away today.", "My offer is {}.", "How about {}?")
REFUSALS = ("Too little. {} is fair.", "I cannot go below {}.", "Others pay more. Say {}.", "For you {}.", "No. {}.")


def bargain_task(rng: Random, number: int) -> Task:
    """A purchase with a private limit; the fact `price` is None without a deal."""
    limit = rng.randint(60, 400)
    floor = round(limit * rng.uniform(0.78, 1.12))
    thing = rng.choice(GOODS)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        asked = round(floor * rng.uniform(1.35, 1.7))
        offer = round(floor * rng.uniform(0.55, 0.75) if right else floor * rng.uniform(0.75, 0.95))
        messages: list[dict] = []
        for _ in range(rng.randint(3, 5) if right else rng.randint(1, 3)):
            messages.append(says(rng.choice(OFFERS).format(offer)))
            asked = max(
                floor, round(asked - (asked - offer) * (rng.uniform(0.4, 0.65) if right else rng.uniform(0.2, 0.4)))
            )
            messages.append({"role": "user", "content": rng.choice(REFUSALS).format(asked)})
            offer = min(asked, round(offer + (asked - offer) * (0.25 if right else 0.6)))
        leaves = asked > limit and (right or rng.random() < 0.15)
        if leaves:
            messages.append(says(rng.choice(("Then I leave it. Thank you.", "That is above what I have. Goodbye."))))
            return Reply(messages, "no deal", {"price": None, "limit": limit, "floor": floor})
        messages.append(says(rng.choice(("Agreed, {}.", "Fine, {} it is.", "{}. Deal.")).format(asked)))
        return Reply(messages, str(asked), {"price": asked, "limit": limit, "floor": floor})

    system = f"You buy {thing}. It is worth {limit} crowns to you, and you need not buy."
    prompt = user(f"Welcome! {thing[0].upper()}{thing[1:]}, only {round(floor * 1.8)} crowns.", system)
    return Task(f"haggle-{number:04d}", thing.split()[-1], prompt, "", rng.gauss(0, 0.5), solve)
