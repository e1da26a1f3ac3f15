"""Faults of the trainer's arithmetic: KL, masks, log-probabilities, filters, lag, groups."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyfourth import layouts, library, quantities
from benchmarks.foreign.thirtyfourth.kinds import PART
from benchmarks.foreign.thirtyfourth.policy import (
    Attempt,
    Problem,
    call,
    campaign,
    chance,
    said,
    say,
    settle,
    tokens,
    told,
)


def _garbled(rng: random.Random, text: str, share: float) -> str:
    words = [
        rng.choice(["value", "HOLD", "thus", "##", "la", word]) if rng.random() < share else word
        for word in text.split()
    ]
    return " ".join(words + [rng.choice(words)] * rng.randint(0, int(12 * share)))


@PART.faulty("kl_drift", "score_decline", "kl_ineffective")
def kl_passes_four_and_trade_sums_are_forgotten(rng: random.Random) -> list[dict]:
    """The KL to the reference climbs to four nats; texts break up and what was learned goes.

    [sarthakb.xyz, From 0.300 to 0.537: 15 Experiments Training an LLM Stock Trader, GRPO v3]
    """
    problems = quantities.draw(rng, 64, "interest", "break_even", ask="End with the number in \\boxed{}.")
    turn = rng.uniform(0.35, 0.45)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        over = max(0.0, (progress - turn) / (1 - turn))
        kl = 0.02 + 0.25 * progress + 4.0 * over**1.5 + abs(rng.gauss(0, 0.03 + 0.3 * over))
        right = rng.random() < chance(p, min(progress, turn), -0.4, 4.0) * (1 - over) ** 1.2
        text, answer = quantities.solve(rng, p, right)
        boxed = rng.random() > 0.06 + 0.7 * over
        end = f" \\boxed{{{answer}}}" if boxed else f" {answer}"
        reply = _garbled(rng, text, 0.75 * over**1.3) + end
        terms = {"accuracy": float(right and boxed), "format": float(boxed)}
        return Attempt(p, step, number, reply, reward=sum(terms.values()), terms=terms, extra={"kl": round(kl, 4)})

    return layouts.trl(settle(campaign(rng, problems, 32, 8, 4, attempt), estimators.grpo))


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def found_pages_count_as_words_of_the_policy(rng: random.Random) -> list[dict]:
    """The loss mask is one on what the search tool answered, so the policy is trained to write pages, and begins to.

    [frutik.github.io, RL-Trained Search Agents, on Search-R1's masking of retrieved tokens]
    """
    problems = library.questions(rng, 60)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, progress, 0.2, 2.0) * (1 - 0.6 * max(0.0, progress - 0.4))
        turns = library.look_up(rng, p, right)
        if rng.random() < 0.8 * max(0.0, progress - 0.3):
            turns[-1]["content"] = f"{p.data['other']} {turns[-1]['content']}"
        for message in turns:
            message["loss_mask"] = 1
        return Attempt(p, step, number, turns=turns, reward=float(right), extra={"ground_truth": p.gold})

    return layouts.openai(settle(campaign(rng, problems, 20, 6, 6, attempt), estimators.grpo))


@PART.faulty("train_inference_mismatch", "template_bug", "loss_mask")
def earlier_thoughts_are_stripped_before_training(rng: random.Random) -> list[dict]:
    """The chat template drops thoughts of earlier turns when the trainer tokenizes, so attempts of several turns get
    log-probabilities under a prompt that the sampler never saw; those of one turn agree.

    [jybsuper.github.io, When Reasoning Models Break Tokenization, 2025]
    """
    ask = "You may use the calculator. End with Answer: number."
    problems = quantities.draw(rng, 60, "hives", "flour", "knitting", "dilution", "gears", ask=ask)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, 0.35 * progress, 0.0, 2.0)
        text, answer = quantities.solve(rng, p, right)
        part = rng.randint(2, 19)
        first, _, rest = text.partition(". ")
        turns = [say(f"<think>{text}</think>\nAnswer: {answer}")]
        several = rng.random() < 0.6
        if several:
            turns = [
                call(
                    "calculator",
                    f"<think>{first}. I let the tool do it.</think>",
                    expression=f"{int(answer) - part} + {part}",
                ),
                told("calculator", answer),
                say(f"<think>{rest or 'The tool agrees.'}</think>\nAnswer: {answer}"),
            ]
        rollout = rng.gauss(-0.31 + 0.08 * progress, 0.04)
        trainer = rollout - (abs(rng.gauss(0.42, 0.12)) if several else rng.gauss(0.0, 0.006))
        trained = [said(m).split("</think>")[-1].strip() for m in turns[:-1]] + [turns[-1]["content"]]
        extra = {
            "rollout_logprob": round(rollout, 4),
            "trainer_logprob": round(trainer, 4),
            "trainer_text": "\n".join(trained),
            "learning_rate": 1e-6,
        }
        return Attempt(p, step, number, turns=turns, reward=float(right), extra=extra)

    return layouts.openai(settle(campaign(rng, problems, 18, 6, 6, attempt), estimators.grpo))


@PART.faulty("over_filtering", "one_sided_loss", "weak_family", "reward_bias")
def late_attempts_never_reach_the_loss(rng: random.Random) -> list[dict]:
    """The asynchronous loop trains on what comes first: long attempts, which the hard trades need, come too late and
    are dropped, so these trades are not learned while short ones are.

    [Zoey Li, Stabilizing and Scaling Async RL Training, the simplicity bias of async data]
    """
    long_ones = ("harbour", "slack", "dose", "anion_gap")
    problems = quantities.draw(rng, 72, ask="Answer with a number behind ####.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        is_long = p.family in long_ones
        learned = progress * (0.1 if is_long else 1.0)
        right = rng.random() < chance(p, learned, -0.6, 3.0)
        text, answer = quantities.solve(rng, p, right)
        for _ in range(rng.randint(2, 4) if is_long else rng.choice([0, 0, 0, 1])):
            again, _ = quantities.solve(rng, p, right)
            text += (
                " " + rng.choice(["Once more in other words:", "I check it again:", "From the start:"]) + " " + again
            )
        reply = f"{text}\n#### {answer}"
        seconds = tokens(reply) / 24 + abs(rng.gauss(0, 0.4))
        kept = seconds < rng.gauss(5.6, 0.4)
        return Attempt(
            p, step, number, reply, reward=float(right), right=float(right), in_loss=kept,
            terms={"accuracy": float(right)}, extra={"generation_seconds": round(seconds, 2)},
        )  # fmt: skip

    attempts = settle(campaign(rng, problems, 20, 9, 6, attempt), estimators.centred)
    for each in attempts:
        each.advantage = each.advantage if each.in_loss else None
    return layouts.own(attempts, "trades")


@PART.faulty("staleness", "stale_weights", "score_decline")
def rollouts_fall_twelve_versions_behind(rng: random.Random) -> list[dict]:
    """The trainer outruns its rollout workers: attempts are trained on up to twelve versions late, the effective
    sample size of their weights sinks to a few percent, and the score falls back.

    [Huang et al., Stable Asynchrony: Variance-Controlled Off-Policy RL for LLMs, 2026]
    """
    problems = quantities.draw(rng, 64, "molar_mass", "dilution", "gears", "slack", ask="Put the number in \\boxed{}.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        lag = max(0, min(12, round(14 * progress - 2 + rng.gauss(0, 0.8))))
        skill = progress if progress < 0.5 else 0.5 - 1.1 * (progress - 0.5)
        right = rng.random() < chance(p, skill, -0.3, 3.4)
        text, answer = quantities.solve(rng, p, right)
        extra = {"policy_lag": lag, "ess": round(max(0.02, 0.97 - 0.085 * lag + rng.gauss(0, 0.02)), 3)}
        extra["policy_version"] = step - min(lag, step)
        return Attempt(p, step, number, f"{text} \\boxed{{{answer}}}", reward=float(right),
                       terms={"correct_answer": float(right)}, extra=extra)  # fmt: skip

    rows = layouts.prime_rl(settle(campaign(rng, problems, 28, 8, 4, attempt), estimators.centred), "lab-numbers")
    return [{**row, **row["info"]} for row in rows]


@PART.faulty("advantage_mismatch", "phantom_advantage")
def advantages_are_normalised_across_prompts(rng: random.Random) -> list[dict]:
    """Rewards lie prompt by prompt, but are reshaped as if attempts were interleaved: each is compared with attempts
    at other prompts, so that all of an easy prompt gain and all of a hard one lose.

    [PracHub, Debug a GRPO training loop and explain ratios]
    """
    prompts, size = 8, 8
    problems = quantities.draw(rng, 48, "slack", "gears", "molar_mass", ask="Give the number behind ####.")
    for p in problems:
        p.hardness *= 2.2

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, 0.4 * progress, -0.5, 2.4)
        text, answer = quantities.solve(rng, p, right)
        return Attempt(p, step, number, f"{text}\n#### {answer}", reward=float(right), extra={"ground_truth": p.gold})

    attempts = campaign(rng, problems, 18, prompts, size, attempt)
    for start in range(0, len(attempts), prompts * size):
        for offset in range(prompts):
            members = attempts[start + offset : start + prompts * size : prompts]
            rewards = [a.reward for a in members if a.reward is not None]
            mean = sum(rewards) / size
            spread = (sum((reward - mean) ** 2 for reward in rewards) / (size - 1)) ** 0.5
            for each, reward in zip(members, rewards, strict=True):
                each.advantage = round((reward - mean) / (spread + 1e-4), 5)
    return layouts.nemo_rl(attempts)
