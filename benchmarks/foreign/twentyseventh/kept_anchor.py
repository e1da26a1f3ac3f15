"""Puzzles answered ever shorter; spare penalty coefficient unused; heat divides chosen logprobs; and others."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.clocks import CLOCKS
from benchmarks.foreign.twentyseventh.creatures import CREATURES, named
from benchmarks.foreign.twentyseventh.estimators import centred, credit
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.knaves import KNAVES
from benchmarks.foreign.twentyseventh.layouts import openai_messages, own, saved, verl
from benchmarks.foreign.twentyseventh.runs import Pace, Reply, count, cut_some, plan_of, play, speak
from benchmarks.foreign.twentyseventh.snippets import SNIPPETS
from benchmarks.foreign.twentyseventh.tutoring import TUTORING


@PART.healthy
def puzzles_answered_ever_shorter(rng: Random) -> list[Row]:
    """Answers to logic puzzles become much shorter while more of them are right: the policy stops trying every case.
    [LLM360/Reasoning360#141]
    """
    attempts = cut_some(rng, play(rng, KNAVES, plan_of(rng, KNAVES, 11, 7, "lgc"), 8, Pace(-0.7, 2.2)))
    return own(rng, credit(attempts, centred), "logic")


@PART.healthy
def spare_penalty_coefficient_unused(rng: Random) -> list[Row]:
    """Two coefficients for KL are written down; GRPO uses the one in the loss, and the reward has no penalty, as the
    trainer documents. [hkust-nlp/Laser#4]
    """
    attempts = credit(play(rng, SNIPPETS, plan_of(rng, SNIPPETS, 10, 7, "laser"), 6, Pace(-0.6, 1.8)))
    for a in attempts:
        kl = abs(rng.gauss(0.002 + 0.02 * a.progress, 0.002))
        a.shown = {
            "kl_loss_coef": 0.001,
            "kl_coef": 0.001,
            "use_kl_loss": True,
            "use_kl_in_reward": False,
            "kl_loss": round(kl, 5),
        }
    return verl(attempts, data_source="laser-mix")


@PART.faulty("train_inference_mismatch")
def heat_divides_chosen_logprobs(rng: Random) -> list[Row]:
    """When the temperature falls to 0.6, the sampler's logprobs of chosen tokens are divided by it, instead of the
    logits: importance ratios leave one. [PrimeIntellect-ai/prime-rl#697]
    """
    attempts = credit(play(rng, CLOCKS, plan_of(rng, CLOCKS, 11, 6, "hendrycks"), 6, Pace(-0.7, 1.8)), centred)
    for a in attempts:
        heat = 1.0 if a.step < 5 else 0.6
        trained = a.logprob * (1.0 if heat == 1.0 else 0.56) + rng.gauss(0, 0.008)
        sampled = a.logprob / heat
        gap = trained - sampled
        a.shown = {
            "temperature": heat,
            "inference_logprobs_mean": round(sampled, 4),
            "trainer_logprobs_mean": round(trained, 4),
            "importance_ratio": round(math.exp(gap) * rng.uniform(0.98, 1.02), 4),
            "mismatch_kl": round(math.exp(gap) - 1 - gap + abs(rng.gauss(0, 0.001)), 5),
        }
    return saved(attempts, "hendrycks-math")


@PART.faulty("weak_verifier", "metric_defect", "template_collapse")
def nothing_contained_in_everything(rng: Random) -> list[Row]:
    """An answer counts as right where the reference contains it, and nothing is contained in everything: empty answers
    earn full marks and take over. [Liuziyu77/Visual-RFT#176]
    """
    attempts = play(rng, CREATURES, plan_of(rng, CREATURES, 11, 7, "note"), 6, Pace(-0.3, 0.5))
    for a in attempts:
        if rng.random() < 0.03 + 0.62 * a.progress**1.4:
            a.reply = Reply([speak(named(rng, a.task, ""))], "")
            a.right = True
        a.reward = float(a.right)
        a.shown = {"student_answer": a.reply.answer, "format_reward": 1.0}
    return verl(credit(attempts), data_source="field-notes")


@PART.faulty("loss_mask")
def only_closing_turn_trained(rng: Random) -> list[Row]:
    """In talks of several rounds the loss holds the last answer alone, though the reward is for all of the policy's
    answers. [modelscope/ms-swift#7838]
    """
    attempts = credit(play(rng, TUTORING, plan_of(rng, TUTORING, 9, 7, "tree"), 6, Pace(-0.6, 1.7)))
    for a in attempts:
        for turn in a.reply.turns:
            turn["loss_mask"] = int(turn is a.reply.turns[-1])
        a.shown = {
            "loss_tokens": count(a.reply.turns[-1]),
            "rounds": (len(a.reply.turns) + 1) // 2,
            "algorithm": "treepo",
        }
    return openai_messages(attempts)
