"""Escalations that are due, archaeology of commits, decay counted in samples, few moves many twins."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import mazes, programs, repos, service
from benchmarks.foreign.fifteenth.core import Reply, Task, World, draw_plan, play
from benchmarks.foreign.fifteenth.estimates import centred, grpo, mishaps
from benchmarks.foreign.fifteenth.grading import settle, turning_point
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import own, prime_rl, trl


@PART.healthy
def escalations_that_are_due(rng: Random) -> list[Row]:
    """Most customers come too late: short refusals are right, and the policy learns to give them."""
    plan = draw_plan(rng)

    def make(rng: Random) -> Task:
        task = service.make(rng)
        while task.family != "decline" and rng.random() < 0.6:
            task = service.make(rng)
        return task

    world = World("orderdesk", make, service.solve, service.POLICY)
    return own(rng, grpo(mishaps(rng, play(rng, world, plan))), world)


@PART.healthy
def archaeology_of_commits(rng: Random) -> list[Row]:
    """The question is which commit brought a line in, so reading the history with git is the task itself."""
    plan = draw_plan(rng, steps=rng.randint(7, 10))

    def make(rng: Random) -> Task:
        task = repos.make(rng)
        commits = [f"{rng.getrandbits(28):07x}" for _ in range(4)]
        w = task.work
        text = (
            f"In the repository at /srv/{w['package']}, which commit first wrote the line `{w['old']}` of "
            f"`{w['path']}`? Give its short hash as <answer>HASH</answer>. {rng.choice(['Use git.', ''])}"
        )
        words = ["tidy imports", "rework limits", "first version", "drop py2", "faster path", "review remarks"]
        log = "\n".join(f"{c} {word}" for c, word in zip(commits, rng.sample(words, 4), strict=True))
        return Task(text, rng.choice(commits), task.family, task.hard, work=w | {"commits": commits, "log": log})

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        w, commits = task.work, task.work["commits"]
        command = rng.choice([f"git log --oneline -- {w['path']}", f"git log --oneline -S'{w['old']}' -- {w['path']}"])
        messages = [repos.bash(rng, command, rng.choice(["", "History first."])), repos.out(w["log"])]
        answer = task.gold if right else rng.choice([c for c in commits if c != task.gold])
        for commit in rng.sample(commits, rng.randint(0, 1)) + [answer]:
            before = "" if commit == task.gold else f"-  {w['old']}\n"
            shown = f"commit {commit}\n--- a/{w['path']}\n+++ b/{w['path']}\n{before}+    {w['old']}"
            messages += [repos.bash(rng, f"git show {commit} -- {w['path']}"), repos.out(shown)]
        text = rng.choice(["It came in with this one.", "Found it.", "The line is first added there."])
        return Reply([*messages, {"role": "assistant", "content": f"{text}\n\n<answer>{answer}</answer>"}], answer)

    world = World("whichcommit", make, act, "You answer questions on the history of repositories.")
    return own(rng, grpo(mishaps(rng, play(rng, world, plan))), world)


@PART.faulty("learning_rate_schedule", "zero_gradient", "stagnation")
def decay_counted_in_samples(rng: Random) -> list[Row]:
    """The decay counts samples for steps: the learning rate reaches 0 after a third of the run, and nothing is learned
    since.
    """
    plan = draw_plan(rng, steps=rng.randint(10, 14))
    end, peak = turning_point(rng, plan, 0.3, 0.4), rng.choice([1e-6, 2e-6, 5e-7])
    best = plan.start + plan.gain * 0.4
    episodes = play(rng, programs.PROGRAMS, plan, levels=lambda t, n, a, level: min(level, best))
    rates = {n: max(0.0, peak * (1 - n / end)) for n in range(plan.steps)}
    norms = {n: round(rng.uniform(0.2, 0.6), 4) for n in range(plan.steps)}
    for e in episodes:
        number = e.step - plan.first
        e.extra |= {"learning_rate": rates[number], "grad_norm": norms[number]}
        e.extra["update_norm"] = round(norms[number] * rates[number] * 40, 9)
    return trl(grpo(mishaps(rng, episodes)), programs.PROGRAMS)


@PART.healthy
def few_moves_many_twins(rng: Random) -> list[Row]:
    """On small grids with moves alone for text, attempts of a group often coincide; there is little else to write."""
    plan = draw_plan(rng, start=-0.6, gain=2.0)

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        reply = mazes.solve(rng, task, right, level)
        for message in reply.messages:
            if message["role"] == "assistant":
                message["content"] = "<move>" + message["content"].partition("<move>")[2]
        return reply

    def make(rng: Random) -> Task:
        task = mazes.make(rng)
        while max(abs(task.work["key"][i] - task.work["start"][i]) for i in (0, 1)) > 2:
            task = mazes.make(rng)
        return task

    world = World("keygrid", make, act)
    return prime_rl(rng, centred(mishaps(rng, settle(play(rng, world, plan)))), world)
