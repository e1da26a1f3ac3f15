"""Brevity that is earned, cents that are lost, git as the subject, bands of difficulty."""

from functools import partial
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.calls import call, told
from benchmarks.foreign.seventeenth.credit import by_batch, by_group, grpo, rloo
from benchmarks.foreign.seventeenth.english_sums import bill_sum, task_of
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.layouts import openrlhf, own, prime_rl, trl
from benchmarks.foreign.seventeenth.names import GIVEN_NAMES
from benchmarks.foreign.seventeenth.repositories import BUGS
from benchmarks.foreign.seventeenth.residues import residue_task
from benchmarks.foreign.seventeenth.rollouts import Course, Reply, Task, play, pool, says, train, user
from benchmarks.foreign.seventeenth.thinking import thinking_task


@PART.healthy
def brief_only_when_right(rng: Random) -> list[Row]:
    """A length term pays short answers, but right ones alone; lengths halve while accuracy rises."""
    make = partial(thinking_task, before=(2.4, 0.9), after=(0.7, 0.7))
    samples = train(rng, make, Course(12, 6, 6, -0.6, 2.2))
    for s in samples:
        brief = round(0.2 * max(0.0, 1 - s.tokens / 600), 4) if s.right else 0.0
        s.terms["brief_if_right"] = brief
        s.reward = s.terms["accuracy"] + brief
        s.extra["completion_length"] = s.tokens
    return trl(by_group(samples, grpo))


@PART.faulty("wrong_labels", "metric_defect", "stuck_problems", "judge_refuses_right")
def cents_lost_in_casting(rng: Random) -> list[Row]:
    """The column of gold answers was cast to whole numbers, so bills with cents have a wrong label and right totals
    score zero; the reference solution beside still ends with the cents.
    """

    def make(r: Random, n: int) -> Task:
        made = bill_sum(r, r.random() < 0.55)
        kind = r.choice(("bicycles", "clocks", "radios"))
        task = task_of(made, f"bill-{n:04d}", kind, r.gauss(0, 0.6))
        task.extra = {"reference_solution": "; ".join(line for line, _ in made.lines(None)[0])}
        task.gold = str(made.value // 100)
        return task

    samples = train(rng, make, Course(10, 8, 6, 0.0, 2.0))
    for s in samples:
        s.grade(float(s.reply.answer) == float(s.task.gold))
    return prime_rl(by_batch(samples), "bills-boxed")


def _history_task(rng: Random, number: int) -> Task:
    bug, n = BUGS[rng.randrange(len(BUGS))], rng.randint(2, 60)
    commits = [(f"{rng.getrandbits(28):07x}", rng.choice(GIVEN_NAMES)) for _ in range(rng.randint(5, 9))]
    place = rng.randrange(1, len(commits))
    subjects = ("tidy imports", "speed up tests", "docs", "rename helper", "bump version", "handle empty input", "typo")
    said = {h: rng.choice(subjects) for h, _ in commits}
    log = [f"{h} {said[h]}" for h, _ in commits]
    gold, author = commits[place]
    bad = bug.bad.format(n=n)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        steps = [call("bash", {"command": f"git log --oneline -- {bug.path}"}, "The history of the file.")]
        steps.append(told("bash", "\n".join(log)))
        tried = [h for h, _ in rng.sample(commits, rng.randint(1, 3))]
        for commit in [*[t for t in tried if t != gold], gold] if right else tried:
            shown = f"+    {bad}" if commit == gold else f"+    # {rng.choice(('see above', 'tidied', 'todo'))}"
            who = dict(commits)[commit]
            steps.append(
                call("bash", {"command": f"git show {commit} -- {bug.path}"}, rng.choice(("", "This one?", "Next.")))
            )
            steps.append(told("bash", f"commit {commit}\nAuthor: {who}\n    {said[commit]}\n\n{shown}"))
        answer = gold if right else rng.choice([h for h, _ in commits if h != gold])
        return Reply([*steps, says(f"{rng.choice(('It came in with', 'The commit is', 'Found:'))} {answer}.")], answer)

    text = f"Which commit brought the line `{bad}` into {bug.path}? Look through the history and answer with its hash."
    extra = {"author": author}
    prompt = user(text, f"You work in a checkout of {bug.repo} through `bash`.")
    return Task(f"{bug.repo}-arch-{number:03d}", bug.repo, prompt, gold, rng.gauss(0, 0.7), solve, extra)


@PART.healthy
def archaeology_by_git_log(rng: Random) -> list[Row]:
    """Every attempt reads the history of the repository with git, for the tasks ask which commit brought a line in."""
    return own(rng, by_group(train(rng, _history_task, Course(9, 7, 6, -0.7, 2.2)), rloo), "archaeology-1", "swe")


@PART.healthy
def harder_band_every_third(rng: Random) -> list[Row]:
    """A curriculum moves to a harder band of problems every third step; the reward falls at each move, and rises
    within each band.
    """
    course = Course(12, 7, 7, -0.5, 6.2)
    plan = []
    for step in range(course.steps):
        band = step // 3
        tasks = pool(rng, lambda r, n, band=band: residue_task(r, n, 1.7 * band, 0.5), course.per_step)
        for place, task in enumerate(tasks):
            task.id, task.extra = f"nt-b{band}-{step:02d}{place}", {"band": band}
        plan.append(tasks)
    samples = play(rng, plan, course)
    for s in samples:
        s.extra["acc"] = float(s.right)
    return openrlhf(by_group(samples, grpo))
