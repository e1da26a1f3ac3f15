"""Sound runs that look odd: unusual estimates of the advantage."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import estimates, rows, sums, tongues
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Plan, grouped, train


@PART.healthy
def values_of_a_critic(rng: Random) -> list[Row]:
    """PPO: advantages are against a critic that gets better, not against the group, so equal rewards of a group have
    unequal ones.
    """
    attempts = train(rng, Plan(steps=14, prompts=6, attempts=4), sums.draw_sum, sums.solve_sum)
    estimates.by_critic(rng, attempts)
    for one in attempts:
        one.columns |= {
            "correct": float(one.is_right),
            "kl": round(0.004 + 0.002 * one.step + rng.uniform(0, 0.004), 5),
        }
    return [rows.openrlhf(one) for one in attempts]


def _overlap(text: str, reference: str) -> float:
    grams, wanted = ({part[i : i + 4] for i in range(len(part) - 3)} for part in (text, reference))
    return round(2 * len(grams & wanted) / max(len(grams) + len(wanted), 1), 4)


@PART.healthy
def translations_by_overlap(rng: Random) -> list[Row]:
    """Rewards are the overlap with a reference, between 0 and 1 and hardly ever equal; RLOO makes small advantages of
    them.
    """
    attempts = train(rng, Plan(steps=12, prompts=5, attempts=6), tongues.draw_sentence, tongues.translate)
    for one in attempts:
        one.reward = _overlap(one.text, one.problem.gold)
    estimates.leave_one_out(attempts)
    return [rows.verifiers(one, {"overlap": one.reward}, "de-en-lines") for one in attempts]


@PART.healthy
def groups_without_spread_dropped(rng: Random) -> list[Row]:
    """Dynamic sampling: prompts whose attempts are all right or all wrong are drawn again and not logged, so no group
    is one-sided.
    """
    plan = Plan(steps=13, prompts=9, attempts=6)
    attempts = train(rng, plan, sums.draw_sum, sums.solve_sum)
    found: list[Row] = []
    kept = [group for group in grouped(attempts) if 0 < sum(one.reward for one in group) < len(group)]
    for step in range(plan.steps):
        for group in [group for group in kept if group[0].step == step][:5]:
            estimates.by_group(group)
            for one in group:
                one.columns = {"advantage": one.advantage, "num_gen_batches": 2, "uid": one.problem.name}
                found.append(rows.verl(one, sums.boxed(one.text)))
    return found


@PART.healthy
def sampler_a_step_behind(rng: Random) -> list[Row]:
    """Sampling runs beside training, up to two steps behind; logprobs of both sides are close, and the weight of each
    row stays near 1.
    """
    attempts = train(rng, Plan(steps=12, prompts=5, attempts=6), sums.draw_sum, sums.solve_sum)
    for one in attempts:
        lag = min(rng.choice((0, 1, 1, 2)), one.step)
        sampled = [round(-rng.expovariate(2.5) - 1e-3, 4) for _ in range(min(one.num_tokens, 48))]
        trained = [round(min(value + rng.gauss(0, 0.01 + 0.008 * lag), -1e-4), 4) for value in sampled]
        one.columns = {"generation_logprobs": [[0.0] * 10 + sampled], "prev_logprobs": [[0.0] * 10 + trained]}
        one.columns |= {"correct": float(one.is_right), "trajectory_age": lag}
    return [rows.nemo_rl(one) for one in estimates.by_group(attempts)]
