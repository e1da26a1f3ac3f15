"""How text that others wrote is shown to the model: between marks that it cannot contain, named as data.

Rollouts are written by a policy that may say anything, messages and hypotheses may quote it. Marks alone do not make a
model safe from what it reads; what keeps a campaign safe is that no tool can do what the laws do not allow.
"""

import hashlib
import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_TEMPLATE_MARKS = re.compile(r"<\||\|>|</?data-")


def as_data(text: str, source: str) -> str:
    """Return a text as data from `source`, between marks that carry its hash."""
    plain = without_marks(text)
    mark = hashlib.sha256(f"{source}\0{plain}".encode(errors="replace")).hexdigest()[:16]
    return f"<data-{mark} from={source!r}>\n{plain}\n</data-{mark}>"


def without_marks(text: str) -> str:
    """Return a text without invisible signs, and with marks of templates and of data taken apart."""
    return _CONTROL.sub(" ", _TEMPLATE_MARKS.sub(lambda mark: " ".join(mark.group()), text))


def one_line(text: str, limit: int) -> str:
    """Return a text as one line of at most so many characters."""
    flat = " ".join(without_marks(text).split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def cut(text: str, limit: int) -> str:
    """Return both ends of a text that is too long, with the number of characters left out."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"
