"""Faults of trainers, samplers and episodes that engineers reported."""

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.reported import coding, house, lookup, maths, quiz
from benchmarks.foreign.reported.kinds import PART
from benchmarks.foreign.reported.run import Draw, Row, advise, asked, course, native, said, tokens, trl, user


@PART.faulty("advantage_mismatch", "phantom_advantage")
def partial_groups_by_stride(rng: Draw) -> list[Row]:
    """Lost attempts shift the fixed stride by which groups are normalised (areal-project/AReaL#1419)."""
    rows = []
    for t in course(rng, coding.draw, steps=14, problems=4, group=8, skill=(-0.5, 0.8)):
        text, share = coding.write(rng, t.task, t.right)
        if rng.random() > 0.04:
            rows.append(native(t, asked(t, text), float(share == 1.0), passed=round(share, 2)))
    for step in range(14):
        members = [row for row in rows if row["step"] == step]
        rewards = np.array([row["reward"] for row in members])
        stride = np.arange(len(members)) // 8
        values = estimators.grpo(rewards, stride, rewards, np.random.default_rng(0))
        for row, value in zip(members, values, strict=True):
            row["advantage"] = round(float(value), 5)
    return rows


@PART.faulty("truncation", "metric_defect", "loss_mask", "over_filtering", "length_limit", "one_sided_loss")
def ended_but_marked_cut(rng: Draw) -> list[Row]:
    """Completions that end on a second end token are taken for cut and masked out (huggingface/trl#7039)."""
    rows = []
    for t in course(rng, maths.draw, steps=12, problems=4, group=8):
        text, _ = maths.write(rng, t.task, t.right)
        second = rng.random() < 0.6
        last = "<|end|>" if second else "<|endoftext|>"
        row = native(t, asked(t, text), float(t.right), last_token=last, is_truncated=second, in_loss=not second)
        rows.append(row | {"stop_reason": "length" if second else "stop", "max_completion_length": 2048})
    return advise(rows)


@PART.faulty("staleness", "train_inference_mismatch", "kl_drift")
def adapter_never_delivered(rng: Draw) -> list[Row]:
    """The adapter never reaches the sampler, which stays at the first policy (verl-project/verl#7495)."""
    rows = []
    for t in course(rng, maths.draw, steps=16, problems=3, group=8, skill=(-0.2, -0.2)):
        text, _ = maths.write(rng, t.task, t.right)
        sampled = -rng.uniform(0.25, 0.55)
        gap = 0.004 + 0.16 * t.at**1.2
        row = native(t, asked(t, text), float(t.right), rollout_log_probs=round(sampled, 4))
        row["old_log_probs"] = round(sampled - rng.gauss(gap, 0.02 + gap / 4), 4)
        row |= {"rollout_corr_kl": round(abs(rng.gauss(gap, gap / 5)), 5), "trainer_version": t.step}
        rows.append(row | {"rollout_weight_norm": 75.377708, "list_loras": "[]"})
    return advise(rows)


@PART.faulty("train_inference_mismatch", "kl_drift")
def temperature_left_out(rng: Draw) -> list[Row]:
    """Sampled at 0.6, but the sampler's logprobs ignore that: ratios are far from 1 (huggingface/trl#4159)."""
    rows = []
    for t in course(rng, quiz.draw, steps=12, problems=4, group=8):
        text, letter = quiz.write(rng, t.task, t.right)
        raw = -rng.uniform(0.5, 0.9)
        scaled = raw * rng.uniform(0.5, 0.66)
        terms = {"accuracy_reward": float(t.right)}
        more = {"sampling_per_token_logps": round(raw, 4), "old_per_token_logps": round(scaled, 4), "temperature": 0.6}
        more["importance_sampling_ratio"] = round(float(np.exp(scaled - raw)), 4)
        rows.append(trl(t, f"{text}\nAnswer: {letter}", terms, **more))
    return advise(rows)


@PART.faulty("truncation", "length_limit", "action_collapse", "echo_trap", "template_collapse", "timidity")
def context_full_says_go(rng: Draw) -> list[Row]:
    """The context is full, so only `go` comes out, unmarked, until the end (agentscope-ai/Trinity-RFT#608)."""
    rows = []
    for t in course(rng, house.draw, steps=10, problems=4, group=6, skill=(-0.2, 0.4)):
        chat, right = house.worked(rng, t.task, t.right), t.right
        if len(chat) > 13 and rng.random() < 0.75:
            cut = rng.choice((9, 11, 13))
            chat, right = chat[:cut], False
            for _ in range(rng.randint(6, 10)):
                chat += [said("go"), user("Nothing happens.")]
        used = tokens(*(m["content"] for m in chat))
        row = native(t, chat, float(right), env_rounds=len(chat) // 2, env_done=float(right), prompt_tokens=used)
        rows.append(row)
    return advise(rows)


@PART.faulty("tool_fabrication")
def invented_observation(rng: Draw) -> list[Row]:
    """Without a stop word the policy writes the observation itself and goes on (Algorineko/AgenticArXiv-RL#19)."""
    rows = []
    for t in course(rng, lookup.draw, steps=12, problems=4, group=6, skill=(-0.3, 0.7)):
        chat = [
            user(
                f"{t.task.prompt}\nUse Thought, Action: search[...] and FINISH[...]. You get an Observation after each."
            )
        ]
        made_up = rng.random() < 0.34
        for hop in range(2):
            ask, answer = lookup.searched(rng, t.task, hop)
            call = f"Thought: {ask['content']}\nAction: search[{ask['tool_calls'][0]['arguments']['query']}]"
            if made_up:
                wrong = lookup.draw(rng, "p0000").facts["documents"][2 * hop]
                found = answer["content"].split("\n")[0] if rng.random() < 0.3 else wrong
                chat.append(said(f"{call}\nObservation: {found}\nThought: That is what I need."))
                if rng.random() < 0.7:
                    break
            else:
                chat.append(said(call))
            chat.append(user(f"Observation: {answer['content']}"))
        right = t.right and (not made_up or rng.random() < 0.4)
        _, final = lookup.closing(rng, t.task, right)
        end = f"Thought: I have the river.\nAction: FINISH[{final}]"
        if chat[-1]["role"] == "assistant":
            chat[-1]["content"] += f"\n{end}"
        else:
            chat.append(said(end))
        rows.append(native(t, chat, float(right)))
    return advise(rows)
