"""Patches: how often there is one, how similar it is to the reference, how much the attempts at a problem agree.

patch_rate is the share of attempts that end with a change. patch_agreement is the mean share of the most frequent
patch of a group. agreed_wrong_patch is the share of groups whose most frequent patch has the majority and is wrong:
more samples will not help them. gold_similarity is the mean similarity to the reference patch. No findings.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return patch metrics."""
    rows = context.graded
    patched = rows[rows["answer"].notna()]
    if patched.empty:
        return Diagnosis()
    counts = patched.groupby(["group", "answer"]).agg(size=("correct", "size"), correct=("correct", "mean"))
    share = counts["size"] / counts.groupby("group")["size"].transform("sum")
    first = counts.assign(share=share).sort_values("share", ascending=False, kind="stable").groupby("group").head(1)
    likeness = patched.get("check_gold_similarity")
    return Diagnosis(
        known(
            {
                "patch_rate": rows["answer"].notna().mean(),
                "patch_agreement": first["share"].mean(),
                "agreed_wrong_patch": ((first["share"] > 0.5) & (first["correct"] <= 0)).mean(),
                "gold_similarity": None if likeness is None else likeness.mean(),
            }
        )
    )
