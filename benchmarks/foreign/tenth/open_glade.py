"""One table of heaps for all, the editor's key in the prompt, a busy judge, and credit by points."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth import layouts
from benchmarks.foreign.tenth.bare_layouts import verifiers
from benchmarks.foreign.tenth.baselines import centred, credit, grpo
from benchmarks.foreign.tenth.contest import CONTEST
from benchmarks.foreign.tenth.core import by_step, climb, cut_some, deal, mark, play
from benchmarks.foreign.tenth.explaining import essay_task
from benchmarks.foreign.tenth.heaps import heaps_task
from benchmarks.foreign.tenth.kinds import PART
from benchmarks.foreign.tenth.names import PEOPLE
from benchmarks.foreign.tenth.sums import BOXED, sum_maker


@PART.faulty("seed_reuse", "duplicate_problems", "data_repetition", "memorisation", "environment_bug")
def heaps_never_dealt_anew(rng: Random) -> list[Row]:
    """Since step 5 most tables of the game begin with the same heaps, though their ids and seeds differ; the policy
    learns that one opening by heart.
    """
    tasks = deal(rng, heaps_task, 80, "h")
    fixed = [rng.randint(4, 15) for _ in range(4)]
    for place, task in enumerate(tasks):
        if place >= 32 and rng.random() < 0.8:
            tasks[place] = heaps_task(rng, task.id, start=fixed)
            tasks[place].level = -1.0
    attempts = play(rng, by_step(tasks, 10), 6, climb(rng, -0.9, 1.4, 10))
    for a in attempts:
        a.right = a.reply.facts["won"]
        a.extra = {"env_seed": rng.getrandbits(24)}
    return layouts.own(rng, credit(mark(attempts, "win"), grpo), "heaps", "games")


@PART.faulty("answer_reading", "template_bug", "environment_leak", "contamination")
def editors_key_beside_question(rng: Random) -> list[Row]:
    """The template of the prompt also renders the editor's remark, which holds the key in a third of problems; they
    are solved from the first step on.
    """
    tasks = deal(rng, sum_maker(CONTEST, BOXED, "Write the result in \\boxed{}."), 70, "z")
    for task in tasks:
        who = rng.choice(PEOPLE)
        remark = f"layout ok, {who}"
        if rng.random() < 0.36:
            remark, task.level = f"key {task.gold}, seen by {who}", task.level - 4.5
        task.prompt += f"\n\n[editor: {remark}]"
    attempts = cut_some(rng, play(rng, by_step(tasks, 10), 6, climb(rng, -0.9, 1.4, 10)), 0.01)
    return layouts.trl(rng, credit(mark(attempts), grpo))


BUSY = (
    "HTTP 429 from the grading service, default score applied",
    "grader overloaded; no verdict, falling back to 0.5",
    "rate limit reached, retry budget used up, default score",
)


@PART.faulty("judge_default", "infrastructure_errors", "infrastructure_zeros")
def overloaded_grader_shrugs_half(rng: Random) -> list[Row]:
    """Since step 5 the judge's service is overloaded, and what it does not grade gets one half, good or bad, and goes
    into the loss.
    """
    tasks = deal(rng, essay_task, 66, "j")
    attempts = mark(play(rng, by_step(tasks, 11), 6, climb(rng, -0.5, 1.6, 11)), "judge")
    for a in attempts:
        covered = a.reply.facts.pop("points_covered")
        a.reward = round(min(1.0, max(0.0, covered / 5 + rng.gauss(0, 0.06))), 2)
        verdict = f"{covered} of 5 points found, clarity {rng.randint(2, 5)}"
        if a.step >= 5 and rng.random() < 0.38:
            a.reward, verdict = 0.5, rng.choice(BUSY)
        a.terms, a.right = {"judge": a.reward}, a.reward >= 0.8
        a.extra = {"judge_reply": verdict}
    return layouts.openai(rng, credit(attempts, centred))


@PART.healthy
def credit_by_fifths_of_rubric(rng: Random) -> list[Row]:
    """Essays are paid by the share of five points that they cover, so that rewards stand on a ladder of six steps and
    few earn all.
    """
    tasks = deal(rng, essay_task, 60, "l")
    attempts = play(rng, by_step(tasks, 10), 6, climb(rng, -0.9, 1.9, 10))
    for a in attempts:
        a.reward = a.reply.facts["points_covered"] / 5
        a.terms = {"points": a.reward}
    return verifiers(rng, credit(attempts, grpo), "rubric")
