"""Replies to multiple choice that state one option and then list all others: which option is stated.

Options are letters in brackets, or before one, with which lines of the prompt begin. A list is a run of such letters
with hardly a word between them. Where it holds all options but one, it sorts them out, in whatever language.
"""

import re

_OPTION = re.compile(r"^\s*(?:[-*]\s*)?[(\[]?([A-J])[)\].:]\s", re.M)
_LETTER = re.compile(r"(?<!\w)[(\[*]*([A-J])[)\]*]+(?!\w)|(?<![\w'’])([B-HJ])(?=[,;.]|\s*\Z)")
_BETWEEN = re.compile(r"(?:[^\w.!?]|\b\w{1,4}\b){0,6}")
_MIN_OPTIONS, _MAX_CHARS = 3, 2000


def stated_option(prompt: str, reply: str) -> str:
    """Return the option that a reply states right before it ends with a list of all others; else nothing."""
    reply = reply[-_MAX_CHARS:]
    met = [(one.start(), one.end(), one[1] or one[2]) for one in _LETTER.finditer(reply)]
    options = set(_OPTION.findall(prompt[-_MAX_CHARS:])) if len(met) >= _MIN_OPTIONS else set()
    met = [one for one in met if one[2] in options]
    if len(options) < _MIN_OPTIONS or len(met) < len(options):
        return ""
    run = met[len(met) - len(options) + 1 :]
    stated = met[len(met) - len(options)]
    is_list = all(_BETWEEN.fullmatch(reply[one[1] : other[0]]) for one, other in zip(run, run[1:], strict=False))
    listed = {letter for _, _, letter in run}
    return stated[2] if is_list and options - listed == {stated[2]} else ""
