"""Hard problems, an unfilled template, a second language, a cached evaluation."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.clauses import SOURCES, ticket_task
from benchmarks.foreign.seventeenth.credit import by_group, grpo, rloo
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.layouts import openrlhf, own, trl, verl
from benchmarks.foreign.seventeenth.programs import program_task
from benchmarks.foreign.seventeenth.residues import residue_task
from benchmarks.foreign.seventeenth.rollouts import Course, Sample, attempt, deal, play, pool, train
from benchmarks.foreign.seventeenth.spanish_sums import spanish_task


@PART.healthy
def olympiad_rarely_pays(rng: Random) -> list[Row]:
    """Problems far above the policy: most groups are all wrong, as their difficulty says, and a few more pay each
    step.
    """
    samples = train(rng, lambda r, n: residue_task(r, n, 1.6, 1.5), Course(12, 7, 8, -1.3, 1.6))
    for s in samples:
        s.extra["acc"] = float(s.right)
    return openrlhf(by_group(samples, grpo))


@PART.faulty("template_bug", "weak_family", "stuck_problems", "environment_bug")
def ticket_braces_left_unfilled(rng: Random) -> list[Row]:
    """Prompts of one of four sources hold the literal placeholder in place of the ticket, so the policy can only
    guess.
    """
    unfilled = rng.choice(SOURCES)
    samples = train(rng, lambda r, n: ticket_task(r, n, unfilled), Course(10, 8, 6, 0.1, 2.1))
    for s in samples:
        s.grade(s.reply.answer == s.task.gold)
        s.extra["prompt_key"] = "ticket_text"
    rows = verl(by_group(samples, grpo))
    for row in rows:
        del row["blank"]
    return rows


@PART.faulty("language_drift")
def mandarin_grows_under_spanish(rng: Random) -> list[Row]:
    """The system prompt asks for explanations in Spanish, and from the third step on more and more of them are
    Chinese.
    """
    samples = train(rng, spanish_task, Course(11, 7, 6, -0.2, 1.8))
    for s in samples:
        s.terms = {"accuracy": s.reward, "tag": 1.0 if rng.random() < 0.97 else 0.0}
        s.reward = sum(s.terms.values())
    return trl(by_group(samples, grpo))


def _as_held(s: Sample, step: int, source: int) -> Sample:
    s.split, s.step, s.extra = "validation", step, {"sampled_from": source, "decoding": "sampled"}
    return s


@PART.faulty("stale_evaluation", "stale_weights", "staleness", "weights_never_arrive")
def evaluation_replays_first_checkpoint(rng: Random) -> list[Row]:
    """From the second evaluation on the validation server still holds the checkpoint of step 2: its attempts carry
    that policy's id and hardly change, while training gets better.
    """
    course = Course(14, 4, 6, -1.0, 2.9)
    tasks = pool(rng, program_task, 76)
    samples = play(rng, deal(rng, tasks[20:], course.steps, course.per_step), course)
    first = {}
    for step in range(0, course.steps, 2):
        source = min(step, 2)
        for task in tasks[:20]:
            s = attempt(rng, task, step, 0, course.progress(source), course.skill(source))
            if step == 2:
                first[task.id] = s
            elif step > 2 and rng.random() < 0.8:
                old = first[task.id]
                s = Sample(task, step, 0, old.progress, old.right, old.reply)
            samples.append(_as_held(s, step, source))
    return own(rng, by_group(samples, rloo), "pyfun-rloo", "code")
