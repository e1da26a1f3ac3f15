"""The words of the code problems: what a statement can ask for, and the Python that does it.

In a text and its code `#` stands for one digit and `@` for one letter, drawn anew for each problem; `_` in a code is
what it is applied to. A misreading is what those write who take the word for something near it: demonstrations teach
it to the embedded policy as a habit (demonstrations.py), so that its greedy answers leave something to be learned.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

DIGITS = "3456789"
"""1 and 2 would make some words mean the same: multiples of 2 are the even numbers."""
SHORT = "2345"
"""For what is counted in words."""
LETTERS = "aeorst"

_MARK = re.compile("[#@_]")


@dataclass(frozen=True)
class Word:
    """One thing that a statement can ask for."""

    text: str
    code: str
    misreading: str = ""
    """Code of those who misread it; empty where nobody does."""
    digits: str = DIGITS
    """What `#` is drawn from."""

    @property
    def mark(self) -> str:
        """`#`, `@`, or nothing where the word has no place to fill."""
        return "#" if "#" in self.text else "@" if "@" in self.text else ""


TOTALS = (
    Word("sum of ", "sum(_)"),
    Word("largest (or 0) of ", "max([_], default=0)"),
    Word("smallest (or 0) of ", "min([_], default=0)"),
    Word("number of ", "len([_])"),
    Word("number of distinct ", "len({_})", "len([_])"),
)

LISTS = (
    Word("list of ", "[_]"),
    Word("rising list of ", "sorted([_])"),
    Word("falling list of ", "sorted([_])[::-1]", "sorted([_])"),
    Word("reversed list of ", "[_][::-1]"),
    Word("first # of ", "[_][:#]"),
)

VALUES = (
    Word("", "x"),
    Word("squares of ", "x*x"),
    Word("opposites of ", "-x"),
    Word("# times ", "#*x"),
    Word("# more than ", "x+#"),
    Word("remainders by # of ", "x%#"),
    Word("sizes of ", "abs(x)"),
    Word("whole halves of ", "x//2", "x/2"),
)

KEPT = (
    Word("numbers", ""),
    Word("even numbers", " if x%2==0"),
    Word("odd numbers", " if x%2==1"),
    Word("numbers over #", " if x>#"),
    Word("numbers under #", " if x<#"),
    Word("numbers but #", " if x!=#"),
    Word("multiples of #", " if x%#==0"),
    Word("numbers from # on", " if x>=#", " if x>#"),
)

QUANTIFIERS = (
    Word("whether all ", "all(_)"),
    Word("whether any ", "any(_)"),
    Word("whether no ", "not any(_)", "any(_)"),
)

CONDITIONS = (
    Word(" are even", "x%2==0"),
    Word(" are over #", "x>#"),
    Word(" are under #", "x<#"),
    Word(" are multiples of #", "x%#==0"),
    Word(" are at least #", "x>=#", "x>#"),
)

REPLACED = (Word("", ""), Word(", without @", '.replace("@", "")'), Word(", @ doubled", '.replace("@", "@@")'))
TURNED = (Word("", ""), Word(", reversed", "[::-1]"))
SLICES = (
    Word("", ""),
    Word(", first #", "[:#]"),
    Word(", last #", "[-#:]", "[#:]"),
    Word(", every second", "[::2]"),
    Word(", every third", "[::3]"),
)
CASES = (Word("", ""), Word(", upper case", ".upper()"), Word(", title case", ".title()"))

WORD_VALUES = (
    Word("length", "len(w)"),
    Word("upper case", "w.upper()"),
    Word("reverse", "w[::-1]"),
    Word("first letter", "w[0]"),
    Word("title case", "w.title()"),
    Word("every second letter", "w[::2]"),
    Word("first # letters", "w[:#]", digits=SHORT),
    Word("last # letters", "w[-#:]", "w[#:]", digits=SHORT),
    Word("# copies", "w*#", digits=SHORT),
    Word("count of @", 'w.count("@")'),
    Word("last letter", "w[-1]", "w[0]"),
)

WORDS_KEPT = (
    Word("words", ""),
    Word("words longer than #", " if len(w)>#", digits=SHORT),
    Word("words shorter than #", " if len(w)<#", digits="4567"),
    Word("words with @", ' if "@" in w'),
    Word("words without @", ' if "@" not in w'),
    Word("words starting in @", ' if w[0]=="@"'),
    Word("words ending in @", ' if w[-1]=="@"', ' if w[0]=="@"'),
)

PLACES = (Word("places of ", "i"), Word("places from 1 of ", "i+1"))

MET = (
    Word("numbers over ", "x>_"),
    Word("numbers under ", "x<_"),
    Word("numbers but ", "x!=_"),
    Word("multiples of ", "x%_==0"),
    Word("numbers from ", "x>=_", "x>_"),
)

BOUNDS = (Word("k", "k"), Word("k plus #", "(k+#)"), Word("# times k", "(#*k)"))

NUMBERS_READ = (
    *TOTALS,
    Word("list of ", "*[_]"),
    Word("rising list of ", "*sorted([_])"),
    Word("falling list of ", "*sorted([_])[::-1]", "*sorted([_])"),
)


def fragments(words: Iterable[Word]) -> set[str]:
    """Return the texts between the marks of words: what a vocabulary needs to write them in few tokens."""
    texts = [text for word in words for text in (word.text, word.code, word.misreading)]
    return {fragment for text in texts for fragment in _MARK.split(text) if len(fragment) > 1}
