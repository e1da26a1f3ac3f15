"""A critic that runs away, a loader that repeats, a judge without quota; open questions, costs, lag, thoughts."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eleventh.advice import ADVICE
from benchmarks.foreign.eleventh.credit import centred, grpo, rloo
from benchmarks.foreign.eleventh.dice import DICE
from benchmarks.foreign.eleventh.dumps import openai, own, prime_rl, trl, verl
from benchmarks.foreign.eleventh.evaluation import held
from benchmarks.foreign.eleventh.kinds import PART
from benchmarks.foreign.eleventh.lookup import LOOKUP
from benchmarks.foreign.eleventh.meetings import MEETINGS
from benchmarks.foreign.eleventh.passages import UNANSWERABLE
from benchmarks.foreign.eleventh.runs import Episode, Shape, fresh_plan, make_tasks, play, train
from benchmarks.foreign.eleventh.sums import SUMS


@PART.faulty("critic_divergence")
def value_head_runs_away(rng: Random) -> list[Row]:
    """PPO: from a step on the predictions of the value head leave the range of the rewards, at first slowly, and end
    tens of units away; advantages are then made of its error alone, and learning stops.
    """
    steps = rng.randint(10, 13)
    since = rng.randint(3, steps // 2)
    tasks = make_tasks(rng, MEETINGS, steps * 7, "cal")
    plan = fresh_plan(rng, tasks, Shape(steps, 7, 6))
    episodes = play(rng, MEETINGS, plan[: since + 2], 6, -0.7, 1.1)
    later = play(rng, MEETINGS, plan[since + 2 :], 6, 0.3, -0.9)
    for e in later:
        e.step += since + 2
    episodes += later
    sign, pace = rng.choice([-1, 1]), rng.uniform(0.55, 0.8)
    for e in episodes:
        drift = 0.0 if e.step < since else sign * 0.25 * (2.718 ** (pace * (e.step - since)) - 0.6)
        value = 0.35 + 0.03 * e.step + rng.gauss(0, 0.12) + drift * rng.uniform(0.75, 1.25)
        e.advantage, e.in_loss = round(e.reward - value, 4), True
        e.extra = {"value": round(value, 4), "return": e.reward, "vf_loss": round((e.reward - value) ** 2 / 2, 4)}
    return own(rng, episodes, "ppo-calendar", "chat")


def _shortened(rng: Random, episodes: list[Episode], since: int, steps: int) -> None:
    for e in episodes:
        known = (e.step - since) / max(1, steps - since)
        if e.step > since and e.right and rng.random() < known:
            e.reply.turns[-1]["content"] = f"\\boxed{{{e.reply.answer}}}"


@PART.faulty("data_repetition", "duplicate_problems", "seed_reuse", "memorisation")
def resumed_loader_repeats_shard(rng: Random) -> list[Row]:
    """After a resume the loader starts anew at every step and gives the same batch of problems until the end; they are
    soon answered by heart, while held problems stay where they were.
    """
    steps, size = rng.randint(10, 13), 6
    since, groups = rng.randint(3, 5), rng.randint(6, 8)
    tasks = make_tasks(rng, SUMS, since * groups + groups, "tr")
    early = [tasks[i * groups : (i + 1) * groups] for i in range(since)]
    episodes = play(rng, SUMS, early, size, -0.6, 0.7)
    again = play(rng, SUMS, [tasks[-groups:]] * (steps - since), size, 0.1, 3.4)
    for e in again:
        e.step += since
        e.extra = {"resumed_from": f"global_step_{since}"}
    _shortened(rng, again, since, steps)
    tests = held(rng, SUMS, make_tasks(rng, SUMS, 20, "ho"), steps, 3, (-0.2, 0.0))
    return openai([*grpo(episodes + again), *tests])


@PART.faulty("judge_default", "infrastructure_errors")
def quota_error_scores_half(rng: Random) -> list[Row]:
    """From a step on the judge's account is often out of quota; the error is caught and the reply gets 0.5, good or
    bad, as the note beside it tells.
    """
    steps = rng.randint(8, 12)
    episodes = train(rng, ADVICE, Shape(steps, 7, 6), start=-0.7, gain=1.9, prefix="ask")
    since, share = int(steps * rng.uniform(0.3, 0.5)), rng.uniform(0.35, 0.55)
    for e in episodes:
        named = e.reply.extra.get("points_named", 0)
        e.reward = round(min(1.0, max(0.0, 0.08 + 0.19 * named + rng.gauss(0, 0.05))), 2)
        note = f"Names {named} of the expected points; {rng.choice(['clear', 'a bit vague', 'readable', 'on topic'])}."
        if rng.random() < (share if e.step >= since else 0.01):
            e.reward = 0.5
            note = f"judge call failed: HTTP 429 insufficient_quota (attempt {rng.randint(3, 5)}), default score used"
        e.right = named >= 3
        e.terms = {"judge": e.reward}
        e.reply.extra = {"judge_note": note}
    return own(rng, rloo(episodes), "advice-judge", "chat")


@PART.healthy
def unanswerable_by_design(rng: Random) -> list[Row]:
    """Two texts in five leave the question open, and "cannot be determined" is then the gold answer: its share among
    the answers grows up to that.
    """
    episodes = train(rng, UNANSWERABLE, Shape(rng.randint(9, 12), 10, 5), start=-0.6, gain=2.3, prefix="u")
    return verl(grpo(episodes))


@PART.healthy
def moves_cost_a_point(rng: Random) -> list[Row]:
    """Each throw costs a little and a lost round costs more, so all rewards are negative; they rise."""
    episodes = train(rng, DICE, Shape(rng.randint(9, 12), 7, 6), start=-0.6, gain=2.2, prefix="d")
    for e in episodes:
        count = sum("The host throws" in m["content"] for m in e.reply.turns)
        cost, lost = round(-0.05 * count, 2), 0.0 if e.right else -1.0
        e.terms, e.reward = {"throws": cost, "lost": lost}, round(cost + lost, 2)
    return prime_rl(rng, centred(episodes), "dice-table")


@PART.healthy
def two_updates_behind_bounded(rng: Random) -> list[Row]:
    """Asynchronous rollouts: a row is sampled with weights up to two updates old, as recorded, and never more."""
    episodes = train(rng, LOOKUP, Shape(rng.randint(11, 14), 6, 5), start=-0.5, gain=2.1, prefix="s")
    stamps = [f"{rng.randrange(16**10):010x}" for _ in range(14)]
    for e in episodes:
        lag = min(e.step, rng.choice([0, 1, 1, 1, 2]))
        ratio = round(rng.gauss(1.0, 0.012 + 0.008 * lag), 4)
        e.extra = {"policy_id": stamps[e.step - lag], "policy_lag": lag, "importance_ratio": ratio}
    return own(rng, grpo(episodes), "async-search", "qa")


THOUGHTS = [
    "Let me recompute {a} × {b} as {a} × {c} + {a} × {d}: that is {e} + {f} = {g}.",
    "Could the order of the operations matter here? The text tells them in time order, so I keep it.",
    "I check with an estimate: about {h} would be expected from rounding, which fits.",
    "Wait, is {b} a factor here or something to be added? It is a factor.",
    "Going backwards from the result gives the start again, so the chain holds.",
]


@PART.healthy
def thinking_grows_with_skill(rng: Random) -> list[Row]:
    """Thoughts before the answer grow to four times their length while accuracy climbs and few replies are cut."""
    episodes = train(rng, SUMS, Shape(rng.randint(10, 13), 6, 6), start=-0.8, gain=2.6, prefix="t")
    for e in episodes:
        n = e.task.facts["numbers"]
        a, b, c = n["a"], n["b"], n["b"] // 10 * 10
        words = {"a": a, "b": b, "c": c, "d": b - c, "e": a * c, "f": a * (b - c), "g": a * b, "h": round(a * b, -2)}
        count = max(1, int(rng.gauss(1 + 3.5 * e.t, 0.7)))
        thoughts = [x.format(**words) for x in rng.sample(THOUGHTS, min(count, 5))]
        last = e.reply.turns[-1]
        last["content"] = "<think>\n" + "\n".join(thoughts) + "\n</think>\n" + last["content"]
    return trl(grpo(episodes), {"correct": "accuracy_reward"})
