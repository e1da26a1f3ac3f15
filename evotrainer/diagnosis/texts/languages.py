"""Which language of the Latin script a text is written in, by its commonest function words.

A text is in a language where it holds several of that language's words, different ones, as a share of all its words,
and half as many again as of any other. Formulas, code in fences and lists of names have none, and no language then.
"""

import re
from collections import Counter

_WORDS = {
    "english": "the of and to is that it for was are with as this be have you your on at not will by from which we i",
    "german": "der die das und ist nicht mit ein eine zu den von es sich auf für dem sie werden wir ich auch noch sind",
    "french": "le la les des et est une un pas pour dans que qui vous nous sur avec au ce je il sont du votre cette",
    "spanish": "el la los las de que y en un una es por para con no su se lo del al como más está usted nos sus puede",
    "italian": "il di che la è per un una non sono con si lo gli della del nel anche ho questo alla le i come suo",
    "portuguese": "o a os as de que e do da em um uma é não para com por se no na ao mais você está seu sua dos das",
    "dutch": "de het een en van is dat niet op te zijn voor met die ik je u aan er maar wordt ook naar bij uw",
    "scandinavian": "och att det som är på för av inte med den ett jag har till og at er af ikke et jeg så från fra vi",
    "polish": "i w nie na się z do to że jest o jak po co za przez ale od dla czy są tego ma być oraz",
    "czech": "a se v na je že to s z do o i jako ale by pro jsou jsem od po které má být také nebo není",
    "turkish": "ve bir bu için ile de da olarak çok daha ne gibi ama en var olan kadar değil mi sonra her o",
    "indonesian": "yang dan di ini itu dengan untuk dari tidak pada adalah ke akan dalam anda juga saya ada bisa oleh",
}
_OF_WORD: dict[str, list[str]] = {}
for _language, _words in _WORDS.items():
    for _one in _words.split():
        _OF_WORD.setdefault(_one, []).append(_language)
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_CHARS = 2000
_MIN_WORDS, _MIN_SHARE, _TIMES = 3, 0.12, 1.5


def language(text: str) -> str:
    """Return the language of a text; empty where its words do not tell."""
    words = _WORD.findall(_FENCED.sub(" ", text[:_CHARS]).lower())
    hits = Counter(name for word in words for name in _OF_WORD.get(word, ()))
    ranked = hits.most_common(2)
    if not ranked or ranked[0][1] < _MIN_SHARE * len(words):
        return ""
    name, count = ranked[0]
    if len({word for word in words if name in _OF_WORD.get(word, ())}) < _MIN_WORDS:
        return ""
    return name if len(ranked) == 1 or count >= _TIMES * ranked[1][1] else ""
