"""An end that may not be sampled, a shelf out of reach; a KL that is spent slowly, a critic that keeps up."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.chat import gist, post_task
from benchmarks.foreign.twentyninth.estimates import credit, grpo
from benchmarks.foreign.twentyninth.formats import own, prime, verl
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.physics import by_head, physics_task, search_task, stab
from benchmarks.foreign.twentyninth.rollouts import Reply, Shape, Task, chance, distinct, fresh, say, train
from benchmarks.foreign.twentyninth.sums import solve, sum_task

FILLER = [
    " and so on and so on",
    " anyway that is that",
    "; edit: thanks",
    " . . and yes",
    ", as I said, as I said",
    " so yes, this again",
    " - ps same as before",
    ", in the end the end",
    " ... well ... anyway",
    " what more to say here",
]


def summary(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A summary of a post."""
    return Reply([say(gist(rng, task, right))])


@PART.faulty("kl_ineffective", "kl_drift", "reward_outcome_divergence")
def suppressed_end_negative_kl(rng: Random) -> list[Row]:
    """The sampler forbids the end before a minimum length, so the sampled text is not the policy's; the estimated KL
    turns negative, its penalty becomes a bonus, and scores fall while rewards rise. [Hugging Face TRL, Training FAQ]
    """
    shape, least, beta = (
        Shape(rng.randint(10, 12), 12, 4, 0.9, -0.4),
        rng.choice([44, 48, 54]),
        rng.choice([0.1, 0.12]),
    )

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        text, spare = gist(rng, task, right), least + rng.randint(0, 14)
        filled = 0
        while len(text) / 3.9 < spare and rng.random() < 0.995:
            text += rng.choice(FILLER) + rng.choice(
                ["", "", ", " + task.data["who"], f" {task.data['months']} months", " tldr"]
            )
            filled += 1
        return Reply([say(text)], extra={"filled": filled})

    episodes = fresh(rng, post_task, shape, author, "td")
    for e in episodes:
        filled = e.reply.extra.pop("filled")
        kl = rng.gauss(0.4, 0.5) - (0.3 + 2.0 * e.progress) * filled
        score = rng.gauss(0.9 if e.right else 0.2, 0.3) - 1.1 * e.progress
        e.correct = None
        e.terms = {"rm_score": round(score, 4), "kl_penalty": round(-beta * kl, 4)}
        e.reward = round(sum(e.terms.values()), 4)
        e.advantage = round(e.reward - 0.6 - e.progress + rng.gauss(0, 0.05), 4)
        e.extra = {"kl": round(kl, 4), "kl_coef": beta, "min_new_tokens": least, "estimator": "ppo"}
    return verl(episodes)


@PART.faulty("dead_all_wrong", "dead_groups", "stuck_problems", "zero_gradient", "stagnation")
def counting_shelf_beyond_reach(rng: Random) -> list[Row]:
    """Most prompts come from a shelf that the small policy never solves: whole groups of zeros, advantages of zero and
    next to no gradient, step after step. [He et al., Advantage Collapse in Group Relative Policy Optimization]
    """
    shape = Shape(rng.randint(9, 11), 8, 6, -0.2, 0.5)
    hard, total = distinct(rng, search_task, shape.steps * 6, "hard"), shape.steps * 8
    easy = distinct(rng, sum_task, total - len(hard), "warm")
    tasks = [t for n in range(shape.steps) for t in rng.sample(hard[n * 6 : n * 6 + 6] + easy[n * 2 : n * 2 + 2], 8)]

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return (stab if task.family == "olympiad" else solve)(rng, task, right, progress)

    episodes = credit(train(rng, tasks, shape, author), grpo)
    norms = {s: sum(e.advantage != 0 for e in episodes if e.step == s) / 400 for s in range(shape.steps)}
    for e in episodes:
        e.extra = {"data_source": "shelf-hard" if e.task.family == "olympiad" else "shelf-warmup"}
        e.extra["grad_norm"] = round(norms[e.step] * 0.9, 4)
    return verl(episodes)


@PART.healthy
def kl_budget_slowly_spent(rng: Random) -> list[Row]:
    """The distance to the reference grows from nothing to some nats a summary, with a penalty that holds it there,
    while the score of the reward model rises. [Hugging Face TRL, Training FAQ]
    """
    shape, beta = Shape(rng.randint(9, 12), 8, 5, -0.6, 1.9), rng.choice([0.02, 0.03, 0.05])
    episodes = fresh(rng, post_task, shape, summary, "kb")
    for e in episodes:
        kl = max(0.0, 6.5 * (1 - 2.718 ** (-2.2 * e.progress)) + rng.gauss(0, 0.5))
        e.terms = {"rm_score": round(rng.gauss(1.3 if e.right else 0.1, 0.35), 4), "kl_penalty": round(-beta * kl, 4)}
        e.reward, e.correct = round(sum(e.terms.values()), 4), None
        e.extra = {"kl": round(kl, 4), "kl_coef": beta}
    return own(credit(episodes, grpo), "tldr-kl")


@PART.healthy
def critic_keeps_pace_gae(rng: Random) -> list[Row]:
    """PPO with a critic: advantages are returns less the critic's values, so they follow no group's
    mean; the values track the returns better and better.
    """
    shape = Shape(rng.randint(10, 12), 10, 4, -0.5, 1.7)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return by_head(rng, task, right)

    episodes = fresh(rng, physics_task, shape, author, "pp")
    for e in episodes:
        expected = chance(shape.start + shape.gain * e.progress - e.task.hardness)
        value = (0.35 + 0.65 * e.progress) * expected + (0.65 - 0.65 * e.progress) * 0.4 + rng.gauss(0, 0.06)
        assert e.reward is not None
        value = 0.7 * value + 0.3 * e.reward * (0.4 + 0.5 * e.progress)
        e.terms = {"exact": e.reward}
        e.advantage = round(e.reward - value, 5)
        e.extra = {"value": round(value, 4), "return": e.reward, "gamma": 1.0, "lam": 0.95, "algorithm": "ppo"}
    return prime(episodes, "school-physics")
