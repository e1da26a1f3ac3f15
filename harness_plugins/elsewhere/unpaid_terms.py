"""A term of the reward that no attempt ever earns: it teaches nothing, and is often one that nobody can earn.

A pattern may want a tag that the template has already written, a parser may read another field. A penalty that nobody
incurs is 0 too, and so is what a term measures where it has no occasion; so a term counts where its name says that it
rewards something: a form, or a bonus. A term that is called a reward or a score counts too, where prompts ask for what
its name says and another term is earned. Right answers are no such term, as tasks may be hard. Where all are paid
alike, by whatever terms, the groups say so (dead_groups).
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame

NEEDS = {"constant_term": ("reward_terms", "reward")}

_REWARDS = re.compile(
    r"format|pattern|template|schema|struct|syntax|regex|markup|xml|json|(?<![a-z])(?:tags?|think|boxed|style|form"
    r"|layout|bonus|credit|incentive|cit(?:ations?|ing|es?))(?![a-z])",
    re.I,
)
_PUNISHES = re.compile(
    r"penal|punish|fine(?![a-z])|cost|overlong|too_?long|length|repet|repeat|violat|error|invalid|bad|mal|fail|broken"
    r"|wrong|toxic|unsafe|(?<![a-z])(?:no|non|not|un|kl|over|extra|missing)(?![a-z])",
    re.I,
)
_SCORES = re.compile(r"(?<![a-z])(?:reward|score)s?(?![a-z])", re.I)
_OUTCOME = re.compile(
    r"correct|accura|answer|solv|solution|pass(?![a-z])|test|success|exact|match|outcome|result|goal|(?<![a-z])win|task"
    r"|final|quality|total",
    re.I,
)
_MOSTLY = 0.9
"""Share of attempts whose prompts ask for what a term is called after."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of each term that rewards by its name and is 0 for all."""
    rows = context.unequally_paid
    findings = []
    for column in [str(name) for name in rows.columns if str(name).startswith(TERM_PREFIX)]:
        name, values = column.removeprefix(TERM_PREFIX), rows[column].dropna()
        if _PUNISHES.search(name) or len(values) < context.thresholds.min_rows or values.ne(0.0).any():
            continue
        if not _REWARDS.search(name) and not _is_asked_for(rows, name):
            continue
        message = (
            f"the term '{name}' is 0 for all {len(values)} attempts: nobody ever earns it, so it teaches nothing; "
            "grade a text by hand that has the wanted form, as the grader sees it, without what the template writes"
        )
        shown = rows.loc[values.index].drop_duplicates("group")
        numbers = {"attempts": len(values)}
        findings.append(context.finding("constant_term", "warning", message, numbers, ("min_rows",), shown))
    return Diagnosis(findings=findings)


def _is_asked_for(rows: Frame, name: str) -> bool:
    """Tell whether most prompts ask for what a term rewards by its name, and another term is earned."""
    if not _SCORES.search(name) or _OUTCOME.search(name):
        return False
    asked = rows["asked_terms"].str.split("\n").map(lambda names: name in names)
    terms = [column for column in map(str, rows.columns) if column.startswith(TERM_PREFIX)]
    return bool(asked.mean() >= _MOSTLY and (rows[terms] > 0).any().any())
