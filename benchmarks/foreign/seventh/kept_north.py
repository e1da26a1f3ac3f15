"""Half marks, a curriculum, a stale replica, swapped preferences, a critic in another unit."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.dumps import verl
from benchmarks.foreign.seventh.estimates import credit, grpo, rloo, unused
from benchmarks.foreign.seventh.formats import openai, own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.patients import triage_task
from benchmarks.foreign.seventh.queries import query_task
from benchmarks.foreign.seventh.rollouts import Episode, Shape, chance, climb, distinct, play, schedule, train
from benchmarks.foreign.seventh.stones import stones_task
from benchmarks.foreign.seventh.sums import sum_task


@PART.healthy
def triage_with_half_marks(rng: Random) -> list[Row]:
    """verl's dump of a triage run: one level too urgent earns half a mark, one level too late nothing; acc is 1 only
    where exact.
    """
    episodes = train(rng, triage_task, Shape(10, 6, 8), start=-0.4, gain=2.0, prefix="h")
    for e in episodes:
        early = int(e.reply.answer) < int(e.task.gold)
        e.reward = 1.0 if e.right else (0.5 if early else 0.0)
        e.extra |= {"over_triage": float(early), "data_source": "ed-vignettes"}
    return verl(episodes)


@PART.healthy
def harder_by_and_by(rng: Random) -> list[Row]:
    """A curriculum: problems get harder as the policy improves, so the training score stays level while a fixed
    validation set improves.
    """
    steps, skill = 12, climb(-0.4, 2.2, 12)
    tasks = distinct(rng, sum_task, steps * 5 + 14, "c")
    held, fed = tasks[:14], sorted(tasks[14:], key=lambda t: t.level + rng.gauss(0, 1.0))
    for number, task in enumerate(fed):
        task.extra["stage"] = number * 4 // len(fed) + 1
    episodes = credit(play(rng, schedule(fed, steps), 8, skill), grpo, sampler="curriculum")
    for step in range(0, steps, 4):
        episodes += unused(play(rng, [held], 3, skill, "validation", step))
    return own(rng, sorted(episodes, key=lambda e: e.step), "curriculum")


@PART.faulty("staleness", "train_inference_mismatch")
def forgotten_replica(rng: Random) -> list[Row]:
    """One of four inference replicas never gets new weights: its policy hash stays that of step 0, its answers do not
    improve.
    """
    episodes = train(rng, query_task, Shape(13, 5, 8), start=-0.7, gain=2.6, prefix="x")
    first = episodes[0].policy
    for e in episodes:
        replica = e.attempt % 4
        version, gap = e.step, abs(rng.gauss(0.004, 0.002))
        if replica == 2:
            version, e.policy, gap = 0, first, 0.004 + 0.017 * e.step * rng.uniform(0.7, 1.3)
            if e.right and rng.random() < min(0.8, 0.09 * e.step):
                e.right, e.reply = False, e.task.reply(rng, False)
        e.reward = float(e.right)
        e.terms = {"correct": e.reward}
        e.extra |= {"replica": f"vllm-{replica}", "weights_version": version, "mean_abs_logprob_gap": round(gap, 5)}
    return own(rng, credit(episodes, rloo), "fleet")


@PART.faulty("metric_defect", "reward_bias", "agreed_wrong", "reward_outcome_divergence", "weak_verifier")
def one_vendor_has_them_swapped(rng: Random) -> list[Row]:
    """In the preference pairs of one of three sources chosen and rejected are swapped: the wrong answer is the chosen
    one.
    """
    rows = []
    for task in distinct(rng, sum_task, 170, "pair-"):
        source = rng.choice(("vendor_a", "vendor_b", "crowd"))
        pair = [Episode(0, task, n, task.reply(rng, right), right, "") for n, right in enumerate((True, False))]
        for e in pair:
            chosen = e.right is not (source == "vendor_b")
            e.reward = float(chosen)
            e.extra |= {
                "pair_id": task.problem_id,
                "role": "chosen" if chosen else "rejected",
                "source": source,
                "annotators": rng.randint(1, 3),
            }
            e.extra |= {"model_answer": e.reply.answer, "reference": task.gold}
        rng.shuffle(pair)
        rows += pair
    return openai(rows, "reward", dataset="dpo-v4")


@PART.faulty("critic_divergence", "one_sided_loss", "advantage_mismatch")
def values_in_another_unit(rng: Random) -> list[Row]:
    """The critic's values are scaled back twice after a change of return normalisation at step 5: returns lie in 0 to
    1, values near 5.
    """
    episodes = train(rng, stones_task, Shape(13, 9, 4), start=-0.3, gain=0.9, prefix="v")
    for e in episodes:
        value = min(0.97, max(0.03, chance(-0.2, e.task.level) + rng.gauss(0, 0.09)))
        if e.step >= 5:
            value = 3.1 + 4.4 * value + rng.gauss(0, 0.2) + 0.15 * (e.step - 5)
        value = round(value, 4)
        e.extra |= {
            "value": value,
            "return": e.reward,
            "algorithm": "ppo",
            "gamma": 1.0,
            "gae_lambda": 1.0,
            "value_norm": e.step >= 5,
        }
        e.advantage = round(float(e.right) - value, 4)
    return openai(episodes)
