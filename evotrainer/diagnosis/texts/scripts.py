"""Which scripts a text is written in, and how much of an answer is in scripts that its prompt does not use."""

import re

_SCRIPTS = {
    "latin": re.compile(r"[A-Za-z\u00c0-\u024f]"),
    "greek": re.compile(r"[\u0370-\u03ff]"),
    "cyrillic": re.compile(r"[\u0400-\u052f]"),
    "semitic": re.compile(r"[\u0590-\u08ff]"),
    "indic": re.compile(r"[\u0900-\u0dff]"),
    "south_east_asian": re.compile(r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]"),
    "east_asian": re.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"),
}
WITHOUT_ALPHABET = frozenset({"south_east_asian", "east_asian"})
"""Scripts of thousands of signs, or without spaces between words: few texts hold most of their pairs of signs."""
_WITHIN = {
    name: re.compile(rf"[^\W\d_](?<!{letter.pattern})[ ,]?\s?{letter.pattern}{{2,}}")
    for name, letter in _SCRIPTS.items()
    if name not in ("latin", "greek")
}
"""A word of a script, behind a letter of another one."""
_CHARS = 2000
_WEIGHT = {"east_asian": 3}
"""Letters of the Latin script that say as much as one of another."""
_MOST = 0.5
_FEW = 8
"""Letters below which a script is a name or a sign of a formula."""


def other_scripts(answer: str, prompt: str) -> float:
    """Return the share of an answer's letters, by what they say, in scripts that its prompt does not use."""
    answer, prompt = answer[:_CHARS], prompt[:_CHARS]
    if answer.isascii() and _SCRIPTS["latin"].search(prompt):
        return 0.0
    counts = _counts(answer)
    strange = sum(n for name, n in counts.items() if n >= _FEW and not _SCRIPTS[name].search(prompt))
    return strange / max(sum(counts.values()), 1)


def strange_words(answer: str, prompt: str) -> int:
    """Return how many words of an answer are in scripts that its prompt does not use, within its own sentences.

    A word has two letters or more and stands behind one of another script, so a gloss in brackets or quotes, a list
    or a word by itself is none. Latin and Greek letters are names, code and formulas anywhere.
    """
    answer, prompt = answer[:_CHARS], prompt[:_CHARS]
    if answer.isascii() or prompt == "":
        return 0
    names = [name for name in _WITHIN if _SCRIPTS[name].search(answer) and not _SCRIPTS[name].search(prompt)]
    return sum(len(_WITHIN[name].findall(answer)) for name in names)


def main_script(text: str) -> str:
    """Return the script, other than Latin, that most of a text's letters are in; empty where there is none."""
    if text.isascii():
        return ""
    counts = _counts(text[:_CHARS])
    name = max(counts, key=lambda script: counts[script])
    is_main = counts[name] > _MOST * sum(counts.values())
    return name if is_main and name != "latin" else ""


def _counts(text: str) -> dict[str, int]:
    """Return the letters of a text by script, by what they say."""
    return {name: len(found.findall(text)) * _WEIGHT.get(name, 1) for name, found in _SCRIPTS.items()}
