"""Ranks that read the same shard: at each step every problem comes as several groups, each with a baseline of its own.

A problem that is drawn twice in one step is chance, or one problem with a greater weight. Where each problem of nearly
all steps comes as the same number of groups, two or more, the batch holds so many times fewer problems than groups: all
ranks read one shard, or a group was split before its advantages were computed. A problem is one id and one prompt.

Many runs number parts of a group: by turn, by branch, by worker. Their advantages have a mean of 0 over the problem,
not in each part, so advantages of each group must be relative to it. Runs that do not record advantages are judged
where a column of ranks or workers has another value in each of these groups. Groups of unequal roles have other
prompts. Runs that meet the same problems may stand in one file: a column names them, or their steps begin anew.
"""

import re

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame

NEEDS = {"duplicate_problems": ("num_chars", "group", "step")}

_ALL, _MIN_STEPS, _MIN_PROBLEMS = 0.95, 3, 2
"""Share of steps in which all problems come equally often; fewest steps, and problems in the middle step."""
_CENTRED, _APART = 0.02, 0.1
"""Mean of a group's advantages, as a share of the largest, up to which it is 0; and spread of means that counts."""
_MIN_APART = 6
_RUN = re.compile(r"run|seed|experiment|trial|model|polic|checkpoint|method|variant|config|(?:^|[_.])arm$", re.I)
"""What names whole runs, whose problems may be the same."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where every problem of a step comes as the same number of groups."""
    rows = context.with_texts(graded(context.training))
    if rows.empty or rows["group"].nunique() == rows.groupby(["step", "problem_id"]).ngroups:
        return Diagnosis()
    groups = rows.groupby("group").agg(
        step=("step", "first"), problem=("problem_id", "first"), asked=("asked", "first")
    )
    counts = groups.groupby(["step", "problem", "asked"]).size()
    by_step = counts.groupby("step").agg(["min", "max", "size"])
    times = int(by_step["min"].mode().iloc[0])
    whole = (by_step["min"] == times) & (by_step["max"] == times)
    if times < 2 or whole.sum() < _MIN_STEPS or whole.mean() < _ALL or by_step["size"].median() < _MIN_PROBLEMS:
        return Diagnosis()
    parts = _parts(rows, groups)
    rank = parts[0] if parts else ""
    is_merged = any(_RUN.search(name.removeprefix(EXTRA_PREFIX)) for name in parts)
    if is_merged or (not parts and _begins_anew(rows)):
        return Diagnosis()
    if not (_have_baselines(rows) if rows["advantage"].notna().any() else rank):
        return Diagnosis()
    named = f", each of another `{rank.removeprefix(EXTRA_PREFIX)}`" if rank else ""
    problems = groups["problem"].nunique()
    message = (
        f"in {int(whole.sum())} of {len(whole)} steps every problem comes as {times} groups{named}: of "
        f"{len(groups)} groups only {len(counts)} differ, {problems} problems in all; see whether all ranks read the "
        "same shard, or a group is split before its baseline is computed"
    )
    numbers = {"times": times, "steps": int(whole.sum()), "groups": len(groups), "problems": problems}
    found = rows.drop_duplicates("group")
    return Diagnosis(findings=[context.finding("duplicate_problems", "warning", message, numbers, (), found)])


def _have_baselines(rows: Frame) -> bool:
    """Tell whether advantages have a mean of 0 in nearly all groups, also where those of a problem differ in reward."""
    rows = rows[rows["advantage"].notna() & rows["reward"].notna()]
    by_group = rows.groupby("group")
    table: Frame = pd.DataFrame(
        {
            "problem": by_group["problem_id"].first(),
            "step": by_group["step"].first(),
            "reward": by_group["reward"].mean(),
            "off": by_group["advantage"].mean().abs(),
            "largest": by_group["advantage"].agg(lambda values: values.abs().max()),
        }
    )
    spread = table.groupby(["problem", "step"])["reward"].transform(lambda means: means.max() - means.min())
    apart = table[(spread > _APART * (rows["reward"].max() - rows["reward"].min())) & (table["largest"] > 0)]
    return len(apart) >= _MIN_APART and bool((apart["off"] <= _CENTRED * apart["largest"]).mean() >= _ALL)


def _begins_anew(rows: Frame) -> bool:
    """Tell whether the steps of the file begin anew once they were gone through, as of several files in one."""
    steps = rows.sort_values("place", kind="stable")["step"].to_numpy()
    return bool(steps[0] == steps.min() and ((steps[1:] == steps.min()) & (steps[:-1] == steps.max())).any())


def _parts(rows: Frame, groups: Frame) -> list[str]:
    """Return the columns that have one value in each group, and another in each group of a problem."""
    same, found = [groups[name] for name in ("step", "problem", "asked")], []
    most = int(groups.groupby("step").size().max())
    for name in outside_columns(rows):
        values = rows.groupby("group")[name].agg(["first", "nunique"])
        if rows[name].isna().any() or (values["nunique"] > 1).any() or values["first"].nunique() > most:
            continue
        apart = values["first"].groupby(same).agg(["nunique", "size"])
        if (apart["nunique"] == apart["size"]).all():
            found.append(name)
    return found
