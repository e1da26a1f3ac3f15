"""What a diagnostic needs, and which of its modes could not be looked for in a set of evidence.

A module declares `NEEDS = {mode: (need, ...)}`: names of columns of its frames, of a grader's checks (`check_judge`),
or of what no single row has: `group`, `step`, `trained`, `validation`, `signals`. A mode whose needs are met was looked
for. Silence about any other means nothing.
"""

from collections.abc import Collection, Mapping

import pandas as pd

from evotrainer.diagnosis.context import Context, group_table
from evotrainer.diagnosis.texts.named import EXTRA_PREFIX, MEASURES, measured
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frame_columns import CHECK_PREFIX, TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Unjudged
from evotrainer.records.checks import MEANINGS

ATTRIBUTE = "NEEDS"

Needs = Mapping[str, tuple[str, ...]]
"""Mode -> what it needs."""

MIN_STEPS = 3

_MEASURED_AS = {name: (name,) for name in MEASURES} | {
    "policy_lag": ("policy_lag", "policy_version"),
    "loss_tokens": ("loss_tokens", "message_loss"),
}

HOW_TO_RECORD: dict[str, str] = {
    "correct": "give `correct`, 0 or 1, for each attempt",
    "reward": "give `reward` for each attempt",
    "reward_terms": "give `reward_terms`, the unweighted parts of the reward by name",
    "advantage": "give `advantage` as training used it",
    "in_loss": "give `in_loss`, whether the attempt reached the loss",
    "format_ok": "give `format_ok`, whether the answer passed the format gate",
    "family": "give `extra.family`, the kind of problem",
    "policy_id": "give `policy_id`, the weights that sampled the attempt",
    "stop_reason": "give `stop_reason` (stop, max_tokens, max_turns) or `is_truncated`",
    "duration_seconds": "give `duration_seconds` of each attempt",
    "mean_logprob": "give `mean_logprob` of each assistant message",
    "reasoning_sketch": "give what the policy wrote as `content` of its messages, reasoning included",
    "num_chars": "give what the policy wrote as `content` of its messages",
    "num_tool_calls": "give the calls of each assistant message as `tool_calls`, and the answers of tools",
    "kl": "give the KL to the reference of each attempt as a column named `kl`",
    "kl_penalty": "give what KL costs each attempt as a column named `kl_penalty`",
    "kl_coefficient": "give the weight of that penalty as a column named `kl_coef`",
    "learning_rate": "give the learning rate of each step as a column named `lr`",
    "policy_lag": "give the steps between the sampling policy and the trainer's as `lag`, or `policy_version`",
    "values": "give what the critic expected of each attempt as a column named `value`",
    "loss_tokens": "give the tokens of each attempt that reached the loss as `loss_tokens`, beside `num_tokens`, or "
    "`loss_mask` of each message",
    "gold": "give the gold answer of each problem as a column named `ground_truth`",
    "extra": "give further columns of each attempt: who graded it, where it ran, what it was shown as",
    "group": "sample several attempts at each problem, and give them one `group_id` or `problem_id`",
    "step": f"give `step`, the optimiser step, of at least {MIN_STEPS} steps",
    "trained": "give attempts that are trained on: `split` says that all of these are of a held one",
    "validation": "give `split`, with attempts at validation problems beside those trained on",
    "signals": "signals of optimiser steps are recorded by campaigns; rows of attempts do not hold them",
}
"""Need -> what a person records to meet it."""


def advice(need: str) -> str:
    """Return what to record so that a need is met."""
    name = need.removeprefix(CHECK_PREFIX)
    return HOW_TO_RECORD.get(need) or f"give `extra.checks.{name}`: {MEANINGS.get(name, 'as your grader measures it')}"


def looked_for(needs: Mapping[str, Needs], context: Context) -> tuple[list[str], list[Unjudged]]:
    """Return the modes that were looked for, and those that could not be; `needs` are those of each diagnostic."""
    known: dict[str, bool] = {}
    judged, unjudged = [], []
    for diagnostic, modes in sorted(needs.items()):
        for mode, wanted in modes.items():
            known |= {need: is_met(need, context) for need in wanted if need not in known}
            missing = [need for need in wanted if not known[need]]
            if missing or not len(context.rows):
                how = [advice(need) for need in missing] or ["give at least one attempt"]
                unjudged.append(Unjudged(mode=mode, diagnostic=diagnostic, missing=missing, advice=how))
            else:
                judged.append(mode)
    return sorted(set(judged)), [one for one in unjudged if one.mode not in judged]


def signs_only(needs: Mapping[str, Needs], judged: Collection[str], context: Context) -> list[Unjudged]:
    """Return the modes that were looked for, though a check of a grader that would prove them is missing."""
    found = []
    for diagnostic, modes in sorted(needs.items()):
        for mode, wanted in modes.items():
            missing = [need for need in wanted if need.startswith(CHECK_PREFIX) and not is_met(need, context)]
            if missing and mode in judged:
                advised = [advice(need) for need in missing]
                found.append(Unjudged(mode=mode, diagnostic=diagnostic, missing=missing, advice=advised))
    return found


def is_met(need: str, context: Context) -> bool:
    """Return whether some evidence of a context meets a need."""
    if need == "validation":
        return len(context.validation) > 0 and len(context.training) > 0
    if need == "trained":
        return is_trained_on(context.rows)
    if need == "signals":
        return len(context.signals) > 0
    if need == "group":
        return len(group_table(context.rows)) > 0
    if need == "step":
        return len(context.training) > 0 and context.training["step"].nunique() >= MIN_STEPS
    if need in MEASURES:
        return context.texts is not None and any(bool(measured(context.texts, name)) for name in _MEASURED_AS[need])
    if need == "gold":
        return context.texts is not None and bool(context.texts["is_gold"].notna().any())
    if need == "extra":
        return context.texts is not None and any(str(name).startswith(EXTRA_PREFIX) for name in context.texts)
    return any(_is_recorded(need, rows) for rows in (context.rows, context.training, context.validation))


def is_trained_on(rows: Frame) -> bool:
    """Tell whether some attempts are of no held split: groups of an evaluation alone feed no gradient."""
    return bool((~rows["split"].isin(HELD)).any())


def _is_recorded(need: str, rows: Frame) -> bool:
    if need == "reward_terms":
        return any(name.startswith(TERM_PREFIX) for name in rows.columns)
    if need == "stop_reason":
        return bool(len(rows)) and bool((rows[need] != "unknown").any() or rows["is_truncated"].any())
    if need not in rows.columns or rows.empty:
        return False
    column = rows[need].dropna()
    if pd.api.types.is_numeric_dtype(column):
        return bool((column > 0).any()) if need.startswith("num_") else len(column) > 0
    return bool((column.astype(str) != "").any())
