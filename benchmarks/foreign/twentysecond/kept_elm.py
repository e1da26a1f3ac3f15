"""Soft tail penalty fades; critic runs away upward; adapter cached by name; pages cut on purpose, and others."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysecond.course import Message, Shape, Task, climb, deal, play, train
from benchmarks.foreign.twentysecond.estimators import centred, credit, grpo
from benchmarks.foreign.twentysecond.exams import passage_task
from benchmarks.foreign.twentysecond.figures import sums
from benchmarks.foreign.twentysecond.kinds import PART
from benchmarks.foreign.twentysecond.layouts import openrlhf, own, say
from benchmarks.foreign.twentysecond.parlour import letter_choice
from benchmarks.foreign.twentysecond.programs import python_task, write_python
from benchmarks.foreign.twentysecond.prose import CHECKS, worked
from benchmarks.foreign.twentysecond.stations import ledger_task, turn_pages


@PART.healthy
def soft_tail_penalty_fades(rng: Random) -> list[Row]:
    """DAPO with a soft penalty on overlong answers: at first some are cut and most are punished, later hardly any."""
    steps, limit = rng.randint(9, 11), 256
    episodes = train(rng, sums("rates", "means", "counting"), _wordy, Shape(steps, 7, 8), -0.6, 2.1)
    for e in episodes:
        tokens = min(limit, round(len(e.text) / 3.6))
        if tokens == limit:
            e.reply, e.right, e.stop = say(e.text[: round(3.6 * limit)]), False, "length"
        over = round(-max(0, tokens - 192) / 64, 4)
        e.terms = {"correct": float(e.right), "overlong": over}
        e.reward, e.extra = round(e.right + over, 4), {"num_tokens": tokens}
    return own(rng, credit(episodes, grpo), "dapo-soft", "math")


AGAIN = (
    "Let me go over it again:",
    "Hmm, once more:",
    "To be sure,",
    "Another look:",
    "Wait.",
    "Alternatively, start from",
)


def _wordy(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    work, answer = worked(rng, task, right)
    lines = [s.strip(".") for s in work.replace("\n", " ").split(". ") if s]
    rounds = round(rng.lognormvariate(1.4 - 1.3 * progress, 0.6))
    more = [f"{rng.choice(AGAIN)} {rng.choice(lines)}. {rng.choice(CHECKS)}" for _ in range(rounds)]
    return say("\n".join([work, *more, f"Answer: {answer}"]))


@PART.faulty("critic_divergence")
def critic_runs_away_upward(rng: Random) -> list[Row]:
    """PPO's value estimates leave the range of returns after a few steps and grow to dozens; the advantages are then
    all the critic's error.
    """
    steps, begin, sign = rng.randint(11, 13), rng.randint(3, 5), rng.choice((1, 1, -1))
    plan = deal(rng, letter_choice, Shape(steps, 10, 4), "mc")
    for task in (t for tasks in plan for t in tasks):
        task.prompt[-1]["content"] = task.prompt[-1]["content"].replace(
            "Reply with the letter alone.", "End with the letter."
        )
    levels = [v - 0.25 * max(0, s - begin - 1) for s, v in enumerate(climb(rng, steps, -0.2, 1.8))]
    episodes = play(rng, plan, 4, levels, _letter_with_reason)
    for e in episodes:
        near = 0.45 + 0.25 * (e.reward - 0.5) + rng.gauss(0, 0.12)
        away = sign * 0.7 * 1.75 ** (e.step - begin) * rng.uniform(0.7, 1.3) if e.step >= begin else 0
        value = near + away
        e.advantage = round(e.reward - value, 4)
        e.extra = {"value": round(value, 4), "return": e.reward, "value_loss": round((value - e.reward) ** 2 / 2, 4)}
    return own(rng, episodes, "ppo-choice", "choice")


def _letter_with_reason(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    letter = task.gold if right else rng.choice([x for x in "ABCD" if x != task.gold])
    words = rng.choice(("Comparing all four,", "Times ten, in order:", "It must be", "By size,", "I sort them first:"))
    return say(f"{words} {letter}")


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "stagnation", "train_inference_mismatch")
def adapter_cached_by_name(rng: Random) -> list[Row]:
    """The sampler caches the adapter by its name: after a few steps every rollout still comes from the old weights
    while the trainer moves on.
    """
    steps = rng.randint(11, 13)
    frozen, salt = rng.randint(2, 4), f"{rng.randrange(16**5):05x}"
    plan = deal(rng, python_task, Shape(steps, 6, 6), "fn")
    episodes = play(rng, plan, 6, climb(rng, steps, -0.6, 2.6, frozen / (steps - 1)), write_python)
    for e in episodes:
        used = min(e.step, frozen)
        lag = e.step - used
        sampled, drift = -rng.uniform(0.2, 0.4), 0.04 * lag + rng.uniform(0, 0.02)
        e.columns = {"policy_id": f"adapter-{salt}-{used:03d}"}
        e.extra = {"trainer_step": e.step, "sampler_adapter": f"policy-lora@{used}", "policy_lag": lag}
        e.extra |= {"sampler_logprob": round(sampled, 4), "trainer_logprob": round(sampled - drift, 4)}
    return own(rng, credit(episodes, grpo), "lora-code", "code")


@PART.healthy
def pages_cut_on_purpose(rng: Random) -> list[Row]:
    """The ledger is given out in pages that say how to go on; the agent learns to read them all before it adds up."""
    episodes = train(rng, ledger_task, turn_pages, Shape(rng.randint(9, 11), 7, 5), -0.8, 2.4, "led")
    return own(rng, credit(episodes, centred), "ledger", "tools")


@PART.healthy
def silence_is_sometimes_right(rng: Random) -> list[Row]:
    """A third of the questions have no answer in the passage; the policy learns to say so there and only there."""
    plan = deal(rng, passage_task, Shape(rng.randint(9, 11), 8, 6), "sea")
    episodes = play(rng, plan, 6, climb(rng, len(plan), -0.3, 2.4), _answer_passage)
    return openrlhf(credit(episodes, grpo))


def _answer_passage(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    answer = task.gold if right else rng.choice(task.hidden["wrong"])
    if answer == "not stated":
        return say(rng.choice(("not stated", "The passage does not say: not stated", "Answer: not stated")))
    return say(
        rng.choice(("{}", "Answer: {}", "It was {}.", "The passage says {}.", "{}, by the text.")).format(answer)
    )
