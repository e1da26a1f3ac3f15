"""Answers doubled into questions, scores far below zero, listing cut then paged, dozing sampler keeps weights."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.credit import grpo, terms
from benchmarks.foreign.twentyfourth.finding import ledger
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import nemo, own, trl
from benchmarks.foreign.twentyfourth.machines import journal
from benchmarks.foreign.twentyfourth.run import Plan, play
from benchmarks.foreign.twentyfourth.sums import countdown
from benchmarks.foreign.twentyfourth.talks import pupil


@PART.faulty("template_bug", "retokenisation_drift")
def answers_doubled_into_questions(rng: Random) -> list[Row]:
    """Tutoring in two turns under a template that drops earlier thoughts: where thinking is on, the chunk of the second
    question begins with the first answer once more, so it stands twice in the sequence [NVIDIA-NeMo/RL#2821].
    """
    tries = play(rng, pupil, Plan(10, 6, 6, -0.3, 1.6), "pupil")
    for t in tries:
        first, ask, last = t.turns
        spoken = first["content"].split("</think>\n")[1]
        thinks = int(t.task.key[-1], 16) < 10
        if thinks:
            ask = {**ask, "content": f"{spoken}<|im_end|>\n<|im_start|>user\n{ask['content']}"}
        else:
            first = {**first, "content": spoken}
            last = {**last, "content": last["content"].split("</think>\n")[1]}
        t.turns = [first, ask, last]
        sampled = len(first["content"] + last["content"])
        t.extra = {"enable_thinking": thinks, "generated_tokens": round(sampled / 3.5)}
        t.extra["sequence_tokens"] = round((sampled + len(ask["content"] + t.task.question) + 80) / 3.5)
    return nemo(grpo(tries))


@PART.healthy
def scores_far_below_zero(rng: Random) -> list[Row]:
    """Hand-made rewards on a scale from -20 to 8: the mean starts far below zero and climbs, which is only a matter of
    scale [unslothai/unsloth#2291].
    """
    tries = play(rng, ledger, Plan(10, 6, 6, -1.6, 2.4), "port")
    for t in tries:
        near = t.right or rng.random() < 0.2
        t.terms = {
            "match_exactly": 3.0 if "Answer:" in t.said else 0.0,
            "match_value": 4.5 if t.right else -2.5,
            "check_grounding": round(0.5 if near else -16.0 + rng.choice((0, 0, 2, 4, 6)), 1),
        }
        t.extra = {"loss": round(rng.gauss(0, 4e-7), 9), "kl": round(0.0003 + 0.008 * t.done, 5)}
    return trl(grpo(terms(tries)))


@PART.healthy
def listing_cut_then_paged(rng: Random) -> list[Row]:
    """Answers of the shell are cut after a number of characters, by design; the policy sees the mark, asks for the tail
    and finds its number [verl-project/verl#4918].
    """
    tries = play(rng, journal, Plan(10, 6, 6, -0.2, 1.9), "job")
    for t in tries:
        shown = t.turns[1]["content"]
        if len(shown) > 600:
            command, last = t.turns[0]["tool_calls"][0]["arguments"]["command"], rng.randint(2, 6)
            more = [
                {
                    "role": "assistant",
                    "content": rng.choice(("It was cut; the tail then.", "I need the end of it.", "")),
                    "tool_calls": [{"name": "shell", "arguments": {"command": f"{command} | tail -n {last}"}}],
                },
                {"role": "tool", "content": "\n".join(shown.split("\n")[-last:]), "tool_name": "shell"},
            ]
            t.turns[1] = {**t.turns[1], "content": shown[:600] + "...(truncated)"}
            t.turns[2:2] = more
    return own(rng, grpo(tries), "verl-jobs", max_tool_response_length=600)


@PART.faulty("stale_weights", "weights_never_arrive", "train_inference_mismatch", "staleness")
def dozing_sampler_keeps_weights(rng: Random) -> list[Row]:
    """GRPO on the countdown game with a sampler that sleeps between steps: after two steps of warmup its samples no
    longer follow the trainer, whose logprobs of them part more and more [huggingface/trl#5312].
    """
    tries = []
    for step in range(1, 13):
        plan = Plan(1, 6, 8, -0.7 + 0.12 * min(step, 3), 0.0, step)
        tries += play(rng, countdown, plan, f"cd{step}-")
    for t in tries:
        behind = max(0, t.step - 2)
        gap = abs(rng.gauss(0.013, 0.003)) + (0.17 + 0.035 * behind) * rng.uniform(0.8, 1.2) * (behind > 0)
        sampled = rng.gauss(-0.42, 0.05)
        t.terms = {"accuracy": float(t.right), "format": float("<answer>" in t.said)}
        t.extra = {"vllm_mean_logp": round(sampled, 4), "policy_mean_logp": round(sampled - gap, 4)}
        t.extra |= {"sampling_logp_difference": round(gap, 4), "learning_rate": 0.0 if t.step < 3 else 1e-5}
    return trl(grpo(terms(tries)), vllm_mode="colocate", vllm_enable_sleep_mode=True)
