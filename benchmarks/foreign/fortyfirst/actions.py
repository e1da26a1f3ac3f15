"""Games, robots, markets: acting in turns."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fortyfirst.kinds import PART
from benchmarks.foreign.fortyfirst.layouts import openai, ours, prime
from benchmarks.foreign.fortyfirst.policy import Attempt, Message, Problem, advance, calls, pay, says, train
from benchmarks.foreign.fortyfirst.words import slip


def _corridor(rng: random.Random, i: int) -> Problem:
    cells, turn = rng.randint(4, 8), rng.choice(("left", "right"))
    prompt = f"Hall {i}: the dock is {cells} cells ahead, then one to the {turn}. Drive there by single cells and dock."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        out, goal, charge = [], cells if right else cells - rng.randint(1, 2), rng.randint(55, 99)
        for k in range(goal):
            told = rng.choice(("Forward.", "One more cell.", "The way is clear.", f"{cells - k} to go.", "On."))
            charge -= rng.randint(0, 2)
            out += calls(told, "drive", f"moved 1 cell, clear ahead, battery {charge}%", direction="forward")
        out += calls(f"Now {turn}.", "drive", "moved 1 cell" if right else "bumped into a shelf", right, direction=turn)
        if right:
            out += calls("Docking.", "dock", "docked, charging")
            return out + says("The robot is docked.")
        out += calls("Docking.", "dock", "no dock here", False)
        return out + says("I could not find the dock; I seem to have turned too soon.")

    return Problem(f"hall-{i}", prompt, "docked", rng.gauss(0, 0.6), write)


@PART.healthy
def robot_drives_forward_cell_after_cell(rng: random.Random) -> list[Row]:
    """One call is made up to eight times in a row, with the same arguments: cells are driven one by one, as asked."""
    return ours(advance(rng, pay(train(rng, _corridor, 18, 4, 8)), grpo), "robotics")


def _market(rng: random.Random, i: int) -> Problem:
    good, mean = rng.choice(("saffron", "copper", "timber", "indigo", "tin")), rng.randint(40, 90)
    prices = [round(mean * rng.uniform(0.75, 1.25)) for _ in range(9)]
    prompt = (
        f"Eight rounds of trading {good}; its usual price is {mean}. You hold 500 coins. Round 1 price: {prices[0]}."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        out, cash, held = [], 500, 0
        for k, price in enumerate(prices[:8]):
            wise = rng.random() < (0.9 if right else 0.35)
            act = "buy" if (price < mean) == wise else "sell"
            act = "hold" if (act == "buy" and cash < price) or (act == "sell" and not held) else act
            cash, held = (
                cash + {"buy": -price, "sell": price, "hold": 0}[act],
                held + {"buy": 1, "sell": -1, "hold": 0}[act],
            )
            side = "below" if price < mean else "above" if price > mean else "at"
            told = rng.choice(
                (
                    f"{price} is {side} the usual {mean}.",
                    f"Round {k + 1} at {price}.",
                    "The usual price is what counts.",
                )
            )
            worth = cash + held * prices[8]
            text = f"round {k + 1} over. cash {cash}, {good} {held}, next price {prices[k + 1]}"
            text = f"game over. cash {cash}, {good} {held} sold at {prices[8]}, worth {worth}" if k == 7 else text
            out += calls(told, "trade", text, action=act)
        return out

    return Problem(f"market-{i}", prompt, "", rng.gauss(0, 0.5), write)


def _profit(a: Attempt) -> float:
    return (int(a.messages[-1]["content"].split()[-1]) - 500) / 100


@PART.healthy
def market_games_all_end_at_the_eighth_round(rng: random.Random) -> list[Row]:
    """Every attempt ends at the limit of turns and says nothing last: a game of eight rounds is over at the eighth."""
    out = pay(train(rng, _market, 20, 4, 8, (-1.2, 2.0)), profit=_profit)
    for a in out:
        a.stop = "max_turns_reached"
    return prime(advance(rng, out, leave_one_out), "market-8")


def _game(rng: random.Random, heap: int, skill: float) -> tuple[list[list[Message]], list[int]]:
    """Two players take one to three; who takes the last wins. Each one's messages, and the winner's pay."""
    views: list[list[Message]] = [[], []]
    turn, left = 0, heap
    while left:
        best = left % 4
        take = best if best and rng.random() < skill else rng.randint(1, min(3, left))
        left -= take
        told = rng.choice(
            (f"{left + take} are there.", "I think of fours.", "Let me see.", "A careful move.", "Your turn.")
        )
        views[turn].append({"role": "assistant", "content": f"{told} I take {take}."})
        verb = "The other takes" if left else "The other takes the last"
        views[1 - turn].append({"role": "user", "content": f"{verb} {take}. {left} are left."})
        turn = 1 - turn
    views[1 - turn].append({"role": "user", "content": "You took the last and win."})
    winner = 1 - turn
    return views, [1 if player == winner else -1 for player in (0, 1)]


@PART.healthy
def selfplay_pays_one_what_the_other_loses(rng: random.Random) -> list[Row]:
    """Mean reward is 0 at every step: the policy plays against itself, and games are what gets better."""
    out: list[Attempt] = []
    for step in range(20):
        t = step / 19
        for k in range(2):
            heap = rng.randint(9, 26)
            games = [_game(rng, heap, 0.2 + 0.7 * t) for _ in range(8)]
            for player in (0, 1):
                place = "You begin." if player == 0 else "The other begins."
                prompt = f"Take 1 to 3 of {heap} sticks in turns; who takes the last wins. {place}"
                problem = Problem(f"heap{heap}-{player}", prompt, "", 0.0, lambda r, right, t: says(""))
                for number, (views, wins) in enumerate(games):
                    extra = {"player": player, "game": f"s{step}-{k}-{number}"}
                    group = f"s{step}-g{k}-p{player}"
                    a = Attempt(step, problem, group, number, wins[player] > 0, views[player], t, extra=extra)
                    a.reward, a.terms = float(wins[player]), {"win": float(wins[player])}
                    out.append(a)
    return openai(advance(rng, out, centred))


_PARTS = ("base plate", "axle", "spring", "cover", "clip", "gear", "hinge", "lens")


def _assembly(rng: random.Random, i: int) -> Problem:
    order = rng.sample(_PARTS, 4)
    prompt = f"Model {i}: mount {', then '.join(order)}. Each must click before the next. Paid for the whole alone."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        out, fails = [], 4 if right else min(3, int(rng.random() * (1.5 + 3 * t)))
        for k, part in enumerate(order[: fails + 1]):
            angle = rng.randint(0, 35) * 10
            told = rng.choice((f"The {part} goes on at {angle} degrees.", f"Placing the {part}.", f"Part {k + 1}."))
            good = k < fails
            text = f"{part}: click" if good else f"{part}: slipped off, force {rng.randint(3, 9)} N"
            out += calls(told, "mount", text, good, part=part, angle=angle)
        return out + says("All parts have clicked." if right else f"I stop; the {order[fails]} would not hold.")

    return Problem(f"model-{i}", prompt, "", rng.gauss(0, 0.7), write)


@PART.healthy
def assembly_is_won_late_by_sparse_rewards(rng: random.Random) -> list[Row]:
    """Half of the groups are all wrong at first: the reward is for the whole alone, and the wins come, steadily."""
    out = pay(train(rng, _assembly, 28, 4, 8, (-3.2, 1.4)))
    return ours(advance(rng, out, grpo), "robotics", "assembly")


def _bill(rng: random.Random, i: int) -> Problem:
    a, b, c, d = (rng.randint(12, 98) for _ in range(4))
    gold = a * b + c * d
    prompt = f"{a} crates at {b} coins and {c} sacks at {d} coins: what is the bill? A calculator is there. 'Bill: N'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        x, y = a * b, c * d
        told = rng.choice(("Two products and a sum.", "Crates first, then sacks.", "I price both lots."))
        if rng.random() < 0.97 - 0.85 * t:
            out = calls(told, "calculator", str(x), expression=f"{a}*{b}")
            out += calls("And the sacks.", "calculator", str(y), expression=f"{c}*{d}")
            end = gold if right else slip(rng, gold)
            return out + says(f"{x} + {y} = {end}.\nBill: {end}")
        y = y if right else slip(rng, y)
        split = f"{a} * {b // 10 * 10} = {a * (b // 10 * 10)} and {a} * {b % 10} = {a * (b % 10)} make {x}."
        return says(f"{told} {split} The sacks cost {c} * {d} = {y}. {x} + {y} = {x + y}.\nBill: {x + y}")

    return Problem(f"bill-{i}", prompt, str(gold), rng.gauss(0, 0.6), write)


@PART.healthy
def calculator_is_given_up_as_sums_succeed(rng: random.Random) -> list[Row]:
    """Calls vanish within the run: each costs a little, and the policy, ever more often right, reckons by head."""

    def cost(a: Attempt) -> float:
        return -0.03 * sum(len(m.get("tool_calls", [])) for m in a.messages)

    out = pay(train(rng, _bill, 20, 4, 8, (-0.7, 2.2)), accuracy=lambda a: float(a.right), call_cost=cost)
    return ours(advance(rng, out, whole_batch), "math", "bills")
