"""Large repositories: over 50 files in packages and subpackages, tests that need real pytest, one bug.

For what the small ones cannot show: searching instead of listing, long histories, fixtures and parametrised tests, a
bug that shows far from its place. They stand in no built set. The functions are those of the small repositories; the
core around them is written by hand (core.py).
"""

from dataclasses import dataclass
from random import Random

from evotrainer.domains.swe.problems.execution import RAISED, load, value_of
from evotrainer.domains.swe.problems.functions import SHAPES, Function, draw_function
from evotrainer.domains.swe.problems.generator import unified_diff
from evotrainer.domains.swe.problems.list_shapes import draw_count, draw_fold, draw_slice, draw_total
from evotrainer.domains.swe.problems.repository import Bug, Module, Repository, draw_bug
from evotrainer.domains.swe.problems.vocabulary import TOPICS, VERBS
from evotrainer.records import Problem
from tests.large_repository.core import CORE_BUGS, SOURCES, CoreBug
from tests.large_repository.suites import FIGURE_VALUES, Areas, Suites, write_suites

AREAS = ("pricing", "stock", "orders", "routes", "billing", "people", "events", "reports")
FUNCTION_BUGS = ("operator", "comparison", "off_by_one", "constant", "function", "condition")
CORE_SHARE = 0.25
"""Of the bugs: in the core; the others are in the functions of an area."""

_FIGURE_SHAPES = (draw_fold, draw_total, draw_count, draw_slice)
_SPLIT = "train"

Tree = dict[str, str]


@dataclass(frozen=True)
class LargeProblem:
    """The problem, and where its bug is."""

    problem: Problem
    bug: Bug


def draw_large_problem(seed: int) -> LargeProblem:
    """Draw the problem of a seed: the same files on any machine."""
    rng = Random(seed)
    while True:
        areas = _draw_areas(rng)
        if rng.random() < CORE_SHARE:
            bug, core = _draw_core_bug(rng)
        else:
            bug, core = draw_bug(rng, _repository(areas), rng.choice(FUNCTION_BUGS)), None
        suites = write_suites(rng, areas, bug, core) if bug else None
        if bug and suites:
            return LargeProblem(_problem(seed, areas, bug, suites), bug)


def _draw_areas(rng: Random) -> Areas:
    """Three modules an area, three functions each, the first of which is a figure: it takes a list, gives a number."""
    topics = list(TOPICS)
    rng.shuffle(topics)
    share = len(topics) // len(AREAS)
    areas = {}
    for place, area in enumerate(AREAS):
        names = topics[place * share : (place + 1) * share]
        areas[area] = tuple(Module(f"depot/{area}/{topic}.py", _draw_functions(rng, topic)) for topic in names)
    return areas


def _draw_functions(rng: Random, topic: str) -> tuple[Function, ...]:
    names = [f"{verb}_{topic}" for verb in rng.sample(VERBS, 3)]
    return (_draw_figure(rng, names[0]), *(draw_function(rng, name, _SPLIT, SHAPES) for name in names[1:]))


def _draw_figure(rng: Random, name: str) -> Function:
    while True:
        function = draw_function(rng, name, _SPLIT, _FIGURE_SHAPES)
        value = value_of(load("\n".join(function.lines)), name, (FIGURE_VALUES,))
        if function.sketch.gives_number and value != RAISED:
            return function


def _draw_core_bug(rng: Random) -> tuple[Bug, CoreBug]:
    core = rng.choice(CORE_BUGS)
    line = SOURCES[core.path].split("\n").index(core.right) + 1
    return Bug("core", core.path, "", line, 0, core.wrong, core.right), core


def _repository(areas: Areas) -> Repository:
    return Repository(tuple(module for modules in areas.values() for module in modules))


def _problem(seed: int, areas: Areas, bug: Bug, suites: Suites) -> Problem:
    trees = _source_trees(areas)
    wrong = [_with_bug(tree, bug) for tree in trees]
    before = {**wrong[-1], **suites.visible}
    after = {**trees[-1], **suites.hidden}
    return Problem(
        problem_id=f"large-{seed}",
        domain="swe",
        family=bug.family,
        split="test",
        prompt=suites.issue,
        answer=unified_diff(bug.path, wrong[-1][bug.path], trees[-1][bug.path]),
        difficulty=1.0,
        data={
            "files": before,
            "history": _history(areas, wrong, suites.visible),
            "future": [
                _commit(f"Fix {bug.function or bug.path}", before, after),
                _commit("Release 1.5.0", after, _released(after)),
            ],
            "hidden_tests": suites.hidden,
            "fail_to_pass": list(suites.fail_to_pass),
            "pass_to_pass": list(suites.pass_to_pass),
            "test_runner": "pytest",
        },
    )


def _source_trees(areas: Areas) -> list[Tree]:
    """The sources after the core, and after each area: the registry grows with them, its first form is a stand-in."""
    stand_in = {"depot/notes.txt": "The registry is empty until the first area is there.\n"}
    trees = [{**SOURCES, **stand_in, "depot/registry.py": _registry({})}]
    for count in range(1, len(areas) + 1):
        known = dict(list(areas.items())[:count])
        tree = {**SOURCES, "depot/registry.py": _registry(known)}
        for area, modules in known.items():
            tree[f"depot/{area}/__init__.py"] = _package(area, modules)
            tree |= {module.path: "\n".join(module.lines) + "\n" for module in modules}
        trees.append(tree)
    return trees


def _package(area: str, modules: tuple[Module, ...]) -> str:
    imports = [f"from {module.dotted} import {', '.join(f.name for f in module.functions)}" for module in modules]
    names = sorted(function.name for module in modules for function in module.functions)
    return "\n".join([f'"""Figures of {area}."""', "", *imports, "", f"__all__ = {names}"]) + "\n"


def _registry(areas: Areas) -> str:
    figures = {area: [module.functions[0].name for module in modules] for area, modules in areas.items()}
    imports = [f"from depot.{area} import {', '.join(names)}" for area, names in figures.items()]
    entries = [f'    "{name}": {name},' for names in figures.values() for name in names]
    return "\n".join(['"""All figures by name."""', "", *imports, "", "FIGURES = {", *entries, "}"]) + "\n"


def _with_bug(tree: Tree, bug: Bug) -> Tree:
    if bug.path not in tree:
        return tree
    lines = tree[bug.path].split("\n")
    lines[bug.line - 1] = bug.wrong
    return {**tree, bug.path: "\n".join(lines)}


def _released(tree: Tree) -> Tree:
    files = ("depot/__init__.py", "pyproject.toml")
    return {**tree, **{path: tree[path].replace("1.4.0", "1.5.0") for path in files}}


def _history(areas: Areas, trees: list[Tree], visible: Tree) -> list[dict]:
    """A commit for the core and for each area, then one for the tests of each folder."""
    folders = sorted({_folder(path) for path in visible})
    for folder in folders:
        trees = [*trees, trees[-1] | {path: text for path, text in visible.items() if _folder(path) == folder}]
    messages = ["Add core", *(f"Add {area}" for area in areas), *(f"Add {folder}" for folder in folders)]
    steps = zip(messages, [{}, *trees[:-1]], trees, strict=True)
    return [_commit(message, before, after) for message, before, after in steps]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _commit(message: str, before: Tree, after: Tree) -> dict:
    removed = {path: None for path in before if path not in after}
    return {"message": message, "changes": removed | {p: t for p, t in after.items() if before.get(p) != t}}
