"""Commands that the world takes in one wording alone, which it tells nobody.

Attempts that are refused say the same again in other words. Of the words that they exchange at one place of a command,
some are refused at every problem, with one answer, and others never are. Attempts that do not find the latter fail.
A command that is wrong in what it says (another thing, another place) is taken with other words at other problems, so
words count that were exchanged at several problems. Words that the prompt or an answer named before are a rule that the
policy may learn, and are not judged; nor are numbers.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts.reworded import TOLD
from evotrainer.evidence.frames import Frame

NEEDS = {"tool_failures": ("group", "reward")}

_ALWAYS, _NEVER = 0.95, 0.05
"""Shares of refusals from which words are always refused, and up to which they never are."""
_MIN_TIMES, _MIN_PROBLEMS, _MAX_TAKEN = 10, 5, 3
"""Times that words were exchanged, problems where they were, and words that are taken."""
_TOLD = 0.5
"""Share of exchanges in which the prompt or an answer had named the words before, above which they are a rule."""
_MIN_HIT, _SHARE, _POORER = 12, 0.05, 0.5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the same command is refused in all wordings but one that nobody names, and attempts fail by it."""
    rows = context.unequally_paid
    if "reworded" not in rows or not (rows["reworded"] != "").any():
        return Diagnosis()
    said = _said(rows)
    said = said.assign(is_refused=said["answer"] == said["answer"].mode().iloc[0])
    said = said[said.groupby("pair")["is_refused"].transform("max")]
    by_words = said.groupby("words")
    table = by_words[["is_refused", "is_told"]].mean().join(by_words["problem_id"].agg(["size", "nunique"]))
    table = table[(table["size"] >= _MIN_TIMES) & (table["nunique"] >= _MIN_PROBLEMS)]
    refused, taken = table[table["is_refused"] >= _ALWAYS], table[table["is_refused"] <= _NEVER]
    if refused.empty or not 1 <= len(taken) <= _MAX_TAKEN or taken["is_told"].max() > _TOLD:
        return Diagnosis()
    found = set(said.loc[said["words"].isin(taken.index), "trajectory_id"])
    met = set(said.loc[said["words"].isin(refused.index), "trajectory_id"])
    hit = rows["trajectory_id"].isin(met - found)
    pay = pay_of(rows, hit)
    paid = rows["reward"] > rows["reward"].min()
    is_poor = paid[hit].mean() <= _POORER * paid[~hit].mean()
    if hit.sum() < max(_MIN_HIT, _SHARE * len(rows)) or pay is None or not is_poor:
        return Diagnosis()
    if pay.z > -z_limit(context.thresholds.alpha):
        return Diagnosis()
    taken_words, refused_words = (", ".join(map(_quoted, table.index[:3])) for table in (taken, refused))
    message = (
        f"commands are taken with the words {taken_words} and refused with {refused_words} in their place, at all of "
        f"{int(refused['nunique'].max())} problems, and nothing names the former; {int(hit.sum())} of {len(rows)} "
        f"attempts never find them, {paid[hit].mean():.0%} of these earn more than the least reward, "
        f"{paid[~hit].mean():.0%} of the others: let the environment take all wordings, or name the one it takes"
    )
    numbers = {"hit": int(hit.sum()), "pay": pay.difference, "z": pay.z}
    return Diagnosis(findings=[context.finding("tool_failures", "warning", message, numbers, ("alpha",), rows[hit])])


def _quoted(words: str) -> str:
    return repr(words.replace("_", " "))


def _said(rows: Frame) -> Frame:
    """Return one row for the words of each side of an exchange, with the form of its answer."""
    known = rows.loc[rows["reworded"] != "", ["trajectory_id", "problem_id", "reworded"]]
    known = known.assign(side=known["reworded"].str.split(" ")).explode("side").reset_index(drop=True)
    known = known.assign(pair=known.index, side=known["side"].str.split(">")).explode("side", ignore_index=True)
    parts = known["side"].str.rsplit(":", n=1)
    words, answers = parts.str[0], parts.str[1]
    told = words.str.endswith(TOLD)
    return known.assign(words=words.str.removesuffix(TOLD), answer=answers, is_told=told)
