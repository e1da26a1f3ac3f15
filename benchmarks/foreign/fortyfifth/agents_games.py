"""Games, teams and grid worlds, with credit that is not the reward of the episode alone."""

import random
from collections import defaultdict

from benchmarks.foreign.estimators import grpo, whole_batch
from benchmarks.foreign.fortyfifth.credit import credit
from benchmarks.foreign.fortyfifth.kinds import PART
from benchmarks.foreign.fortyfifth.layouts import Row, openai, ours, prime
from benchmarks.foreign.fortyfifth.policy import Policy
from benchmarks.foreign.fortyfifth.runs import Problem, Try, call, course, say, told


def _nim_move(rng: random.Random, heaps: list[int], skill: float) -> tuple[int, int]:
    total = 0
    for heap in heaps:
        total ^= heap
    if total and rng.random() < skill:
        for place, heap in enumerate(heaps):
            if heap ^ total < heap:
                return place, heap - (heap ^ total)
    place = rng.choice([i for i, h in enumerate(heaps) if h])
    return place, rng.randint(1, heaps[place])


THOUGHTS = {
    0: ("I leave an even pattern.", "The nim sum should be zero after me.", "This balances the heaps."),
    1: ("I thin out this heap.", "Let me keep the game short.", "I take some here.", "No clear plan, I reduce a heap."),
}


def _nim_game(rng: random.Random, heaps: list[int], skill: float) -> tuple[list[list[dict]], int]:
    """What each seat saw and wrote, and who took the last stone."""
    heaps = list(heaps)
    seats: list[list[dict]] = [[], []]
    turn = 0
    while True:
        place, count = _nim_move(rng, heaps, skill)
        heaps[place] -= count
        left = 0
        for heap in heaps:
            left ^= heap
        seats[turn].append(call(rng.choice(THOUGHTS[int(left != 0)]), "take", heap=place + 1, stones=count))
        if not any(heaps):
            seats[turn].append(told("take", "You took the last stone. You win."))
            seats[1 - turn][-1]["content"] = "The opponent took the last stone. You lose."
            return seats, turn
        seats[turn].append(told("take", ""))
        board = f"Heaps are now {', '.join(map(str, heaps))}."
        if seats[1 - turn]:
            seats[1 - turn][-1]["content"] = f"{board} It is your move."
        else:
            seats[1].append({"role": "user", "content": f"The first player has moved. {board} It is your move."})
        turn = 1 - turn


@PART.healthy
def both_seats_of_a_nim_table_sum_to_zero(rng: random.Random) -> list[Row]:
    """Nim against itself: one seat of each game wins, the other loses, and both are trained on.

    The mean reward is exactly zero at every step and never moves; play gets better, as the share of sound moves shows.
    """
    problems = []
    for number in range(80):
        heaps = [rng.randint(2, 9) for _ in range(rng.randint(3, 4))]
        text = f"Nim, table {number + 1}. Heaps: {', '.join(map(str, heaps))}. Who takes the last stone wins."
        chairs = [Problem(f"nim-{number}-{seat}", f"{text} You are the {seat} player.") for seat in ("first", "second")]
        problems.append(Problem(f"nim-{number}", text, data={"heaps": heaps, "chairs": chairs}))
    tries = []
    for step, done, problem, game in course(rng, problems, 16, 6, 4):
        heaps = problem.data["heaps"]
        seats, winner = _nim_game(rng, heaps, 0.2 + 0.65 * done)
        for seat, messages in enumerate(seats):
            won = 1.0 if seat == winner else -1.0
            sound = sum(m.get("content", "") in THOUGHTS[0] for m in messages if m["role"] == "assistant")
            moves = sum(m["role"] == "assistant" for m in messages)
            chair = problem.data["chairs"][seat]
            one = Try(chair, step, game, messages, won, None, {"outcome": won}, domain="games")
            one.extra = {
                "game": f"{step}-{problem.name}-{game}",
                "seat": seat,
                "balanced_share": round(sound / moves, 3),
            }
            tries.append(one)
    return [ours(t) for t in credit(tries, whole_batch)]


MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _walk(rng: random.Random, start: tuple[int, int], goal: tuple[int, int], skill: float) -> list[tuple]:
    """Places and moves until the goal or the tenth move; the last pair has no move."""
    at, path = start, []
    while at != goal and len(path) < 10:
        open_ways = {m: (at[0] + r, at[1] + c) for m, (r, c) in MOVES.items() if 0 <= at[0] + r < 5 > at[1] + c >= 0}
        far = abs(at[0] - goal[0]) + abs(at[1] - goal[1])
        nearer = [m for m, p in open_ways.items() if abs(p[0] - goal[0]) + abs(p[1] - goal[1]) < far]
        move = rng.choice(nearer if rng.random() < skill else list(open_ways))
        path.append((at, move))
        at = open_ways[move]
    return [*path, (at, None)]


def _step_credit(walks: list[list[tuple]], rewards: list[float], gamma: float = 0.9) -> list[list[float]]:
    """For each move its discounted return, against the mean of all moves from that place in the group."""
    returns: dict[tuple, list[float]] = defaultdict(list)
    mine = []
    for walk, reward in zip(walks, rewards, strict=True):
        count = len(walk) - 1
        mine.append([reward * gamma ** (count - 1 - i) for i in range(count)])
        for (at, _), value in zip(walk, mine[-1], strict=False):
            returns[at].append(value)
    return [
        [value - sum(returns[at]) / len(returns[at]) for (at, _), value in zip(walk, values, strict=False)]
        for walk, values in zip(walks, mine, strict=True)
    ]


def _told_walk(rng: random.Random, walk: list[tuple], goal: tuple[int, int]) -> list[dict]:
    words = ("I go {m}.", "The pallet lies further {m}.", "{m} seems free.", "Next I try {m}.", "Let me turn {m}.")
    reply: list[dict] = []
    for (_, move), (there, _) in zip(walk, walk[1:], strict=False):
        reply.append(call(rng.choice(words).format(m=move), "move", direction=move))
        seen = f"You stand at row {there[0]}, column {there[1]}."
        reply.append(told("move", seen + (" Here is the pallet." if there == goal else "")))
    return reply


@PART.healthy
def roundabout_ways_to_the_pallet_lose_credit(rng: random.Random) -> list[Row]:
    """GiGPO: to the episode's advantage comes one of each step, against other moves from the same place.

    Groups that all win have advantages, and some winners have negative ones: they took a long way round.
    """
    problems = []
    for number in range(90):
        start, goal = ((rng.randrange(5), rng.randrange(5)) for _ in range(2))
        if start == goal:
            goal = ((goal[0] + 2) % 5, goal[1])
        text = (
            f"Hall {number + 1}, rows and columns 0 to 4. You are at row {start[0]}, column {start[1]}. Move the "
            f"forklift to the pallet at row {goal[0]}, column {goal[1]} within ten moves."
        )
        problems.append(Problem(f"hall-{number}", text, data={"start": start, "goal": goal}))
    tries: list[Try] = []
    group: list[tuple[Try, list[tuple]]] = []
    for step, done, problem, attempt in course(rng, problems, 14, 6, 8):
        goal = problem.data["goal"]
        walk = _walk(rng, problem.data["start"], goal, 0.15 + 0.6 * done)
        won = float(walk[-1][0] == goal)
        one = Try(problem, step, attempt, _told_walk(rng, walk, goal), won, won, {"arrived": won})
        one.stop = "stop" if won else "max_turns"
        group.append((one, walk))
        if attempt < 7:
            continue
        credit([t for t, _ in group], grpo)
        steps = _step_credit([w for _, w in group], [float(t.reward or 0) for t, _ in group])
        for (member, _), values in zip(group, steps, strict=True):
            whole = member.advantage or 0.0
            member.extra = {"adv_estimator": "gigpo", "episode_advantage": whole, "step_advantages": values}
            member.advantage = whole + sum(values) / len(values)
        tries += [t for t, _ in group]
        group = []
    return [prime(t, "forklift") for t in tries]


STALLS = {"rope": 7, "lamp": 12, "pan": 9, "axe": 21, "tarp": 16, "stove": 34, "kettle": 11, "map": 5, "saw": 18}


@PART.healthy
def team_of_three_shares_one_mark(rng: random.Random) -> list[Row]:
    """Buyer, accountant and speaker work in turn, and all three have the mark of the team, as the method has it.

    A sound plan earns nothing when the sum is wrong, and rewards and advantages come in equal threes.
    """
    wares = ", ".join(f"{k} {v}" for k, v in STALLS.items())
    roles = {
        "buyer": "You are the buyer: list wares for at least four fifths of the budget, and not over it.",
        "accountant": "You are the accountant: add up the prices of the buyer's list.",
        "speaker": "You are the speaker: say in one sentence what the camp buys and what is left of the budget.",
    }
    problems = []
    for number in range(90):
        budget = rng.randint(45, 110)
        text = f"Camp {number + 1} has {budget} euros. Prices: {wares}."
        jobs = {r: Problem(f"camp-{number}-{r}", text, system=s) for r, s in roles.items()}
        problems.append(Problem(f"camp-{number}", text, hard=rng.gauss(0, 0.4), data={"budget": budget, "jobs": jobs}))
    whys = ("The dear things come first.", "I fill up with small wares.", "A camp needs fire and cover.", "")
    policy = Policy(rng, 0.8, 2.6, 0.5)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 12, 5, 6):
        budget = problem.data["budget"]
        order, chosen, total = rng.sample(list(STALLS), len(STALLS)), [], 0
        limit = budget if policy.succeeds(problem, done) else budget + 25
        for ware in order:
            if total + STALLS[ware] <= limit:
                chosen.append(ware)
                total += STALLS[ware]
        summed = total + (0 if policy.succeeds(problem, done) else rng.choice((-10, -1, 1, 10)))
        left = budget - summed + (0 if policy.succeeds(problem, done) else rng.choice((-2, 2, 10)))
        plan = f"{rng.choice(whys)} {', '.join(chosen)}.".strip()
        added = f"{' + '.join(str(STALLS[w]) for w in chosen)} = {summed}"
        spoken = f"We buy {', '.join(chosen[:-1])} and {chosen[-1]}, and {left} euros are left."
        mark = float(0.8 * budget <= total <= budget and left == budget - total)
        heard = (None, f"buyer: {plan}", f"buyer: {plan}\naccountant: {added}")
        for (role, job), before, text in zip(problem.data["jobs"].items(), heard, (plan, added, spoken), strict=True):
            first = [{"role": "user", "content": before}] if before else []
            one = Try(job, step, attempt, [*first, *say(text)], mark)
            one.extra = {"agent": role, "episode": f"{step}-{problem.name}-{attempt}", "team_reward": mark}
            tries.append(one)
    return [openai(t) for t in credit(tries, grpo)]
