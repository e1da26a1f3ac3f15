"""A warm start, labels of the original, a folder left as it was, a loader that starts over."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.credits import credit
from benchmarks.foreign.eighteenth.dumps import own, prime, verl
from benchmarks.foreign.eighteenth.functions import REUSED, function_of
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import climb, distinct, groups, pages, play, run
from benchmarks.foreign.eighteenth.shapes import call, told
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.healthy
def starts_near_the_ceiling(rng: Random) -> list[Row]:
    """The run starts from a tuned model that already solves four in five problems; as many groups are all right as
    the rate of success lets expect.
    """
    steps = 10
    tasks = distinct(rng, lambda r: sum_of(r, "boxed"), steps * 8, "warm")
    for task in tasks:
        task.level *= 0.5
    return verl(credit(play(rng, pages(tasks, steps), rng.choice((4, 6, 8)), climb(rng, 1.3, 1.2, steps))))


@PART.faulty("wrong_labels", "dead_all_wrong", "stuck_problems", "metric_defect", "weak_family")
def augmented_numbers_old_gold(rng: Random) -> list[Row]:
    """A third of the problems are augmented ones with other names and numbers, which kept the answer of their
    original: the policy agrees on the right value and is marked wrong.
    """
    steps, per_step = 10, 7
    tasks = distinct(rng, lambda r: sum_of(r, "boxed"), steps * per_step, "mix")
    for task in tasks:
        task.extra["source"] = "original"
    for task in rng.sample(tasks, round(len(tasks) * rng.uniform(0.28, 0.38))):
        origin = rng.choice([t for t in tasks if t.family == task.family and t is not task] or tasks)
        task.extra |= {"source": "augmented", "origin": origin.id}
    episodes = play(rng, pages(tasks, steps), 6, climb(rng, -0.3, 1.9, steps))
    golds = {task.id: task.gold for task in tasks}
    for task in tasks:
        task.gold = golds[task.extra.get("origin", task.id)]
    for e in episodes:
        e.right = e.reply.answer == e.task.gold
        e.reward, e.terms = float(e.right), {"boxed": float(e.stop == "stop")}
    return prime(credit(episodes), "augmented-sums")


@PART.faulty("leftover_state", "environment_not_reset", "environment_leak", "answer_reading")
def scratch_folder_of_neighbour(rng: Random) -> list[Row]:
    """The scratch folder is not emptied between the attempts of a group, and the policy learns to copy a passing
    program that an earlier attempt left in it.
    """
    steps = 10
    episodes = run(rng, function_of, steps, 7, 6, "fn")
    for members in groups(episodes):
        left, passed = "", False
        for e in members:
            name = e.task.extra["signature"]
            seen = f"total 1\n-rw-r--r-- 1 agent agent {len(left)} {name}.py" if left else "total 0"
            head = [call("bash", "", command="ls -l /scratch"), told("bash", seen)]
            if passed and rng.random() < 0.12 + 0.75 * e.step / steps:
                head += [call("bash", "", command=f"cat /scratch/{name}.py"), told("bash", left)]
                e.reply.text = f"{rng.choice(REUSED).format(name)}\n\n```python\n{left}\n```"
                e.right = rng.random() < 0.95
                e.stop = "stop"
            elif not passed and e.stop == "stop":
                left, passed = e.reply.text.split("```python\n")[1].split("\n```")[0], e.right
                head += [
                    call("write_file", "", path=f"/scratch/{name}.py", content=left),
                    told("write_file", "written"),
                ]
            e.reply.messages = head + e.reply.messages
            e.reward = float(e.right)
            e.terms = {"tests": e.reward}
    return own(rng, credit(episodes), "fn-scratch")


@PART.faulty("data_repetition", "duplicate_problems", "memorisation", "seed_reuse")
def same_page_after_resume(rng: Random) -> list[Row]:
    """The run was resumed from a checkpoint, and from then on the loader, seeded anew in every step, deals the same
    few problems in each batch.
    """
    steps, since, per_step = 12, rng.randint(4, 5), rng.randint(6, 7)
    tasks = distinct(rng, lambda r: sum_of(r, "hash"), (since + 1) * per_step, "gsm")
    batches = pages(tasks, since + 1)
    batches += [rng.sample(batches[-1], per_step) for _ in range(steps - len(batches))]
    skills = climb(rng, -0.6, 2.9, steps)
    episodes = play(rng, batches, 6, skills)
    for e in episodes:
        e.extra["resumed_from"] = None if e.step < since else f"global_step_{since}"
    return verl(credit(episodes))
