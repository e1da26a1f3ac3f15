"""The same problems in several files of the data: shards written with one seed, data sets joined that share problems.

A column says from which file a problem comes, by its name and as each problem has one value of it. Prompts then belong
to one file each. Where a third of them stand in three files and more, under other ids, they are copies. That they are
the same problems shows in their gold answers, or in what a tool answers to the same first call; one prompt for all
levels of a game has neither.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.texts.gold import is_gold_name
from evotrainer.evidence.frames import Frame

NEEDS = {"duplicate_problems": ("num_chars", "extra")}

_FILE = re.compile(
    r"(?:^|[_.])(?:data_?)?(?:shard|file|source|dataset|data_set|partition|chunk|bucket)(?:_?(?:id|name))?$", re.I
)
_MIN_PROMPTS, _MIN_FILES, _THIRD, _SAME, _DIFFERENT = 6, 3, 1 / 3, 0.95, 3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where files hold each other's problems."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    for name in outside_columns(rows):
        if not _FILE.search(name.removeprefix(EXTRA_PREFIX)) or rows[name].isna().any():
            continue
        value = rows[name].map(str)
        if (value.groupby(rows["problem_id"]).nunique() > 1).any():
            continue
        files = value.groupby(rows["asked"]).nunique()
        copied = files[files >= _MIN_FILES]
        found = rows[rows["asked"].isin(copied.index)]
        if len(files) < _MIN_PROMPTS or len(copied) < _THIRD * len(files) or not _are_same(found):
            continue
        message = (
            f"{len(copied)} of {len(files)} prompts stand in {int(copied.median())} of {value.nunique()} values of "
            f"`{name.removeprefix(EXTRA_PREFIX)}`, under {found['problem_id'].nunique()} ids: the data hold "
            f"{len(files)} problems, not {rows['problem_id'].nunique()}, see with which seed each file was written"
        )
        numbers = {"prompts": len(files), "copied": len(copied), "ids": rows["problem_id"].nunique()}
        shown = found.drop_duplicates("problem_id").sort_values("asked", kind="stable")
        return Diagnosis(findings=[context.finding("duplicate_problems", "warning", message, numbers, (), shown)])
    return Diagnosis()


def _are_same(rows: Frame) -> bool:
    """Tell whether prompts that are the same have one gold answer, or one answer of a tool to the same call."""
    called = rows[rows["first_call"] != ""]
    pairs = [(called, ["asked", "first_call"], "first_answer")]
    pairs += [
        (rows, ["asked"], name) for name in outside_columns(rows) if is_gold_name(name.removeprefix(EXTRA_PREFIX))
    ]
    for part, keys, column in pairs:
        told = part[part[column].notna()]
        if not len(told):
            continue
        answers = told.assign(_told=told[column].map(str)).groupby(keys)["_told"].agg(["nunique", "first"])
        if (answers["nunique"] == 1).mean() >= _SAME and answers["first"].nunique() >= _DIFFERENT:
            return True
    return False
