"""What reaches the loss: more tokens than were sampled, other tokens than these, or attempts of one sign alone.

Tokens of prompts and of tools are not the policy's. A column that counts the tokens in the loss must not be larger than
the sampled ones, neither in all attempts nor in those that call tools, and not be the count of the others' tokens.
Masks by message say the same: an answer of a tool or a prompt is in the loss, or no message of the policy ever is. The
policy's last turn alone is a method, and an attempt without any message in the loss may have been filtered out.
Attempts above their group and below it should both reach the loss; learning from failures alone unlearns what works.
A mask that leaks lets a few of them through; a filter of doubles keeps one of each group, and is no such mask.
Filters that keep successes alone are a method, and no finding; one that sets in behind steps that kept both was not
chosen. A filter that leaves out what differs, in some groups the better and in others the worse, leaves equals alone.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {
    "loss_mask": ("loss_tokens",),
    "one_sided_loss": ("in_loss", "reward"),
    "over_filtering": ("in_loss", "reward", "group"),
}

_ALL = 0.95
_FEW = 0.05
_MUCH = 1.1
_FEW_ABOVE, _MANY, _MIN_ABOVE = 0.1, 0.5, 20
_WITHOUT = 0.75
"""Share of the groups with failures in the loss of which nothing better reaches it."""
_NEARLY_ALL, _HARDLY, _MIN_SINCE = 0.9, 0.25, 2
"""Shares of a side in the loss before it is left out and since, and the fewest steps since."""
_MIN_SIDES, _EQUAL = 5, 1e-9
"""Groups of each side in which what differs is left out, and a difference of rewards that is none."""
_MIN_COUNTS = 8
"""Different counts from which two columns do not agree by chance."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return findings on tokens and on attempts that reach the loss."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    masked = _by_message(context, rows) or _of_others(context, rows) or _more_than_sampled(context, rows)
    sides = _failures_alone(context, rows) or _one_side_since(context, rows) or _equals_alone(context, rows)
    return Diagnosis(findings=masked + sides)


def _by_message(context: Context, rows: Frame) -> list[Finding]:
    """Find what masks of messages say: who else is trained on, and whether the policy is."""
    parts = {name.rsplit(".", 1)[-1]: values for name, values in measured(rows, "message_loss").items()}
    rows = rows[rows["in_loss"] != 0.0]
    limits = context.thresholds
    shares = {name: values[rows.index].dropna() for name, values in parts.items()}
    others = {name: values for name, values in shares.items() if name != "policy" and len(values) >= limits.min_rows}
    found = {
        name: float((values > 0).mean())
        for name, values in others.items()
        if significantly_above(int((values > 0).sum()), len(values), _FEW, limits.limit_alpha)
    }
    policy = shares.get("policy", rows["in_loss"].head(0))
    is_left_out = len(policy) >= limits.min_rows and float((policy <= 0).mean()) >= _ALL
    if not found and not is_left_out:
        return []
    said = [f"messages of {name} are in the loss in {share:.0%} of attempts" for name, share in found.items()]
    said += ["no message of the policy is in the loss"] if is_left_out else []
    message = f"{', and '.join(said)}: train on what the policy wrote alone, look at the mask"
    numbers = {f"{name}_in_loss": share for name, share in found.items()} | {"policy_left_out": float(is_left_out)}
    return [context.finding("loss_mask", "critical", message, numbers, ("min_rows", "limit_alpha"), rows)]


def _of_others(context: Context, rows: Frame) -> list[Finding]:
    """Find a count of tokens in the loss that is the count of others' tokens, and not that of the policy's."""
    policy = measured(rows, "policy_tokens") | measured(rows, "sampled_tokens")
    for name, counted in measured(rows, "loss_tokens").items():
        for beside, tokens in measured(rows, "others_tokens").items():
            is_judged = tokens > 0
            for own in policy.values():
                is_judged &= own != tokens
            share = float((counted == tokens)[is_judged].mean())
            is_enough = is_judged.sum() >= context.thresholds.min_rows and tokens[is_judged].nunique() >= _MIN_COUNTS
            if not is_enough or share < _ALL:
                continue
            message = (
                f"{name} is {beside} in {share:.0%} of attempts: what others wrote is in the loss in place of what the "
                "policy did, look at the mask"
            )
            numbers = {"in_loss": float(counted.mean()), "others": float(tokens.mean())}
            return [context.finding("loss_mask", "critical", message, numbers, ("min_rows",), rows)]
    return []


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


def _sides(rows: Frame) -> tuple[Frame, Frame]:
    """Return the attempts above the mean of their group, and those below; one alone is compared by its advantage."""
    rows = rows[rows["in_loss"].notna() & rows["reward"].notna()]
    reward = rows.groupby("group")["reward"]
    centred = (rows["reward"] - reward.transform("mean")).where(reward.transform("size") > 1, rows["advantage"])
    return rows[centred > 0], rows[centred < 0]


def _failures_alone(context: Context, rows: Frame) -> list[Finding]:
    above, below = _sides(rows)
    if len(above) < _MIN_ABOVE or len(below) < _MIN_ABOVE:
        return []
    kept = [float((part["in_loss"] > 0).mean()) for part in (above, below)]
    if kept[0] > _FEW_ABOVE or kept[1] < _MANY or _reached_by(above, below) > 1 - _WITHOUT:
        return []
    message = (
        f"{kept[0]:.0%} of the {len(above)} attempts above their group's mean reach the loss, and {kept[1]:.0%} of "
        "those below: what works is never reinforced, look at the mask"
    )
    numbers = {"above": kept[0], "below": kept[1]}
    return [context.finding("one_sided_loss", "critical", message, numbers, (), above)]


def _reached_by(above: Frame, below: Frame) -> float:
    """Return of how many groups with both sides, the lower one in the loss, the upper one is too; 0 without any."""
    best, worst = (part.groupby("group")["in_loss"].max() > 0 for part in (above, below))
    shared = best.index.intersection(worst.index[worst])
    return float(best[shared].mean()) if len(shared) else 0.0


def _one_side_since(context: Context, rows: Frame) -> list[Finding]:
    """Find a step from which attempts of one side of their group's mean hardly reach the loss any more."""
    above, below = _sides(rows)
    return _left_out(context, below, above, "below", "what fails is no longer pushed down") or _left_out(
        context, above, below, "above", "what works is no longer reinforced"
    )


def _left_out(context: Context, side: Frame, other: Frame, where: str, why: str) -> list[Finding]:
    """Return a finding where a side reaches the loss up to a step and hardly since, and the other side always does."""
    by_step = (side["in_loss"] > 0).groupby(side["step"]).agg(["sum", "size"])
    kept, size = by_step["sum"].cumsum(), by_step["size"].cumsum()
    fall = (kept / size - (kept.iloc[-1:].sum() - kept) / (size.iloc[-1:].sum() - size)).iloc[:-_MIN_SINCE]
    if fall.empty:
        return []
    first = by_step.index[by_step.index > fall.idxmax()].min()
    was, is_now, others = side[side["step"] < first], side[side["step"] >= first], other[other["step"] >= first]
    if min(map(len, (was, is_now, others))) < _MIN_ABOVE:
        return []
    shares = [float((part["in_loss"] > 0).mean()) for part in (was, is_now, others)]
    if shares[0] < _NEARLY_ALL or shares[1] > _HARDLY or shares[2] < _NEARLY_ALL:
        return []
    message = (
        f"since step {first:g}, {shares[1]:.0%} of the {len(is_now)} attempts {where} their group's mean reach the "
        f"loss, {shares[0]:.0%} before, and {shares[2]:.0%} of all others: {why}, look at the mask"
    )
    numbers = {"before": shares[0], "since": shares[1], "others": shares[2]}
    return [context.finding("one_sided_loss", "critical", message, numbers, (), is_now)]


def _equals_alone(context: Context, rows: Frame) -> list[Finding]:
    """Find groups of unequal rewards that a filter cut down to equal ones, by leaving out what differs from them."""
    rows = rows[rows["in_loss"].notna() & rows["reward"].notna()]
    kept, dropped = rows[rows["in_loss"] > 0], rows[rows["in_loss"] <= 0]
    if kept.empty or dropped.empty:
        return []
    inside, outside = (part.groupby("group")["reward"].agg(["min", "max", "size"]) for part in (kept, dropped))
    parted = inside.join(outside, lsuffix="_in", rsuffix="_out", how="inner")
    low, high = parted[["min_in", "min_out"]].min(axis=1), parted[["max_in", "max_out"]].max(axis=1)
    parted = parted[(high - low > _EQUAL) & (parted["size_in"] >= parted["size_out"])]
    are_equal = (parted["max_in"] - parted["min_in"] <= _EQUAL) & (parted["max_out"] - parted["min_out"] <= _EQUAL)
    alone = parted[are_equal]
    better, worse = alone[alone["min_out"] > alone["max_in"]], alone[alone["max_out"] < alone["min_in"]]
    if min(len(better), len(worse)) < _MIN_SIDES or len(better) + len(worse) < _NEARLY_ALL * len(parted):
        return []
    message = (
        f"in {len(alone)} of {len(parted)} groups of unequal rewards that reach the loss in part, just the attempts "
        f"that differ are left out, the better ones in {len(better)} and the worse ones in {len(worse)}: equals are "
        "trained on and what they differ from is not, keep or drop groups as a whole"
    )
    numbers = {"groups": len(alone), "better": len(better), "worse": len(worse)}
    shown = dropped[dropped["group"].isin(alone.index)]
    return [context.finding("over_filtering", "warning", message, numbers, (), shown)]
