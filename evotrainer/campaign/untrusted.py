"""Text that others wrote: as a model is shown it, and as a person reads it on a page or a terminal.

A model is shown it between marks that it cannot contain, named as data. A person reads it escaped: control characters,
which a terminal obeys (ANSI sequences), and characters that reorder or hide text are spelled out. Markup is escaped
where a page is rendered.

Rollouts are written by a policy that may say anything, messages and hypotheses may quote it. Marks alone do not make a
model safe from what it reads; what keeps a campaign safe is that no tool can do what the laws do not allow.
"""

import hashlib
import re
from typing import Any

HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters but line feed and tab, what reorders or hides text, and bytes that are no UTF-8."""
_TEMPLATE_MARKS = re.compile(r"<\||\|>|</?data-")


def escape(value: Any) -> Any:
    """Return text with hidden and control characters written out, like <U+202E>; any other value as it is."""
    return HIDDEN.sub(lambda found: f"<U+{ord(found.group()):04X}>", value) if type(value) is str else value


def as_data(text: str, source: str) -> str:
    """Return a text as data from `source`, between marks that carry its hash."""
    plain = without_marks(text)
    mark = hashlib.sha256(f"{source}\0{plain}".encode(errors="replace")).hexdigest()[:16]
    return f"<data-{mark} from={source!r}>\n{plain}\n</data-{mark}>"


def without_marks(text: str) -> str:
    """Return a text without invisible signs, and with marks of templates and of data taken apart."""
    return HIDDEN.sub(" ", _TEMPLATE_MARKS.sub(lambda mark: " ".join(mark.group()), text))


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
