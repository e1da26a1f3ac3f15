"""An evaluation that never moves, a bonus for calls, a decimal comma, twins within a group."""

from copy import deepcopy
from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.abroad import bill_of
from benchmarks.foreign.eighteenth.almanac import lookup_of
from benchmarks.foreign.eighteenth.credits import credit
from benchmarks.foreign.eighteenth.dumps import own, prime, trl, verl
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import attempt, climb, distinct, groups, pages, play, run
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.faulty("stale_evaluation", "staleness", "weights_never_arrive", "stale_weights", "metric_defect")
def greedy_eval_of_first_adapter(rng: Random) -> list[Row]:
    """The evaluation server holds on to the first adapter: training rises, while every evaluation gives the same
    texts, word for word, and the same score.
    """
    steps = 10
    tasks = distinct(rng, lambda r: sum_of(r, "answer"), steps * 6, "train")
    episodes = credit(play(rng, pages(tasks, steps), 6, climb(rng, -0.7, 2.0, steps)))
    held = distinct(rng, lambda r: sum_of(r, "answer"), 26, "dev")
    first = [attempt(rng, task, 0, 0, -0.6) for task in held]
    adapter = f"adapter-{rng.getrandbits(32):08x}"
    for step in range(0, steps, 2):
        for e in first:
            seconds = round(e.seconds * rng.uniform(0.9, 1.2), 2)
            facts = {"decoding": "greedy", "evaluated_after": step}
            episodes.append(replace(e, step=step, split="validation", policy=adapter, seconds=seconds, extra=facts))
    return own(rng, episodes, "lora-sums")


@PART.faulty("echo_trap", "reward_outcome_divergence", "action_collapse")
def pays_for_every_lookup(rng: Random) -> list[Row]:
    """Each search earns a bonus whatever it brings: the policy repeats one search over and over, the reward rises,
    and the answers get no better.
    """
    steps = 11
    tasks = distinct(rng, lookup_of, steps * 6, "hop")
    episodes = play(rng, pages(tasks, steps), 6, climb(rng, -0.2, 0.1, steps))
    for e in episodes:
        first = e.reply.messages[:2]
        more = max(0, round(rng.gauss(9 * (e.step / steps) ** 1.3, 1.2)))
        e.reply.messages[2:2] = [m for _ in range(more) for m in deepcopy(first)]
        e.terms = {"answer": float(e.right), "search_bonus": round(0.1 * (1 + more), 2)}
        e.reward = round(sum(e.terms.values()), 2)
        e.extra["num_searches"] = 1 + more
    return prime(credit(episodes), "almanac-search")


@PART.faulty("format_gate", "metric_defect", "weak_verifier", "judge_refuses_right")
def decimal_comma_read_away(rng: Random) -> list[Row]:
    """The grader takes the comma of German, French and Spanish prices for a mark of thousands, so 12,50 is read as
    1250 and right answers earn nothing.
    """
    size = rng.choice((6, 8))
    episodes = run(rng, lambda r: bill_of(r, mark=lambda x: "," if x.random() < 0.72 else "."), 10, 7, size, "bill")
    for e in episodes:
        number = e.reply.answer.replace(",", "")
        e.extra["parsed"] = float(number) if number else None
        e.right = e.extra["parsed"] == float(e.task.gold)
        e.terms = {"accuracy": float(e.right), "boxed_format": 0.2 * ("boxed" in e.reply.text)}
        e.reward = sum(e.terms.values())
    return trl(credit(episodes))


@PART.faulty("identical_samples", "seed_reuse", "entropy_collapse")
def replicas_share_engine_seed(rng: Random) -> list[Row]:
    """Since the run went to two replicas, both sample with the same seed: the second half of each group repeats the
    first half word for word.
    """
    steps, since = 10, rng.randint(2, 3)
    episodes = run(rng, lambda r: sum_of(r, rng.choice(("boxed", "answer"))), steps, 6, 8, "q")
    for members in groups(episodes):
        for e in members:
            doubled = e.step >= since
            e.extra["replica"] = e.attempt // 4 if doubled else 0
            if doubled and e.attempt >= 4:
                first = members[e.attempt - 4]
                e.reply, e.right, e.reward, e.stop = deepcopy(first.reply), first.right, first.reward, first.stop
    return verl(credit(episodes))
