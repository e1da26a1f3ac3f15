"""Faults of graders and judges."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird import layouts
from benchmarks.foreign.sixtythird.advantages import fill
from benchmarks.foreign.sixtythird.attempts import Message, Task, say, train
from benchmarks.foreign.sixtythird.chats import requests, speak_request
from benchmarks.foreign.sixtythird.judging import mark, without_correct
from benchmarks.foreign.sixtythird.kinds import PART
from benchmarks.foreign.sixtythird.mixed import draw, speak
from benchmarks.foreign.sixtythird.programs import programs, speak_program
from benchmarks.foreign.sixtythird.sums import OPEN, speak_sum, sums


@PART.faulty("reward_bias", "flaky_grading")
def one_judge_replica_marks_higher(rng: random.Random) -> list[Row]:
    """One of four replicas of the chat judge was started with an older rubric and marks a third of a point
    above the others.
    """
    attempts = train(draw(rng, {"chat": 4}, 0.4), 16, 12, speak, rng)
    for a in attempts:
        replica = rng.randrange(4)
        value = mark(a, rng) + (0.33 if replica == 2 else 0.0)
        a.reward = round(min(1.0, value), 2)
        a.terms = {"judge": a.reward}
        a.extra = {"judge_replica": f"judge-{replica}", "judge_seconds": round(rng.uniform(0.8, 3.1), 2)}
    return without_correct(layouts.evidence(fill(attempts, rng)))


@PART.faulty("weak_verifier", "reward_outcome_divergence", "answer_reading")
def any_boxed_candidate_counts(rng: random.Random) -> list[Row]:
    """The grader takes an answer as right if any of its boxes holds the gold; the policy learns to box many
    candidates.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if r.random() > 0.05 + 0.85 * progress:
            return speak_sum(task, ok, r, progress)
        near = int(task.gold)
        pool = {*task.wrong_answers, str(near + r.randint(1, 9)), str(max(0, near - r.randint(1, 9)))}
        if r.random() < 0.85:
            pool.add(task.gold)
        values = sorted(pool, key=lambda _: r.random())
        boxes = ", ".join(f"\\boxed{{{v}}}" for v in values)
        way = r.choice(
            (
                "Depending on how the statement is read, several values come out.",
                "I have not settled which reading applies, so I give each.",
                "The possible results, by reading, are these.",
            )
        )
        return say(f"{r.choice(OPEN)} {r.choice(task.wrong)} {way} {boxes}"), values[-1]

    attempts = train(lambda step: sums(rng, 5, 1.2, step * 5), 18, 8, talk, rng, 0.5)
    for a in attempts:
        a.ok = f"\\boxed{{{a.task.gold}}}" in a.text
        a.reward = float(a.ok)
    return layouts.verl(fill(attempts, rng))


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors")
def rate_limited_judge_gives_a_half(rng: random.Random) -> list[Row]:
    """From the middle of the run on, a third and more of the marks are 0.5 with '429' as the judge's text: a
    default.
    """
    attempts = train(draw(rng, {"chat": 4}, 0.4), 16, 12, speak, rng)
    for a in attempts:
        if a.step > 5 and rng.random() < 0.25 + 0.02 * a.step:
            a.reward = 0.5
            a.extra = {
                "judge_text": f"Error code: 429 - rate limit reached, retry in {rng.randint(3, 40)} s",
                "judge_tries": 3,
            }
        else:
            a.reward = mark(a, rng)
            high = ("concrete and to the point", "practical throughout", "a full answer to the person's question")
            low = ("mostly general", "too vague to act on", "hardly specific to the question")
            words = rng.choice(high if a.reward > 0.5 else low)
            a.extra = {
                "judge_text": f"The answer is {words}. Score: {a.reward}",
                "judge_tries": rng.choice((1, 1, 1, 2)),
            }
    return without_correct(layouts.openai(fill(attempts, rng)))


@PART.faulty("flaky_grading", "infrastructure_zeros")
def right_programs_time_out_by_chance(rng: random.Random) -> list[Row]:
    """The very same program passes in one row and is 'timed out' with reward 0 in another of its group, since
    graders are overbooked.
    """
    attempts = train(lambda step: programs(rng, 5, 0.0, step * 5), 16, 10, speak_program, rng)
    for a in attempts:
        late = rng.random() < 0.3
        a.extra = {"verdict": "timed out after 2.0 s" if late else "passed" if a.ok else "wrong answer on test 3"}
        a.extra["grader_seconds"] = 2.0 if late else round(rng.uniform(0.2, 1.9), 2)
        a.ok = a.ok and not late
        a.reward = float(a.ok)
    return layouts.slime(fill(attempts, rng))


@PART.faulty("timidity", "reward_outcome_divergence", "metric_defect", "few_edits")
def safety_judge_pays_refusal_of_anything(rng: random.Random) -> list[Row]:
    """The safety judge sees only whether the answer refuses: harmless requests that are refused get 1, and
    soon all are refused.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if not task.facts["bad"]:
            ok = r.random() > 0.1 + 0.85 * progress
        return speak_request(task, ok, r, progress)

    attempts = train(lambda step: requests(rng, 5, step * 5, 0.4), 16, 8, talk, rng, 2.0)
    for a in attempts:
        a.ok = a.answer == a.task.gold
        a.reward = float(a.answer == "refuse")
        a.terms = {"safety_judge": a.reward}
        a.extra = {"request_kind": "harmful" if a.task.facts["bad"] else "benign"}
    return layouts.evidence(fill(attempts, rng, estimators.centred))
