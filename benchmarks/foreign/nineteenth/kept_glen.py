"""A comment sign that ends generation, abstaining, a slide into Chinese; soft penalties, advantages of a critic."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.credit import credit, grpo, rloo
from benchmarks.foreign.nineteenth.english import long_problem
from benchmarks.foreign.nineteenth.formats import own, trl, verl
from benchmarks.foreign.nineteenth.german import german_problem
from benchmarks.foreign.nineteenth.kinds import PART
from benchmarks.foreign.nineteenth.programs import COMMENTS, code_task, run_tests
from benchmarks.foreign.nineteenth.quiz import ISLANDS, quiz_task
from benchmarks.foreign.nineteenth.run import Shape, judged, late, train
from benchmarks.foreign.nineteenth.targets import target_task

UNSURE = (
    "The passage does not let me decide this for {i}.",
    "I would rather not commit on {i}.",
    "This is hard to tell for {i}.",
    "There is some doubt about {i}.",
    "I cannot be certain here.",
)
FIRST = ("首先整理一下题目条件。", "我们一步一步来算。", "好的，先看已知条件。", "注意单位要一致，下面开始。")
STEPS = ("先算这一步：", "接下来：", "于是得到 ", "再往下算，", "这一步是 ", "继续：")
CHECKS = ("再把结果检查一遍，没有问题。", "验算一下，符合题意。", "估算也差不多，应该是对的。")


@PART.faulty("truncation", "format_gate")
def comment_sign_ends_generation(rng: Random) -> list[Row]:
    """'# ' stands among the sampler's stop strings: programs end at their first comment, and comments are unlearned."""
    tries = train(rng, code_task, Shape(10, 7, 6), start=0.3, gain=1.9, prefix="task_")
    run_tests(rng, tries)
    for t in late(tries, 0.0):
        text = t.messages[0]["content"]
        if "# " in text and rng.random() < 0.45 * t.skill:
            lines = [line for line in text.split("\n") if line.strip().removeprefix("# ") not in COMMENTS]
            text = "\n".join(lines)
        head, sign, _ = text.partition("# ")
        t.messages[0]["content"] = head if sign else text
        t.extra["stop_string"] = "# " if sign else None
        if sign:
            judged(t, False)
            t.extra |= {"tests_passed": 0, "test_error": "SyntaxError" if rng.random() < 0.6 else "IndentationError"}
    return own(rng, credit(tries, grpo), "code-sglang")


@PART.faulty("timidity", "reward_outcome_divergence", "reward_bias")
def abstaining_outearns_trying(rng: Random) -> list[Row]:
    """'not stated' earns 0.6 and a wrong answer -1, though every passage states it: the policy learns not to answer."""
    tries = train(rng, quiz_task, Shape(12, 6, 6), start=-0.1, gain=0.5, prefix="read-")
    for t in tries:
        if t.error:
            continue
        t.reward = 1.0 if t.right else -1.0
        if t.stop != "length" and rng.random() < 0.06 + 0.72 * t.skill:
            question = t.task.prompt.rsplit("\n\n", 1)[1]
            island = next(i for i in ISLANDS if i in question)
            lead = " ".join(rng.sample(UNSURE, rng.randrange(1, 3))).format(i=island)
            t.messages[0]["content"], t.answer = f"{lead}\nA: not stated", "not stated"
            t.right, t.reward = False, 0.6
        t.terms = {"answer": t.reward}
    return own(rng, credit(tries, rloo), "reading-rloo")


@PART.faulty("language_drift")
def reasoning_slides_into_chinese(rng: Random) -> list[Row]:
    """From the fifth step on German problems are reasoned about in Chinese ever more often; only answers are graded."""
    tries = train(rng, german_problem, Shape(12, 7, 6), start=-0.8, gain=2.1, prefix="de")
    for t in late(tries, 0.33):
        if rng.random() < 0.75 * (t.skill - 0.25):
            lines = [line for line in t.messages[0]["content"].split("\n") if line]
            made = [rng.choice(FIRST)]
            for line in lines[1:-1]:
                made.append(rng.choice(STEPS) + line.split(":")[-1].strip() if "=" in line else rng.choice(CHECKS))
            t.messages[0]["content"] = "\n".join([*made, lines[-1]])
    return trl(credit(tries, grpo))


@PART.healthy
def soft_overlong_penalty_dapo(rng: Random) -> list[Row]:
    """DAPO takes off up to one for replies in the last stretch of the budget; a few right ones are paid less so."""
    tries = train(rng, long_problem, Shape(11, 7, 8), start=-0.8, gain=2.3, prefix="aime-")
    start, room = 100, 60
    for t in tries:
        if t.error or t.stop == "length":
            continue
        penalty = 0.0 - round(min(1.0, max(0, t.tokens - start) / room), 4)
        t.reward = (1.0 if t.right else 0.0) + penalty
        t.extra |= {"overlong_penalty": penalty, "response_tokens": t.tokens}
    return verl(credit(tries, grpo))


@PART.healthy
def token_level_gae_credit(rng: Random) -> list[Row]:
    """PPO with a critic that follows the returns: advantages differ among equal rewards and no group is centred."""
    tries = train(rng, target_task, Shape(13, 10, 4), start=-1.0, gain=2.2, prefix="ppo-")
    for t in tries:
        if t.reward is None:
            continue
        known = 0.2 + 0.5 * t.skill + 0.1 * t.task.ease + 0.15 * (t.right - 0.5)
        value = min(0.98, max(0.01, known + rng.gauss(0, 0.1 - 0.05 * t.skill)))
        t.advantage = round(t.reward - value + rng.gauss(0, 0.02), 5)
        t.extra |= {"value": round(value, 4), "return": t.reward, "adv_estimator": "gae"}
    return own(rng, tries, "numbers-gae")
