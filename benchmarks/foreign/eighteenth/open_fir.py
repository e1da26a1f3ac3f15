"""A second try, verdicts that are not read, two scales in one run."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.advice import advice_of
from benchmarks.foreign.eighteenth.credits import credit
from benchmarks.foreign.eighteenth.dumps import openai, own
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import climb, distinct, pages, play, run
from benchmarks.foreign.eighteenth.shapes import Reply
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.healthy
def half_points_for_second(rng: Random) -> list[Row]:
    """After a wrong answer the environment says so and allows one more try for half of the reward; so rewards are
    0, a half and 1.
    """
    episodes = run(rng, lambda r: sum_of(r, "answer"), 10, 6, 7, "try")
    for e in episodes:
        e.extra["tries"] = 1
        if e.right or e.stop == "length" or rng.random() < 0.05:
            continue
        second = rng.random() < 0.25 + 0.03 * e.step
        reply = e.task.write(rng, second)
        no = rng.choice(("Not correct. You have one more try.", "That is not the right value; try once more."))
        e.reply = Reply([*e.reply.messages, {"role": "user", "content": no}, *reply.messages], reply.answer)
        e.extra["tries"], e.right = 2, second
        e.reward = 0.5 * second
        e.terms = {"correct": float(second), "second_try_discount": -0.5 * second}
    return own(rng, credit(episodes), "two-tries")


@PART.faulty("judge_default", "metric_defect")
def midpoint_when_verdict_unread(rng: Random) -> list[Row]:
    """Since the judge was upgraded it often writes its score in bold, which the parser does not read: such replies
    get the middle of the scale whatever the judge said.
    """
    steps, since = 10, rng.randint(3, 4)
    episodes = run(rng, advice_of, steps, 6, 7, "dlg")
    for e in episodes:
        points = e.reply.extra["points_held"]
        score = min(10, max(1, round(2 * points - 0.5 + rng.gauss(0, 0.9))))
        bold = e.step >= since and rng.random() < 0.55
        remark = rng.choice(("Covers the main points.", "Some advice is missing.", "Clear and usable.", "A bit thin."))
        e.extra = {
            "judge_model": "judge-2" if e.step >= since else "judge-1",
            "judge_raw": f"{remark}\n**Score:** {score}/10" if bold else f"{remark}\nScore: {score}/10",
        }
        e.reward = 0.5 if bold else score / 10
        e.terms = {"judge": e.reward}
    return own(rng, credit(episodes), "dialogue-judge")


@PART.healthy
def two_rubrics_two_scales(rng: Random) -> list[Row]:
    """Chats are judged from 0 to 10, sums are right or wrong with 0 or 1; both are mixed in one run and set against
    their own group only.
    """
    steps = 10
    chats, sums = distinct(rng, advice_of, steps * 3, "chat"), distinct(rng, sum_of, steps * 4, "sum")
    batches = [a + b for a, b in zip(pages(chats, steps), pages(sums, steps), strict=True)]
    episodes = play(rng, batches, 6, climb(rng, -0.6, 1.8, steps))
    for e in episodes:
        e.extra["rubric"] = "judge_0_10" if e.task.domain == "chat" else "exact_0_1"
        if e.task.domain == "chat":
            e.reward = float(min(10, max(0, round(2 * e.reply.extra["points_held"] + rng.gauss(-0.3, 0.9)))))
    return openai(credit(episodes))
