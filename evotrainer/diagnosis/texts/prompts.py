"""Prompts compared: held problems that ask what a training problem asks, prompts that give their answer away.

Prompts of one family share their words and differ in their facts, so words count by their rarity among the prompts
(inverse document frequency), and the numbers of a prompt, in their order, are one word more. A prompt is nearly that of
a training problem where the two are more alike than 99 in 100 training problems are to their nearest other one, and
than the prompt is to its nearest fellow. A rewording keeps the facts; another problem of the family does not, and one
with another name is another. Where
chance makes two training problems alike, nothing is more alike than 99 in 100: there a whole split of held problems is
known by its share that is more alike than 9 in 10. Translations share no words: facts.py finds them. A label before
the question (Problem 3:) is no part of it.

An answer is given away where one place of the prompts, found by the text before it, holds the right answer and nothing
else does: options of a choice and passages of a reading task hold other answers too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import scipy

from evotrainer.diagnosis.texts.facts import same_facts

_WORD = re.compile(r"\d+(?:\.\d+)?[a-z]*|[^\W\d_]+")
_ANY_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][^\W\d_]{2,}")
_FEW_NAMES = 0.15
"""Share of words within sentences that begin with a capital, up to which these are names: German nouns are more."""
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SPACE = re.compile(r"\s+")
_MAX_HELD, _MAX_TRAINED, _MAX_REFERENCE = 2000, 20000, 1000
_QUANTILE, _USUAL_QUANTILE, _MARGIN, _LEAST = 0.99, 0.9, 0.02, 0.4
_SURPRISING = 1e-6
_MAX_CHARS = 4000
_CONTEXT = 16
_LABEL = re.compile(r"[^\W\d_]{1,12}\s?\d{0,4}\s?[.:)]\s")
_IDENTIFY, _MOSTLY_IDENTIFY = 0.9, 0.5
"""Different texts a held problem, and a training problem, which files may hold several times."""
_MIN_SLOTS, _MIN_KEYED, _MIN_OTHERS = 10, 4, 5
"""Right answers that stand in a place, also in one that is called an answer, and prompts without the place."""
_KEY = re.compile(
    r"(?:key|answer|label|gold|solution|target|expected|correct|truth|antwort|lösung|respuesta|réponse|risposta|resposta"
    r"|答案|正解)\W{0,4}\Z",
    re.I,
)
"""The end of a text that names what follows the answer."""
_NUMBERS_IT = re.compile(r"(?:#|№|\b(?:no|nr|id|ids|number|issue|ticket|case|task|problem|question))\W{0,3}\Z", re.I)
"""The end of a text behind which the number of the problem stands, which attempts may repeat."""
_HOLDS, _HOLDS_AGAIN, _READING = 0.7, 0.9, 0.6
"""Share of prompts whose place holds the right answer, as far as the usual right attempt knows it.

The others: that share for options and passages, and the share of prompts without the place whose answer stands in them
all the same where the task is to read it.
"""

Matrix = scipy.sparse.csr_matrix
Twins = dict[str, tuple[str, bool]]
"""Held problem -> the training problem that it is, and whether letter by letter."""


def training_twins(trained: Mapping[str, str], held: Mapping[str, str]) -> Twins:
    """Return the held problems that ask what a training problem asks; both are {problem: prompt}.

    Nothing where prompts do not identify problems (one prompt for all levels of a game).
    """
    trained, held = dict(list(trained.items())[:_MAX_TRAINED]), dict(list(held.items())[:_MAX_HELD])
    names = {_normal(text): name for name, text in trained.items()}
    if not held or len(names) < _MOSTLY_IDENTIFY * len(trained):
        return {}
    if len(set(map(_normal, held.values()))) < _IDENTIFY * len(held):
        return {}
    same: Twins = {name: (names[_normal(text)], True) for name, text in held.items() if _normal(text) in names}
    rest = {name: text for name, text in held.items() if name not in same}
    if len(names) < _MIN_SLOTS or not rest:
        return same
    trained, rest = ({name: _unlabelled(text) for name, text in some.items()} for some in (trained, rest))
    trained = {name: trained[name] for name in names.values()}
    told_anew: Twins = {name: (twin, False) for name, twin in same_facts(trained, rest).items()}
    return same | told_anew | _near(trained, rest)


def _near(trained: Mapping[str, str], held: Mapping[str, str]) -> Twins:
    rows_TF, rows_HF = _weighted([*trained.values()], [*held.values()])
    sample = np.linspace(0, len(trained) - 1, min(len(trained), _MAX_REFERENCE)).astype(int)
    among_trained = np.array([_best(rows_TF[[place]] @ rows_TF.T, place)[0] for place in sample])
    limit, usual = (
        max(float(np.quantile(among_trained, share)), _LEAST) + _MARGIN for share in (_QUANTILE, _USUAL_QUANTILE)
    )
    keys, names = list(held), list(trained)
    alike: dict[str, tuple[float, str]] = {}
    for place, name in enumerate(keys):
        likeness, nearest = _best(rows_HF[[place]] @ rows_TF.T)
        fellow, _ = _best(rows_HF[[place]] @ rows_HF.T, place)
        if likeness > max(usual, fellow + _MARGIN):
            alike[name] = (likeness, names[nearest])
    chance = scipy.stats.binom.sf(len(alike) - 1, len(held), 1 - _USUAL_QUANTILE)
    return {
        name: (twin, False)
        for name, (value, twin) in alike.items()
        if (chance < _SURPRISING or value > limit) and not _names_another(trained[twin], held[name])
    }


def _names_another(trained: str, held: str) -> bool:
    """Tell whether a held prompt holds names that the training prompt lacks, where names are few among its words."""
    text = held[:_MAX_CHARS]
    names = set(_NAME.findall(text))
    return len(names) <= _FEW_NAMES * len(_ANY_WORD.findall(text)) and not names <= set(_ANY_WORD.findall(trained))


def _best(row: Matrix, but: int = -1) -> tuple[float, int]:
    values = row.toarray()[0]
    if but >= 0:
        values[but] = -1.0
    place = int(values.argmax())
    return float(values[place]), place


def _weighted(trained: Sequence[str], held: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Return the prompts as unit vectors over words, weighted by rarity."""
    words = [_words(text) for text in (*trained, *held)]
    holders = Counter(word for some in words for word in set(some))
    places = {word: place for place, word in enumerate(holders)}
    indices = [places[word] for some in words for word in some]
    values = [count * np.log(1 + len(words) / holders[word]) for some in words for word, count in some.items()]
    starts = np.concatenate([[0], np.cumsum([len(some) for some in words])])
    table = scipy.sparse.csr_matrix((values, indices, starts), shape=(len(words), len(places)))
    norms = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    table = scipy.sparse.diags(1 / np.maximum(norms, 1e-12)) @ table
    return table[: len(trained)], table[len(trained) :]


def _words(text: str) -> Counter[str]:
    """Return the words of a prompt, its numbers in order as one of them; of scripts without spaces, pairs of signs."""
    found = _WORD.findall(text[:_MAX_CHARS].lower())
    numbers = [word for word in found if word[0].isdigit()]
    words: Counter[str] = Counter()
    for word in found:
        words.update([word[i : i + 2] for i in range(len(word) - 1)] if _WIDE.search(word) else [word])
    if len(numbers) >= 2:
        words["#".join(numbers)] = 2
    return words


def _normal(text: str) -> str:
    return _unlabelled(_SPACE.sub(" ", text).strip().lower())


def _unlabelled(text: str) -> str:
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def given_away(prompts: Mapping[str, str], answers: Mapping[str, str], are_options: bool = False) -> dict[str, str]:
    """Return {problem: text before the answer} for problems whose prompt gives the right answer away in one place.

    Where prompts are options or passages, which hold their answer anyway, that place names it a key or an answer.
    """
    by_place: dict[str, dict[str, str]] = defaultdict(dict)
    for problem, answer in answers.items():
        text = prompts.get(problem, "")
        for match in _occurrences(text, answer):
            before = _before(text, match)
            if before and text.count(before) == 1 and not _NUMBERS_IT.search(before):
                by_place[before][problem] = answer
    holds = _HOLDS_AGAIN if are_options else _HOLDS
    found: dict[str, str] = {}
    for before, holders in by_place.items():
        is_key = _KEY.search(before) is not None
        if len(holders) < (_MIN_KEYED if is_key else _MIN_SLOTS) or (are_options and not is_key):
            continue
        with_place = [problem for problem in answers if prompts.get(problem, "").count(before) == 1]
        if not is_key and _is_reading(prompts, answers, set(with_place)):
            continue
        is_constant = len(set(holders.values())) < max(3, len(holders) // 10)
        if len(holders) >= holds * len(with_place) and not is_constant:
            found |= dict.fromkeys(holders, before)
    return found


def _is_reading(prompts: Mapping[str, str], answers: Mapping[str, str], with_place: set[str]) -> bool:
    """Tell whether prompts without a place hold their answers too: the task is to find them in a text."""
    others = [problem for problem in answers if problem not in with_place and problem in prompts]
    held = sum(bool(_occurrences(prompts[problem], answers[problem])) for problem in others)
    return len(others) >= _MIN_OTHERS and held >= _READING * len(others)


def _occurrences(text: str, answer: str) -> list[int]:
    if not answer or len(answer) > 40:
        return []
    pattern = rf"(?<![\w.,-]){re.escape(answer)}(?![\w]|[.,]\d)"
    return [match.start() for match in re.finditer(pattern, text)][:8]


def _before(text: str, place: int) -> str:
    """Return the signs before a place, numbers left out: the same in all prompts of a template."""
    part = text[max(0, place - _CONTEXT) : place]
    return re.split(r"[\d\n]", part)[-1][-8:] if len(part) >= 3 else ""
