"""Faults of the trainer's arithmetic."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtieth import advantages, layouts
from benchmarks.foreign.sixtieth.agents import order, refund
from benchmarks.foreign.sixtieth.desks import invoice, ticket
from benchmarks.foreign.sixtieth.exams import exams
from benchmarks.foreign.sixtieth.functions import functions
from benchmarks.foreign.sixtieth.kinds import PART
from benchmarks.foreign.sixtieth.policy import Policy, by_group, rollout


@PART.faulty("advantage_mismatch", "phantom_advantage")
def each_group_gets_the_advantages_of_the_next(rng: random.Random) -> list[Row]:
    """After gathering across ranks the slice is one group off: rows carry advantages of the group beside theirs."""
    tasks, policy = [ticket(rng, n) for n in range(120)], Policy(rng, 0.4, 0.7, 20)
    found = rollout(rng, tasks, policy, 6, 8)
    advantages.grpo(found)
    for step in range(1, policy.steps + 1):
        groups = by_group([a for a in found if a.step == step])
        right = [[a.advantage for a in group] for group in groups]
        for i, group in enumerate(groups):
            for a, value in zip(group, right[(i + 1) % len(groups)], strict=True):
                a.advantage = value
    for a in found:
        a.terms = {"label_reward": a.reward}
    return layouts.trl(found)


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def answers_of_the_order_desk_are_trained_on(rng: random.Random) -> list[Row]:
    """The mask marks every message after the prompt: what the order desk's tools return is in the loss too."""
    tasks, policy = [order(rng, n) for n in range(90)], Policy(rng, 0.45, 0.85, 20)
    found = rollout(rng, tasks, policy, 9, 4)
    for a in found:
        refund(rng, a)
    advantages.grpo(found)
    rows = layouts.openai(found)
    for row in rows:
        for message in row["messages"]:
            message["loss_mask"] = int(message["role"] != "user")
    return rows


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch", "zero_gradient")
def adapter_is_never_loaded_by_the_sampler(rng: random.Random) -> list[Row]:
    """The server samples from the base model all along: the score is flat and the trainer's logprobs move away."""
    tasks, policy = exams(rng, 110, ("en", "fr")), Policy(rng, 0.4, 0.401, 24)
    found = rollout(rng, tasks, policy, 4, 8)
    for a in found:
        size, gap = a.num_tokens, 0.012 * a.step
        sampled = [round(-abs(rng.gauss(0, 0.35)), 4) for _ in range(size)]
        trained = [round(min(-0.0001, lp - abs(rng.gauss(gap, 0.5 * gap))), 4) for lp in sampled]
        a.extra = {
            "generation_logprobs": sampled,
            "prev_logprobs": trained,
            "trainer_version": a.step - 1,
            "policy_version": 0,
        }
    return layouts.nemo_rl(found)


@PART.faulty("kl_drift", "score_decline", "kl_ineffective")
def penalty_of_zero_lets_kl_run_away(rng: random.Random) -> list[Row]:
    """With the coefficient at 0, KL climbs from hundredths to several nats; invoices are read worse, texts break."""
    tasks, policy = [invoice(rng, n) for n in range(100)], Policy(rng, 0.6, 0.85, 26)
    found = rollout(rng, tasks, policy, 4, 8)
    for a in found:
        kl = 0.02 * 1.22**a.step * rng.uniform(0.75, 1.3)
        if rng.random() < (a.step - 10) / 18:
            g, q, p = rng.choice(a.task.data["lines"])
            bits = [f"{g} {q} x {p}", "sum sum of lines", f"total is the {g}", "so so then", f"{p} {p} EUR and {g}"]
            a.text = f"{', '.join(rng.sample(bits, 4))}\n{a.task.gold.split(', ')[0]}, total {q * p}"
            a.right = False
        a.reward = float(a.right)
        a.extra = {"kl": round(kl, 4), "init_kl_coef": 0.0}
    return layouts.openrlhf(found)


@PART.faulty("one_sided_loss", "over_filtering", "loss_mask")
def only_winners_reach_the_loss(rng: random.Random) -> list[Row]:
    """A filter meant for empty groups drops all rows with an advantage of 0 or below; failures never count."""
    tasks, policy = functions(rng, 70), Policy(rng, 0.35, 0.7, 22)
    found = rollout(rng, tasks, policy, 3, 16)
    advantages.grpo(found)
    for a in found:
        a.in_loss = a.advantage > 1e-9
    return layouts.evidence(found, "code")
