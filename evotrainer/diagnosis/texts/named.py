"""Columns of numbers that a trainer measured, known by their names: rows of others have no fixed ones.

A name counts with its path (`metrics.ref_kl`). Columns stand in `extra`, or among the terms of the reward.
"""

import re

from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame

EXTRA_PREFIX, SAID_PREFIX, END_PREFIX = "extra:", "said:", "end:"
_OWN = 0.6
"""Share of a column's values that the policy wrote itself, from which it names nothing beside the policy."""
_MIN_KNOWN = 0.8
_ENVIRONMENT = re.compile(
    r"(?:^|[_.])(?:env(?:ironment)?(?:_?(?:name|id))?|domain|(?:data_?)?source|data_?set|task(?:_?(?:name|type))?|suite"
    r"|subset|category)$",
    re.I,
)
_MAX_ENVIRONMENTS = 12
LOGPROBS = re.compile(r"prob|logp", re.I)
"""What names logprobs."""
_REFERENCE = re.compile(
    r"ref|base|init|teacher|sft|anchor|prior|frozen|start|first|orig|kl|(?:step|ckpt|version|v)_?0+(?!\d)", re.I
)
SAMPLER = re.compile(r"rollout|sampl|infer|generat|vllm|sglang|engine|behaviou?r", re.I)
TRAINER = re.compile(r"old|prev|train|actor|learner|fsdp|megatron|recomput|current", re.I)
"""What names the sampler's logprobs, and the trainer's."""
_NEGATIVE = 0.98
_POLICY = re.compile(
    r"(?!.*(?:oppo|rival|adversar|partner|judge|grade|verif|reward|critic|value|refer|(?<![a-z])ref|teacher|user|simul))"
    r"(?:.*\.)?(?:(?:sampl|rollout|generat|infer|serv|eval|actor|policy)[a-z]*_)?"
    r"(?:(?:policy|checkpoint|ckpt|model|actor)|(?:policy|checkpoint|ckpt|model|actor|weights?|params?|lora|adapter)"
    r"_?(?:id|name|hash|sha|version|step|iteration|path|tag|revision))$",
    re.I,
)
"""What names the policy that an attempt was sampled from, and not that of others in its world."""

_KL = r"(?:^|.*[^a-z])kl(?:[^a-z]|$)"
_NO_DISTANCE = r"(?:coef|beta|weight|target|limit|penalt|cost|reward)"
"""Of columns that name KL and hold no distance."""

MEASURES: dict[str, re.Pattern[str]] = {
    "kl": re.compile(rf"(?!.*{_NO_DISTANCE}){_KL}", re.I),
    "kl_coefficient": re.compile(rf"(?=.*{_KL}).*(?:coef|beta|weight)", re.I),
    "kl_penalty": re.compile(rf"(?=.*{_KL}).*(?:penalt|cost|reward)", re.I),
    "epoch": re.compile(r"(?:^|[_.])epochs?$", re.I),
    "learning_rate": re.compile(r"(?:^|[_.])(?:lr|learning_?rate)$", re.I),
    "grad_norm": re.compile(r"(?:^|[_.])grad(?:ient)?_?norm$", re.I),
    "data_size": re.compile(r"(?:data_?set|corpus|train(?:ing)?(?:_set)?)_?(?:size|len(?:gth)?|rows)$", re.I),
    "policy_lag": re.compile(r"lag(?:$|_)|staleness|off_?policy_steps|versions?_behind", re.I),
    "policy_version": re.compile(r"(?:policy|weights?|model|params?|actor|sampler)_?(?:version|step|iteration)$", re.I),
    "values": re.compile(
        r"(?:^|\.)values?(?:_mean)?$"
        r"|(?:^|[_.])(?:(?:critic|state|old|token)_values?|v_?preds?|critic|baseline|value_preds?)(?:_mean)?$",
        re.I,
    ),
    "loss_tokens": re.compile(
        r"loss.*(?:tokens|len|mask_sum)|(?:tokens|mask_sum).*loss|(?:^|[_.])train(?:ed|able)_?tokens$", re.I
    ),
    "message_loss": re.compile(r"^messages_in_loss\.", re.I),
    "others_tokens": re.compile(r"(?:^|[_.])(?:observation|obs|tool|env(?:ironment)?|prompt|input).*tokens$", re.I),
    "policy_tokens": re.compile(r"(?:^|[_.])(?:policy|assistant|agent|actor|action).*tokens$", re.I),
    "fine": re.compile(r"penalt|over_?long|(?:^|_)fine(?:$|_)|len(?:gth)?_?(?:cost|reward|term)|brevity", re.I),
    "sampled_tokens": re.compile(r"(?:response|completion|output|generated|sampled).*(?:tokens|len)", re.I),
}
"""Measure -> what names it."""


def measured(rows: Frame, measure: str) -> dict[str, Frame]:
    """Return {name: its numbers} of the columns that hold a measure."""
    pattern, found = MEASURES[measure], {}
    for column in map(str, rows.columns):
        for prefix in (EXTRA_PREFIX, TERM_PREFIX):
            name = column.removeprefix(prefix)
            if column.startswith(prefix) and pattern.search(name):
                values = rows[column]
                if values.map(lambda value: isinstance(value, float)).all():
                    found[name] = values.astype(float)
    return found


def logprob_columns(rows: Frame) -> list[str]:
    """Return the columns that may hold logprobs of the policy: numbers not above 0 that no name gives a reference."""
    return [name for name in map(str, rows.columns) if _may_be_logprob(rows, name)]


def _may_be_logprob(rows: Frame, name: str) -> bool:
    if name == "mean_logprob":
        return bool(rows[name].notna().any())
    if not name.startswith(EXTRA_PREFIX) or _REFERENCE.search(name):
        return False
    values = rows[name].dropna()
    is_number = values.map(lambda value: isinstance(value, float)).all()
    return bool(len(values) and is_number and (values.astype(float) <= 0).mean() >= _NEGATIVE)


def environment_columns(rows: Frame) -> list[str]:
    """Return `domain` and the columns of `extra` that name where a problem comes from, those of a few values alone."""
    named = [
        name
        for name in map(str, rows.columns)
        if name.startswith(EXTRA_PREFIX) and _ENVIRONMENT.search(name.removeprefix(EXTRA_PREFIX))
    ]
    return [name for name in ("domain", *named) if 2 <= rows[name].nunique() <= _MAX_ENVIRONMENTS]


def outside_columns(rows: Frame) -> list[str]:
    """Return the columns of `extra` that the policy did not write: they may name a machine, a grader or a source."""
    names = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX)]
    said = {name: f"{SAID_PREFIX}{name.removeprefix(EXTRA_PREFIX)}" for name in names}
    return [name for name in names if said[name] not in rows or not is_own(rows[name], rows[said[name]])]


def policy_columns(rows: Frame) -> list[str]:
    """Return the columns of `extra` that name the policy that attempts were sampled from."""
    return [name for name in outside_columns(rows) if _POLICY.match(name.removeprefix(EXTRA_PREFIX))]


def ends_of(rows: Frame, name: str) -> Frame:
    """Return the ends of the texts of a column of `extra`, whole where all of them are short."""
    end = f"{END_PREFIX}{name.removeprefix(EXTRA_PREFIX)}"
    return rows[end] if end in rows else rows[name]


def is_own(values: Frame, said: Frame) -> bool:
    """Tell whether most values of a column are the policy's words; one that all texts hold is no word for others."""
    return bool(said.groupby(values).mean().mean() >= _OWN)


def is_measure(values: Frame, high: float = 1.0) -> bool:
    """Tell whether a column measures attempts: several numbers from 0 to `high`, known of four rows in five."""
    known = values.dropna()
    if len(known) < _MIN_KNOWN * len(values) or not known.map(lambda value: isinstance(value, float)).all():
        return False
    return bool(known.astype(float).between(0.0, high).all() and known.nunique() > 1)
