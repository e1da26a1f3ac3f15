"""Whether an answer has the form that its prompt asks for: behind the words that stand there before a colon."""

from evotrainer.diagnosis.texts.answer_marks import last_line, lead_of
from evotrainer.diagnosis.texts.transcript import Transcript

_MARKS = ("boxed", "<answer>", "####")
_MAX_CHARS = 6000


def as_asked(attempt: Transcript) -> bool:
    """Tell whether a text ends with an answer behind words of its prompt, which asks for no mark around it."""
    last = attempt.said[-1].content if attempt.said else ""
    lead = lead_of(last_line(last))
    asked = attempt.prompt[-_MAX_CHARS:].casefold() if lead else ""
    return f"{lead}:" in asked and not any(map(asked.__contains__, _MARKS))
