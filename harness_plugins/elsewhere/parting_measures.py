"""A measure that went with the reward and parts from it: the reward rises while the measure falls.

Rows of others hold measures beside the reward under any name: a check of the final state, a second judge, a metric.
Where one of them follows the reward in the first third of steps, and then falls while the reward rises, the policy has
learned to be paid and not to be right. Measures have values from 0 to 1. One whose name says that somebody judged (a
rating, a panel) need not have followed the reward at first. The score of a reward model or a judge of any range warns
where it falls by half of its deviation and more: it may dislike terse answers, and a small fall says little. One whose
name says that something was checked warns where it falls far and attempts that do not pass it earn no less than others
at their problem, whatever the reward does.

A merit warns too, where the reward rises while it falls far. It is a metric against a reference (BLEU, F1), a virtue of
texts (faithfulness, pedagogy), a quotation that was looked up, or a check among the terms. Attempts below their group's
mean must earn hardly less than others. A run that pays for the merit is not judged: it traded one good for another.
Nor is one that meets other environments later, which have other levels. Metrics against the prompt, the source or other
attempts are no merits: they measure copying, which is better where it falls.
"""

import math
import re

from evotrainer.diagnosis.context import Context, Diagnosis, Trend, correlation, graded, thirds, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts import EXTRA_PREFIX, environment_columns, is_measure, outside_columns
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"reward_outcome_divergence": ("extra", "reward", "step")}

_FOLLOWS = 0.5
_RATING = re.compile(
    r"rating|rater|panel|human|quality|useful|helpful|accept|satisf|preference|expert|oracle|true_|gold_", re.I
)
_MODEL = re.compile(r"(?:^|[_.])(?:rm|reward_?model|judge)_?(?:scores?|rewards?|values?|logits?|grades?)?$", re.I)
"""A name of what a model that judges gave, and not of its time or its tokens."""
_MODEL_FALL = 0.5
_CHECK = re.compile(
    r"(?!.*(?:fail|err|invalid|wrong|miss|mismatch|bad|over|trunc))"
    r".*(?:match|check|pass|success|verif|valid|correct|accura|complet|resolved|solved|satisf|ground)",
    re.I,
)
"""A name of what is better where it is greater."""
_MERIT = re.compile(
    r"(?!.*(?:fail|err|invalid|wrong|miss|bad|violat|gap|penalt|cost|loss|weight|coef|limit|target|delta|refus|hack"
    r"|count|length|num_))(?:"
    r"(?!.*(?:self|prompt|input|source|prev|peer|pair|cop[yi]|group|train))"
    r".*(?:^|[_.])(?:(?:sacre)?bleu|rouge|chrf|comet|meteor|bert_?score|f1|em|exact)(?![a-z])"
    r"|.*(?:^|[_.])(?:pedagog|faithful|ground(?:ed|ing)|honest|truth|factual|coheren|fluen|clarity|relevan|empath"
    r"|polite|natural(?:ness)?(?![a-z])|readab|adequa|informative|instructive)"
    r"|.*(?:^|[_.])(?:quot(?:e|ed|es|ation)|cit(?:e|ed|ation)|evidence|span|excerpt|snippet)s?_?"
    r"(?:(?:is|are|was)_)?(?:in_|from_|found|exist|real|support|exact|true)"
    r")",
    re.I,
)
"""A name of what texts are the better for, whoever measured it."""
_FALL, _AS_WELL = 0.25, -0.05
_HARDLY, _MIN_SPREADS = -0.25, 0.5
"""Pay of a low merit, and a fall of it in standard deviations, that count."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first measure that falls while the reward that it went with rises."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    rows = rows[rows["reward"].notna()]
    parts = thirds(rows) if len(rows) >= limits.min_rows else None
    paid = trend(rows, "reward", limits.min_groups) if parts is not None else None
    if parts is None:
        return Diagnosis()
    if paid is None or paid.z < z_limit(limits.alpha):
        return Diagnosis(findings=_paid_against(context, rows))
    for name in [str(column) for column in rows.columns if str(column).startswith((EXTRA_PREFIX, TERM_PREFIX))]:
        is_rating, by_model = _is_named(rows, name, _RATING), _is_named(rows, name, _MODEL)
        follows = is_measure(rows[name]) and _follows(parts[0], name)
        if not (is_rating or by_model or follows):
            continue
        found = trend(rows.assign(_measure=rows[name].astype(float)), "_measure", limits.min_groups)
        if found is None or found.z > -z_limit(limits.alpha):
            continue
        is_sure = is_rating or follows
        if not is_sure and found.early - found.late < _MODEL_FALL * rows[name].astype(float).std():
            continue
        followed = ", which it followed at first," if follows and not is_rating else ""
        message = (
            f"the reward rose from {paid.early:.2f} to {paid.late:.2f} over the run while "
            f"`{name.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)}`{followed} fell from "
            f"{found.early:.2f} to {found.late:.2f}: the policy learns to be paid, not to be right"
        )
        numbers = {"reward_early": paid.early, "reward_late": paid.late, "early": found.early, "late": found.late}
        shown = rows[rows[name].astype(float) <= 0].sort_values(["step", "reward"], ascending=False, kind="stable")
        severity = "critical" if is_sure else "warning"
        finding = context.finding("reward_outcome_divergence", severity, message, numbers, ("alpha",), shown)
        return Diagnosis(findings=[finding])
    return Diagnosis(findings=_lost_merit(context, rows, paid) or _paid_against(context, rows))


def _lost_merit(context: Context, rows: Frame, paid: Trend) -> list[Finding]:
    """Warn of a merit that falls far while the reward rises, where attempts that lack it earn hardly less."""
    limits = context.thresholds
    for name in filter(lambda column: _is_merit(rows, column), map(str, rows.columns)):
        shown = name.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)
        judged = rows[rows[name].notna()]
        values = judged[name].astype(float)
        whole = trend(judged.assign(_measure=values), "_measure", limits.min_groups)
        if whole is None or whole.early - whole.late < max(_FALL * whole.early, _MIN_SPREADS * float(values.std())):
            continue
        if any(_fall_by(judged, values, part) > -z_limit(limits.alpha) for part in ("", *environment_columns(judged))):
            continue
        is_low = values < values.groupby(judged["group"]).transform("mean") - 1e-9
        pay = pay_of(judged, is_low)
        if pay is None or pay.difference < _HARDLY:
            continue
        message = (
            f"the reward rose from {paid.early:.2f} to {paid.late:.2f} over the run while `{shown}` fell from "
            f"{whole.early:.2f} to {whole.late:.2f}, and attempts below their group's mean of it earn "
            f"{pay.difference:+.1f} standard deviations against others: the reward pays for something else"
        )
        numbers = {"reward_early": paid.early, "reward_late": paid.late, "early": whole.early, "late": whole.late}
        numbers["pay"] = pay.difference
        examples = judged[is_low].sort_values(["step", "reward"], ascending=False, kind="stable")
        return [context.finding("reward_outcome_divergence", "warning", message, numbers, ("alpha",), examples)]
    return []


def _is_merit(rows: Frame, column: str) -> bool:
    """Tell whether a column holds a merit of any range, or what a check gave from 0 to 1."""
    if not column.startswith((EXTRA_PREFIX, TERM_PREFIX)):
        return False
    name = column.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)
    if _MERIT.match(name):
        return is_measure(rows[column], math.inf)
    return bool(_CHECK.match(name)) and is_measure(rows[column])


def _fall_by(rows: Frame, values: Frame, part: str) -> float:
    """Return the trend of a measure as a normal deviate, against the mean of each environment where `part` names it."""
    centred = values - values.groupby(rows[part]).transform("mean") if part else values
    found = trend(rows.assign(_measure=centred), "_measure", 2)
    return 0.0 if found is None or math.isnan(found.z) else found.z


def _paid_against(context: Context, rows: Frame) -> list[Finding]:
    """Warn of a check that fewer and fewer attempts pass, and that earns more where it is not passed."""
    limits = context.thresholds
    for name in outside_columns(rows):
        if not _CHECK.search(name.removeprefix(EXTRA_PREFIX)) or not is_measure(rows[name]):
            continue
        values = rows[name].astype(float)
        found = trend(rows.assign(_measure=values), "_measure", limits.min_groups)
        if found is None or found.early - found.late < _FALL or found.z > -z_limit(limits.alpha):
            continue
        pay = pay_of(rows[values.notna()], values[values.notna()] < 1.0)
        if pay is None or pay.difference < _AS_WELL:
            continue
        message = (
            f"`{name.removeprefix(EXTRA_PREFIX)}` fell from {found.early:.2f} to {found.late:.2f} over the run, and "
            f"attempts below 1 earn {pay.difference:+.1f} standard deviations against others at their problem: the "
            "reward does not look at it, and the policy leaves it out"
        )
        numbers = {"early": found.early, "late": found.late, "pay": pay.difference}
        shown = rows[values < 1.0].sort_values(["step", "reward"], ascending=False, kind="stable")
        return [context.finding("reward_outcome_divergence", "warning", message, numbers, ("alpha",), shown)]
    return []


def _follows(early: Frame, name: str) -> bool:
    return correlation(early[name].astype(float), early["reward"]) >= _FOLLOWS


def _is_named(rows: Frame, name: str, pattern: re.Pattern[str]) -> bool:
    """Tell whether a column holds numbers of any range under a name of this pattern."""
    if not pattern.search(name.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)):
        return False
    return bool(rows[name].map(lambda value: isinstance(value, float)).all() and rows[name].notna().all())
