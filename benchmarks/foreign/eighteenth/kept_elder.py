"""Advantages of the neighbour, a lag of one, a mask with the wrong sign."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.credits import centred, credit
from benchmarks.foreign.eighteenth.dumps import own
from benchmarks.foreign.eighteenth.functions import function_of
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import climb, distinct, pages, play, run
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.faulty("advantage_mismatch")
def credit_lands_one_late(rng: Random) -> list[Row]:
    """Since the switch to asynchronous collection each rollout of a batch carries the advantage of the one before
    it.
    """
    steps, since = 11, rng.randint(3, 4)
    tasks = distinct(rng, lambda r: sum_of(r, "answer"), steps * 6, "wp")
    skills = climb(rng, -0.5, 0.9, steps)
    episodes = credit(play(rng, pages(tasks, steps), 6, skills))
    for step in range(steps):
        batch = [e for e in episodes if e.step == step]
        for e in batch:
            e.extra["collector"] = "async" if step >= since else "sync"
        if step >= since:
            moved = [batch[-1].advantage, *(e.advantage for e in batch[:-1])]
            for e, advantage in zip(batch, moved, strict=True):
                e.advantage = advantage
    return own(rng, episodes, "wordsums-async")


@PART.healthy
def one_update_behind_always(rng: Random) -> list[Row]:
    """Collection overlaps with training, so each batch is sampled one update behind, never more, and ratios stay
    near one.
    """
    steps = 12
    episodes = credit(run(rng, lambda r: sum_of(r, "answer"), steps, 6, 6, "as"))
    names = [f"{rng.getrandbits(40):010x}" for _ in range(steps)]
    for e in episodes:
        sampled = max(0, e.step - 1)
        e.policy = names[sampled]
        e.extra = {"policy_lag": e.step - sampled, "mean_ratio": round(rng.gauss(1.0, 0.012), 4)}
    return own(rng, episodes, "overlap")


@PART.faulty("one_sided_loss", "loss_mask")
def winners_left_out_of_loss(rng: Random) -> list[Row]:
    """From one step on a mask with the wrong sign keeps nearly all rollouts of positive advantage out of the loss,
    so the policy is only pushed away from what it did.
    """
    steps, since = 11, rng.randint(3, 4)
    skills = climb(rng, -0.5, 1.1, steps)
    skills = [s - 0.12 * max(0, i - since - 1) for i, s in enumerate(skills)]
    tasks = distinct(rng, function_of, steps * 6, "task")
    episodes = credit(play(rng, pages(tasks, steps), 7, skills), centred)
    for e in episodes:
        clipped = rng.random() < 0.03
        e.in_loss = not clipped and (e.step < since or (e.advantage or 0.0) <= 0 or rng.random() < 0.08)
        e.extra["mask_version"] = "v2" if e.step >= since else "v1"
    return own(rng, episodes, "fn-drgrpo")
