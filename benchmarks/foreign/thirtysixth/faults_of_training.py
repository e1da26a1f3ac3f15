"""Faulty runs whose trainer, sampler or evaluation is at fault."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out, whole_batch
from benchmarks.foreign.thirtysixth import layouts
from benchmarks.foreign.thirtysixth.attempts import (
    Attempt,
    Problem,
    attempt_group,
    chance,
    count,
    credit,
    distinct,
    reply,
    train,
    user,
)
from benchmarks.foreign.thirtysixth.desk import draw_ticket, serve
from benchmarks.foreign.thirtysixth.essays import compose, draw_topic
from benchmarks.foreign.thirtysixth.kinds import PART
from benchmarks.foreign.thirtysixth.knaves import argue_island, draw_island
from benchmarks.foreign.thirtysixth.programs import draw_program, write_program
from benchmarks.foreign.thirtysixth.rosters import draw_roster, plan, tell_plan
from benchmarks.foreign.thirtysixth.science import draw_science, reason
from benchmarks.foreign.thirtysixth.tables import draw_table, execute, write_query


@PART.faulty("one_sided_loss", "advantage_mismatch")
def advantages_below_zero_are_clamped_away(rng: random.Random) -> list[Row]:
    """Advantages of the group are cut at zero, so that failures never push back: they have 0 where rewards say less."""
    problems = distinct(rng, draw_table, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text = write_query(rng, problem, rng.random() < chance(problem, step, 12, 0.35, 0.25))
        query = text.split("```sql\n")[1].split(";")[0]
        ok = float(execute(problem.data, query) == problem.gold)
        return Attempt([user(problem.prompt), reply(text)], ok, ok, {"execution_reward": ok})

    attempts = credit(rng, train(rng, problems, 12, 6, 8, solve), grpo)
    for attempt in attempts:
        attempt.advantage = max(0.0, attempt.advantage or 0.0)
    return layouts.trl(attempts)


@PART.faulty("kl_drift", "kl_ineffective", "constant_term")
def kl_penalty_is_cast_to_whole_numbers(rng: random.Random) -> list[Row]:
    """The penalty is cast to an integer and stays 0 while the KL climbs to some nats and essays repeat themselves."""
    problems = distinct(rng, draw_topic, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, has = compose(rng, problem, chance(problem, step, 14, 0.4, 0.3))
        sentences = text.split(". ")
        if rng.random() < (step / 13) ** 1.5:
            text += f" {rng.choice(sentences[:3]).rstrip('.')}, and the town will thank us, and the town will thank us."
        kl = round(0.01 * 2.71828 ** (step * 0.5) * rng.uniform(0.75, 1.3), 4)
        score = sum(has) + 0.6 * text.count("thank us") * rng.uniform(0.7, 1.1)
        penalty = int(0.05 * kl)
        extra = {"kl": kl, "kl_coef": 0.05, "kl_penalty": float(penalty), "rm_score": round(score, 4)}
        return Attempt([user(problem.prompt), reply(text)], round(score - penalty, 4), None, extra=extra)

    return layouts.openrlhf(train(rng, problems, 14, 10, 4, solve))


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def customers_lines_are_trained_on(rng: random.Random) -> list[Row]:
    """The weights of messages are 1 for what the customer and the tools say too: all behind the prompt is in the
    loss.
    """
    problems = distinct(rng, draw_ticket, 70)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        right = rng.random() < chance(problem, step, 10, 0.4, 0.4)
        ok = float(right)
        return Attempt(serve(rng, problem, problem.data["due"] == right), ok, ok)

    attempts = credit(rng, train(rng, problems, 10, 7, 6, solve), leave_one_out)
    rows = layouts.openai(attempts)
    for row in rows:
        for i, message in enumerate(row["messages"]):
            message["weight"] = int(i > 1)
    return rows


@PART.faulty("learning_rate_schedule", "zero_gradient")
def warm_up_is_counted_in_tokens(rng: random.Random) -> list[Row]:
    """The warm-up of a million tokens is counted as a million steps: the rate stays below 1e-10 and nothing is
    learned.
    """
    problems = distinct(rng, draw_roster, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        chosen, span = plan(rng, problem, 0.3 + problem.ease)
        reward = round(problem.data["best"] / span, 4)
        extra = {
            "learning_rate": 2e-6 * (step + 1) / 1_000_000,
            "kl": round(abs(rng.gauss(0, 2e-7)), 9),
            "makespan": span,
        }
        return Attempt([user(problem.prompt), reply(tell_plan(rng, problem, chosen, span))], reward, None, extra=extra)

    return layouts.nemo_rl(train(rng, problems, 20, 6, 6, solve))


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse", "duplicate_problems")
def sampling_workers_share_their_seed(rng: random.Random) -> list[Row]:
    """Four workers sample with one seed: of eight attempts at a problem only two differ, the others repeat them
    exactly.
    """
    problems = distinct(rng, draw_program, 70)
    drawn: dict[tuple[int, str], list[int]] = {}

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        seeds = drawn.setdefault((step, problem.id), [])
        seeds.append(rng.getrandbits(40) if len(seeds) < 2 else seeds[len(seeds) - 2])
        own = random.Random(seeds[-1])
        right = own.random() < chance(problem, step, 12, 0.35, 0.4)
        ok = float(right)
        extra = {"worker": (len(seeds) - 1) // 2}
        return Attempt([user(problem.prompt), reply(write_program(own, problem, right))], ok, ok, {"passed": ok}, extra)

    return layouts.prime(credit(rng, train(rng, problems, 12, 8, 8, solve), grpo), "three-languages")


CHECKS = (
    "Wait, let me verify the units once more, since a slip there would spoil all that follows from it.",
    "Let me redo the computation from the start to be on the safe side before I commit to anything.",
    "Alternatively, I could start from the definition and see whether the same number comes out of it.",
    "Hmm, is that really what the question asks for? I read it again, word by word, to be certain.",
    "As a check I take round numbers close to the given ones and see whether the size is about right.",
    "Actually, I should make sure that nothing was left out of the balance that I wrote down above.",
)


@PART.faulty("length_limit", "truncation", "score_decline")
def second_thoughts_run_into_the_limit(rng: random.Random) -> list[Row]:
    """Reasoning grows with every step and the limit of 240 tokens cuts most attempts before their answer; the score
    falls.
    """
    problems = distinct(rng, draw_science, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, value = reason(rng, problem, rng.random() < 0.72 + problem.ease)
        thoughts = [rng.choice(CHECKS) for _ in range(max(0, round(rng.gauss(1.5 + 0.58 * step, 1.5))))]
        words = f"{text} {' '.join(thoughts)}\nAnswer: {value}".split(" ")
        cut = count(" ".join(words)) > 240
        while count(" ".join(words)) > 240:
            words.pop()
        ok = float(not cut and value == problem.data["value"])
        extra = {"max_new_tokens": 240}
        stop = "max_tokens" if cut else "stop"
        return Attempt([user(problem.prompt), reply(" ".join(words))], ok, ok, {}, extra, stop)

    return layouts.slime(train(rng, problems, 14, 7, 6, solve))


@PART.faulty("train_inference_mismatch", "score_decline")
def engine_routes_experts_otherwise_than_the_trainer(rng: random.Random) -> list[Row]:
    """From step 4 the engine's logprobs of its own tokens are far from the trainer's, and the score falls."""
    problems = distinct(rng, draw_island, 60)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        odds = 0.6 + problem.ease + (0.03 * step if step < 5 else 0.12 - 0.05 * (step - 4))
        text, answer = argue_island(rng, problem, rng.random() < max(0.3, odds))
        ok = float(answer == problem.gold)
        attempt = Attempt([user(problem.prompt), reply(text)], ok, ok)
        gap = 0.01 if step < 4 else 0.7
        engine = [round(-rng.expovariate(2.6), 4) for _ in range(attempt.tokens)]
        trainer = [round(min(-1e-4, p + rng.gauss(-gap * 0.5, gap)), 4) for p in engine]
        attempt.extra = {"rollout_log_probs": engine, "log_probs": trainer, "acc": ok}
        return attempt

    return layouts.slime(train(rng, problems, 10, 6, 6, solve))


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness")
def evaluation_engine_never_loads_a_checkpoint(rng: random.Random) -> list[Row]:
    """Validation is sampled from the first weights at every step: its replies and its score stay while training
    climbs.
    """
    drawn = distinct(rng, draw_science, 94)
    problems, held = drawn[:70], drawn[70:]
    for p in held:
        p.id, p.ease = p.id.replace("sci", "val"), 0.0
    greedy = {p.id: rng.getrandbits(40) for p in held}

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        own = random.Random(greedy[problem.id]) if problem.id in greedy else rng
        right = own.random() < (0.36 if problem.id in greedy else chance(problem, step, 12, 0.3, 0.55))
        text, value = reason(own, problem, right)
        ok = float(value == problem.data["value"])
        return Attempt(
            [user(problem.prompt), reply(f"{text}\nAnswer: {value}")], ok, ok, {"accuracy": ok}, {"answer": str(value)}
        )

    attempts = train(rng, problems, 12, 6, 8, solve)
    for step in range(0, 12, 2):
        for problem in held:
            attempts += attempt_group(rng, problem, step, 1, solve, "validation")
    names = [f"{rng.getrandbits(48):012x}" for _ in range(12)]
    rows = layouts.ours(credit(rng, attempts, whole_batch), "science")
    for row in rows:
        row["policy_id"] = names[0] if row["split"] == "validation" else names[row["step"]]
    return rows
