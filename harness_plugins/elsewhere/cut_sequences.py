"""Sequences that are cut on their way to the loss: they end at a cap there, and the attempt had ended by itself.

Two columns count the same tokens where they are equal up to a number. Where the first is this very number at all that
the second puts above it, it was cut there. The sampler's own limit is told by a stop reason; attempts that stopped
by themselves lose their ends, the answer first. The column that is cut is named as what was trained on, or masks of
messages say that such attempts, and no others, have messages of the policy out of the loss.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, measured
from evotrainer.evidence.frames import Frame

NEEDS = {"loss_mask": ("extra",)}

_LENGTH = re.compile(r"token|len(?:gth)?(?![a-z])|(?:^|[_.])ids(?:$|[_.])|seq", re.I)
_TRAINED = re.compile(r"train|loss|learn|kept|used|pack|batch|fed|update|optimi[sz]|merged|model_input", re.I)
_PROMPT = re.compile(r"prompt|penal|fine|reward", re.I)
_SHARE, _MOST, _MIN_ROWS, _MIN_COUNTS, _MIN_PROBLEMS = 0.05, 0.9, 12, 8, 3
"""Share of attempts that are cut, of those that stopped by themselves; and different counts of columns that are one."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first count of tokens that is another one up to a cap, and stands at the cap beyond."""
    rows = context.with_texts(graded(context.training))
    if len(rows) < context.thresholds.min_rows:
        return Diagnosis()
    counts = _counts(rows)
    for name, trained in counts.items():
        for beside, whole in counts.items():
            is_cut: Frame = trained < whole
            if name == beside or not _is_capped(trained, whole, is_cut):
                continue
            cut = rows[is_cut]
            is_own_end = ~cut["is_truncated"].astype(bool)
            if cut["problem_id"].nunique() < _MIN_PROBLEMS or is_own_end.mean() < _MOST:
                continue
            if not (_TRAINED.search(name) or _loses_messages(rows, is_cut)):
                continue
            cap, lost = float(trained.max()), float((whole - trained)[is_cut].mean())
            message = (
                f"{name} is {beside} up to {cap:.0f} and {cap:.0f} beyond, in {len(cut)} of {len(rows)} attempts that "
                f"stopped by themselves{_turns(rows, is_cut)}: their last {lost:.0f} tokens on average, the answer "
                "first, never reach the loss, raise the cap for whole attempts or mask them"
            )
            numbers = {"cut": len(cut), "cap": cap, "lost": lost}
            return Diagnosis(findings=[context.finding("loss_mask", "warning", message, numbers, ("min_rows",), cut)])
    return Diagnosis()


def _counts(rows: Frame) -> dict[str, Frame]:
    """Return {name: numbers} of the columns that count tokens of answers."""
    found = {"num_tokens": rows["num_tokens"].astype(float)} if (rows["num_tokens"] > 0).all() else {}
    for column in map(str, rows.columns):
        name = column.removeprefix(EXTRA_PREFIX)
        if not column.startswith(EXTRA_PREFIX) or not _LENGTH.search(name) or _PROMPT.search(name):
            continue
        if rows[column].map(lambda value: isinstance(value, float)).all() and rows[column].notna().all():
            found[name] = rows[column].astype(float)
    return found


def _is_capped(trained: Frame, whole: Frame, is_cut: Frame) -> bool:
    """Tell whether a count is another one up to its own largest value, at which it stays."""
    if is_cut.sum() < max(_MIN_ROWS, _SHARE * len(trained)) or (trained > whole).any():
        return False
    at_cap = trained[is_cut]
    is_one = bool((at_cap == trained.max()).all()) and trained[~is_cut].nunique() >= _MIN_COUNTS
    return is_one and whole[is_cut].nunique() >= _MIN_COUNTS


def _loses_messages(rows: Frame, is_cut: Frame) -> bool:
    """Tell whether messages of the policy are out of the loss in most attempts that are cut, and in no others."""
    shares = next((one for name, one in measured(rows, "message_loss").items() if name.endswith(".policy")), None)
    if shares is None:
        return False
    return bool((shares[is_cut] < 1).mean() >= 1 - _MOST and (shares[~is_cut] >= 1).mean() >= _MOST)


def _turns(rows: Frame, is_cut: Frame) -> str:
    turns = rows["num_turns"].astype(float)
    if turns.max() <= 1 or turns[is_cut].mean() <= turns[~is_cut].mean():
        return ""
    return f", with {turns[is_cut].mean():.1f} turns on average ({turns[~is_cut].mean():.1f} in others)"
