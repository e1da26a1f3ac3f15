"""What texts beside an attempt say of its grading: a judge that declines or fails, a run that was out of time.

The texts are those of `extra`, nested ones too. What the policy wrote or was asked is no word of a grader.
"""

import re
from collections.abc import Iterator
from typing import Any

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.records.checks import CHECKS

_WORK = (
    r"(?:assist|help|provide|offer|evaluat|assess|grad|rat|judg|scor|comply|fulfil|engage|discuss|comment|"
    r"continu|process|answer|respond|review{more})\w*"
)


def _refusal(more: str) -> str:
    """Return what a refusal reads like, of the usual works and of more."""
    return (
        rf"\b(?:I|we)(?:\s+(?:can(?:no|['’])t|can not|won['’]t|will not|could not|couldn['’]t)"
        rf"|\s*(?:am|are|['’]m|['’]re)\s+(?:unable|not able|not allowed)\s+to|\s+(?:must|have to)\s+decline\s+to)"
        rf"\s+{_WORK.format(more=more)}"
        r"|\b(?:sorry|apologi[sz]e)\b[^.\n]{0,40}\b(?:can(?:no|['’])t|unable|not able|declin\w+)\b"
        r"|\bIch kann\b[^.\n]{0,60}\bnicht (?:bewerten|beurteilen|helfen|beantworten|geben)"
        r"|\btut mir leid\b[^.\n]{0,40}\bkann\b"
        r"|\bje (?:ne peux pas|suis incapable d)|\bdésolée?\b[^.\n]{0,40}\bpeux pas\b"
        r"|\bno puedo (?:ayudar|evaluar|proporcionar|ofrecer|calificar)|\blo siento\b[^.\n]{0,40}\bno puedo\b"
        r"|\bnon posso (?:aiutar|valutar|fornir)|\bnão posso (?:ajudar|avaliar|fornecer)"
        r"|не могу (?:помочь|оценить|предоставить|дать)|(?:抱歉|对不起)[^。\n]{0,20}(?:无法|不能)|无法(?:评|提供|协助)"
        r"|申し訳[^。\n]{0,40}(?:できません|いたしかねます)|죄송[^.\n]{0,40}(?:없습니다|어렵습니다)"
    )


_DECLINES = re.compile(
    rf"{_refusal('')}|\bas an AI(?: language)? (?:model|assistant)\b|\bconsult a (?:professional|doctor|lawyer)\b", re.I
)
_REFUSES = re.compile(
    rf"(?:{_refusal('|giv|shar|support|explain|guid|walk')})(?!\s+but\b)"
    r"|\bI\s+(?:must|have to|need to|will)\s+decline\b",
    re.I,
)
"""What a policy says in place of help; advice to see somebody else may stand beside help."""
_FAILS = re.compile(
    r"\bHTTP[ /]?(?:1\.1 )?(?:429|5\d\d)\b|\b(?:default|fallback) (?:score|grade|reward|rating|verdict)\b"
    r"|\brate.?limit(?:ed|.?error|\w* (?:was )?(?:exceeded|reached|hit))|\btoo many requests\b"
    r"|\boverloaded\b|\bcontent.?(?:filter|policy)|\bsafety (?:filter|system)"
    r"|\b(?:maximum )?context (?:length|window)\b[^.\n]{0,40}\bexceed|\b(?:judge|grader|scorer|verifier|reward model)\b"
    r"[^.\n]{0,40}\b(?:could not be (?:parsed|read)|unparsable|no (?:score|grade|verdict)|refused|declined|empty reply)"
    r"|\bno (?:score|grade|verdict) (?:was |could be )?(?:found|given|returned|parsed)"
    r"|\b(?:could not|cannot|can't|failed to|unable to) (?:parse|read|extract) (?:the |a |any )?(?:judge\w*|grader\w*|"
    r"score|grade|verdict|rating|judg\w+)|\b(?:API|InternalServer|APIConnection|JSONDecode)\w*Error\b",
    re.I,
)
_OUT_OF_TIME = re.compile(
    r"\btimed[ -]?out\b|\btime-?out(?:error|expired)?\b(?![\"']?\s*[=:]\s*\d)"
    r"|\bwall.?(?:clock|time)\b[^\n]{0,20}(?:exceed|limit|expired|>)"
    r"|\btime (?:limit )?exceeded\b|\bdeadline (?:was )?exceeded\b|\bran out of time\b|\bSIGKILL\b"
    r"|\bexit (?:code|status) ?(?:124|137)\b|\bkilled (?:after|by|at)\b"
    r"|\bZeitüberschreitung\b|\bdélai dépassé\b|超时|タイムアウト",
    re.I,
)
_EDGE = 400
_MAX_DEPTH = 3


def grader_words(attempt: Transcript) -> dict[str, str]:
    """Return the names of what holds a text that declines, and one of a run that was out of time; empty for none."""
    found = {"grader_declines": "", "out_of_time": ""}
    for name, text in _texts(attempt.row.extra):
        part = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
        if not found["grader_declines"] and (_DECLINES.search(part) or _FAILS.search(part)):
            found["grader_declines"] = "" if _is_said(attempt, text) else name
        if not found["out_of_time"] and _OUT_OF_TIME.search(part):
            found["out_of_time"] = "" if _is_said(attempt, text) else name
    return found


def declines(text: str) -> bool:
    """Tell whether a reply begins or ends with a refusal."""
    part = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
    return _REFUSES.search(part) is not None


def _is_said(attempt: Transcript, text: str) -> bool:
    """Tell whether a text is the policy's own, or the task's."""
    start, said = text.strip()[:_EDGE], attempt.text.strip()[:_EDGE]
    return start in attempt.text or start in attempt.prompt or (bool(said) and said in text)


def _texts(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif depth < _MAX_DEPTH and isinstance(value, dict):
        for key, inner in value.items():
            if key != CHECKS or depth:
                yield from _texts(inner, f"{name}.{key}" if name else str(key), depth + 1)
    elif depth < _MAX_DEPTH and isinstance(value, list) and value and isinstance(value[0], str | dict):
        for inner in value[:8]:
            yield from _texts(inner, name, depth + 1)
