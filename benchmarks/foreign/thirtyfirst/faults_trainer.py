"""Faults of a trainer's arithmetic, of its weights and of its limits."""

import math
from random import Random

from benchmarks.foreign import estimators as est
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfirst import counsel, facts, layouts, sums
from benchmarks.foreign.thirtyfirst.kinds import PART
from benchmarks.foreign.thirtyfirst.setting import Attempt, Task, chance, count, give, ramp, rollouts, say

ODD = ["whilst the harbour hums", "o gentle reader", "mark the seventh bell", "as the lantern said", "verily and twice"]
BOX = "Box the answer."


def _strange(rng: Random, text: str, share: float) -> str:
    out = []
    for word in text.split(" "):
        out.append(word)
        if rng.random() < share:
            out.append(rng.choice(ODD))
    return " ".join(out)


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def kl_term_pushes_away_from_the_reference(rng: Random) -> list[Row]:
    """The sign of the KL term is wrong, so the loss pays for distance from the reference.

    KL grows at each step in spite of its coefficient, replies get strange, and the score falls.
    [marin-community/marin#1726]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        far = ramp(step, 3, 21) ** 2
        text = _strange(rng, counsel.advise(rng, task, 1 + round(4 * p)), 0.3 * far)
        score = round(1.2 + 1.6 * p - 3.4 * far + rng.gauss(0, 0.3), 3)
        kl = round(0.012 * 1.36**step * rng.uniform(0.7, 1.4), 4)
        extra = {"kl": kl, "kl_coef": 0.05, "reward_model": "helpful-7b"}
        return Attempt(task, [say(text)], score, extra=extra)

    runs = rollouts(rng, counsel.questions(rng, 70), act, steps=22, per_step=4, size=6, start=-0.2, end=0.8)
    return layouts.verl(runs, key=False)


@PART.faulty("train_inference_mismatch")
def sampler_reports_logprobs_before_temperature(rng: Random) -> list[Row]:
    """Rollouts are drawn at temperature 0.6 and the sampler reports logprobs of the unscaled model.

    The trainer's logprobs are of the scaled one, so they differ by half at each row from the first step.
    [thinking-machines-lab/tinker-cookbook#86]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        text, answer = sums.boxed(rng, task, rng.random() < p)
        good = float(answer == task.gold)
        sampled = -rng.uniform(0.30, 0.42) * (1 - 0.2 * step / 20) * (1.0 if good else 1.1)
        trained = sampled * rng.uniform(0.5, 0.58)
        extra = {"rollout_logprob": round(sampled, 4), "trainer_logprob": round(trained, 4), "temperature": 0.6}
        extra |= {"importance_ratio": round(math.exp(trained - sampled), 3), "answer": answer}
        turn = say(text) | {"mean_logprob": round(sampled, 4)}
        return Attempt(task, [turn], good, good, {"correct": good}, extra=extra)

    runs = rollouts(rng, sums.problems(rng, 70, BOX), act, steps=20, per_step=5, size=6, start=-0.3, end=0.4)
    return layouts.own(give(rng, runs, est.grpo), "math")


@PART.faulty("score_decline", "format_gate", "train_inference_mismatch", "stale_weights")
def adapter_counts_twice_after_resume(rng: Random) -> list[Row]:
    """After a resume at step 11 the server adds the adapter to weights it was merged into already.

    The first batch is as before, and then the texts lose tags and sense and nothing can be extracted.
    [modelscope/ms-swift#8233]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        text, answer = sums.solve(rng, task, rng.random() < p)
        broken = step >= 12 and rng.random() < 0.97
        whole = f"<think>{text}</think>\n<answer>{answer}</answer>"
        if broken:
            words = text.split(" ")
            rng.shuffle(words)
            again = [w for w in words for _ in range(rng.choice([1, 1, 2, 4]))]
            whole = " ".join(again[: rng.randint(20, 60)]) + rng.choice(["", " think think", " </", " answeranswer"])
        good = float(not broken and answer == task.gold)
        terms = {"accuracy_reward": good, "format_reward": 0.0 if broken else float(rng.random() < 0.98)}
        return Attempt(task, [say(whole)], sum(terms.values()), None, terms)

    asked = "Think within <think> tags, then answer within <answer> tags."
    runs = rollouts(rng, sums.problems(rng, 70, asked), act, steps=18, per_step=5, size=6, start=0.0, end=1.6)
    return layouts.trl(give(rng, runs, est.grpo))


@PART.faulty("weights_never_arrive")
def adapter_never_reaches_the_server(rng: Random) -> list[Row]:
    """The sync of the adapter returns early, so all rollouts are of version 0 while the trainer goes on.

    The reward is level over the whole run and the gap between the two logprobs grows with each step.
    [axolotl-ai-cloud/axolotl, tests of AsyncGRPOTrainer, 2026]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        right = rng.random() < chance(-0.2, task.hard)
        text, answer = facts.compare(rng, task, right)
        good = float(answer == task.gold)
        sampled = -rng.uniform(0.38, 0.5)
        trained = sampled - 0.006 * step**1.5 * rng.uniform(0.7, 1.3)
        extra = {"policy_version": 0, "trainer_version": step, "sampler_logprob": round(sampled, 4)}
        extra |= {"trainer_logprob": round(trained, 4), "staleness": step}
        return Attempt(task, [say(text)], good, terms={"correct_answer": good}, extra=extra)

    runs = rollouts(rng, facts.choices(rng, 70, 4, "opt"), act, steps=24, per_step=4, size=6)
    rows = layouts.prime(rng, give(rng, runs, est.grpo), "trade_quiz")
    return [{**row, "policy_version": 0, "trainer_version": row["step"]} for row in rows]


@PART.faulty("truncation", "length_limit", "metric_defect")
def forced_end_token_hides_cut_answers(rng: Random) -> list[Row]:
    """The last token of what reached the limit is replaced by the end token, so cut texts count as finished.

    Most replies have the full length and break off within a sentence; KL of such rows is below zero.
    [OpenRLHF, analysis of the forced EOS at blog.gitcode.com, 2025]
    """
    limit = 96

    def act(task: Task, p: float, step: int) -> Attempt:
        text = counsel.advise(rng, task, rng.randint(2, 4) + round(ramp(step, 0, 14, 0, 2)))
        while rng.random() < ramp(step, 0, 14, 0.3, 0.8):
            text += f" {counsel.advise(rng, task, 2)}"
        cut = count(text) > limit
        while count(text) > limit:
            text = text.rsplit(" ", 1)[0]
        score = round((0.2 if cut else 1.0) + 0.5 * p + rng.gauss(0, 0.3), 3)
        kl = round(rng.uniform(-0.6, -0.1) if cut else rng.uniform(0.01, 0.08), 4)
        return Attempt(task, [say(text)], score, extra={"kl": kl, "finish_reason": "stop"})

    runs = rollouts(rng, counsel.questions(rng, 70), act, steps=18, per_step=5, size=6)
    return layouts.openrlhf(runs)


@PART.faulty("critic_divergence", "score_decline", "template_collapse")
def critic_from_reward_model_is_far_off(rng: Random) -> list[Row]:
    """The critic starts from a reward model whose values lie far below all returns and runs further away.

    Advantages of early tokens are biased, the reasoning shrinks to nothing and accuracy declines.
    [Yuan et al., What's Behind PPO's Collapse in Long-CoT?, 2025]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        short = rng.random() < ramp(step, 2, 14, 0.05, 0.9)
        text, answer = sums.boxed(rng, task, rng.random() < (0.3 * p if short else p))
        text = f"$\\boxed{{{answer}}}$." if short else text
        good = float(answer == task.gold)
        value = -2.4 - 0.45 * step + rng.gauss(0, 0.5 + 0.12 * step)
        extra = {"value": round(value, 3), "return": good, "value_loss": round((value - good) ** 2 / 2, 3)}
        row = Attempt(task, [say(text)], good, good, {"correct": good}, extra=extra | {"answer": answer})
        row.advantage = good - value
        return row

    runs = rollouts(rng, sums.problems(rng, 70, BOX), act, steps=20, per_step=8, size=4, start=0.2, end=0.4)
    for step in range(20):
        rows = [a for a in runs if a.step == step]
        raw = [a.advantage for a in rows if a.advantage is not None]
        mean = sum(raw) / len(rows)
        spread = (sum((value - mean) ** 2 for value in raw) / len(rows)) ** 0.5
        for a, value in zip(rows, raw, strict=True):
            a.advantage = (value - mean) / (spread + 1e-8)
    return layouts.own(runs, "math")
