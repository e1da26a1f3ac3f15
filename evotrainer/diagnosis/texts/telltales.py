"""Words that give the answer away in training prompts alone: codes, marks, file names that held prompts do not have.

Such a word stands in prompts of one right answer and in no others, and by its share in training it should stand in
several held prompts, which do not know it. One word may be chance or a matter of the subject; words for three answers
and more are not.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

_WORD = re.compile(r"[\w-]{2,}")
_MAX_CHARS = 4000
_MIN_HOLDERS, _MIN_MISSED = 5, 5
"""Training prompts with a word, and held prompts that should have it."""
_MIN_ANSWERS, _COVERED = 3, 0.2
"""Answers that have such words, and the share of training prompts that do."""


def telltale_words(trained: Mapping[str, str], held: Mapping[str, str], answers: Mapping[str, str]) -> dict[str, str]:
    """Return {training problem: a word of its prompt that only prompts with its answer have, and no held one}.

    Args:
        trained: {training problem: prompt}.
        held: {held problem: prompt}.
        answers: {problem: right answer}.

    """
    holders: dict[str, list[str]] = defaultdict(list)
    for name, text in trained.items():
        if name in answers:
            for word in set(_WORD.findall(text[:_MAX_CHARS])):
                holders[word].append(name)
    met = Counter(word for text in held.values() for word in set(_WORD.findall(text[:_MAX_CHARS])))
    least = max(_MIN_HOLDERS, _MIN_MISSED * len(trained) / max(len(held), 1))
    found: dict[str, str] = {}
    told: set[str] = set()
    for word, names in holders.items():
        answer = answers[names[0]]
        if len(names) >= least and not met[word] and all(answers[name] == answer for name in names):
            told.add(answer)
            found |= dict.fromkeys(names, word)
    return found if len(told) >= _MIN_ANSWERS and len(found) >= _COVERED * len(trained) else {}
