"""Columns of other systems that mean what a trainer measures, found by their names; and those that a search may try.

`actor/ppo_kl`, `train/kl` and `kl_loss` are one measure. A name is matched by its words, after the last slash or dot.
"""

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.diagnosis.conditions import Conditions, floats
from evotrainer.evidence.rows import EXTRA_PREFIX, is_number, one_array
from evotrainer.evidence.schema import TERM_PREFIX

_LOGPROB = r"_?(?:mean_)?(?:log_?probs?|lp)(?:_?mean)?"
MEASURES = {
    "kl": r"(?:ppo_|approx_?|mean_?|ref_?|policy_?)?kl(?:_?loss|_?div(?:ergence)?|_?mean|_?to_ref|_?ref)?",
    "kl_coef": r"(?:init_)?kl_?(?:coef\w*|beta|weight|penalty_coef\w*)",
    "entropy": r"(?:policy_|actor_|token_|mean_)?entropy(?:_?mean|_?loss)?",
    "grad_norm": r"(?:actor_|policy_)?grad(?:ient)?_?norm",
    "clip_fraction": r"(?:pg_|policy_)?clip_?(?:frac\w*|ratio)(?:_?mean|/mean)?",
    "learning_rate": r"(?:actor_|policy_)?(?:lr|learning_?rate)",
    "sampler_logprob": r"(?:rollout|sampler?|sampling|inference|gen(?:eration)?|behaviou?r|vllm|engine)" + _LOGPROB,
    "trainer_logprob": rf"(?:old|train(?:er|ing)?|actor|policy|learner|recomputed|hf){_LOGPROB}|log_?probs?(?:_mean)?",
    "sampler_version": r"(?:weights?|policy|sampler|rollout|actor|inference|generator)_?(?:version|step|iteration)",
    "trainer_version": r"(?:trainer?|train|learner|optimi[sz]er|current)_?(?:version|step|iteration)",
    "loss_tokens": r"(?:num_)?(?:loss|trained|trainable|unmasked|train|active)_?tokens?",
    "limit_tokens": r"max_?(?:new_|response_|completion_|output_)*(?:tokens|len(?:gth)?)",
    "ratio": r"(?:mean_?|importance_?|policy_?|is_?)?ratio(?:_?mean)?",
    "mismatch": r"(?:mismatch|rollout|sampler|inference)_?kl(?:_?mean)?",
    "lag": r"(?:weights?|policy|version|async|off_policy)?_?(?:lag|staleness)(?:_?mean)?",
    "length": r"(?:(?:response|completion|output|gen(?:eration)?)_?len(?:gth)?|mean_length)(?:_?mean)?",
    "is_truncated": r"clipped_ratio",
    "dead_group_ratio": r"(?:frac_)?(?:reward_)?zero_std\w*|dead_group_ratio",
    "tokens_per_second": r"throughput|tok(?:en)?s?_?(?:per_?|/)?s(?:ec(?:ond)?)?(?:_per_gpu)?|tps|tgs",
}
"""Measure -> what the last word of a column's name is."""
_WORDS = {name: re.compile(rf"(?:{pattern})", re.IGNORECASE) for name, pattern in MEASURES.items()}
OURS = {"logprobs": "sampler_logprob", "trainer_logprobs": "trainer_logprob", "loss_tokens": "loss_tokens"}
"""Columns of ours that are measures."""
NATS = 0.05
"""Mean difference of two log-probabilities of one token: kernels of one engine differ by a tenth of it."""
LATE = 4
"""Steps that sampler and trainer may lie apart in asynchronous training."""
GROWTH = 20.0
"""Times that a measure may grow from its first third to its last: a schedule changes it by ten at most."""
DEAD = 1e-3
"""Part of its own first value below which a learning rate or gradient is 0."""
MAX_KINDS = 60
"""Distinct values up to which a column of texts is a label that a search may try."""


def measure_of(column: str) -> str:
    """Return which measure a column is by its name; empty for none."""
    parts = re.split(r"[/.]", column.removeprefix(EXTRA_PREFIX))
    if any(one.startswith("timing") for one in parts[:-1]):
        return ""  # seconds of a phase that is named like what it computes
    if parts[-1] == "clip_ratio" and "length" in parts[-2:][0]:
        return "is_truncated" if "response_length" in parts else ""
    ends = (
        [parts[-1], "_".join(parts[-2:])] if len(parts) > 1 and parts[-1] in ("mean", "avg", "value") else [parts[-1]]
    )
    ends += [parts[-2]] if len(parts) > 1 and parts[-1] in ("mean", "avg", "value") else []
    return next((name for name, pattern in _WORDS.items() for end in ends if pattern.fullmatch(end)), "")


def measured(conditions: Conditions) -> dict[str, str]:
    """Return {measure: the first known column of numbers or lists of numbers that is named like it}."""
    found: dict[str, str] = {}
    for name in conditions.table.column_names:
        if (name.startswith(EXTRA_PREFIX) or name in OURS) and conditions.is_known(name):
            kind = conditions.table.schema.field(name).type
            inner = kind.value_type if pa.types.is_list(kind) or pa.types.is_large_list(kind) else kind
            measure = OURS.get(name) or measure_of(name)
            if measure and is_number(inner):
                found.setdefault(measure, name)
    return found


def series(conditions: Conditions, step: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield columns of other systems that have one value a step: name, steps, values by step."""
    steps, codes = np.unique(step, return_inverse=True)
    if len(steps) < 6:
        return
    for name in conditions.table.column_names:
        kind = conditions.table.schema.field(name).type
        is_series = name.startswith(EXTRA_PREFIX) and is_number(kind) and not pa.types.is_boolean(kind)
        if is_series and conditions.is_known(name):
            values = floats(conditions.table[name])
            low, high = np.full(len(steps), np.inf), np.full(len(steps), -np.inf)
            np.fmin.at(low, codes, values)
            np.fmax.at(high, codes, values)
            if np.isfinite(low).sum() >= 6 and np.array_equal(low[np.isfinite(low)], high[np.isfinite(low)]):
                yield name, steps[np.isfinite(low)], low[np.isfinite(low)]


def searched(conditions: Conditions) -> dict[str, np.ndarray]:
    """Return columns of other systems that a search may try: numbers, and labels of few values."""
    found: dict[str, np.ndarray] = {}
    for name in conditions.table.column_names:
        column = conditions.table[name]
        if not name.startswith(EXTRA_PREFIX) or not conditions.is_known(name):
            continue
        if is_number(column.type):
            found[name] = floats(column)
        elif pa.types.is_string(column.type) and len(column.unique()) <= MAX_KINDS:
            found[name] = np.asarray(column.to_numpy(zero_copy_only=False), object)
    return found


def row_means(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column of numbers, or the means of one of lists."""
    if not hasattr(column.type, "value_type"):
        return floats(column)
    lists = one_array(column)
    values = floats(pc.call_function("list_flatten", [lists]))
    rows = pc.call_function("list_parent_indices", [lists]).to_numpy()
    known = np.isfinite(values)
    count = np.bincount(rows[known], minlength=len(lists))
    sums = np.bincount(rows[known], values[known], len(lists))
    return np.divide(sums, count, out=np.full(len(lists), np.nan), where=count > 0)


def terms(conditions: Conditions) -> list[str]:
    """Return the known reward terms."""
    names = conditions.table.column_names
    return [name for name in names if name.startswith(TERM_PREFIX) and conditions.is_known(name)]
