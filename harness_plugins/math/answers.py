"""Answers: how often one is given, and how much the attempts at a problem agree.

answer_rate is the share of attempts with an answer; answer_agreement the mean share of the most frequent answer in a
group. A group that agrees on a wrong answer is systematically wrong, so more samples will not help (agreed_wrong). No
findings.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return answer metrics."""
    rows = context.graded
    answered = rows[rows["answer"].notna()]
    if answered.empty:
        return Diagnosis()
    outcomes = answered.groupby(["group", "answer"])["correct"]
    size = outcomes.size()
    counts: Frame = pd.DataFrame({"share": size / size.groupby("group").transform("sum"), "correct": outcomes.mean()})
    first = counts.sort_values("share", ascending=False, kind="stable").groupby("group").head(1)
    return Diagnosis(
        known(
            {
                "answer_rate": rows["answer"].notna().mean(),
                "answer_agreement": first["share"].mean(),
                "agreed_wrong": ((first["share"] > 0.5) & (first["correct"] <= 0)).mean(),
            }
        )
    )
