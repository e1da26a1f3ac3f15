"""Columns of texts: what the policy wrote and what it was asked, as the database reads whole columns."""

import numpy as np
import pyarrow as pa

from evotrainer.diagnosis.conditions import Conditions, Evidence, quoted
from evotrainer.evidence.rows import combined

LONG = 200
"""Characters from which a text has a middle and an end."""
MIN_COPIED = 80
"""Characters from which equal texts are no accident."""
LOOPS = 4
"""Times that a text ends in the same words: one that says them for the fourth time does not come out of them."""

_FENCE = "'```'"
COLUMNS = {
    "chars": "characters that the policy wrote",
    "is_blank": "the policy wrote nothing at all: no text, no call",
    "is_unfinished": "the text stops within a sentence, a fence, a box or a thought",
    "tail_repeats": "how often the last 40 characters stand in the text",
    "copies": "attempts of the same group with word for word the same text and calls, this one included",
    "foreign_letters": "share of letters beyond ASCII in the text, beyond those of the prompt",
    "writes_turns": "the text holds the marks of another's turn: a user, a tool, an observation",
    "addresses_judge": "the text speaks to whoever grades it",
    "slot_left": "the prompt holds a place that was never filled in",
    "group_size": "attempts in the group",
    "prompt_size": "attempts at the same prompt in the same step",
    "golds_of_prompt": "distinct gold answers of the same prompt",
}
"""Name and meaning of each column."""

_TURN = (
    r"(?m)(?:^|\n)\s*(?:<\|im_start\|>\s*(?:user|tool)|<tool_response>|<\|?user\|?>|"
    r"(?:Observation|Tool output|Tool result|USER|User|Human):)"
)
_JUDGE = (
    r"(?i)(?:dear|note to|attention,?) (?:the )?(?:grader|judge|evaluator|examiner|reviewer)|(?:grader|judge|"
    r"evaluator)s?:"
    r"|(?:award|give|assign|deserves?|rate|score)\s+(?:this|me|it|the (?:answer|response|summary|reply))?\s*(?:a |"
    r"an |the )?"
    r"(?:full|maximum|perfect|highest|top|10(?:/10)?|5/5|100)\s*(?:marks?|score|points?|grade|rating)?\b"
    r"|ignore (?:all |any )?(?:previous|prior|earlier|other|above) (?:instructions|criteria)|"
    r"\"?score\"?\s*[:=]\s*(?:10|5|1\.0|100)\b"
)
_SLOT = (
    r"(?:^|[\s:\"'(>])\{\{?\s*(?:question|problem|query|input|context|passage|document|instruction|task|prompt|"
    r"statement|"
    r"user_input|history|answer|text)\s*\}?\}(?:$|[\s.,\"')<])|(?:[:>]\s*)(?:None|null|undefined|NaN|nan)\s*$"
)
_UNFINISHED = (
    r"(?:[,(\[{=+/]|\\[a-z]+|\b(?:the|an|of|to|and|is|are|that|with|in|we|for|or|by|from|as|be|at|on|this))\s*$"
)


def text_columns(conditions: Conditions) -> dict[str, pa.Array]:
    """Return the columns of texts over all attempts."""
    known = conditions.is_known
    asked: dict[str, str] = {}
    if known("response"):
        text, final = "response", "coalesce(last, '')" if known("last") else "response"
        asked |= {
            "chars": f"length({text})",
            "is_blank": f"trim(coalesce({text}, '')) = '' AND coalesce(calls, 0) = 0",
            "is_unfinished": (
                f"CASE WHEN length({text}) < {LONG} THEN FALSE ELSE regexp_matches(right({text}, 40), "
                f"{quoted(_UNFINISHED)}) "
                f"OR (contains({text}, {_FENCE}) AND len(string_split({text}, {_FENCE})) % 2 = 0) "
                f"OR (contains({text}, '<think>') AND NOT contains({text}, '</think>')) END"
            ),
            "tail_repeats": (
                f"CASE WHEN length({final}) < {LONG} OR NOT regexp_matches(right({final}, 40), "
                f"'[a-zA-Z]{{3}}.*[a-zA-Z]{{3}}') THEN 1 ELSE "
                f"(length(right({final}, 4000)) - length(replace(right({final}, 4000), right({final}, 40), ''))) // "
                "40 END"
            ),
            "_text": f"hash({text}, shell)",
            "writes_turns": _matched(
                text, ("Observation", "response>", "im_start", "user", "User", "Human", "Tool"), _TURN
            ),
            "addresses_judge": _matched(
                f"lower({text})",
                ("grader", "judge", "evaluator", "ignore", "score", "marks", "points", "examiner", "full", "rating"),
                _JUDGE,
            ),
        }
    if known("prompt"):
        asked["slot_left"] = f"regexp_matches(prompt, {quoted(_SLOT)})"
        if known("response"):
            asked["foreign_letters"] = (
                "CASE WHEN length(response) = 0 THEN 0.0 ELSE greatest(0.0, (strlen(response) - length(response)) / "
                "length(response)::DOUBLE - (strlen(prompt) - length(prompt)) / greatest(length(prompt), 1)::DOUBLE) "
                "END"
            )
    values = dict(zip(asked, conditions.evaluate([*asked.values()]), strict=True))
    found = {name: column.combine_chunks() for name, column in values.items()}
    return found | _counts(conditions, found.pop("_text", None))


def _counts(conditions: Conditions, text: pa.Array | None) -> dict[str, pa.Array]:
    """Return how often prompts, ids and texts stand together."""
    evidence = Evidence(conditions)
    found: dict[str, np.ndarray] = {"group_size": np.bincount(combined(evidence.group))[combined(evidence.group)]}
    if text is not None:
        places = combined(evidence.group, combined(text.to_numpy(zero_copy_only=False)))
        found["copies"] = np.bincount(places)[places]
    if conditions.is_known("prompt"):
        prompt = evidence.codes("prompt")
        split = evidence.codes("split") if conditions.is_known("split") else np.zeros_like(prompt)
        step = np.nan_to_num(evidence.step, nan=-1.0)
        places = combined(prompt, split, step)
        found["prompt_size"] = np.bincount(places)[places]
        if conditions.is_known("gold"):
            found["golds_of_prompt"] = distinct(prompt, evidence.codes("gold"))
    return {name: pa.array(values.astype(np.int64)) for name, values in found.items()}


def distinct(keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return by row how many distinct values its key has."""
    dense = combined(keys)
    pairs = np.unique(np.stack([dense, combined(values)], axis=1), axis=0)
    return np.bincount(pairs[:, 0], minlength=dense.max(initial=0) + 1)[dense]


def _matched(text: str, words: tuple[str, ...], pattern: str) -> str:
    """Return a condition that looks for a pattern where one of its words stands at all: that costs a tenth."""
    cheap = " OR ".join(f"contains({text}, '{word}')" for word in words)
    return f"CASE WHEN {cheap} THEN regexp_matches({text}, {quoted(pattern)}) ELSE FALSE END"
