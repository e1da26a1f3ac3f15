"""One repository with one bug: source files, visible and hidden tests, what came before and what upstream did next.

Layout: one module a topic with two or three functions each, often a module that calls them, one test file a module. The
tests import from the root of the repository, so they run as `python -m pytest` there. Hidden tests stand in the same
files as the visible ones and replace them, as the tests of a fixing commit do.
"""

from dataclasses import dataclass, field
from random import Random

from evotrainer.problem_sets.swe.functions import SHAPES, Function, draw_function
from evotrainer.problem_sets.swe.list_shapes import draw_ends, draw_fold
from evotrainer.problem_sets.swe.sketch import INDENT
from evotrainer.problem_sets.swe.vocabulary import (
    CALLER_VERBS,
    CALLERS,
    NUMBERS,
    OPERATORS,
    PACKAGES,
    TESTS_FOLDER,
    TOPICS,
    VERBS,
)


@dataclass(frozen=True)
class Bug:
    """Where the bug is: line `line` (from 1) of `path`, inside `function`."""

    family: str
    path: str
    function: str
    line: int
    wrong: str
    right: str


@dataclass(frozen=True)
class Caller:
    """A function that combines two others, which a user sees: `return get_price(items) + make_price(items)`."""

    name: str
    parameter: str
    left: str
    right: str
    sign: str

    @property
    def lines(self) -> list[str]:
        """Its source lines."""
        name = self.parameter
        return [
            f"def {self.name}({name}):",
            f'{INDENT}"""Return {self.left} {OPERATORS[self.sign]} {self.right} of the {name}."""',
            f"{INDENT}return {self.left}({name}) {self.sign} {self.right}({name})",
        ]


@dataclass(frozen=True)
class Module:
    """A source file and its functions in order."""

    path: str
    imports: tuple[str, ...]
    functions: tuple[Function | Caller, ...]

    @property
    def lines(self) -> list[str]:
        """Return the source lines."""
        lines = [*self.imports]
        for function in self.functions:
            lines += ([""] * 2 if lines else []) + function.lines
        return lines

    @property
    def dotted(self) -> str:
        """The name to import it by."""
        return self.path.removesuffix(".py").replace("/", ".")


@dataclass(frozen=True)
class Repository:
    """A right repository: modules in the order of their commits."""

    folder: str
    modules: tuple[Module, ...]
    extra_files: dict[str, str] = field(default_factory=dict)


def draw_repository(rng: Random, split: str) -> Repository:
    """Draw a right repository of two to four modules and, mostly, one that calls them."""
    folder = rng.choice(("", *(f"{package}/" for package in rng.sample(PACKAGES, 3))))
    topics = rng.sample(TOPICS, rng.choice((2, 3, 3)))
    modules = [_draw_module(rng, folder, topic, split) for topic in topics]
    caller = _draw_caller(rng, folder, modules)
    extra = {f"{folder}__init__.py": ""} if folder else {}
    return Repository(folder, (*modules, *([caller] if caller else [])), extra)


def _draw_module(rng: Random, folder: str, topic: str, split: str) -> Module:
    verbs = rng.sample(VERBS, rng.choice((2, 2, 3)))
    shapes = [(draw_fold, draw_ends) if not place else SHAPES for place in range(len(verbs))]
    rng.shuffle(shapes)
    functions = [
        draw_function(rng, f"{verb}_{topic}", split, chosen) for verb, chosen in zip(verbs, shapes, strict=True)
    ]
    return Module(f"{folder}{topic}.py", (), tuple(functions))


def _draw_caller(rng: Random, folder: str, modules: list[Module]) -> Module | None:
    """A module that combines functions of two others, or None where they have none that can be combined."""
    usable = [
        (module, function)
        for module in modules
        for function in module.functions
        if isinstance(function, Function)
        and function.sketch.shape in ("fold", "ends", "total", "count", "extreme")
        and not function.sketch.promise.startswith(("the sorted", "the list"))
    ]
    by_module = {module.path: (module, function) for module, function in usable}
    if len(by_module) < 2:
        return None
    (left_module, left), (right_module, right) = rng.sample(list(by_module.values()), 2)
    word = rng.choice(CALLERS)
    caller = Caller(f"{rng.choice(CALLER_VERBS)}_{word}", rng.choice(NUMBERS), left.name, right.name, rng.choice("+-"))
    imports = tuple(f"from {m.dotted} import {f.name}" for m, f in ((left_module, left), (right_module, right)))
    return Module(f"{folder}{word}.py", imports, (caller,))


def draw_bug(rng: Random, repository: Repository, family: str) -> Bug | None:
    """Draw a bug of a family among all places where it can be, or None where there is none."""
    places = [
        (module, function, place, wrong)
        for module in repository.modules
        for function in module.functions
        if isinstance(function, Function)
        for found, place, wrong in function.bugs()
        if found == family
    ]
    if not places:
        return None
    module, function, place, wrong = rng.choice(places)
    right = function.lines[place]
    start = module.lines.index(function.lines[0])
    return Bug(family, module.path, function.name, start + place + 1, wrong, right)


def files_of(repository: Repository) -> dict[str, str]:
    """Return the right source files, without tests."""
    files = {module.path: "\n".join(module.lines) + "\n" for module in repository.modules}
    return {**repository.extra_files, **files}


def with_line(text: str, line: int, replacement: str) -> str:
    """Return `text` with one line, counted from 1, replaced."""
    lines = text.split("\n")
    lines[line - 1] = replacement
    return "\n".join(lines)


def test_path(module: Module) -> str:
    """Return where the tests of a module stand."""
    return f"{TESTS_FOLDER}/test_{module.path.split('/')[-1]}"
