"""Budgets, languages and penalties of the system gone wrong, and sound runs of other systems."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.ninth.abroad import in_chinese
from benchmarks.foreign.ninth.episodes import Episode, credit, tell, train
from benchmarks.foreign.ninth.kinds import PART
from benchmarks.foreign.ninth.layouts import own, verl
from benchmarks.foreign.ninth.sums import sum_task, working
from benchmarks.foreign.ninth.wording import key, say


def lengthen(rng: Random, e: Episode, low: int, high: int) -> None:
    """Write the working again with so many checks."""
    slip, (lines, answer) = 0, e.task.data["work"](0)
    while not e.right and (not slip or str(answer) == e.task.gold):
        slip = rng.choice((-4, -2, -1, 1, 2, 3))
        lines, answer = e.task.data["work"](slip)
    e.reply.messages[:] = [tell(working(rng, lines, str(answer), rng.randint(low, high)))]
    e.reply.answer = str(answer)


@PART.faulty("language_drift")
def thinks_in_chinese(rng: Random) -> list[Row]:
    """English problems: from step 4 ever more lines of the workings are Chinese, while the boxed answers stay
    as good.
    """
    episodes = train(rng, sum_task, (13, 6, 8), 0.0, 1.2)
    for e in episodes:
        share = max(0.0, 0.1 * (e.step - 3))
        e.reply.last["content"] = in_chinese(rng, e.reply.text, share)
    return verl(episodes)


@PART.faulty("truncation", "length_limit", "score_decline", "dead_all_wrong", "infrastructure_zeros")
def shorter_budget_after_resume(rng: Random) -> list[Row]:
    """At step 7 the run is resumed with a quarter of the response budget: half of the workings end in
    mid-sentence, at 0.
    """
    episodes = train(rng, sum_task, (13, 6, 8), 0.6, 0.8)
    for e in episodes:
        lengthen(rng, e, 2, 16)
        budget = 1024 if e.step < 7 else 192
        e.extra = {"max_response_length": budget}
        if e.tokens > budget:
            e.cut(budget)
            e.reward = 0.0
    return own(credit(episodes))


@PART.faulty("kl_drift", "kl_ineffective", "score_decline", "entropy_collapse", "template_collapse")
def penalty_switched_off(rng: Random) -> list[Row]:
    """A new config sets the KL coefficient to 0 at step 4: kl climbs from 0.02 to several nats, and accuracy
    breaks down.
    """
    episodes = train(rng, sum_task, (14, 6, 8), 0.6, 0.0)
    for e in episodes:
        late = max(0, e.step - 4)
        e.extra = {
            "kl": round(max(0.002, (0.02 + 0.07 * late**2) * rng.uniform(0.7, 1.3)), 4),
            "kl_coef": 0.02 if e.step < 4 else 0.0,
        }
        if rng.random() < 0.008 * late**2 + 0.02 * late:
            text = e.reply.text
            joint = say(rng, "\n«so so|therefore hence|indeed yes indeed|value value of» «the|it|that»")
            e.reply.last["content"] = text[: len(text) // 2] + "".join(
                joint + rng.choice((" number", " is", " therefore", " same")) for _ in range(rng.randint(4, 14))
            )
            e.right, e.reward = False, 0.0
    return own(credit(episodes))


@PART.healthy
def rollouts_two_steps_late(rng: Random) -> list[Row]:
    """An asynchronous trainer: samples are none to two updates old throughout, as configured, and the policy gains."""
    episodes = train(rng, sum_task, (13, 6, 8), -0.4, 1.6)
    names = [key(rng, "", 12) for _ in range(16)]
    for e in episodes:
        lag = min(e.step, rng.choice((0, 1, 1, 2)))
        e.extra = {"policy_lag": lag, "max_lag": 2, "policy_id": names[e.step - lag]}
    return own(credit(episodes))


@PART.healthy
def critic_for_a_baseline(rng: Random) -> list[Row]:
    """PPO: the advantage is the reward less a value of the critic, which comes nearer to the outcome; no group
    is compared.
    """
    episodes = train(rng, sum_task, (14, 12, 4), -0.5, 1.7)
    for e in episodes:
        base = 0.42 + 0.02 * e.step - 0.16 * e.task.level
        value = round(min(0.98, max(0.02, base + rng.gauss(0, 0.16 - 0.006 * e.step))), 4)
        e.advantage = round((e.reward or 0.0) - value, 4)
        e.extra = {"value": value, "kl": round(0.004 + 0.0015 * e.step + rng.uniform(0, 0.004), 4)}
    return own(episodes, algorithm="ppo", adv_estimator="gae")
