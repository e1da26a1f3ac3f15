"""Loader rewinds on restart; each tongue keeps itself; empty think before thought; and others."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.digests import DIGESTS, scored
from benchmarks.foreign.twentyseventh.dossiers import DOSSIERS
from benchmarks.foreign.twentyseventh.estimators import centred, credit, rloo
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import openrlhf, own, saved
from benchmarks.foreign.twentyseventh.residues import RESIDUES
from benchmarks.foreign.twentyseventh.runs import Pace, cut_some, plan_of, play
from benchmarks.foreign.twentyseventh.tongues import TONGUES


@PART.faulty("data_repetition", "duplicate_problems", "memorisation")
def loader_starts_over_after_resume(rng: Random) -> list[Row]:
    """The loader's place is not loaded with the checkpoint: after the restart the posts of the first steps come again,
    in the same order, though most of the set was never seen. [OpenRLHF/OpenRLHF#1103]
    """
    plan = plan_of(rng, DIGESTS, 6, 11, "post")
    attempts = play(rng, DIGESTS, plan + plan, 4, Pace(-0.7, 1.8))
    for a in attempts:
        a.reward = scored(rng, a.right, len(a.text))
        value = round(-0.2 + 0.9 * a.progress + rng.gauss(0, 0.3), 4)
        place = [t.uid for tasks in plan for t in tasks].index(a.task.uid)
        a.shown = {
            "prompt_index": place,
            "dataset_size": 4096,
            "epoch": 0,
            "value": value,
            "advantage": round(a.reward - value, 4),
            "kl": round(abs(rng.gauss(0.01 + 0.05 * a.progress, 0.006)), 5),
            "loaded_from": "global_step6_hf" if a.step >= 6 else None,
        }
    return openrlhf(attempts)


@PART.healthy
def each_tongue_keeps_itself(rng: Random) -> list[Row]:
    """Answers come in five languages and scripts, each in the language of its prompt."""
    attempts = play(rng, TONGUES, plan_of(rng, TONGUES, 10, 8, "tg"), 6, Pace(-0.6, 1.8))
    return saved(credit(attempts, rloo), "fares-multilingual")


@PART.faulty("template_bug", "retokenisation_drift")
def empty_think_before_thought(rng: Random) -> list[Row]:
    """The prompt opens the thought, so a sampled text holds the closing mark alone; rendered again for training it gets
    an empty thought in front, and what was trained is not what was sampled. [huggingface/trl#6361]
    """
    attempts = cut_some(rng, play(rng, RESIDUES, plan_of(rng, RESIDUES, 9, 7, "think"), 8, Pace(-0.5, 1.4)))
    for a in attempts:
        turn = a.reply.turns[-1]
        raw = turn["content"].removeprefix("<think>\n")
        thinking = int(a.task.uid[-1]) < 6
        if not thinking:
            raw = raw.rsplit("</think>\n\n", 1)[-1]
        opened = "<think>\n" if thinking else "<think>\n\n</think>\n\n"
        turn["content"] = raw
        extra = 4 if thinking else 0
        a.shown = {
            "generation_prompt": f"<|im_start|>assistant\n{opened}",
            "trained_text": f"<|im_start|>assistant\n<think>\n\n</think>\n\n{raw}<|im_end|>",
            "sampled_tokens": a.tokens + 1,
            "trained_tokens": a.tokens + 1 + extra,
            "enable_thinking": thinking,
        }
    return own(rng, credit(attempts), "math")


@PART.healthy
def late_arrivals_shape_siblings(rng: Random) -> list[Row]:
    """A few rollouts come too late for their batch and are withheld from the loss, while their rewards still count in
    the baseline of their siblings. [PrimeIntellect-ai/prime-rl#2960]
    """
    attempts = credit(play(rng, DOSSIERS, plan_of(rng, DOSSIERS, 10, 6, "late"), 6, Pace(-0.6, 1.8)), centred)
    for a in attempts:
        slow = a.task.facts["slow"]
        lag = min(a.step, rng.choices((0, 1, 2, 3), (6, 5, 2, 2.6 if slow else 0.4))[0])
        a.in_loss = lag <= 2
        a.seconds = round(rng.uniform(400, 1500) if slow else rng.uniform(60, 500), 1)
        a.shown = {"policy_lag": lag, "max_off_policy_steps": 2, "withheld": not a.in_loss}
    return own(rng, attempts, "research")


@PART.healthy
def slightly_negative_kl_samples(rng: Random) -> list[Row]:
    """The plain estimate of KL is below zero in many single samples, which its noise explains; its mean stays small and
    positive. [huggingface/trl#352]
    """
    attempts = play(rng, DIGESTS, plan_of(rng, DIGESTS, 9, 12, "tldr"), 4, Pace(-0.8, 1.9))
    for a in attempts:
        a.reward = scored(rng, a.right, len(a.text))
        kl = round(rng.gauss(0.006 + 0.05 * a.progress, 0.028), 5)
        value = round(-0.3 + 1.0 * a.progress + rng.gauss(0, 0.35), 4)
        total = round(a.reward - 0.05 * kl * a.tokens, 4)
        a.shown = {
            "kl": kl,
            "kl_coef": 0.05,
            "value": value,
            "reward_with_kl": total,
            "advantage": round(total - value, 4),
        }
    return openrlhf(attempts)
