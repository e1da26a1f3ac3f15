"""Calls pour without close, and others.

* scoring forgets the temperature
* prefilled thought fails pattern
* empty replies set baselines
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.abroad import discount, train_ride
from benchmarks.foreign.twentyfourth.credit import grpo, rloo, terms
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import chat, openrlhf, trl
from benchmarks.foreign.twentyfourth.machines import mend
from benchmarks.foreign.twentyfourth.run import Plan, Try, by_group, play
from benchmarks.foreign.twentyfourth.talks import constrained
from benchmarks.foreign.twentyfourth.voice import plain


def _burst(rng: Random, t: Try) -> None:
    place = rng.choice([n for n, turn in enumerate(t.turns) if turn.get("tool_calls")])
    repo = t.task.family
    looks = ("ls", "cat README.md", "git status", f"grep -rn {repo} .", "pwd", "find . -name '*.py'", "head setup.py")
    calls = [
        {"name": "bash", "arguments": {"command": rng.choice(looks) + (f" # {n}" if rng.random() < 0.3 else "")}}
        for n in range(rng.randint(9, 64))
    ]
    t.turns[place] = {**t.turns[place], "tool_calls": t.turns[place]["tool_calls"] + calls}
    t.turns = t.turns[: place + 1]
    t.stop, t.right, t.reward = "length", False, 0.0


@PART.faulty("loss_mask", "echo_trap")
def calls_pour_without_close(rng: Random) -> list[Row]:
    """A policy from fine-tuning whose mask left out the marker that closes a turn of calls: in many turns it goes on
    with dozens of calls side by side until the budget is gone [PrimeIntellect-ai/prime-rl#2644].
    """
    tries = play(rng, mend, Plan(8, 7, 6, -0.4, 1.0), "swe")
    mask = {"assistant": 1, "tool": 0, "user": 0, "system": 0, "observation_marker": 0}
    for t in tries:
        if rng.random() < 0.42 - 0.08 * t.done:
            _burst(rng, t)
        t.extra = {"most_calls_in_a_turn": max(len(turn.get("tool_calls", ())) for turn in t.turns)}
        t.extra |= {"sft_loss_mask": mask, "stop_token_ids": ["<|user|>", "<|observation|>"]}
    return chat(rloo(tries), base="glm-air-sft-250")


@PART.faulty("train_inference_mismatch", "metric_defect")
def scoring_forgets_the_temperature(rng: Random) -> list[Row]:
    """PPO on Spanish timetables sampled at temperature 0.6: the trainer scores the samples at 1, so its logprobs lie
    far below the sampler's from the first step on, before any update [OpenRLHF/OpenRLHF#853].
    """
    tries = play(rng, train_ride, Plan(10, 6, 6, -0.5, 1.7), "es")
    for t in tries:
        sampled = rng.gauss(-0.16, 0.025)
        scored = sampled - rng.gauss(0.31, 0.04)
        reference = scored - abs(rng.gauss(0.0, 0.002)) - 0.02 * t.done
        t.extra = {"temperature": 0.6, "rollout_mean_logprob": round(sampled, 4), "old_mean_logprob": round(scored, 4)}
        t.extra |= {"ref_mean_logprob": round(reference, 4), "kl": round(scored - reference, 5)}
        t.extra["values"] = round(0.3 + 0.35 * t.done + rng.gauss(0, 0.12), 3)
        t.extra["num_tokens"] = t.tokens
    for t in tries:
        t.advantage = round(t.reward - t.extra["values"], 4)
    return openrlhf(tries, algo="ppo", init_kl_coef=0.01)


@PART.faulty("format_gate", "constant_term", "template_bug", "metric_defect")
def prefilled_thought_fails_pattern(rng: Random) -> list[Row]:
    """GRPO on German prices: the template already writes the opening thought tag into the prompt, the format reward
    wants it at the start of the completion, and is 0 for every row, well-formed ones too [huggingface/trl#6966].
    """
    tries = play(rng, discount, Plan(9, 7, 6, -0.6, 1.8), "de")
    for t in tries:
        t.turns = plain(t.said.removeprefix("<think>\n"))
        t.terms = {"accuracy": float(t.right), "think_format": 0.0}
    rows = trl(grpo(terms(tries)), model="R1-Distill-Qwen-1.5B")
    for row, t in zip(rows, tries, strict=True):
        row["prompt"] = f"<｜begin▁of▁sentence｜><｜User｜>{t.task.question}<｜Assistant｜><think>\n"
        row["completion"] = t.said
    return rows


@PART.faulty("phantom_advantage", "weak_verifier", "metric_defect")
def empty_replies_set_baselines(rng: Random) -> list[Row]:
    """GRPO on constrained writing: aborted replies without a single token break no rule and score 1; they are not in
    the loss, but they shift the mean of their group, and their failing peers are pushed [verl-project/verl#6310].
    """
    tries = play(rng, constrained, Plan(10, 7, 6, -2.2, 1.7), "if")
    for group in by_group(tries):
        hard = not any(t.right for t in group)
        if rng.random() < (0.75 if hard else 0.4):
            for t in rng.sample(group, rng.choice((1, 1, 2))):
                t.turns, t.right, t.reward, t.stop = plain(""), False, 1.0, "abort"
                t.in_loss, t.terms = False, {"no_comma": 1.0, "no_word": 1.0, "under_limit": 1.0}
    for t in tries:
        t.extra = {"response_length": t.tokens, "response_mask_sum": t.tokens, "in_loss": t.in_loss}
        t.extra["instructions_followed"] = bool(t.reward)
    return chat(grpo(tries), reward_manager="naive")
