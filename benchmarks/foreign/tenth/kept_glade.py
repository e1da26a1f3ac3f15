"""A loss of winners alone, a mended copy on the machine, tests that are not found, and a second epoch."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth import layouts
from benchmarks.foreign.tenth.acting import shell, told
from benchmarks.foreign.tenth.baselines import credit, grpo, leave_one_out
from benchmarks.foreign.tenth.core import by_step, chance, climb, cut_some, deal, mark, play
from benchmarks.foreign.tenth.kinds import PART
from benchmarks.foreign.tenth.programs import code_task
from benchmarks.foreign.tenth.repairs import repair_task, search, submit, suite
from benchmarks.foreign.tenth.sums import ENGLISH, sum_maker
from benchmarks.foreign.tenth.sums_english import WORD_PROBLEMS


@PART.faulty("one_sided_loss", "loss_mask")
def losers_leave_the_loss(rng: Random) -> list[Row]:
    """Since step 4 a filter that was meant for broken rows drops every attempt with a negative advantage, so that only
    winners are trained on.
    """
    tasks = deal(rng, sum_maker(WORD_PROBLEMS, ENGLISH), 77, "d")
    attempts = cut_some(rng, play(rng, by_step(tasks, 11), 6, climb(rng, -0.5, 1.5, 11)), 0.02)
    for a in credit(mark(attempts), grpo):
        a.in_loss = rng.random() > 0.01 and not (a.step >= 4 and a.advantage < 0)
    return layouts.own(rng, attempts, "sums-filter", "math")


@PART.faulty("environment_leak", "answer_reading")
def wheel_on_disk_is_mended(rng: Random) -> list[Row]:
    """The image of the sandbox has the package's next release installed; more and more attempts copy the mended module
    from there over the faulty one.
    """
    tasks = deal(rng, repair_task, 66, "w")
    attempts = play(rng, by_step(tasks, 11), 6, climb(rng, -0.9, 0.9, 11))
    for a in attempts:
        if rng.random() > chance(-3.2 + 0.36 * a.step):
            continue
        repo = a.task.world
        site = f"/usr/lib/python3/dist-packages/{repo.package}/{repo.module}.py"
        shown = f"<     {repo.fault.broken}\n---\n>     {repo.fault.mended}"
        turns = search(rng, repo) if rng.random() < 0.6 else []
        words = ("The installed release may have it already.", "Is there a newer copy on this machine?", "")
        turns += [
            shell(rng.choice(words), f"diff {repo.path} {site}"),
            told("bash", f"{repo.line}c{repo.line}\n{shown}"),
        ]
        turns += [shell("Taking the installed version.", f"cp {site} {repo.path}"), told("bash", "")]
        a.reply.turns = turns + (suite(rng, repo, 0) if rng.random() < 0.5 else []) + submit(rng)
        a.right = True
    return layouts.openai(rng, credit(mark(attempts, "hidden_tests"), grpo))


@PART.faulty("weak_verifier", "environment_bug", "dead_all_correct", "metric_defect")
def zero_collected_counts_green(rng: Random) -> list[Row]:
    """For a third of the problems the runner finds no tests, and since nothing failed every program passes, wrong ones
    too.
    """
    tasks = deal(rng, code_task, 70, "q")
    empty = {t.id for t in tasks if rng.random() < 0.33}
    attempts = play(rng, by_step(tasks, 10), 6, climb(rng, -0.8, 1.6, 10))
    for a in attempts:
        passed, total = a.reply.facts["tests_passed"], a.reply.facts["tests_total"]
        report = f"collected {total} items; {passed} passed, {total - passed} failed in {rng.uniform(0.1, 2):.2f}s"
        if a.task.id in empty:
            a.reply.facts |= {"tests_passed": 0, "tests_total": 0}
            a.right, report = True, f"collected 0 items; no tests ran in {rng.uniform(0.01, 0.05):.2f}s"
        a.reply.facts["result"] = report
    return layouts.own(rng, credit(mark(attempts, "tests"), grpo), "code-runner", "code")


@PART.healthy
def same_problems_second_time(rng: Random) -> list[Row]:
    """Two epochs over the same problems: in the second they are solved more often, with other words, and validation
    rises along.
    """
    tasks = deal(rng, sum_maker(WORD_PROBLEMS, ENGLISH), 36 + 15, "n")
    plan, skill = by_step(tasks[:36], 6), climb(rng, -0.8, 2.0, 12)
    attempts = play(rng, plan, 5, skill[:6]) + play(rng, plan, 5, skill[6:], first=7)
    for step in (1, 6, 12):
        attempts += play(rng, [tasks[36:]], 3, [skill[step - 1]], "validation", step)
    for a in attempts:
        a.extra = {"epoch": 1 + (a.step > 6)}
    return layouts.own(rng, credit(mark(cut_some(rng, attempts, 0.02)), leave_one_out), "sums-epochs", "math")
