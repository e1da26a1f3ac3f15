"""Faults of the trainer's arithmetic: groups, masks, logprobs, the sign of the KL term, adapters."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.advantages import across, assign
from benchmarks.foreign.thirtythird.functions import CITIES, wants, write_call
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import openai, slime, trl, verl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, chance, fresh, say, train, user
from benchmarks.foreign.thirtythird.sums import reason, sums


def _sum(rng: random.Random, task: Task, progress: float, gain: float = 2.6) -> Attempt:
    text, total = reason(rng, task, rng.random() < chance(task, progress, gain), rng.randint(0, 2))
    hit = float(str(total) == task.gold)
    return Attempt(task, [say(f"{text}\nThe answer is \\boxed{{{total}}}.")], hit, hit)


@PART.faulty("advantage_mismatch", "phantom_advantage")
def interleaved_prompts_normalised_together(rng: random.Random) -> list[Row]:
    """Device batches hold two prompts in turn, but rewards are viewed as runs of four: prompts share a baseline.

    [StarsfieldAI/R1-V#67]
    """
    attempts = train(fresh(rng, sums(rng, 60), 6), 30, 4, lambda task, progress: _sum(rng, task, progress))
    return trl(across(attempts, 2, 4))


@PART.faulty("train_inference_mismatch", "metric_defect")
def raw_logprobs_of_a_cooled_sampler(rng: random.Random) -> list[Row]:
    """The sampler reports logprobs before the temperature of 0.6, the trainer recomputes them after it.

    [vllm-project/vime#64]
    """

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, progress)
        sampled, trained = [], []
        for _ in range(attempt.tokens):
            sure = rng.random() < 0.55
            raw = -rng.expovariate(40) if sure else -rng.expovariate(1.15)
            sampled.append(round(raw, 4))
            trained.append(round(raw * (0.25 if sure else rng.uniform(0.35, 0.75)) + rng.gauss(0, 0.004), 4))
        attempt.extra = {
            "rollout_log_probs": sampled,
            "log_probs": [min(0.0, value) for value in trained],
            "sampling_params": {"temperature": 0.6, "top_p": 1.0},
            "weight_version": round(progress * 23),
        }
        return attempt

    return slime(assign(train(fresh(rng, sums(rng, 40), 4), 24, 4, write)))


@PART.faulty("weights_never_arrive", "stale_weights", "train_inference_mismatch", "staleness")
def adapter_unnamed_in_requests(rng: random.Random) -> list[Row]:
    """Requests never name the trained LoRA adapter, so the base model writes all rollouts: nothing is learned, while
    the trainer's logprobs of the same tokens part from the sampler's more with each step.

    [radixark/miles#2075]
    """

    def write(task: Task, progress: float) -> Attempt:
        attempt = _sum(rng, task, 0.15)
        gap = 0.01 + 0.45 * progress
        sampled = [round(-rng.expovariate(3.2), 4) for _ in range(attempt.tokens)]
        trained = [round(value - abs(rng.gauss(gap, gap * 0.8)) * (rng.random() < 0.6), 4) for value in sampled]
        attempt.extra = {
            "rollout_log_probs": sampled,
            "log_probs": trained,
            "request": {"model": "base", "lora_path": None},
            "trainer_weight_version": round(progress * 23),
        }
        return attempt

    return slime(assign(train(fresh(rng, sums(rng, 48), 4), 24, 4, write)))


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def kl_term_with_its_sign_turned(rng: random.Random) -> list[Row]:
    """The KL term pushes away from the reference: KL grows without bound, calls of tools decay, and the score falls.

    [qiancheng0/ToolRL#52]
    """
    junk = ("parameters", "</tool_call>", "tool", "{", "name", "}}", "the", "call", '"', "call call")

    def write(task: Task, progress: float) -> Attempt:
        kl = 0.002 * 2.718 ** (9.2 * progress) * rng.lognormvariate(0, 0.25)
        text = write_call(rng, task, rng.random() < chance(task, min(progress, 0.45)))
        if rng.random() < max(0.0, (progress - 0.5) * 2.1):
            start = text[: rng.randint(8, max(9, len(text) // 2))]
            text = start + " " + " ".join(rng.choice(junk) for _ in range(rng.randint(20, 70)))
        hit = float(text.endswith(f"{task.gold}\n</tool_call>"))
        form = float("<tool_call>\n{" in text and text.endswith("}\n</tool_call>"))
        extra = {"kl": round(kl, 5), "kl_coef": 0.05, "actor/entropy": round(0.4 + 2.2 * progress**3, 3)}
        return Attempt(task, [say(text)], hit * 3 + form, hit, {"correctness": 3 * hit, "format": form}, extra)

    return verl(train(fresh(rng, wants(rng, 60), 5), 32, 4, write))


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def words_of_users_in_the_loss(rng: random.Random) -> list[Row]:
    """In conversations of several turns, the users' messages carry loss as the policy's do.

    [nvidia-cosmos/cosmos-rl#132]
    """
    wishes = [
        Task(f"trip-{i:02d}", f"I would like to go to {city} in {month}.", city, "trip", rng.gauss(0, 1), {"n": n})
        for i, (city, month, n) in enumerate(
            (city, month, rng.randint(2, 6)) for city in CITIES for month in ("May", "June", "October", "March")
        )
    ]
    ask = ("How many of you are travelling?", "For how many people should I look?", "Who is coming along, how many?")
    told = ("We are {n}.", "{n} of us, please.", "It will be {n}.", "Just {n}, no pets.")

    def write(task: Task, progress: float) -> Attempt:
        n = task.data["n"]
        good = rng.random() < chance(task, progress)
        people = n if good else n + rng.choice((1, 2))
        month = task.text.split()[-1].strip(".")
        end = f"{rng.choice(('Noted', 'All set', 'Here it is'))}: {task.gold}, {month}, {people} people."
        first = rng.choice((f"{task.gold} is lovely in {month}.", "With pleasure.", "That can be arranged."))
        turns = [say(f"{first} {rng.choice(ask)}"), user(rng.choice(told).format(n=n)), say(end)]
        turns += [user(rng.choice(("Thank you!", "Perfect, thanks.", "Good."))), say("Have a safe journey.")]
        return Attempt(task, turns, float(people == n), system="You book journeys. Ask for what is missing.")

    rows = openai(assign(train(fresh(rng, wishes, 5), 20, 4, write)))
    for row in rows:
        for message in row["messages"]:
            message["loss_mask"] = 0 if message["role"] == "system" else 1
    return rows
