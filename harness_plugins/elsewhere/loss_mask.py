"""What reaches the loss: more tokens than were sampled, or attempts of one sign alone.

Tokens of prompts and of tools are not the policy's. A column that counts the tokens in the loss must not be larger than
the sampled ones, neither in all attempts nor in those that call tools. Attempts above their group and below it should
both reach the loss; learning from failures alone unlearns what works. Filters that keep successes alone are a method,
and no finding.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"loss_mask": ("loss_tokens",), "one_sided_loss": ("in_loss", "reward")}

_ALL = 0.95
_MUCH = 1.1
_NONE, _MANY, _MIN_ABOVE = 0.02, 0.5, 20


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return findings on tokens and on attempts that reach the loss."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    return Diagnosis(findings=_more_than_sampled(context, rows) + _failures_alone(context, rows))


def _more_than_sampled(context: Context, rows: Frame) -> list[Finding]:
    sampled = {"num_tokens": rows["num_tokens"].astype(float)} if (rows["num_tokens"] > 0).all() else {}
    sampled |= measured(rows, "sampled_tokens")
    has_calls = rows["num_tool_calls"] > 0
    for name, counted in measured(rows, "loss_tokens").items():
        for beside, tokens in sampled.items():
            if name == beside or not (counted % 1 == 0).all():
                continue
            is_more = counted > tokens
            is_much_more = is_more & (counted > _MUCH * tokens)  # an end of each turn may be in the loss alone
            parts = (is_more, is_much_more[has_calls] if (counted >= tokens).all() else is_more)
            if not any(len(part) >= context.thresholds.min_rows and part.mean() >= _ALL for part in parts):
                continue
            message = (
                f"{name} is {counted.mean():.0f} on average and {beside} {tokens.mean():.0f}: tokens that the policy "
                "did not sample are in the loss, mask prompts and answers of tools"
            )
            numbers = {"in_loss": float(counted.mean()), "sampled": float(tokens.mean())}
            return [context.finding("loss_mask", "critical", message, numbers, ("min_rows",), rows)]
    return []


def _failures_alone(context: Context, rows: Frame) -> list[Finding]:
    rows = rows[rows["in_loss"].notna() & rows["reward"].notna()]
    centred = rows["reward"] - rows.groupby("group")["reward"].transform("mean")
    above, below = rows[centred > 0], rows[centred < 0]
    if len(above) < _MIN_ABOVE or len(below) < _MIN_ABOVE:
        return []
    kept = [float((part["in_loss"] > 0).mean()) for part in (above, below)]
    if kept[0] > _NONE or kept[1] < _MANY:
        return []
    message = (
        f"{kept[0]:.0%} of the {len(above)} attempts above their group's mean reach the loss, and {kept[1]:.0%} of "
        "those below: what works is never reinforced, look at the mask"
    )
    numbers = {"above": kept[0], "below": kept[1]}
    return [context.finding("one_sided_loss", "critical", message, numbers, (), above)]
