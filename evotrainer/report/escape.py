"""Text that a policy, a trainer agent or another program wrote, escaped so that it is harmless to read.

Markup is escaped where a page is rendered. What escaping leaves is made visible here: control characters, which a
terminal obeys (ANSI sequences), and characters that reorder or hide text (Unicode bidirectional controls, zero width).
"""

import re
from typing import Any

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f]"
)


def escape(value: Any) -> Any:
    """Return text with hidden and control characters written out, like <U+202E>; any other value as it is."""
    return _HIDDEN.sub(lambda found: f"<U+{ord(found.group()):04X}>", value) if type(value) is str else value
