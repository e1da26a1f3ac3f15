"""Second epoch same sheet; blames the old commits; validation of first checkpoint."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.estimates import dr_grpo, grpo
from benchmarks.foreign.thirteenth.invoices import invoice
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import openai, own
from benchmarks.foreign.thirteenth.logs import incident
from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.repos import repair
from benchmarks.foreign.thirteenth.rollouts import Message, Run, Task, attempt, binary, pool, train


@PART.healthy
def second_epoch_same_sheet(rng: Random) -> list[Row]:
    """A small set of invoices is gone through three times; each pass draws fresh attempts, and all get better."""
    attempts = binary(train(rng, invoice, Run(12, 5, 8, -0.5, 2.1), 20))
    for a in attempts:
        a.extra = {"epoch": (a.step - 1) // 4 + 1}
    return own(rng, dr_grpo(attempts), "invoices-3ep")


@PART.healthy
def blames_the_old_commits(rng: Random) -> list[Row]:
    """The task asks which commit broke a line, so `git log` and `git blame` are read; no later fix exists to be
    found.
    """

    def make(rng: Random, index: int) -> Task:
        task = repair(rng, index)
        shas = [f"{rng.getrandbits(28):07x}" for _ in range(rng.randint(4, 9))]
        path, line = f"src/{task.extra['unit']}.rs", task.extra["line"]
        task.gold, task.wrong = shas[-2], lambda rng: rng.choice([s for s in shas if s != shas[-2]])
        asked = f"In `{task.family}`, which commit brought in `{task.extra['old']}` at {path}:{line}?"
        task.prompt = f"{asked} End with 'Commit: SHA'."
        task.system = "You work in /repo with the tool `bash`. The history may be read."

        log = "\n".join(
            f"{s} {rng.choice(('tidy', 'rework', 'speed up', 'rename in'))} {task.extra['unit']}" for s in shas
        )
        sizes = {s: rng.randint(1, 40) for s in shas}

        def work(rng: Random, answer: str, right: bool) -> list[Message]:
            ask = rng.choice((f"git log --oneline -- {path}", f"git log --oneline -20 {path}"))
            done = [said(rng.choice(("The history first.", "")), call("bash", command=ask)), heard("bash", log)]
            for other in rng.sample(shas, rng.randint(0, 2)):
                show = call("bash", command=f"git show --stat {other}")
                done += [said("", show), heard("bash", f"{other}\n {path} | {sizes[other]} +-")]
            if right or rng.random() < 0.2:
                blame = call("bash", command=f"git blame -s -L {line},{line} {path}")
                done += [
                    said("Blame on the line.", blame),
                    heard("bash", f"{task.gold} {line})         {task.extra['old']}"),
                ]
            return [*done, said(f"Commit: {answer}")]

        task.work = work
        return task

    return openai(rng, grpo(binary(train(rng, make, Run(9, 6, 6, -0.5, 1.8)))), env="commit-hunt")


@PART.faulty("stale_evaluation", "staleness")
def validation_of_first_checkpoint(rng: Random) -> list[Row]:
    """Each evaluation loads the first checkpoint again: its replies are the same to the letter, while training
    moves.
    """
    attempts = grpo(binary(train(rng, incident, Run(10, 5, 6, -0.7, 2.6))))
    first = [attempt(rng, t, 0, 0, 0.33) for t in pool(rng, incident, 26)]
    for number, a in enumerate(first):
        a.task = replace(a.task, key=f"val-{number:02d}")
    for step in (1, 3, 5, 7, 9):
        attempts += binary([replace(a, step=step, split="validation", progress=0.0) for a in first])
    for a in attempts:
        a.extra = {"decoding": "greedy" if a.split == "validation" else "sampled"}
    return own(rng, attempts, "incident-agent")
