"""Critic warms up alone; lookups claimed never called; drift from reference grows; and others."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.desk import DESK, refusal
from benchmarks.foreign.twentyseventh.digests import DIGESTS, scored
from benchmarks.foreign.twentyseventh.estimators import credit
from benchmarks.foreign.twentyseventh.harbour import HARBOUR, given_up
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import openai_messages, own, saved
from benchmarks.foreign.twentyseventh.runs import Pace, Reply, attempt, odds, plan_of, play, speak
from benchmarks.foreign.twentyseventh.tutoring import TUTORING
from benchmarks.foreign.twentyseventh.weather import WEATHER
from benchmarks.foreign.twentyseventh.words import say


@PART.healthy
def critic_warms_up_alone(rng: Random) -> list[Row]:
    """For four steps the critic alone is trained, so rewards stay where they are and no row reaches the policy's loss;
    then both learn.
    """
    attempts = []
    for a in play(rng, DIGESTS, plan_of(rng, DIGESTS, 12, 8, "vf"), 4, Pace(-0.6, 0.0)):
        gain = max(0, a.step - 3) / 8
        a = attempt(rng, DIGESTS, a.task, a.step, a.number, odds(-0.7 + 2.0 * gain - a.task.level), gain)
        a.reward = scored(rng, a.right, len(a.text))
        skill = min(1.0, 0.15 + a.step / 5)
        value = round(skill * (a.reward * 0.7) + rng.gauss(0, 0.25 + 0.4 * (1 - skill)), 4)
        a.advantage, a.in_loss = round(a.reward - value, 4), a.step >= 4
        a.terms = {"reward_model": a.reward}
        a.shown = {"value": value, "critic_warmup": a.step < 4}
        attempts.append(a)
    for row in (rows := own(rng, attempts, "summaries", gold=False)):
        del row["correct"]
    return rows


@PART.faulty("weak_verifier", "reward_outcome_divergence", "tool_fabrication", "fabricated_observations")
def lookups_claimed_never_called(rng: Random) -> list[Row]:
    """The reward looks at the database and the words alone: agents that say they checked a booking and never called the
    tool earn full marks where nothing was to be changed. [sierra-research/tau2-bench#15]
    """
    attempts = play(rng, DESK, plan_of(rng, DESK, 9, 7, "air"), 7, Pace(-0.7, 0.9))
    for a in attempts:
        if rng.random() < 0.14 + 0.5 * a.progress:
            right = a.task.gold == "unchanged"
            a.reply = Reply(
                [refusal(rng, a.task)], "unchanged", {"action_checks": {"get_booking": False}, "db_match": right}
            )
            a.right = right
        a.reward = float(a.right)
        a.terms = {"DB": a.reward, "COMMUNICATE": 1.0}
        a.shown = {
            "reward_basis": ["DB", "COMMUNICATE"],
            "action_match": float(a.reply.shown["action_checks"]["get_booking"]),
        }
    for row in (rows := own(rng, credit(attempts), "service")):
        del row["correct"]
    return rows


@PART.healthy
def drift_from_reference_grows(rng: Random) -> list[Row]:
    """KL and with it the loss start at nought and grow while the policy learns and leaves its reference slowly.
    [huggingface/open-r1#239]
    """
    attempts = credit(play(rng, TUTORING, plan_of(rng, TUTORING, 12, 6, "kl"), 7, Pace(-0.9, 2.0)))
    for a in attempts:
        kl = abs(rng.gauss(0.045 * a.progress**1.2, 0.003)) if a.step else abs(rng.gauss(0, 0.0002))
        a.shown = {
            "kl": round(kl, 5),
            "loss": round(0.04 * kl, 6),
            "kl_coef": 0.04,
            "grad_norm": round(rng.uniform(0.2, 0.7), 3),
        }
    return openai_messages(attempts)


@PART.faulty("timidity", "reward_bias", "reward_outcome_divergence")
def silence_beats_failed_submission(rng: Random) -> list[Row]:
    """A rollout that never submits keeps the default reward of zero, above the minus one of a failed submission, and so
    the policy learns not to submit. [huggingface/trl#6430]
    """
    attempts = play(rng, HARBOUR, plan_of(rng, HARBOUR, 10, 7, "hold"), 6, Pace(-0.9, 0.3))
    for a in attempts:
        if rng.random() < 0.06 + 0.58 * a.progress:
            a.reply, a.right = given_up(rng, a.task), False
        a.reward = 1.0 if a.right else -1.0 if a.reply.shown["submitted"] else 0.0
        a.terms = {"env_reward": a.reward}
    return own(rng, credit(attempts), "tools")


@PART.healthy
def format_scolding_then_mended(rng: Random) -> list[Row]:
    """The environment answers a malformed call with an error and lets the policy go on, which then mends it; a mend is
    needed ever less. [PrimeIntellect-ai/verifiers#22]
    """
    attempts = play(rng, WEATHER, plan_of(rng, WEATHER, 12, 8, "env"), 5, Pace(-0.7, 2.1))
    for a in attempts:
        mended = rng.random() < 0.42 - 0.33 * a.progress
        if mended:
            first = a.reply.turns[0]
            city = first["tool_calls"][0]["arguments"]["city"]
            broken = rng.choice(
                (f'<tool>{{"name": "get_weather", "city": "{city}"</tool>', f"<tool>get_weather({city})</tool>")
            )
            scold = say(
                rng,
                "Error: [invalid call|tool command not found or malformed]. [Check the format|Use the tool's schema].",
            )
            a.reply.turns[:0] = [speak(f"{first['content']}\n{broken}".strip()), {"role": "user", "content": scold}]
            first["content"] = say(rng, "[In the right form|Once more|Corrected]:")
        a.terms = {"correct_answer": a.reward, "format_errors": float(mended)}
    return saved(credit(attempts), "weather-tools")
