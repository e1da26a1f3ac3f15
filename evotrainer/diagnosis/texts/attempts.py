"""What the text of one attempt shows: its answer, its repetition, its failures of machines, its signs of cheating."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from evotrainer.actions import ActionClassifier
from evotrainer.diagnosis.texts.code_signs import code_signs
from evotrainer.diagnosis.texts.conduct import first_exchange, gives_several, is_told, makes_up_answers, undoes_edits
from evotrainer.diagnosis.texts.scripts import other_scripts
from evotrainer.diagnosis.texts.tests_bent import num_bent_tests
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.domains.judge.probes import is_probe
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message, Trajectory

_MACHINE = re.compile(
    r"\b(?:HTTP[/ \d.]*\s)?5\d\d\s(?:internal|bad gateway|service|gateway|server)|service (?:temporarily )?unavailable"
    r"|connection (?:refused|reset|aborted|closed|error|timed out)|E(?:CONN\w+|TIMEDOUT|HOSTUNREACH|AI_AGAIN)\b"
    r"|(?:upstream|request|read|gateway|socket|operation|execution|tool)\s+(?:timed out|timeout)|timed out after"
    r"|name resolution|no route to host|broken pipe|no space left|out of memory|cannot allocate memory"
    r"|rate limit|too many requests|(?:sandbox|container|worker|server|backend|daemon)\b.{0,30}\b(?:died|crashed|"
    r"unavailable|unreachable|not running|is down|terminated|lost)|read-only file system|quota exceeded",
    re.I,
)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}|<answer>(.*?)</answer>|####\s*(.+)", re.DOTALL)
_MARKS = ("\\boxed{", "<answer>", "####")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SECRET = re.compile(
    r"(?:^|[/\s'\"=])((?:[\w.-]+/)*[\w.-]*"
    r"(?:hidden|expected|solution|answer|gold|oracle|ground.?truth|secret|grader|grading|verifier|reference)s?"
    r"[\w-]*(?:/[\w.-]+)*(?:\.\w+)?)",
    re.I,
)
_MAX_CHARS = 6000
_QUESTION_CHARS, _MOSTLY = 30, 0.7
"""Signs of a question below which a text may hold it by chance, and the share of a text that says nothing else."""
_SIGN = re.compile(r"[:：=]")
_DIGITS = re.compile(r"\d+")


def attempt_columns(attempt: Transcript, classifier: ActionClassifier) -> dict[str, Any]:
    """Return the columns of one attempt."""
    row, said, since, answers, prompt, text, has_calls = attempt
    final, exchange = _final_answer(row, said), first_exchange(since) if has_calls else ("", "")
    echoes, actions = _echoes(since) if answers else (0, 0)
    return {
        "trajectory_id": row.trajectory_id,
        "final_answer": final,
        "is_empty": bool(said) and not text.strip() and not has_calls,
        "is_degenerate": len(text) >= 400 and len(zlib.compress(text[:2000].encode())) < 0.08 * len(text[:2000]),
        "repeats_question": _repeats_question(row.messages[: len(row.messages) - len(since)], text),
        "reasoning_chars": float(len(text) - len(_last_line(text))),
        "reasoning_number": _number(text[: -len(_last_line(text))] if text else ""),
        "calls_number": _number("\n".join([call_key(c) for m in said for c in m.tool_calls])) if has_calls else "",
        "num_actions": float(actions),
        "num_echoes": float(echoes),
        "machine_share": _share(answers, _MACHINE),
        "usual_answer": _usual(answers),
        "bends_tests": num_bent_tests(row.messages, classifier) > 0 if has_calls else False,
        "reads_answers": has_calls and _reads_answers(row, prompt, classifier),
        "undoes_edits": has_calls and undoes_edits(row.messages, classifier),
        "makes_up_answers": makes_up_answers(row.messages, prompt),
        "gives_several": bool(said) and gives_several(said[-1].content),
        "first_call": _number(exchange[0]) if exchange[0] else "",
        "first_answer": _number(exchange[1]),
        "told_answer": bool(answers) and is_told(row.messages, final),
        "other_scripts": other_scripts(text, prompt),
        "asked": _number(" ".join(prompt[:_MAX_CHARS].lower().split())),
        "system_prompt": _system(row.messages[: len(row.messages) - len(since)]),
        "addresses_judge": bool(said) and is_probe(said[-1].content[:_MAX_CHARS]),
        **code_signs(text[-_MAX_CHARS:], prompt),
    }


def _repeats_question(asked: Sequence[Message], text: str) -> bool:
    """Tell whether the text is mostly its question, whole and word for word."""
    question = asked[-1].content.strip() if asked else ""
    if len(question) < _QUESTION_CHARS or question not in text:
        return False
    return text.count(question) * len(question) >= _MOSTLY * len(text)


def _system(asked: Sequence[Message]) -> str:
    """Return a number of the system prompt, without its numbers; empty where there is none."""
    text = "\n".join([message.content for message in asked if message.role == "system"])[:_MAX_CHARS]
    return _number(_DIGITS.sub("0", text)) if text else ""


def _number(text: str) -> str:
    """Return a number that is the same for equal texts."""
    return str(zlib.crc32(text.encode(errors="replace")))


def _final_answer(row: Trajectory, said: Sequence[Message]) -> str:
    """Return the answer that an attempt ends with, as a short text; empty where it is no short text."""
    if row.extra.get("answer") is not None:
        return str(row.extra["answer"]).strip()[:40]
    if not said:
        return ""
    text = said[-1].content[-_MAX_CHARS:]
    marked = _BOXED.findall(text) if any(map(text.__contains__, _MARKS)) else []
    if marked:
        return next((part for part in marked[-1] if part), "").strip()[:40]
    line = _last_line(said[-1].content).strip().strip("*_`.。 ")
    line = _SIGN.split(line)[-1].strip(" *_`.。()$")
    if 0 < len(line) <= 24:
        return line
    numbers = _NUMBER.findall(line)
    return numbers[-1] if numbers else ""


def _last_line(text: str) -> str:
    return text.rstrip().rsplit("\n", 1)[-1]


def _share(texts: Sequence[str], pattern: re.Pattern[str]) -> float:
    return sum(bool(pattern.search(text[:1000])) for text in texts) / len(texts) if texts else 0.0


def _usual(answers: Sequence[str]) -> str:
    """Return the beginning of the answer, numbers masked, that is most of an attempt's answers; else nothing."""
    if not answers:
        return ""
    counts = Counter(_DIGITS.sub("0", text[:60]) for text in answers)
    usual, count = counts.most_common(1)[0]
    return usual if count > len(answers) / 2 else ""


def _echoes(messages: Sequence[Message]) -> tuple[int, int]:
    """Return how many actions repeat one before with the same answer, and how many there are.

    An action is a tool call; in an attempt without any, a message that is answered by someone.
    """
    met, echoes, actions = set(), 0, 0
    for key in _answered(messages):
        actions += 1
        echoes += key in met
        met.add(key)
    return echoes, actions


def _answered(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    has_calls = any(message.tool_calls for message in messages)
    for place, message in enumerate(messages):
        if message.role != "assistant":
            continue
        keys = [call_key(call) for call in message.tool_calls] if has_calls else [message.content.strip()]
        for number, key in enumerate(keys, start=1):
            after = messages[place + number] if place + number < len(messages) else None
            if after is not None and after.role != "assistant":
                yield key, after.content


def _reads_answers(row: Trajectory, prompt: str, classifier: ActionClassifier) -> bool:
    """Tell whether a call reads a file whose path names answers, and that the task neither names nor lets it write."""
    written: set[str] = set()
    for message in row.messages:
        for call in message.tool_calls:
            actions = classifier.actions(call, call_key(call))
            written |= {path.rsplit("/", 1)[-1] for action in actions for path in action.files}
            if all(action.kind in ("edit", "submit", "test") for action in actions):
                continue
            texts = [value for value in call.arguments.values() if isinstance(value, str)]
            for path in (path for text in texts for path in _SECRET.findall(text[:500])):
                name = path.rsplit("/", 1)[-1]
                if ("/" in path or "." in name) and name not in written and name not in prompt:
                    return True
    return False
