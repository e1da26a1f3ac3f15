"""Named functions, drawn by split: a canonical form belongs to one split, whatever its names, numbers and bugs.

So no function of a validation or test repository, and no bug in it, has been seen in training, but for its parts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from evotrainer.domains.problem_sets.splits import SHARES, split_of
from evotrainer.domains.swe.problems import list_shapes, number_shapes, text_shapes
from evotrainer.domains.swe.problems.lines import render, wrong_texts
from evotrainer.domains.swe.problems.sketch import INDENT, Sketch
from evotrainer.domains.swe.problems.vocabulary import LOOP, NUMBER, NUMBERS, TABLE, TEXT, TEXTS

SHAPES: tuple[Callable[[Random], Sketch], ...] = (
    list_shapes.draw_fold,
    list_shapes.draw_extreme,
    list_shapes.draw_whether,
    list_shapes.draw_total,
    list_shapes.draw_count,
    list_shapes.draw_find,
    list_shapes.draw_slice,
    list_shapes.draw_default_step,
    number_shapes.draw_arithmetic,
    number_shapes.draw_limit,
    number_shapes.draw_branch,
    number_shapes.draw_choice,
    number_shapes.draw_span,
    text_shapes.draw_text,
    text_shapes.draw_join,
    text_shapes.draw_lookup,
    text_shapes.draw_entries,
    text_shapes.draw_value_sum,
)

SHORT_SHAPES: tuple[Callable[[Random], Sketch], ...] = (
    list_shapes.draw_fold,
    list_shapes.draw_extreme,
    list_shapes.draw_slice,
    number_shapes.draw_arithmetic,
    number_shapes.draw_limit,
)
"""Of one line: what small repositories hold, so that a policy of 0.1 million parameters can learn to mend them."""

_NAMES = {"numbers": NUMBERS, "text": TEXT, "texts": TEXTS, "table": TABLE}


@dataclass(frozen=True)
class Function:
    """A sketch with names: `names` says what stands for $0, $1, $2 and $v."""

    name: str
    sketch: Sketch
    names: dict[str, str]

    @property
    def promise(self) -> str:
        """What it returns, in words."""
        return self._named(self.sketch.promise)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What its parameters are."""
        return self.sketch.kinds

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Its right source lines: definition, docstring, body."""
        head = [self._definition(render(self.sketch.parameters())), f'{INDENT}"""Return {self.promise}."""']
        return (*head, *(self._named(render(line)) for line in self.sketch.body))

    def with_line(self, place: int, text: str) -> list[str]:
        """Return its lines with another one at `place`."""
        return [*self.lines[:place], text, *self.lines[place + 1 :]]

    def bugs(self) -> Iterator[tuple[str, int, str]]:
        """Yield (family, place, line): the line at that place of `lines`, wrong."""
        for family, text in wrong_texts(self.sketch.parameters()):
            yield family, 0, self._definition(text)
        for place, line in enumerate(self.sketch.body):
            for family, text in wrong_texts(line):
                yield family, place + 2, self._named(text)

    def _definition(self, parameters: str) -> str:
        return self._named(f"def {self.name}({parameters}):")

    def _named(self, text: str) -> str:
        for mark, name in self.names.items():
            text = text.replace(mark, name)
        return text


def draw_function(rng: Random, name: str, split: str, shapes: tuple[Callable, ...] = SHAPES) -> Function:
    """Draw a function whose canonical form falls into `split`."""
    while True:
        sketch = rng.choice(shapes)(rng)
        if split_of(sketch.canonical(), SHARES) == split:
            return Function(name, sketch, _draw_names(rng, sketch))


def _draw_names(rng: Random, sketch: Sketch) -> dict[str, str]:
    names: dict[str, str] = {}
    for place, kind in enumerate(sketch.kinds):
        free = [name for name in _NAMES.get(kind, NUMBER) if name not in names.values()]
        names[f"${place}"] = rng.choice(free)
    return {**names, "$v": rng.choice(LOOP)}
