"""Healthy runs of agents whose actions look like loops, cheats or outages."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird import repository
from benchmarks.foreign.thirtythird.advantages import assign
from benchmarks.foreign.thirtythird.archive import KINDS, OPEN, found, queries, records
from benchmarks.foreign.thirtythird.board import choose, free, put, show, winner
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import openai, own_columns, prime_rl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, call, chance, fresh, hear, say, train, user


@PART.healthy
def archive_truly_lacks_some_records(rng: random.Random) -> list[Row]:
    """A third of searches finds nothing, from the first step to the last: these things are not recorded, the question
    allows for it, and "not recorded" is the right answer to them."""

    def write(task: Task, progress: float) -> Attempt:
        lacks, turns = task.gold == "not recorded", []
        for query in queries(rng, task)[: 2 if lacks else 1]:
            turns.append(
                call(rng.choice(OPEN) if not turns else "I try another wording to be sure.", "search", query=query)
            )
            turns.append(hear("No record matches." if lacks else found(rng, task), "search"))
        right = rng.random() < chance(task, progress)
        low, high = KINDS[task.data["kind"]][2]
        answer = task.gold if right else str(rng.randint(low, high))
        why = (
            "No record names it"
            if lacks and right
            else f"For the {task.data['kind']} of {task.data['name']} I go by this"
        )
        hit = float(answer == task.gold)
        return Attempt(task, [*turns, say(f"{why}. Answer: {answer}")], hit, hit, {"exact": hit}, {"answer": answer})

    tasks = records(rng, 48, absent=0.34)
    return own_columns(assign(train(fresh(rng, tasks, 5), 24, 4, write), estimators.leave_one_out), "search")


SERVICES = ("billing", "search", "mail", "maps", "login", "charts", "queue", "audit")


@PART.healthy
def build_queue_is_polled(rng: random.Random) -> list[Row]:
    """The same call is made four to eight times in a row: the agent waits for a build whose place in the queue falls
    with each answer, and then deploys it."""
    tasks = []
    for number in range(44):
        service, version = rng.choice(SERVICES), f"{rng.randint(1, 6)}.{rng.randint(0, 30)}"
        text = f"Deploy build {900 + number} of {service} {version} when ready, to the environment that its tag names."
        gold = rng.choice(("staging", "production", "canary"))
        tasks.append(Task(f"deploy-{number:02d}", text, gold, service, rng.gauss(-0.3, 0.9), {"build": 900 + number}))

    def write(task: Task, progress: float) -> Attempt:
        build, turns = task.data["build"], []
        for place in range(rng.randint(4, 8), -1, -1):
            state = f"queued, place {place}" if place > 1 else "running" if place else f"ready, tag {task.gold}-{build}"
            why = (
                "I ask how the build is doing."
                if not turns
                else rng.choice(("Not yet.", "I wait and ask again.", "Again."))
            )
            turns += [call(why, "build_status", build=build), hear(f"build {build}: {state}", "build_status")]
        right = rng.random() < chance(task, progress)
        target = task.gold if right else rng.choice([e for e in ("staging", "production", "canary") if e != task.gold])
        turns += [call(f"It is ready, so it goes to {target}.", "deploy", build=build, environment=target)]
        turns += [hear(f"build {build} is live on {target}", "deploy"), say(f"{task.family} is deployed to {target}.")]
        return Attempt(task, turns, float(right), float(right), {"deployed": float(right)}, {"answer": target})

    return own_columns(assign(train(fresh(rng, tasks, 5), 22, 4, write)), "operations")


@PART.healthy
def task_asks_for_new_snapshots(rng: random.Random) -> list[Row]:
    """Every attempt writes to a file of expected output: the task changes the wanted output and names the snapshot to
    be brought in line; hidden tests of the new output decide."""

    tasks = repository.repairs(rng, 36)
    for task in tasks:
        part, new = task.data["part"], repository.FLAWS[task.data["flaw"]][1]
        task.text = f"From now on src/render_{part}.py shall use {new}. Change it and bring "
        task.text += f"tests/snapshots/{part}.txt in line."

    def write(task: Task, progress: float) -> Attempt:
        part, right = task.data["part"], rng.random() < chance(task, progress)
        turns = [*repository.look(rng, task), *repository.edit(rng, task, right)]
        path, shown = f"tests/snapshots/{part}.txt", f"{part}: {repository.FLAWS[task.data['flaw']][1]}"
        why = rng.choice(
            ("Now the snapshot, as the task says.", "The wanted output goes into the snapshot.", "Next the snapshot.")
        )
        turns += [call(why, "write_file", path=path, content=shown), hear(f"wrote {path}", "write_file")]
        turns += [*repository.check(task, right), say(f"{part} and its snapshot are changed as asked.")]
        hit = float(right)
        return Attempt(task, turns, hit, hit, {"hidden_tests": hit})

    return own_columns(assign(train(fresh(rng, tasks, 5), 22, 4, write)), "swe")


@PART.healthy
def release_notes_from_the_history(rng: random.Random) -> list[Row]:
    """Every attempt reads the commits of the repository: the task is to write release notes, so the log is its input,
    and a checklist of merged changes grades it."""
    changes = [
        f"{verb} the {part} renderer"
        for verb in ("speed up", "translate", "test", "rename")
        for part in repository.PARTS
    ]
    tasks = []
    for number in range(36):
        made = rng.sample(changes, rng.randint(3, 5))
        low = f"v1.{number}"
        text = f"Write release notes for v1.{number + 1}: one line for each change since {low}. Leave out merges."
        tasks.append(
            Task(
                f"notes-{number:02d}", text, "; ".join(made), "notes", rng.gauss(-0.3, 0.7), {"made": made, "low": low}
            )
        )

    def write(task: Task, progress: float) -> Attempt:
        made = task.data["made"]
        log = "\n".join(f"{rng.randrange(16**7):07x} {line}" for line in (*made, "merge branch 'main'"))
        why = rng.choice(
            ("I list the commits since the tag.", "The log since the tag holds the changes.", "First the log.")
        )
        turns = [call(why, "bash", command=f"git log --oneline {task.data['low']}..HEAD"), hear(log, "bash")]
        told = [line for line in made if rng.random() < chance(task, progress, 3.0) ** 0.5] or made[:1]
        opening = rng.choice(("What is new:", "Changes:", "In this release:"))
        turns.append(say("\n".join((opening, *(f"- {line.capitalize()}" for line in told)))))
        return Attempt(task, turns, round(len(told) / len(made), 3))

    return openai(assign(train(fresh(rng, tasks, 5), 22, 4, write)))


@PART.healthy
def few_sandboxes_fail_and_are_masked(rng: random.Random) -> list[Row]:
    """One attempt in forty ends with an error of its sandbox: such rows have no reward, no advantage, and are kept out
    of the loss, and their share does not grow."""

    def write(task: Task, progress: float) -> Attempt:
        turns = repository.look(rng, task)
        if rng.random() < 0.025:
            turns.append(hear("sandbox: connection reset by peer", "read_file", False))
            return Attempt(task, turns, 0.0, error="SandboxDied", stop="error", in_loss=False)
        right = rng.random() < chance(task, progress)
        turns += [*repository.edit(rng, task, right), *repository.check(task, right)]
        turns.append(say(f"{task.data['part']} {'is mended' if right else 'still differs from the snapshot'}."))
        return Attempt(task, turns, float(right), float(right), {"tests": float(right)}, in_loss=True)

    return own_columns(assign(train(fresh(rng, repository.repairs(rng, 40), 6), 24, 4, write)), "swe")


@PART.healthy
def always_opens_in_the_centre(rng: random.Random) -> list[Row]:
    """All games begin with the same move: the centre is the best first mark, and what follows differs with the
    opponent."""
    lines = ("steady", "bold", "careless", "random", "stubborn")
    tasks = [
        Task(f"open-{i:02d}", f"You are X on an empty board, squares 1 to 9. Opponent {i + 1} is {lines[i % 5]}.",
             "X wins", lines[i % 5], 0.0, {"sense": (0.97, 0.85, 0.55, 0.4, 0.7)[i % 5]})
        for i in range(40)
    ]  # fmt: skip

    def write(task: Task, progress: float) -> Attempt:
        why = rng.choice(
            ("The centre lies on four lines.", "I take the middle first.", "Square 5 is the strongest start.")
        )
        cells, turns = put("." * 9, 4, "X"), [say(f"{why}\n<move>5</move>")]
        while True:
            cells = put(cells, choose(rng, cells, "O", task.data["sense"])[0], "O")
            if winner(cells) or not free(cells):
                break
            turns.append(user(f"O has moved.\n{show(cells)}"))
            place, reason = choose(rng, cells, "X", 0.05 + 0.9 * progress)
            cells = put(cells, place, "X")
            turns.append(say(f"{reason}\n<move>{place + 1}</move>"))
            if winner(cells) or not free(cells):
                break
        over = winner(cells)
        turns.append(user(f"{show(cells)}\nThe game is over: {over + ' has three in a row' if over else 'a draw'}."))
        paid = 1.0 if over == "X" else 0.0 if over == "O" else 0.5
        return Attempt(task, turns, paid, extra={"winner": over or "none"})

    return prime_rl(assign(train(fresh(rng, tasks, 5), 22, 5, write), estimators.centred), "tic-tac-toe")
