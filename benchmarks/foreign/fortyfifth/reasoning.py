"""Single-turn reasoning: sums with the shapes of rewards and courses that careful teams use."""

import random

from benchmarks.foreign.estimators import centred, grpo, whole_batch_baseline
from benchmarks.foreign.fortyfifth.credit import by_groups, credit, pass_at
from benchmarks.foreign.fortyfifth.kinds import PART
from benchmarks.foreign.fortyfifth.layouts import Row, inspect, ours, prime, slime, verl
from benchmarks.foreign.fortyfifth.policy import Policy
from benchmarks.foreign.fortyfifth.runs import Try, count_tokens, course, say
from benchmarks.foreign.fortyfifth.sums import last_word, solve, sums


@PART.healthy
def last_steps_before_the_crash_are_sampled_anew(rng: random.Random) -> list[Row]:
    """After a resume from the last checkpoint two steps come a second time, with the same prompts.

    A count of prompts finds duplicates and a step with twice the rows; the lost updates had never been saved.
    """
    policy = Policy(rng, -0.3, 1.2)
    plan = list(course(rng, sums(rng, 160), 16, 8, 6))
    rows = []
    for job, keep in ((1, range(1, 12)), (2, range(10, 17))):
        for step, done, problem, attempt in plan:
            if step not in keep:
                continue
            right = policy.succeeds(problem, done)
            one = Try(problem, step, attempt, say(solve(rng, problem, right)), float(right), float(right))
            dumped = f"2026-03-{13 + job:02d}T{6 + step:02d}:{step * 7 % 60:02d}:{step * 23 % 60:02d}Z"
            rows.append(verl(one, job_id=f"grpo-sums-{job}", resumed_from=9 if job == 2 else 0, dumped_at=dumped))
    return rows


@PART.healthy
def exam_of_thirty_questions_sampled_sixteen_times(rng: random.Random) -> list[Row]:
    """An evaluation alone: thirty questions, sixteen samples each, no training.

    Most groups are all right or all wrong, which costs nothing where no gradient is drawn from them.
    """
    problems = sums(rng, 30, "exam", hard=4.5)
    policy = Policy(rng, 0.6, 0.6, spread=1.6)
    rows = []
    for problem in problems:
        problem.text += " Give the number alone on the last line."
        for epoch in range(16):
            right = policy.succeeds(problem, 0.0)
            text = solve(rng, problem, right, checks=rng.randint(1, 3), mark="{x}")
            one = Try(problem, 0, epoch, say(text), None, float(right), extra={"temperature": 0.6})
            rows.append(inspect(one, "match", last_word(text), "own/sums-7b-rl-step400"))
    return rows


@PART.healthy
def late_solutions_lose_up_to_half_a_mark(rng: random.Random) -> list[Row]:
    """A soft penalty takes up to half a mark from replies that come near the limit of tokens.

    Right rows have rewards below one, so reward and correctness part; a right reply still earns more than any wrong.
    """
    policy = Policy(rng, -0.2, 1.4)
    limit, soft = 165, 85
    tries = []
    for step, done, problem, attempt in course(rng, sums(rng, 110), 15, 6, 8):
        right = policy.succeeds(problem, done)
        checks = max(0, round(rng.gauss(4.5 - 2.5 * done, 2.0)))
        text = solve(rng, problem, right, checks=min(checks, 7))
        size = count_tokens(text) + 1
        over = min(0.5, max(0.0, 0.5 * (size - soft) / (limit - soft)))
        terms = {"accuracy": float(right), "overlong": 0.0 - over}
        extra = {"soft_limit": soft, "max_response_tokens": limit}
        reply = Try(problem, step, attempt, say(text), float(right) - over, float(right), terms, extra=extra)
        reply.domain = "math"
        tries.append(reply)
    return [ours(t) for t in credit(tries, whole_batch_baseline)]


@PART.healthy
def levels_rise_while_the_share_solved_sinks(rng: random.Random) -> list[Row]:
    """A curriculum admits a harder level every fourth step, faster than the policy learns.

    The mean reward falls for the whole run; within each level it rises, and the level stands in each row.
    """
    policy = Policy(rng, 1.3, 2.9, spread=0.7)
    pool = []
    for level in range(5):
        for problem in sums(rng, 40, f"climb-{level}", hard=0.3, scale=1 + 2 * level):
            problem.data["level"] = level
            problem.hard += 0.95 * level
            pool.append(problem)
    rows = []
    for block in range(5):
        near = [p for p in pool if p.data["level"] in (block, max(0, block - 1))]
        for step, within, problem, attempt in course(rng, near, 4, 6, 8, first=1 + 4 * block):
            right = policy.succeeds(problem, (block + within * 0.75) / 5)
            text = solve(rng, problem, right, checks=1 + problem.data["level"] // 2)
            extra = {"level": problem.data["level"], "levels_admitted": block + 1}
            rows.append(slime(Try(problem, step, attempt, say(text), float(right), float(right), extra=extra)))
    return rows


@PART.healthy
def pass_at_four_pays_the_rare_solver(rng: random.Random) -> list[Row]:
    """Training for pass@4: where four samples are sure to hold a winner, nobody has an advantage.

    Groups with both outcomes have advantages of zero, and the advantages do not follow from centred rewards.
    """
    policy = Policy(rng, -1.6, 0.4)
    tries = []
    for step, done, problem, attempt in course(rng, sums(rng, 120, "pk", hard=1.3), 14, 6, 8):
        right = policy.succeeds(problem, done)
        text = solve(rng, problem, right, checks=rng.randint(0, 3))
        extra = {"adv_estimator": "pass_at_k", "k": 4, "n_samples": 8, "answer": last_word(text)}
        one = Try(problem, step, attempt, say(text), float(right), float(right), {"match": float(right)}, extra=extra)
        one.domain = "math"
        tries.append(one)
    return [ours(t) for t in by_groups(tries, pass_at(4))]


@PART.healthy
def samplers_trail_by_up_to_three_updates(rng: random.Random) -> list[Row]:
    """Samplers of an asynchronous run are one to three updates behind, and the loss corrects for it.

    The lag is never zero and the two sets of logprobs differ a little; both stay where the bound puts them.
    """
    policy = Policy(rng, -0.4, 1.3)
    tries = []
    lags: dict[int, int] = {}
    for step, done, problem, attempt in course(rng, sums(rng, 130, "async"), 18, 6, 8):
        lag = lags.setdefault(step, min(step, rng.choice((1, 1, 2, 2, 2, 3))))
        right = policy.succeeds(problem, max(0.0, done - lag / 18))
        sampled = -abs(rng.gauss(0.34 - 0.08 * done, 0.06))
        extra = {
            "weight_version": step - lag,
            "trainer_version": step,
            "inference_logprob_mean": round(sampled, 4),
            "trainer_logprob_mean": round(sampled + rng.gauss(-0.002 * lag, 0.004), 4),
            "max_off_policy_steps": 3,
        }
        text = solve(rng, problem, right, checks=rng.randint(0, 2))
        tries.append(
            Try(problem, step, attempt, say(text), float(right), float(right), {"correct_answer": float(right)})
        )
        tries[-1].extra = extra
    return [prime(t, "sums-async") for t in credit(tries, centred)]


@PART.healthy
def budget_doubles_halfway_and_answers_follow(rng: random.Random) -> list[Row]:
    """The limit of tokens is doubled at step ten, as planned; before it some three replies in ten were cut.

    Length and reward jump from one step to the next, since what was cut is now finished.
    """
    policy = Policy(rng, 0.5, 1.3)
    tries = []
    for step, done, problem, attempt in course(rng, sums(rng, 120, "budget"), 18, 6, 7):
        limit = 98 if step < 10 else 196
        right = policy.succeeds(problem, done)
        text = solve(rng, problem, right, checks=min(7, max(0, round(rng.gauss(3.0 + done, 2.0)))))
        cut = count_tokens(text) >= limit
        if cut:
            text = text[: int((limit - 1) * 4.2)]
        got = float(right and not cut)
        one = Try(problem, step, attempt, say(text), got, got, {"accuracy": got}, domain="math")
        one.stop = "max_tokens" if cut else "stop"
        one.extra = {"max_new_tokens": limit, "config": "stage_1" if step < 10 else "stage_2"}
        tries.append(one)
    return [ours(t) for t in credit(tries, grpo)]
