"""The last number of a message: the words before it, and the sign between it and words that follow."""

import re
from typing import Any

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[,.]\d+)*(?![\w%])")
_CHARS, _LEAD_CHARS = 240, 40
_LEAD = re.compile(r"[^\W\d_]+\W+[^\W\d_]+(?=[\s:$*]*\Z)")
_NOTHING = re.compile(r"[\s.*_$)\]}。]*\Z")
_SIGN = re.compile(r"[*_$)]*\s?([,;:!?…—–(])[\s*]*[^\W\d_]")


def number_tail(last: str) -> dict[str, Any]:
    """Return `last_number`, the two words before it, and the sign between it and words; `.` where nothing follows.

    The tail is empty where a word follows at once, as a unit does, or where there is no number near the end.
    """
    end = last[-_CHARS:]
    found = list(_NUMBER.finditer(end))
    if not found:
        return {"last_number": "", "number_lead": "", "number_tail": ""}
    number, behind = found[-1], end[found[-1].end() :]
    lead = _LEAD.search(end[max(0, number.start() - _LEAD_CHARS) : number.start()])
    sign = _SIGN.match(behind)
    tail = "." if _NOTHING.match(behind) else sign.group(1) if sign else ""
    words = " ".join(lead.group().casefold().split()) if lead else ""
    return {"last_number": number.group(), "number_lead": words, "number_tail": tail}
