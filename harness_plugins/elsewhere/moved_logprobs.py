"""Two columns of logprobs a token that lie one place apart: ratios compare each token with its neighbour.

The logprobs of sampler, trainer and reference are those of the same tokens, in the same order. Rows where two lists of
one length agree only when one is moved are counted. In healthy runs they agree place by place, so nearly all rows that
tell must say the same. Lists of other lengths, or with zeros in the open place, follow a convention of their own. A
file may be written a place off though training was not, hence a warning.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"train_inference_mismatch": ("extra",)}

_MOSTLY, _MIN_MOVED = 0.5, 0.05
"""Share of moved rows with one and the same move; share of moved rows among those that tell."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where two lists of logprobs lie apart in many attempts."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    if rows.empty or "logprob_move" not in rows:
        return Diagnosis()
    told = rows[rows["logprob_move"] != ""]
    moved = told[told["logprob_move"] != "0"]
    if len(moved) < max(limits.min_rows, _MIN_MOVED * len(told)):
        return Diagnosis()
    pair, move = moved.groupby(["logprob_pair", "logprob_move"]).size().idxmax()
    found = moved[(moved["logprob_pair"] == pair) & (moved["logprob_move"] == move)]
    if len(found) < max(limits.min_rows, _MOSTLY * len(moved)):
        return Diagnosis()
    one, other = str(pair).split("\t")
    places = f"{abs(int(move))} place{'s' if abs(int(move)) > 1 else ''} to the {'left' if int(move) > 0 else 'right'}"
    message = (
        f"in {len(found)} of {len(told)} attempts `{other}` agrees with `{one}` only when it is moved: it lies {places}"
        ", so their ratio compares each token with another one; index both by the same tokens"
    )
    numbers = {"attempts": len(found), "share": len(found) / len(told), "places": float(move)}
    finding = context.finding("train_inference_mismatch", "warning", message, numbers, ("min_rows",), found)
    return Diagnosis(findings=[finding])
