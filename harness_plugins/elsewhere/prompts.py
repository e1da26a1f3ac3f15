"""Prompts that falsify a score: held problems that are trained on under another id, answers given away.

texts/prompts.py says how prompts are compared. Problems whose tools answer otherwise are two. Texts that are equal up
to case and spacing prove that a problem is trained on; a rewording is likely, and a person should look: a warning.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.worlds import is_other_world
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"contamination": ("validation",), "answer_reading": ("num_chars", "reward")}

_MIN_PROBLEMS = 3
_SOME, _MIN_SOLVED = 0.05, 10
"""Share and count of problems whose prompt solves them first."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return findings on twins of training problems, and on prompts that hold their answer."""
    held = context.with_texts(context.validation)
    problems = held.drop_duplicates("problem_id")
    twins = problems[problems["twin"] != ""] if len(problems) else problems
    findings: list[Finding] = []
    if len(twins):
        trained = context.with_texts(context.training)
        pairs = zip(twins["problem_id"], twins["twin"], strict=True)
        sides = ((held[held["problem_id"] == one], trained[trained["problem_id"] == other]) for one, other in pairs)
        twins = twins[[not is_other_world(*both) for both in sides]]
        same = twins["is_same_text"].astype(bool)
        findings += _twins(context, problems, twins[same], "are training problems under another id, word by word")
        findings += _twins(context, problems, twins[~same], "are nearly training problems: the facts are the same")
    findings += _given_away(context) + _shown_solved(context) + _told_by_words(context)
    return Diagnosis(findings=findings)


def _twins(context: Context, problems: Frame, found: Frame, what: str) -> list[Finding]:
    limits, total = context.thresholds, len(problems)
    if len(found) < _MIN_PROBLEMS or len(found) < limits.contaminated_problems * total:
        return []
    named = ", ".join(f"{held} = {trained}" for held, trained in zip(found["problem_id"], found["twin"], strict=True))
    severity = "invalid" if found["is_same_text"].all() else "warning"
    message = f"{len(found)} of {total} problems that are judged on {what} ({_short(named)}): remove them from training"
    numbers = {"problems": len(found), "share": len(found) / total}
    return [context.finding("contamination", severity, message, numbers, ("contaminated_problems",), found)]


def _given_away(context: Context) -> list[Finding]:
    rows = context.with_texts(graded(context.rows))
    problems = rows.drop_duplicates("problem_id")
    found = problems[problems["given_away"] != ""] if len(problems) else problems
    if found.empty:
        return []
    where = found["given_away"].mode().iloc[0]
    message = (
        f"the prompts of {len(found)} of {len(problems)} problems hold the right answer, after {where!r}: take it out"
    )
    numbers = {"problems": len(found), "share": len(found) / len(problems)}
    return [context.finding("answer_reading", "critical", message, numbers, (), found)]


def _shown_solved(context: Context) -> list[Finding]:
    """Return a finding where the question stands among the examples of its own prompt, with its answer."""
    rows = context.with_texts(graded(context.rows))
    if rows.empty or "shown_solved" not in rows:
        return []
    found, total = rows[rows["shown_solved"].astype(bool)], rows["problem_id"].nunique()
    count = found["problem_id"].nunique()
    if count < _MIN_SOLVED or count < _SOME * total:
        return []
    message = (
        f"the prompts of {count} of {total} problems hold their question twice, the first time with its answer: leave "
        "a problem out of the examples that are chosen for it"
    )
    numbers = {"problems": count, "share": count / total}
    shown = found.drop_duplicates("problem_id")
    return [context.finding("answer_reading", "critical", message, numbers, (), shown)]


def _told_by_words(context: Context) -> list[Finding]:
    """Return a finding where words of training prompts tell the answer, and held prompts lack them."""
    rows = context.with_texts(graded(context.training))
    problems = rows.drop_duplicates("problem_id")
    found = problems[problems["telltale"] != ""] if len(problems) else problems
    if found.empty:
        return []
    words = found["telltale"].value_counts().index[:4].tolist()
    message = (
        f"words in the prompts of {len(found)} of {len(problems)} training problems stand with one right answer "
        f"alone, and in no prompt that is judged on ({', '.join(words)}): take them out, they tell the answer"
    )
    numbers = {"problems": len(found), "share": len(found) / len(problems)}
    return [context.finding("contamination", "warning", message, numbers, (), found)]


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:117]}..."
