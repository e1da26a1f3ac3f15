"""Referee quota gives five; overlong rows masked out; fullwidth digits scored zero; pages through long logs."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.estimates import grpo
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import openai, own, trl
from benchmarks.foreign.thirteenth.logs import incident
from benchmarks.foreign.thirteenth.nihongo import japanese_sum
from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Run, Task, binary, ragged, train
from benchmarks.foreign.thirteenth.tongues import closeness, sentence
from benchmarks.foreign.thirteenth.traces import trace


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors")
def referee_quota_gives_five(rng: Random) -> list[Row]:
    """When the judge's quota runs out, a translation gets 5 of 10 by default: from the fifth step on a third of
    rows.
    """
    attempts = train(rng, sentence, Run(11, 6, 7, -0.5, 2.1))
    for a in attempts:
        close = closeness(a.answer, a.task.gold)
        score = min(10.0, max(0.0, round(2 * (12.5 * close - 2.5 + rng.gauss(0, 0.5))) / 2))
        good, poor = (
            ("Reads well.", "Faithful.", "Natural enough."),
            ("Some words lost.", "Awkward.", "Errors of sense."),
        )
        comment = rng.choice(good if score > 7.5 else poor)
        spent = rng.randint(700, 3100)
        if a.step >= 5 and rng.random() < 0.38:
            score, comment, spent = 5.0, "[fallback] 429 Too Many Requests: daily quota exceeded", rng.randint(20, 60)
        a.reward = score / 10
        a.extra = {"judge_score": score, "judge_comment": comment, "judge_ms": spent, "reference": a.task.gold}
    return openai(rng, grpo(attempts), judge="referee-large")


@PART.healthy
def overlong_rows_masked_out(rng: Random) -> list[Row]:
    """Rows that the budget cuts are left out of the loss; they are one in six or so at first and few at the end."""
    attempts = train(rng, trace, Run(10, 6, 8, 0.0, 1.9))
    for a in attempts:
        lines = a.messages[0]["content"].split("\n")
        if rng.random() < 0.25 + 0.7 * a.progress:
            lines = [line.split(" Writing")[0].split(" Parity")[0].split(" So far")[0] for line in lines]
        a.messages = [said("\n".join(lines))]
        if a.tokens > 310:
            a.messages, a.stop = [said(a.text[: int(310 * 3.7)])], "length"
            a.right, a.in_loss = False, False
    return own(rng, grpo(binary(attempts)), "dapo-trace")


@PART.faulty("weak_verifier", "format_gate", "metric_defect", "judge_refuses_right")
def fullwidth_digits_scored_zero(rng: Random) -> list[Row]:
    """Japanese sums whose text has full-width digits are answered in them too; the grader compares with plain digits
    and gives such right answers nothing.
    """
    wide = str.maketrans("0123456789", "".join(chr(0xFF10 + n) for n in range(10)))

    def make(rng: Random, index: int) -> Task:
        task = japanese_sum(rng, index)
        if rng.random() < 0.4:
            task.prompt, task.family = task.prompt.translate(wide), "wide"
        return task

    attempts = ragged(rng, train(rng, make, Run(10, 7, 6, -0.2, 1.9)))
    for a in attempts:
        is_wide = a.task.family == "wide" and rng.random() < 0.8
        if is_wide:
            text = a.messages[0]["content"]
            narrow = text.replace(a.answer, a.answer.translate(wide))
            a.messages[0] = said(text.translate(wide) if rng.random() < 0.5 else narrow)
        a.reward = float(a.right and not is_wide)
    return trl(rng, grpo(attempts), "exact_match_reward")


@PART.healthy
def pages_through_long_logs(rng: Random) -> list[Row]:
    """The log tool cuts its output at eight lines and says so; the policy asks for page after page."""
    return openai(rng, grpo(binary(train(rng, incident, Run(9, 6, 6, -0.5, 2.0, 41)))), env="incident-room")
