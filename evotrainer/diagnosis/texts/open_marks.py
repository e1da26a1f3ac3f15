"""Marks that a message opens, and whether it closes them: an open one shows that the text goes on behind its end.

Tags in pointed brackets, fences of code and boxes are such marks. Which of them must be closed is no matter of a list:
a diagnostic compares with the other attempts.
"""

import re

from evotrainer.evidence.frames import Frame

_TAG = re.compile(r"<(/?)([A-Za-z_][\w-]{1,31})>")
_FENCE, _BOX = "```", "\\boxed{"
_USUAL, _MOSTLY = 0.5, 0.9


def last_marks(text: str) -> dict[str, str]:
    """Return the first mark that a message leaves open and the first that it closes; empty where there is none."""
    opened: list[str] = []
    closed: list[str] = []
    for is_end, name in _TAG.findall(text) if "<" in text else ():
        if not is_end:
            opened.append(name)
        elif name in opened:
            del opened[len(opened) - 1 - opened[::-1].index(name)]
            closed.append(name)
    fences = text.count(_FENCE)
    opened += [_FENCE] * (fences % 2)
    closed += [_FENCE] * (fences // 2)
    if _BOX in text:
        behind = text[text.rindex(_BOX) :]
        (opened if behind.count("{") > behind.count("}") else closed).append(_BOX)
    return {"open_mark": opened[0] if opened else "", "closed_marks": " ".join(dict.fromkeys(closed))}


def lack_usual_mark(rows: Frame, is_chosen: Frame) -> bool:
    """Tell whether chosen attempts lack the marks that most others close; so they do where others have none."""
    marks = rows["closed_marks"].str.split(" ")
    shares = marks[~is_chosen].explode().value_counts() / max(int((~is_chosen).sum()), 1)
    usual = set(shares[shares >= _USUAL].index) - {""}
    lacking = marks[is_chosen].map(lambda closed: usual.isdisjoint(closed))
    return not usual or bool(lacking.mean() >= _MOSTLY)
