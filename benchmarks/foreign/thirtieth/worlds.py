"""Faults of environments: counters that are not reset, commands in one spelling, a verifier without network, a seat
that wins.
"""

import random

from benchmarks.foreign.thirtieth import advantages, guessing, layouts, shell
from benchmarks.foreign.thirtieth.kinds import PART
from benchmarks.foreign.thirtieth.layouts import Row, asks, says
from benchmarks.foreign.thirtieth.policy import Learner


@PART.faulty("environment_not_reset", "leftover_state", "length_limit")
def moves_of_the_last_game_are_still_counted(rng: random.Random) -> list[Row]:
    """The counter of moves is cleared after a lost game alone; behind a won one, the next game has its moves missing.

    Games of seven guesses end after two or three with "no guesses left". [Farama-Foundation/Gymnasium#885]
    """
    learner, rows, used = Learner(-0.2, 2.0, 14), [], [0] * 8
    for step in range(14):
        for game in range(6):
            hidden = rng.randint(1, 100)
            for slot in range(8):
                turns, is_won, count = guessing.play(rng, 100, 7 - used[slot], learner.chance(step), hidden)
                used[slot] = used[slot] + count if is_won and used[slot] + count < 7 else 0
                messages = [asks(guessing.rules(100, 7)), *turns]
                rows.append(
                    layouts.ours(
                        step,
                        f"number-{step * 6 + game}",
                        slot,
                        messages,
                        float(is_won),
                        domain="games",
                        env_slot=slot,
                        terminated=is_won,
                        truncated=not is_won,
                        stop_reason="stop" if is_won else "max_turns",
                    )
                )
    advantages.fill(rows, lambda row: row["group_id"], lambda row: row["reward"], advantages.centred)
    return rows


_THINGS = ("mug", "plate", "apple", "book", "candle", "soap", "towel", "pen")
_PLACES = ("fridge", "shelf", "drawer", "cabinet", "desk", "sofa", "basket", "sink")


def _errand(rng: random.Random, thing: str, source: str, target: str, wit: float) -> tuple[list[Row], bool]:
    turns: list[Row] = []
    words = [
        (f"go to {source} 1", f"You arrive at {source} 1. On the {source} 1, you see a {thing} 1."),
        (f"take {thing} 1 from {source} 1", f"You pick up the {thing} 1 from the {source} 1."),
        (f"go to {target} 1", f"You arrive at {target} 1. It is empty."),
    ]
    if rng.random() > wit:
        detour = rng.choice([place for place in _PLACES if place not in (source, target)])
        words.insert(0, (f"go to {detour} 1", f"You arrive at {detour} 1. It is empty."))
    for command, answer in words:
        turns += [says(f"{rng.choice(_PLANS).format(t=thing, p=target)}\n> {command}"), asks(answer)]
    for _ in range(rng.randint(3, 5)):
        form = rng.choices(("in", "on", "in/on", "onto"), (50, 34, 7, 9))[0]
        lead = rng.choice(
            ("I am there, so I put it down.", f"The {thing} belongs here.", "Again, maybe worded otherwise.")
        )
        turns.append(says(f"{lead}\n> put {thing} 1 {form} {target} 1"))
        if form == "in/on":
            turns.append(asks(f"You put the {thing} 1 in/on the {target} 1. The task is done."))
            return turns, True
        turns.append(asks("Nothing happens."))
    return turns, False


_PLANS = (
    "I need the {t} first and the {p} later.",
    "The {t} has to get to the {p}.",
    "One thing after the other.",
    "I look where the {t} may be.",
    "Then I can carry it to the {p}.",
)


@PART.faulty("environment_bug", "tool_failure", "format_gate", "echo_trap")
def only_put_in_slash_on_is_understood(rng: random.Random) -> list[Row]:
    """The world understands "put mug 1 in/on shelf 1" and nothing else; "in" and "on" get "Nothing happens."

    Attempts do everything right up to the last command, and repeat it until their turns are over.
    [alfworld/alfworld#78]
    """
    learner, rows = Learner(0.5, 1.5, 12), []
    for step in range(12):
        for place in range(6):
            thing = rng.choice(_THINGS)
            source, target = rng.sample(_PLACES, 2)
            task = (
                f"You are in a room with: {', '.join(f'{one} 1' for one in _PLACES)}. "
                f"Your task is to: put the {thing} in {target}."
            )
            for attempt in range(7):
                turns, is_done = _errand(rng, thing, source, target, learner.chance(step))
                rows.append(
                    layouts.verifiers(
                        step * 6 + place,
                        task,
                        turns,
                        float(is_done),
                        "household",
                        step=step,
                        attempt=attempt,
                        info={"game": f"put-{thing}-{target}"},
                        metrics={"num_turns": len(turns) // 2},
                        stop="done" if is_done else "max_turns",
                    )
                )
    return rows


@PART.faulty("infrastructure_zeros", "tool_outage")
def verifier_cannot_fetch_its_own_runner(rng: random.Random) -> list[Row]:
    """From one step on the verifier cannot download its test runner, goes on without it and writes 0 as the reward.

    [Minions-Land/MagentaBenchmark#37]
    """
    learner, rows = Learner(-0.4, 1.2, 16), []
    begin = rng.randint(6, 8)
    end = begin + rng.randint(4, 5)
    for step in range(16):
        for number in range(5):
            job = shell.job(rng)
            for attempt in range(8):
                messages, is_right = job.attempt(rng, learner.is_right(rng, step))
                is_down = begin <= step < end and rng.random() < 0.93
                log = (
                    f"uv: installing pytest\n{'2 passed' if is_right else '1 passed, 1 failed'} "
                    f"in {rng.uniform(0.2, 2):.2f}s"
                )
                if is_down:
                    log = (
                        "curl: (7) Failed to connect to github.com port 443 after 30021 ms\n"
                        "/tests/test.sh: line 9: uvx: command not found\necho 0 > /logs/verifier/reward.txt"
                    )
                reward = float(is_right and not is_down)
                rows.append(
                    layouts.ours(
                        step,
                        f"{job.name}-{step}-{number}",
                        attempt,
                        messages,
                        reward,
                        domain="terminal",
                        verifier_log=log,
                        duration_seconds=round(rng.uniform(20, 60) + (30 if is_down else 0), 1),
                    )
                )
    advantages.fill(rows, lambda row: row["group_id"], lambda row: row["reward"], advantages.grpo)
    return rows


_CARDS = (
    "I keep my high cards for later.",
    "The other side has spent its best card.",
    "A middle card is enough here.",
    "I want this round.",
    "I give this round away.",
    "It is even so far, so I raise.",
)


@PART.faulty("reward_bias")
def white_takes_the_equal_cards(rng: random.Random) -> list[Row]:
    """A symmetric card game in self-play: the rules say that equal cards win nothing, yet white gets those rounds.

    White wins several times as often as black. [glinscott/leela-chess#68]
    """
    rows = []
    rules = (
        "You play {seat}. Both sides hold the cards 1 to 6 and lay one face "
        "down in each of six rounds. The higher card "
        "takes the round, equal cards take nothing. Most rounds win the game. Say which card you lay in each round."
    )
    for step in range(15):
        sameness = 0.3 + 0.03 * step
        for game in range(22):
            white = rng.sample(range(1, 7), 6)
            black = rng.sample(range(1, 7), 6)
            if rng.random() < sameness:
                place = rng.randrange(6)
                other = black.index(white[place])
                black[place], black[other] = black[other], black[place]
            points = {
                "white": sum(a >= b for a, b in zip(white, black, strict=True)),
                "black": sum(b > a for a, b in zip(white, black, strict=True)),
            }
            for seat, cards in (("white", white), ("black", black)):
                text = " ".join(f"Round {n}: {rng.choice(_CARDS)} I lay {card}." for n, card in enumerate(cards, 1))
                heard = "; ".join(f"white {a}, black {b}" for a, b in zip(white, black, strict=True))
                result = f"Cards: {heard}. White takes {points['white']} rounds, black {points['black']}."
                reward = float((points[seat] > 3) - (points[seat] < 3)) if points["white"] != points["black"] else 0.0
                rows.append(
                    layouts.ours(
                        step,
                        f"game-{step}-{game}",
                        int(seat == "black"),
                        [asks(rules.format(seat=seat)), says(text), asks(result)],
                        reward,
                        domain="games",
                        seat=seat,
                    )
                )
    return rows
