"""Small games: a frozen lake, a decoder of error syndromes, a kitchen in which some steps are waiting."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Message, Reply, Task, call, say, told

MOVES = {"right": (0, 1), "down": (1, 0), "left": (0, -1), "up": (-1, 0)}


def lake_task(rng: Random, pid: str) -> Task:
    """A lake of five by five with holes off one path."""
    path = ["right"] * 4 + ["down"] * 4
    rng.shuffle(path)
    spots, r, c = {(0, 0)}, 0, 0
    for move in path:
        r, c = r + MOVES[move][0], c + MOVES[move][1]
        spots.add((r, c))
    free = [(i, j) for i in range(5) for j in range(5) if (i, j) not in spots]
    holes = rng.sample(free, min(len(free), rng.randint(4, 7)))
    rows = ["".join("O" if (i, j) in holes else "_" for j in range(5)) for i in range(5)]
    rows[0], rows[4] = "P" + rows[0][1:], rows[4][:4] + "G"
    text = "Cross the frozen lake from P to G without stepping into a hole O. One move a turn.\n" + "\n".join(rows)
    return Task(pid, text, "", rng.gauss(0, 0.5), "lake", data={"path": path, "holes": holes})


def walk(rng: Random, task: Task, right: bool, thought: list[str]) -> Reply:
    """Moves along the path, thinking first; a wrong attempt leaves it for a hole or turns round and round."""
    out: list[Message] = []
    r = c = 0
    stray = len(task.data["path"]) if right else rng.randint(0, 6)
    for n, move in enumerate(task.data["path"]):
        move = move if n < stray else rng.choice(["left", "up", "right", "down"])
        out.append(call(f"<think>{thought[n]}</think>", "move", {"direction": move}))
        r, c = min(4, max(0, r + MOVES[move][0])), min(4, max(0, c + MOVES[move][1]))
        if (r, c) in task.data["holes"]:
            return Reply(
                [*out, told("move", f"You fell into a hole at row {r}, column {c}. The game is over.")],
                stop="game_over",
            )
        out.append(told("move", f"You are at row {r}, column {c}." if (r, c) != (4, 4) else "You reached G."))
        if (r, c) == (4, 4):
            break
    return Reply(out, stop="solved" if (r, c) == (4, 4) else "max_turns")


def reasons(rng: Random, task: Task) -> list[str]:
    """A thought for each move that speaks of this lake."""
    r = c = 0
    thoughts = []
    near = sorted(task.data["holes"])
    for move in task.data["path"]:
        i, j = rng.choice(near)
        say_hole = rng.choice([f"hole at ({i},{j})", f"({i},{j}) is a hole", f"keep off ({i},{j})"])
        thoughts.append(
            rng.choice(
                [
                    f"I stand at ({r},{c}), {say_hole}, so {move}.",
                    f"{say_hole}; from row {r} I go {move}.",
                    f"At ({r},{c}) {move} is safe, {say_hole}.",
                ]
            )
        )
        r, c = r + MOVES[move][0], c + MOVES[move][1]
    return thoughts


def syndrome_task(rng: Random, pid: str) -> Task:
    """A repetition code with a few flipped qubits."""
    size = rng.randint(9, 15)
    flips = sorted(rng.sample(range(size), rng.choice([1, 1, 2, 2, 3])))
    if rng.random() < 0.22:
        flips = []
    bits = [int(q in flips) for q in range(size)]
    checks = "".join(str(bits[q] ^ bits[q + 1]) for q in range(size - 1))
    text = (
        f"Repetition code on {size} qubits, measured round {rng.randint(1, 900)}. Syndrome "
        f"{checks}. Which qubits carry an X error? Answer X_ERRORS=[...] ."
    )
    return Task(
        pid,
        text,
        f"X_ERRORS={flips}",
        0.3 * len(flips) + rng.gauss(0, 0.3),
        "repetition",
        data={"flips": flips, "size": size, "checks": checks},
    )


def kettle_task(rng: Random, pid: str) -> Task:
    """A dish that needs a number of minutes on the fire."""
    dish, minutes = rng.choice(["lentils", "rice", "pasta", "eggs", "potatoes", "barley", "beans"]), rng.randint(4, 11)
    extra = rng.choice(["salt", "a bay leaf", "butter", "lemon", "thyme"])
    text = (
        f"Kitchen simulator. Cook {dish}: {minutes} minutes at a boil, add {extra} once it "
        f"boils, take it off in time. Each action takes one minute."
    )
    return Task(pid, text, str(minutes), rng.gauss(0, 0.5), dish, data={"minutes": minutes, "extra": extra})


def cook(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Heats, seasons, and waits as long as it takes."""
    d = task.data
    stay = d["minutes"] if right else max(1, d["minutes"] + rng.choice([-3, -2, 2, 3]))
    out: list[Message] = []
    for _ in range(rng.randint(1, 3)):
        out += [
            call(rng.choice(["Heat first.", "Not boiling yet.", ""]), "act", {"do": "heat"}),
            told("act", f"{rng.randint(40, 96)} degrees"),
        ]
    out += [
        call("", "act", {"do": f"add {d['extra']}"}),
        told("act", f"It boils. {d['extra']} added. Minute 1 of the boil."),
    ]
    for minute in range(2, stay + 1):
        out += [
            call(rng.choice(["", "", f"{minute - 1} done.", "Keep it going."]), "act", {"do": "wait"}),
            told("act", f"Minute {minute} of the boil."),
        ]
    out += [
        call("", "act", {"do": "take off"}),
        told("act", "Off the fire. " + ("Just right." if right else "Not as it should be.")),
    ]
    return Reply(
        [*out, say(rng.choice([f"The pot is off the fire after {stay} minutes.", f"Served after {stay} minutes."]))]
    )
