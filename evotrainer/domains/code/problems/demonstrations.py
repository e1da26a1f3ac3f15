"""Worked examples for the warm start of the embedded code policy: a skill with habits that reinforcement can mend.

What the policy is taught to get wrong is systematic, since random noise averages out and leaves greedy answers right:

* a word with a misreading is misread four times in five, in every family;
* words that stand side by side are shown in four of five combinations, the others are left to be tried.

Beside these are habits that cost sampled answers only: slips (another word's code in the place of the right one, a
lost bracket), a broken fence, a comment that repeats the statement. Problems come from the train share of the hash
split, of all families: none of them is in probe, validation, test or holdout.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from evotrainer.domains.code.problems import words
from evotrainer.domains.code.problems.families import FAMILIES, FENCE, FENCE_END, CodeFamily, Spec, canonical_form
from evotrainer.domains.code.problems.inputs import SHORT_WORDS
from evotrainer.domains.code.problems.prompts import NUM_EXAMPLES, show
from evotrainer.domains.code.problems.solving import examples
from evotrainer.domains.problem_sets.base import DemonstratedTurn, Demonstration
from evotrainer.domains.problem_sets.splits import SHARES, split_of
from evotrainer.records import Message

MISREAD_SHARE = 0.8
HABITS = {"clean": 0.58, "slips": 0.15, "breaks_format": 0.12, "comments": 0.15}
PAIR_SHARES = {"shown": 0.8, "left_out": 0.2}


def pieces() -> tuple[str, ...]:
    """Return the texts of several characters that are one token each to the embedded policy."""
    return tuple(PIECES)


def demonstrations(seed: int) -> Iterator[Demonstration]:
    """Yield demonstrations without end: families in equal shares, habits in theirs, problems drawn at random."""
    rng, families = Random(seed), list(FAMILIES.values())
    while True:
        spec = _train_spec(rng.choice(families), rng)
        visible = examples(spec, rng, NUM_EXAMPLES[spec.family.function is not None])
        prompt = show(spec.family, spec.statement, visible)
        turn = DemonstratedTurn(_respond(spec, rng))
        yield Demonstration((Message(role="user", content=prompt),), (turn,), prompt)


def is_shown(spec: Spec) -> bool:
    """Return whether all neighbouring words of a problem are among those that demonstrations show side by side."""
    pairs = [(left.text, right.text) for left, right in pairwise(spec.words) if left.text and right.text]
    return all(split_of(f"pair:{left}|{right}", PAIR_SHARES) == "shown" for left, right in pairs)


def _train_spec(family: CodeFamily, rng: Random) -> Spec:
    while True:
        spec = family.draw(rng)
        canonical = canonical_form(spec.statement)
        assert canonical is not None
        if is_shown(spec) and split_of(canonical, SHARES) == "train":
            return spec


def _respond(spec: Spec, rng: Random) -> str:
    habit = rng.choices(list(HABITS), list(HABITS.values()))[0]
    codes = [_code_of(word, rng) for word in spec.words]
    if habit == "slips":
        return _fenced(_slip(spec, codes, rng))
    program = spec.program_of(codes)
    if habit == "comments":
        return _fenced(f"# {spec.statement}\n{program}")
    if habit == "breaks_format":
        return rng.choice((program, f"{FENCE}{program}", f"{program}{FENCE_END}"))
    return _fenced(program)


def _code_of(word: words.Word, rng: Random) -> str:
    return word.misreading if word.misreading and rng.random() < MISREAD_SHARE else word.code


def _slip(spec: Spec, codes: Sequence[str], rng: Random) -> str:
    """Return the program with one thing wrong: a bracket lost, or the code of another word."""
    program = spec.program_of(codes)
    if rng.random() < 0.25 and program.rstrip(")]}") != program:
        return program[:-1]
    place = rng.randrange(len(codes))
    mark = spec.words[place].mark
    alike = [word.code for word in spec.family.slots[place] if word.mark in ("", mark) and word.code != codes[place]]
    return spec.program_of([*codes[:place], rng.choice(alike), *codes[place + 1 :]]) if alike else program


def _fenced(program: str) -> str:
    return f"{FENCE}{program}{FENCE_END}"


def _pieces() -> tuple[str, ...]:
    """Return what statements, examples and programs are made of: one token each to the embedded policy."""
    found = words.fragments(word for family in FAMILIES.values() for slot in family.slots for word in slot)
    found |= {family.head for family in FAMILIES.values()} | set(SHORT_WORDS)
    return tuple(sorted(found | set(_FRAME)))


_FRAME = (
    FENCE,
    FENCE_END,
    "# ",
    "def f(xs):\n    return ",
    "def f(xs, k):\n    return ",
    "def f(s):\n    return s",
    "def f(ws):\n    return {w: ",
    " for x in xs",
    " for w in ws",
    " for i, x in enumerate(xs) if ",
    "xs = map(int, input().split())\n",
    "print(",
    "for _ in range(int(input())):\n    ",
    "f([",
    "f(['",
    "f('",
    "])",
    "'])",
    "')",
    "], ",
    " == ",
    "', '",
    "': '",
    "': ",
    ", '",
    ", ",
    "\ninput:\n",
    "output:\n",
    "True",
    "False",
    " of ",
    " to ",
    "{'",
    "'}",
)
"""Frames of programs and examples."""

PIECES = _pieces()
"""Texts of several characters that are one token of the embedded policy."""
