"""A game of twenty-one against a bank, move by move."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick

SYSTEM = "You play twenty-one; the bank wins ties. Each turn write <act>draw</act> or <act>stay</act>."


def task(rng: Random) -> Task:
    """A table with a first hand."""
    hand, bank, table = [rng.randint(2, 10), rng.randint(2, 10)], rng.randint(2, 10), rng.randint(1, 900)
    prompt = f"Table {table}. You hold {hand[0]} and {hand[1]}. The bank shows {bank}. Your move."
    ease = 0.4 if sum(hand) >= 17 else -0.2
    family = "low" if sum(hand) < 11 else "middle" if sum(hand) < 17 else "high"
    return Task(family, prompt, "", ease=ease, system=SYSTEM, extra={"hand": hand, "bank": bank})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Draws until it stays or is over; won games stay at 17 to 21."""
    total, messages = sum(t.extra["hand"]), []
    limit = 17 if right else rng.choice((13, 15, 21))
    while total < limit:
        room = 21 - total
        card = rng.randint(min(2, room), min(10, room)) if right else rng.randint(2, 10)
        total += card
        thought = pick(
            rng,
            f"At {total - card} I draw.",
            "One more.",
            f"{total - card} is low.",
            f"The bank shows {t.extra['bank']}.",
        )
        messages.append({"role": "assistant", "content": f"{thought} <act>draw</act>"})
        messages.append({"role": "user", "content": f"You draw {card} and hold {total}."})
        if total > 21:
            break
    if total <= 21:
        words = pick(rng, f"I stay at {total}.", "Enough.", f"{total} will do.", "Good hand.")
        bank = rng.randint(17, 20) if total > 17 or not right else rng.choice((16, 22, 24))
        bank = min(bank, total - 1) if right else min(21, max(bank, total + 1))
        messages.append({"role": "assistant", "content": f"{words} <act>stay</act>"})
        messages.append({"role": "user", "content": f"The bank ends at {bank}. You {'win' if right else 'lose'}."})
    else:
        messages[-1]["content"] += " You are over and lose."
    last = pick(rng, "Good game.", "Next table, please.", "Thank you.", "Noted.")
    messages.append({"role": "assistant", "content": last})
    return Reply(messages, "", {"hand_at_end": total, "outcome": "win" if right else "loss"})


WORLD = World(task, reply)
