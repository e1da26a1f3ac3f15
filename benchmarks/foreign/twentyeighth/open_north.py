"""A filter that mislays rewards or winners, a nucleus, a cap on merged turns, twins in groups."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import lookups, programs, spans, sums
from benchmarks.foreign.twentyeighth.credit import by_group, grpo, rloo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import openai, own, trl
from benchmarks.foreign.twentyeighth.rollouts import Episode, Shape, groups, train


def _mixed(group: list[Episode]) -> bool:
    return len({e.reward for e in group}) > 1


@PART.faulty("advantage_mismatch", "metric_defect", "reward_outcome_divergence")
def filtered_batch_wrong_totals(rng: Random) -> list[Row]:
    """After dynamic sampling the column of rewards holds those of the unfiltered batch, so it belongs to other rows;
    the advantage still follows the filtered reward beside it. [NVIDIA-NeMo/RL#3794]
    """
    episodes = train(rng, sums.aufgabe, sums.gerechnet, Shape(rng.randint(9, 11), 13, 8, -1.1, 2.0))
    for e in episodes:
        e.terms = {"math": e.reward}
    kept_rows: list[Episode] = []
    for step in sorted({e.step for e in episodes}):
        batch = [e for e in episodes if e.step == step]
        kept = by_group([e for group in groups(batch) if _mixed(group) for e in group][: 7 * 8], grpo)
        for e, total in zip(kept, [b.reward for b in batch], strict=False):
            e.extra = {"filtered_reward": e.reward, "dynamic_sampling_rounds": 1}
            e.reward = total
        kept_rows += kept
    rows = own(kept_rows, "dapo-mathe")
    for row in rows:
        del row["reward_terms"]
    return rows


@PART.faulty("over_filtering", "phantom_advantage", "one_sided_loss", "dead_groups", "loss_mask")
def loo_lone_winner_removed(rng: Random) -> list[Row]:
    """The filter drops each row whose siblings all agree, so the one success (or the one failure) of a group is left
    out of the loss and its three equals are trained on. [NVIDIA-NeMo/RL#3469]
    """
    episodes = train(rng, programs.program, programs.coded, Shape(rng.randint(10, 12), 12, 4, -1.0, 1.9))
    for group in groups(by_group(episodes, rloo)):
        for e in group:
            others = [o.reward for o in group if o is not e]
            e.in_loss = len(set(others)) > 1
            e.extra = programs.verdict(rng, e.right) | {"loo_std_is_zero": not e.in_loss, "adv_estimator": "rloo"}
            e.terms = {"all_tests": e.reward}
    return own(episodes, "code-rloo-dapo")


@PART.faulty("train_inference_mismatch")
def nucleus_renormalised_logprobs(rng: Random) -> list[Row]:
    """Sampling uses top_p below 1 and the sampler's logprobs are renormalised over the nucleus, the trainer's are not:
    the ratio lies below 1 at every row, far below for a sequence. [huggingface/trl#6789]
    """
    top_p = rng.choice([0.7, 0.75, 0.8])
    episodes = train(rng, spans.passage, spans.quoted, Shape(rng.randint(9, 11), 6, 8, -0.4, 1.6))
    for e in episodes:
        e.reward = spans.overlap(e.text, e.task.gold)
        e.terms = {"token_f1_reward": e.reward}
        lost = abs(rng.gauss(-math.log(top_p) * 0.75, 0.05))
        sampled = round(e.logprob * 0.7, 4)
        e.extra = {
            "top_p": top_p,
            "temperature": 1.0,
            "sampling_logp_mean": sampled,
            "old_logp_mean": round(sampled - lost, 4),
            "importance_sampling_ratio_token": round(math.exp(-lost), 4),
            "importance_sampling_ratio_sequence": round(math.exp(-lost * e.tokens), 6),
            "answer_span": e.task.gold,
        }
    return trl(by_group(episodes, grpo))


@PART.faulty("loss_mask", "truncation", "length_limit")
def merged_turns_cut_at_cap(rng: Random) -> list[Row]:
    """A trajectory of many turns is merged into one row and cut at the cap meant for a single turn: later turns of the
    policy, the answer first, have no weight in the loss. [rllm-org/rllm#575]
    """
    cap = rng.choice([200, 220, 240])
    episodes = train(rng, lookups.question, lookups.called, Shape(rng.randint(9, 10), 6, 8, -0.6, 1.8))
    for e in episodes:
        used, trained = 0, 0
        for m in e.messages:
            size = round((len(m["content"]) + len(str(m.get("tool_calls") or ""))) / 3.6)
            inside = max(0, min(size, cap - used))
            used += size
            m["weight"] = int(m["role"] == "assistant" and inside > 0)
            trained += inside if m["role"] == "assistant" else 0
        e.extra = {
            "merged_response_tokens": used,
            "trained_response_tokens": min(used, cap),
            "loss_tokens": trained,
            "max_response_length_per_turn": cap,
            "ground_truth": e.task.gold,
            "accuracy": float(e.right),
        }
    return openai(by_group(episodes, grpo), "Answer with the search tool. End with 'Answer: ...'.")


@PART.faulty("identical_samples", "seed_reuse")
def twin_halves_of_groups(rng: Random) -> list[Row]:
    """Of six samples of a prompt the last three are the first three again, letter by letter, in every group.
    [modelscope/ms-swift#3450]
    """
    episodes = train(rng, sums.yingyong, sums.jieda, Shape(rng.randint(9, 12), 8, 6, -0.5, 1.9))
    for group in groups(episodes):
        for first, twin in zip(group[:3], group[3:], strict=True):
            twin.messages, twin.right, twin.reward, twin.logprob = (
                first.messages,
                first.right,
                first.reward,
                first.logprob,
            )
        for e in group:
            e.terms = {"format": float("</answer>" in e.text), "acc_num": e.reward}
            e.extra = {"worker": e.attempt // 3, "dataset": "zh_word_problems"}
    return own(by_group(episodes, grpo), "swift-grpo", "请先在<think>里思考，再在<answer>里给出数字。")
