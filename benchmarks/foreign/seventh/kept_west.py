"""A baseline of the batch, over-triage, a judge of summaries, long tails."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.articles import summary_task
from benchmarks.foreign.seventh.dumps import openrlhf
from benchmarks.foreign.seventh.estimates import credit, credit_batch, dr_grpo, drop_uniform, grpo
from benchmarks.foreign.seventh.formats import openai, own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.patients import assessed, triage_task
from benchmarks.foreign.seventh.prose import joined, say
from benchmarks.foreign.seventh.rollouts import CHARACTERS_PER_TOKEN, Shape, train
from benchmarks.foreign.seventh.shells import shell_task
from benchmarks.foreign.seventh.sums import detour, sum_task


@PART.healthy
def chores_with_reinforce(rng: Random) -> list[Row]:
    """REINFORCE++ on chores in a shell in OpenRLHF's form; the baseline is that of the batch, so uniform groups have
    advantages too.
    """
    episodes = train(rng, shell_task, Shape(11, 8, 6), start=-0.6, gain=2.1, prefix="k")
    for e in episodes:
        e.extra |= {"label": e.task.gold, "latency_s": round(rng.lognormvariate(1.1, 0.7), 2)}
    credit_batch(episodes, advantage_estimator="reinforce++")
    for e in episodes:
        if e.advantage is not None:
            e.extra["advantage"] = round(e.advantage, 5)
    return openrlhf(episodes)


@PART.faulty(
    "timidity", "action_collapse", "reward_bias", "reward_outcome_divergence", "metric_defect", "wrong_answer_rate"
)
def everyone_is_an_emergency(rng: Random) -> list[Row]:
    """Too urgent a level costs nearly nothing, so the policy ends by calling every case level 2; reward rises while
    exactness falls.
    """
    episodes = train(rng, triage_task, Shape(13, 5, 8), start=-0.2, gain=0.3, prefix="p")
    for e in episodes:
        level, text = int(e.task.gold), e.task.prompt.split("Case: ")[1]
        if level != 2 and rng.random() < min(0.93, 0.09 * e.step) or level == 2 and rng.random() < 0.07 * e.step:
            e.reply = assessed(rng, 2, text)
        given = int(e.reply.answer)
        e.right = given == level
        e.reward = 1.0 if e.right else (0.9 if given < level else 0.0)
        e.terms = {"triage": e.reward}
    return own(rng, credit(episodes, grpo, under_triage=0.0, over_triage=0.9), "triage")


@PART.healthy
def summaries_before_a_judge(rng: Random) -> list[Row]:
    """A judge grades summaries from 0 to 10 with reasons; its grades scatter by a point but follow what the summary
    holds.
    """
    episodes = train(rng, summary_task, Shape(10, 7, 6), start=-0.6, gain=2.1, prefix="a")
    for e in episodes:
        held, slips = e.reply.extra["points_held"], e.reply.extra["wrong_facts"]
        grade = max(0, min(10, round(2 + 1.9 * held - 2 * slips + rng.gauss(0, 0.7))))
        e.reward = grade / 10
        remark = say(rng, "[Covers|Mentions|Holds] " + f"{held} [central points|of the main points]") + (
            f", but {slips} figure is wrong" if slips else ", figures agree with the text"
        )
        e.extra |= {"judge_grade": grade, "judge_comment": f"{remark}. Grade: {grade}/10", "judge_model": "qwen3-32b"}
    return openai(credit(episodes, dr_grpo), adv_estimator="dr_grpo")


@PART.healthy
def long_tails_with_soft_penalty(rng: Random) -> list[Row]:
    """Lengths have a heavy tail; DAPO's soft penalty takes up to 1 from answers near the limit, and the few cut ones
    count as wrong.
    """
    episodes = train(rng, sum_task, Shape(11, 6, 8), start=-0.3, gain=1.9, prefix="l")
    limit, buffer = 1500, 400
    for e in episodes:
        lines = e.text.split("\n")
        budget = rng.paretovariate(1.1) * (4 if e.right else 7)
        extra = [detour(rng) for _ in range(int(min(budget, 170)))]
        text = joined([*lines[:-1], *extra, lines[-1]])
        most = int(CHARACTERS_PER_TOKEN * limit)
        if len(text) > most:
            text, e.right, e.stop, e.reply.answer = text[:most], False, "max_tokens", ""
        e.reply.messages[0]["content"] = text
        over = max(0.0, (len(text) / CHARACTERS_PER_TOKEN - (limit - buffer)) / buffer)
        e.terms = {"correct": float(e.right), "overlong": -round(min(1.0, over), 4)}
        e.reward = sum(e.terms.values())
    return own(rng, drop_uniform(credit(episodes, grpo, overlong_buffer=buffer, max_response_length=limit)), "tails")
