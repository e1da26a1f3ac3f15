"""Sequences that a trainer or a sampler put together otherwise than they were meant, as their own columns show.

1. Ids or texts of a prompt begin with the same mark twice: the template writes a mark of beginning, and the tokenizer
   adds one. Rows that begin with it three times are padded, and tell nothing.
2. The prompt opens a thought that the sampled answer closes. Rendered again, the answer gets an empty thought in front:
   what is trained on is not what was sampled.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("extra",), "retokenisation_drift": ("extra",)}

_TWICE, _MIN_ROWS, _MIN_PROBLEMS, _SOME = 2, 12, 3, 0.05


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where a beginning is doubled, and where an empty thought stands before one that was sampled."""
    rows = context.with_texts(context.graded_with_validation)
    return Diagnosis(findings=_twice(context, rows) + _empty_thought(context, rows) if len(rows) else [])


def _twice(context: Context, rows: Frame) -> list[Finding]:
    is_hit = rows["begun"] == _TWICE
    if (rows["begun"] > _TWICE).any() or not _is_enough(rows, is_hit):
        return []
    hit, others = rows[is_hit], rows[~is_hit & (rows["begun"] > 0)]
    beside = ""
    if len(others) >= _MIN_ROWS:
        beside = (
            f"; their mean reward is {hit['reward'].mean():.2f}, and {others['reward'].mean():.2f} in the "
            f"{len(others)} that begin with it once"
        )
    message = (
        f"in {len(hit)} of {len(rows)} attempts the ids or the text of the prompt begin with the same mark twice"
        f"{beside}: the template writes it and the tokenizer adds it, leave one of them out"
    )
    numbers = {"attempts": len(hit), "others": len(others)}
    return [context.finding("metric_defect", "warning", message, numbers, (), hit)]


def _empty_thought(context: Context, rows: Frame) -> list[Finding]:
    is_hit = rows["empty_pair"] != ""
    if not _is_enough(rows, is_hit):
        return []
    tag = rows.loc[is_hit, "empty_pair"].mode().iloc[0]
    message = (
        f"in {int(is_hit.sum())} of {len(rows)} attempts a column holds the answer behind an empty <{tag}></{tag}>, "
        f"and the answer closes <{tag}> itself, as the prompt opened it: what is trained on is not what was "
        "sampled, keep the sampled ids"
    )
    numbers = {"attempts": int(is_hit.sum())}
    return [context.finding("retokenisation_drift", "warning", message, numbers, (), rows[is_hit])]


def _is_enough(rows: Frame, is_hit: Frame) -> bool:
    hit = rows[is_hit]
    return len(hit) >= max(_MIN_ROWS, _SOME * len(rows)) and hit["problem_id"].nunique() >= _MIN_PROBLEMS
