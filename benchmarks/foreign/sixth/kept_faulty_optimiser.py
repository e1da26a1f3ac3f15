"""Faults of the optimiser and its estimates."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import estimates, rows, sums
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Plan, train


@PART.faulty("phantom_advantage")
def noise_normalised(rng: Random) -> list[Row]:
    """A bonus for speed of a few ten-thousandths is blown up by the division by the deviation: groups that are all
    right train on noise.
    """
    plan = Plan(steps=12, prompts=6, attempts=6, start=0.5, end=3.4)
    attempts = train(rng, plan, sums.draw_sum, sums.solve_sum)
    for one in attempts:
        one.reward = round(float(one.is_right) + rng.uniform(0, 4e-4), 6)
        one.columns = {"correct": float(one.is_right)}
    estimates.by_group(attempts, epsilon=1e-8)
    return [rows.nemo_rl(one) for one in attempts]


@PART.faulty("train_inference_mismatch")
def sampler_logprobs_off(rng: Random) -> list[Row]:
    """Trainer and sampler give the same tokens logprobs that are far apart, and further with each step."""
    plan = Plan(steps=12, prompts=8, attempts=5, start=-0.8, end=0.0)
    attempts = train(rng, plan, sums.draw_sum, sums.solve_sum)
    for one in attempts:
        sampled = [round(-rng.expovariate(2.5), 4) for _ in range(min(one.num_tokens, 48))]
        gap = 0.25 + 0.05 * one.step
        trained = [round(min(value - rng.gauss(gap, 0.5), -1e-4), 4) for value in sampled]
        one.columns = {"generation_logprobs": [[0.0] * 12 + sampled], "prev_logprobs": [[0.0] * 12 + trained]}
        one.columns |= {"correct": float(one.is_right)}
    return [rows.nemo_rl(one) for one in estimates.by_group(attempts)]


@PART.faulty("zero_gradient", "learning_rate_schedule", "stagnation")
def schedule_ends_too_early(rng: Random) -> list[Row]:
    """The schedule counts micro-batches as steps: the learning rate reaches 0 after a quarter of the run, and nothing
    is learned from then on.
    """
    learning = Plan(steps=4, prompts=7, attempts=5, start=-1.0, end=-0.2)
    still = Plan(steps=12, prompts=7, attempts=5, start=-0.25, end=-0.25)
    early = train(rng, learning, sums.draw_sum, sums.solve_sum)
    late = train(rng, still, lambda r, k: sums.draw_sum(r, 100 + k), sums.solve_sum)
    for one in late:
        one.step += 4
    norms = [round(rng.uniform(0.2, 0.5), 4) for _ in range(16)]
    for one in [*early, *late]:
        rate = 1e-6 * max(0.0, 1 - one.step / 4)
        one.columns = {"learning_rate": rate, "grad_norm": norms[one.step], "policy_id": f"w{min(one.step, 4):04d}"}
    return [rows.own(one, "math") for one in estimates.by_group([*early, *late])]
