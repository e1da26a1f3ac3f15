"""Whether a reply is a text that its prompt gave, word by word, and how much of a reply the reference holds.

A copy is half of the last message that was asked, or more: a quote is shorter. What stands before a colon at the end of
the first line of a reply introduces it, and quotes around it are no part of it.
"""

import math

from evotrainer.diagnosis.texts.given_references import plain_text, references
from evotrainer.diagnosis.texts.thoughts import behind_thoughts
from evotrainer.diagnosis.texts.transcript import Transcript

_MIN_CHARS, _HALF = 40, 0.5
_RUNS, _RUN = 24, 6
"""Runs of signs that are looked for in a reference, and the signs of each."""
_QUOTES = " \"'`“”„«»*"


def copied_prompt(attempt: Transcript) -> dict[str, bool | float]:
    """Return copies_prompt, and near_reference: the share of runs of the reply that a reference holds.

    The latter is NaN where no column has a long reference, or the prompt gives it.
    """
    golds, text = references(attempt), behind_thoughts(attempt.said[-1].content) if attempt.said else ""
    if len(text) < _MIN_CHARS or (not golds and len(text) > 2 * len(attempt.prompt)):
        return {"copies_prompt": False, "near_reference": math.nan}
    prompt, reply = plain_text(attempt.prompt), plain_text(text)
    is_known = bool(golds) and not any(gold in prompt for gold in golds)
    return {
        "copies_prompt": _is_copy(attempt, reply, prompt),
        "near_reference": max(_share(reply, gold) for gold in golds) if is_known else math.nan,
    }


def _is_copy(attempt: Transcript, reply: str, prompt: str) -> bool:
    middle = len(reply) // 2
    if reply[middle : middle + _RUN] not in prompt:
        return False
    least = max(_MIN_CHARS, _HALF * len(plain_text(attempt.asked[-1].content))) if attempt.asked else math.inf
    head, colon, behind = reply.partition(": ")
    bodies = [reply, behind] if colon and len(head) < len(behind) else [reply]
    return any(len(body) >= least and body in prompt for body in (one.strip(_QUOTES) for one in bodies))


def _share(reply: str, gold: str) -> float:
    places = [place * (len(reply) - _RUN) // (_RUNS - 1) for place in range(_RUNS)]
    return sum(reply[place : place + _RUN] in gold for place in places) / _RUNS
