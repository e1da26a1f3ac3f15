"""Keys that are wrong here and there: attempts agree on an unpaid answer as they do on right ones, and errors scatter.

Keys that a model wrote, or that were copied badly, are wrong at single problems of any source. Attempts that find the
right answer agree there, and none of those with it is paid. What tells them from a policy that errs is how it errs
elsewhere. At problems whose usual answer is paid, wrong answers hardly ever meet: slips differ. So many problems of one
unpaid answer, given in different words, do not come about by slips.

Where wrong answers meet at other problems too, nothing is said: options to choose from, answers of a few values,
misunderstandings that the policy has, tasks that end with a fixed word. Nor is anything said where one answer stands at
several such problems, where gold answers are unpaid, or where attempts hardly agree on what is paid.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"wrong_labels": ("num_chars", "reward", "group")}

_MIN_SIZE, _FIRM = 4, 0.7
"""Different texts at a problem, and the share of them that end with one answer where they agree."""
_MIN_FIRM, _SHARE = 8, 0.05
"""Problems that agree on what is unpaid, and their share of all problems, beyond chance."""
_MEET, _MIN_ERRING = 0.2, 10
"""Share of pairs of wrong answers that are alike at other problems, at most, and how many of these have such pairs."""
_USUAL, _DIFFERENT = 0.5, 0.8
"""Share of attempts with the usual answer that are right where it counts as paid; share of answers that differ."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where many problems agree on what is not paid, and wrong answers hardly meet at others."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool) & (rows["final_answer"] != "")]
    rows = rows.drop_duplicates(["problem_id", "response_hash"])
    outcome = rows["correct"].fillna(rows["reward"])
    answers = _answers(rows.assign(_right=outcome >= outcome.max()))
    usual = answers.drop_duplicates("problem_id").set_index("problem_id")
    is_firm, is_paid = usual["share"] >= _FIRM, usual["right"] >= _USUAL
    unpaid: Frame = usual[is_firm & (usual["right"] == 0) & (usual["gold"] != 1.0)]
    if len(unpaid) < _MIN_FIRM or len(unpaid) > (is_firm & is_paid).sum():
        return Diagnosis()
    if unpaid["final_answer"].nunique() < _DIFFERENT * len(unpaid):
        return Diagnosis()
    if not significantly_above(len(unpaid), len(usual), _SHARE, context.thresholds.alpha):
        return Diagnosis()
    meet, erring = _wrong_pairs(answers, usual.index[is_paid])
    if erring < _MIN_ERRING or meet > _MEET:
        return Diagnosis()
    shown = rows[rows["problem_id"].isin(unpaid.index)]
    message = (
        f"at {len(unpaid)} of {len(usual)} problems attempts agree on an answer that is never paid "
        f"({unpaid['final_answer'].iloc[0]}, for one), where others agree on what is paid, and of wrong answers there "
        f"{meet:.0%} are alike: see whether the keys are right"
    )
    numbers = {"problems": len(unpaid), "share": len(unpaid) / len(usual), "alike_elsewhere": meet}
    return Diagnosis(findings=[context.finding("wrong_labels", "warning", message, numbers, ("alpha",), shown)])


def _answers(rows: Frame) -> Frame:
    """Return the answers to each problem of several texts, the commonest first: size, share, and who is right."""
    by_answer = rows.groupby(["problem_id", "final_answer"])
    table: Frame = pd.DataFrame(
        {"size": by_answer.size(), "right": by_answer["_right"].mean(), "gold": by_answer["is_gold"].max()}
    ).reset_index()
    number = table.groupby("problem_id")["size"].transform("sum")
    table = table.assign(share=table["size"] / number)[number >= _MIN_SIZE]
    return table.sort_values(["size", "problem_id", "final_answer"], ascending=[False, True, True])


def _wrong_pairs(answers: Frame, problems: Frame) -> tuple[float, int]:
    """Return the share of pairs of wrong attempts at these problems that answer alike, and how many have pairs."""
    wrong = answers[(answers["right"] == 0) & answers["problem_id"].isin(problems)]
    alike = (wrong["size"] * (wrong["size"] - 1)).groupby(wrong["problem_id"]).sum()
    number = wrong.groupby("problem_id")["size"].sum()
    pairs = number * (number - 1)
    return float(alike.sum() / max(pairs.sum(), 1)), int((pairs > 0).sum())
