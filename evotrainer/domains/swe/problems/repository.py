"""One right repository, and where a bug can be in it.

Layout: one module a topic with two or three functions each, mostly one that calls them, one test file a module. The
tests import from the root of the repository, so they run as `python -m pytest` there.
"""

from dataclasses import dataclass, field
from random import Random

from evotrainer.domains.swe.problems.functions import SHORT_SHAPES, Function, draw_function
from evotrainer.domains.swe.problems.list_shapes import draw_fold, draw_slice
from evotrainer.domains.swe.problems.sketch import INDENT
from evotrainer.domains.swe.problems.vocabulary import (
    CALLER_VERBS,
    CALLERS,
    NUMBERS,
    OPERATORS,
    PACKAGES,
    TESTS_FOLDER,
    TOPICS,
    VERBS,
)

_CALLABLE_SHAPES = (draw_fold, draw_slice)
"""Of the function in each module that a caller may use."""


@dataclass(frozen=True)
class Bug:
    """Where the bug is: line `line` (from 1) of `path`, line `place` (from 0) of `function`."""

    family: str
    path: str
    function: str
    line: int
    place: int
    wrong: str
    right: str


@dataclass(frozen=True)
class Caller:
    """A function that combines two others, which a user sees: `return get_price(items) + make_price(items)`."""

    name: str
    parameter: str
    callees: tuple[str, str]
    sign: str
    kinds: tuple[str, ...] = ("numbers",)

    @property
    def lines(self) -> tuple[str, ...]:
        """Its source lines."""
        (left, right), items = self.callees, self.parameter
        return (
            f"def {self.name}({items}):",
            f'{INDENT}"""Return {left} {OPERATORS[self.sign]} {right} of the {items}."""',
            f"{INDENT}return {left}({items}) {self.sign} {right}({items})",
        )


@dataclass(frozen=True)
class Module:
    """A source file and its functions in order."""

    path: str
    functions: tuple[Function | Caller, ...]
    imports: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """Its source lines."""
        lines = [*self.imports]
        for function in self.functions:
            lines += [*([""] * 2 if lines else []), *function.lines]
        return lines

    @property
    def name(self) -> str:
        """Its name without folders."""
        return self.path.removesuffix(".py").split("/")[-1]

    @property
    def dotted(self) -> str:
        """The name to import it by."""
        return self.path.removesuffix(".py").replace("/", ".")


@dataclass(frozen=True)
class Repository:
    """A right repository: modules in the order of their commits."""

    modules: tuple[Module, ...]
    extra_files: dict[str, str] = field(default_factory=dict)

    def files(self, bug: Bug | None = None) -> dict[str, str]:
        """Return the source files, without tests, with a bug if wanted."""
        files = dict(self.extra_files)
        for module in self.modules:
            lines = module.lines
            if bug and bug.path == module.path:
                lines[bug.line - 1] = bug.wrong
            files[module.path] = "\n".join(lines) + "\n"
        return files

    def function(self, name: str) -> Function | Caller:
        """Return the function of a name."""
        return next(found for module in self.modules for found in module.functions if found.name == name)


def suite_path(module: Module) -> str:
    """Return where the tests of a module stand."""
    return f"{TESTS_FOLDER}/test_{module.name}.py"


def draw_repository(rng: Random, split: str) -> Repository:
    """Draw a right repository of two or three modules and, mostly, one that calls them."""
    folder = rng.choice(("", *(f"{package}/" for package in rng.sample(PACKAGES, 3))))
    modules = [_draw_module(rng, folder, topic, split) for topic in rng.sample(TOPICS, rng.choice((2, 3, 3)))]
    caller = _draw_caller(rng, folder, modules)
    return Repository((*modules, *([caller] if caller else [])), {f"{folder}__init__.py": ""} if folder else {})


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
    line = module.lines.index(function.lines[0]) + place + 1
    return Bug(family, module.path, function.name, line, place, wrong, function.lines[place])


def _draw_module(rng: Random, folder: str, topic: str, split: str) -> Module:
    verbs = rng.sample(VERBS, rng.choice((2, 2, 3)))
    shapes = [_CALLABLE_SHAPES, *[SHORT_SHAPES] * (len(verbs) - 1)]
    rng.shuffle(shapes)
    named = zip(verbs, shapes, strict=True)
    return Module(
        f"{folder}{topic}.py", tuple(draw_function(rng, f"{verb}_{topic}", split, among) for verb, among in named)
    )


def _draw_caller(rng: Random, folder: str, modules: list[Module]) -> Module | None:
    """A module that combines a function each of two others, or None where no two give a number for a list."""
    usable = [[function for function in module.functions if _can_be_called(function)] for module in modules]
    chosen = [(module, rng.choice(found)) for module, found in zip(modules, usable, strict=True) if found]
    if len(chosen) < 2:
        return None
    pair = rng.sample(chosen, 2)
    word = rng.choice(CALLERS)
    names = (pair[0][1].name, pair[1][1].name)
    caller = Caller(f"{rng.choice(CALLER_VERBS)}_{word}", rng.choice(NUMBERS), names, rng.choice("+-"))
    imports = tuple(f"from {module.dotted} import {function.name}" for module, function in pair)
    return Module(f"{folder}{word}.py", (caller,), imports)


def _can_be_called(function: Function | Caller) -> bool:
    return isinstance(function, Function) and function.sketch.gives_number and function.kinds == ("numbers",)
