"""Where the gold answer stands: in the last message, in what tools answered, or in its letters within other words.

Words that begin with a short gold answer may be an inflection, or what it is short for (Helium for He): they count as
it does.
"""

import re
from collections.abc import Mapping, Sequence

from evotrainer.diagnosis.texts.asked_phrases import asked_phrases
from evotrainer.diagnosis.texts.gold import mentions_gold, named_gold
from evotrainer.diagnosis.texts.transcript import Transcript

_LETTERS = re.compile(r"[A-Za-z]{1,12}")
_MAX_CHARS = 2000


def gold_places(attempts: Sequence[Transcript], lasts: Sequence[str]) -> dict[str, list[bool] | list[str]]:
    """Return the places of gold answers and of phrases asked for, given the last messages of attempts."""
    pairs = list(zip([attempt.row.extra for attempt in attempts], lasts, strict=True))
    return {
        "mentions_gold": [mentions_gold(extra, [last]) for extra, last in pairs],
        "told_gold": [mentions_gold(attempt.row.extra, attempt.answers) for attempt in attempts],
        "gold_letters": [gold_letters(extra, last) for extra, last in pairs],
        "asked_phrases": [asked_phrases(extra, last) for extra, last in pairs],
    }


def gold_letters(extra: Mapping[str, object], text: str) -> str:
    """Return whether a gold answer of a few letters is a "word" of a text, stands "within" others, or "none" holds.

    Nothing where no such answer is known, or the text is long.
    """
    if not text or len(text) > _MAX_CHARS or not _LETTERS.fullmatch(gold := named_gold(extra)):
        return ""
    sought, met = gold.casefold(), text.casefold()
    if sought not in met:
        return "none"
    hosts = re.findall(rf"\w*{sought}\w*", met)
    return "word" if any(host.startswith(sought) or not host.isalpha() for host in hosts) else "within"
