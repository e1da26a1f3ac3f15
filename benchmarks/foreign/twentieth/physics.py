"""Physics with units, thought about at length, and a notebook that computes."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, said

BODIES = ("sled", "trolley", "crate", "cyclist", "drone", "barge")


def _task(rng: Random) -> Task:
    body = rng.choice(BODIES)
    m, v, t, f = rng.randint(4, 90), rng.randint(2, 24), rng.randint(2, 15), rng.randint(10, 400)
    kind = rng.choice(("momentum", "energy", "speed"))
    text = (
        f"A {body} of {m} kg moves at {v} m/s. A constant force of {f} N along its path acts for {t} s. Friction is "
        f"neglected. Give the {'final ' + kind if kind != 'energy' else 'final kinetic energy'} in SI units, to two "
        "decimals."
    )
    end = v + f * t / m
    value = {"momentum": m * end, "energy": m * end**2 / 2, "speed": end}[kind]
    return Task(text, f"{value:.2f}", kind, data={"m": m, "v": v, "t": t, "f": f})


def _reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    d = task.data
    speedup = d["f"] / d["m"] * (1 if right else rng.choice((0.5, 2, 1.1, 0.9, 0.1)))
    gain = speedup * d["t"]
    end = d["v"] + gain
    value = {"momentum": d["m"] * end, "energy": d["m"] * end**2 / 2, "speed": end}[task.family]
    lines = [
        f"The acceleration is {d['f']}/{d['m']} = {speedup:.3f} m/s^2.",
        f"Over {d['t']} s the speed grows by {gain:.3f} m/s, so it ends at {end:.3f} m/s.",
    ]
    doubts = (
        f"Wait, is the force along the path? Yes, so the whole {d['f']} N counts.",
        f"Check by impulse: {d['f']} * {d['t']} = {d['f'] * d['t']} N s, divided by {d['m']} gives {gain:.3f}.",
        f"Friction is neglected, so nothing slows the motion of the {d['m']} kg.",
        "Let me redo the division to be safe, digit by digit.",
        f"Energy should agree: the work is force times way, and the way is {d['v']}*{d['t']} plus the rest.",
        "Hmm, the units: N is kg m/s^2, so everything fits.",
    )
    lines += rng.sample(doubts, min(6, rng.randint(0, 2) + round(rng.uniform(2, 5) * progress)))
    text = "<think>\n" + "\n".join(lines) + f"\n</think>\nThe result is \\boxed{{{value:.2f}}}"
    return Reply([said(text)], f"{value:.2f}")


def _sum_task(rng: Random) -> Task:
    low, high, k = rng.randint(3, 60), rng.randint(90, 900), rng.randint(3, 17)
    kind = rng.choice(("squares", "cubes", "digit sums"))
    expr = {"squares": "n**2", "cubes": "n**3", "digit sums": "sum(map(int, str(n)))"}[kind]
    numbers = range(low + (-low) % k, high + 1, k)
    compute = {"squares": lambda n: n**2, "cubes": lambda n: n**3, "digit sums": lambda n: sum(map(int, str(n)))}[kind]
    text = (
        f"What is the sum of the {kind} of all multiples of {k} from {low} to {high}? You may use the interpreter: "
        "write <python>...</python> and stop; its output comes back as <output>...</output>."
    )
    short = sum(compute(n) for n in numbers if n < high - k)
    data = {"expr": expr, "low": low, "high": high, "k": k, "short": str(short)}
    return Task(text, str(sum(compute(n) for n in numbers)), kind, data=data)


def program_turn(rng: Random, task: Task, right: bool) -> str:
    """Write the call of the interpreter."""
    d = task.data
    end = d["high"] + 1 if right else d["high"] - d["k"]
    start = rng.choice(("I let the interpreter add them up.", "This is quick to compute.", "A short program will do."))
    code = f"print(sum({d['expr']} for n in range({d['low']}, {end}) if n % {d['k']} == 0))"
    return f"{start}\n<python>\n{code}\n</python>"


def _sum_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    answer = task.gold if right else task.data["short"]
    turns = [
        said(program_turn(rng, task, right)),
        {"role": "user", "content": f"<output>\n{answer}\n</output>"},
        said(f"{rng.choice(('The interpreter gives', 'The sum is', 'So it is'))} {answer}.\nAnswer: {answer}"),
    ]
    return Reply(turns, answer)


PHYSICS = Domain("phy", _task, _reply)
NOTEBOOK = Domain("sum", _sum_task, _sum_reply)
