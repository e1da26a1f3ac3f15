"""Faults of the trainer's arithmetic: groups, masks, weights, logprobs, KL, filters."""

from random import Random

from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftieth.desk import serve, tickets
from benchmarks.foreign.fiftieth.episodes import Episode
from benchmarks.foreign.fiftieth.kinds import PART
from benchmarks.foreign.fiftieth.layouts import evidence, openai, slime
from benchmarks.foreign.fiftieth.learning import Plan, Sample, credit, pay, play
from benchmarks.foreign.fiftieth.repos import bugs, mend
from benchmarks.foreign.fiftieth.screens import forms, operate
from benchmarks.foreign.fiftieth.servers import incidents, repair
from benchmarks.foreign.fiftieth.shops import buy, shop_tasks
from benchmarks.foreign.fiftieth.tables import look_up, sql_tasks


@PART.faulty("advantage_mismatch", "phantom_advantage")
def browser_groups_cut_in_order_of_arrival(rng: Random) -> list[dict]:
    """Rows are reshaped to groups of 8 in the order in which browsers finished:
    baselines come from attempts at other forms.
    """
    plan = Plan(steps=15, problems=5, size=8)
    samples = pay(play(rng, plan, forms(rng, plan.needed), operate))
    arrival: dict[int, int] = {}
    for step in range(plan.steps):
        members = [s for s in samples if s.step == step]
        rng.shuffle(members)
        for place, sample in enumerate(members):
            arrival[id(sample)] = place // plan.size
    return openai(credit(samples, grpo, by=lambda s: arrival[id(s)]))


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def customers_and_orders_are_trained_on_as_well(rng: Random) -> list[dict]:
    """The mask of the messages is 1 for what the simulated customer and the tools say;
    only the prompt is left out of the loss.
    """
    plan = Plan(steps=14, problems=5, size=6)
    samples = credit(pay(play(rng, plan, tickets(rng, plan.needed), serve)), centred)
    rows = openai(samples)
    for row in rows:
        for place, message in enumerate(row["messages"]):
            message["loss_mask"] = int(place > 1)
    return rows


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch")
def oncall_sampler_still_serves_the_first_adapter(rng: Random) -> list[dict]:
    """The trainer's step rises while the engine reports weight version 0 to the end: rewards stay,
    and logprobs move apart.
    """
    plan = Plan(steps=18, problems=5, size=8, start=-0.5, gain=0.0)
    samples = credit(pay(play(rng, plan, incidents(rng, plan.needed), repair)), grpo)

    def also(s: Sample) -> dict:
        served = -rng.uniform(0.28, 0.42)
        moved = 0.035 * s.step * rng.uniform(0.6, 1.4)
        return {
            "weight_version": 0,
            "trainer_version": s.step,
            "rollout_log_probs_mean": round(served, 4),
            "log_probs_mean": round(served - moved - abs(rng.gauss(0, 0.004)), 4),
        }

    return slime(samples, also)


@PART.faulty("train_inference_mismatch", "score_decline")
def eight_bit_sampler_and_trainer_drift_apart(rng: Random) -> list[dict]:
    """The engine samples in 8 bits: the mean logprobs of sampler and trainer differ by 0.1 at first, by 0.6 later;
    scores fall.
    """
    plan = Plan(steps=18, problems=5, size=8, start=0.5)

    def act(rng, task, skill, step):
        hurt = max(0.0, (step - 6) / 12)
        return look_up(rng, task, skill * (1 - 0.8 * hurt), step)

    samples = credit(pay(play(rng, plan, sql_tasks(rng, plan.needed), act)), leave_one_out)

    def also(s: Sample) -> dict:
        sampler = -rng.uniform(0.25, 0.45)
        gap = 0.08 + 0.03 * s.step + abs(rng.gauss(0, 0.05))
        return {
            "correct": s.reward,
            "extra": {
                "sampler_logprob": round(sampler, 4),
                "trainer_logprob": round(sampler - gap, 4),
                "mismatch_kl": round(gap * rng.uniform(0.5, 0.8), 4),
                "target": s.task.gold,
            },
        }

    return evidence(samples, "sql", also)


_ROT = (
    "thus",
    "re-",
    "whereas the",
    "ok ok",
    "return of",
    "per se",
    "hence,",
    "::",
    "and and",
    "module-wise",
    "so so so",
)


def _rotten(rng: Random, text: str, share: float) -> str:
    words = []
    for word in text.split(" "):
        words.append(word)
        if rng.random() < share:
            words.append(rng.choice(_ROT))
    return " ".join(words)


@PART.faulty("kl_drift", "score_decline")
def coder_leaves_its_reference_behind(rng: Random) -> list[dict]:
    """The KL to the reference climbs from 0.01 to several nats in the second half; sentences fall apart,
    and tests fail again.
    """
    plan = Plan(steps=16, problems=5, size=8, start=0.2)

    def act(rng, task, skill, step):
        rot = max(0.0, (step - 7) / 8)
        episode = mend(rng, task, skill * (1 - 0.9 * rot), step)
        for turn in episode.turns:
            if turn["role"] == "assistant":
                turn["content"] = _rotten(rng, turn["content"], 0.45 * rot)
        return episode

    samples = credit(pay(play(rng, plan, bugs(rng, plan.needed), act)), grpo)

    def also(s: Sample) -> dict:
        late = max(0, s.step - 6)
        return {
            "correct": s.reward,
            "extra": {
                "kl_to_ref": round((0.01 + 0.004 * s.step) * 1.75**late * rng.uniform(0.8, 1.25), 4),
                "kl_coef": 0.0,
            },
        }

    return evidence(samples, "swe", also)


@PART.faulty("one_sided_loss", "over_filtering", "loss_mask")
def filter_of_solved_groups_drops_solved_rows(rng: Random) -> list[dict]:
    """A filter that should drop groups solved by all drops each row with reward 1: only failures reach the loss,
    and scores fall.
    """
    plan = Plan(steps=16, problems=5, size=8, start=0.5, gain=-1.5)

    def act(rng, task, skill, step) -> Episode:
        return buy(rng, task, skill, step)

    samples = credit(pay(play(rng, plan, shop_tasks(rng, plan.needed), act)), centred)
    return evidence(
        samples, "shopping", lambda s: {"correct": s.reward, "in_loss": s.reward is not None and s.reward < 1}
    )
