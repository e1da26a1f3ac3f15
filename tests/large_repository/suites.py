"""The pytest suites of a large repository: what is visible, what is hidden, which tests the bug fails.

Visible tests are green where they can be: the tests that would show the bug come with the fix, as they do upstream.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from evotrainer.domains.swe.problems.cases import NUM_TRIES, Case, draw_cases, telling_cases
from evotrainer.domains.swe.problems.execution import Scope, load, value_of
from evotrainer.domains.swe.problems.functions import Function
from evotrainer.domains.swe.problems.repository import Bug, Caller, Module
from tests.large_repository.core import STATIC_NODE_IDS, TESTS, CoreBug

FIGURE_VALUES = (7, 2, 9, 4, 11, 3)
"""The session fixture `values` of the core's tests."""
NUM_CASES = 4
Areas = dict[str, tuple[Module, ...]]
"""Modules by area."""

PIPELINE_TEST = "tests/core/test_pipeline.py"


@dataclass(frozen=True)
class Suites:
    """Test files by path, node ids, and the issue."""

    visible: dict[str, str]
    hidden: dict[str, str]
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    issue: str


@dataclass(frozen=True)
class _Suite:
    """One test file in its two forms, and the node ids of the hidden one."""

    path: str
    visible: str
    hidden: str
    failing: tuple[str, ...]
    passing: tuple[str, ...]


def write_suites(rng: Random, areas: Areas, bug: Bug, core: CoreBug | None) -> Suites | None:
    """Return the suites, or None where no call shows the bug."""
    right = load(_source(module for modules in areas.values() for module in modules))
    buggy = right if core else right | _buggy_scope(areas, bug)
    suites = [
        _area_suite(module, {f.name: _cases(rng, f, right, buggy, bug) for f in module.functions})
        for modules in areas.values()
        for module in modules
    ]
    values, failing = _figures(areas, right, buggy)
    suites.append(_pipeline_suite(values, failing))
    visible = TESTS | {suite.path: suite.visible for suite in suites}
    core_failing = core.failing if core else ()
    hiding = {name.split("::")[0] for name in core_failing}
    fail_to_pass = (*core_failing, *(name for suite in suites for name in suite.failing))
    if not fail_to_pass:
        return None
    return Suites(
        visible={path: text for path, text in visible.items() if path not in hiding},
        hidden=TESTS | {suite.path: suite.hidden for suite in suites},
        fail_to_pass=fail_to_pass,
        pass_to_pass=(
            *(name for name in STATIC_NODE_IDS if name not in core_failing),
            *(name for suite in suites for name in suite.passing),
        ),
        issue=core.issue if core else _issue(bug, bug.function in failing),
    )


def _source(modules: Iterable[Module]) -> str:
    return "\n".join(line for module in modules for function in module.functions for line in function.lines)


def _buggy_scope(areas: Areas, bug: Bug) -> Scope:
    function = next(f for modules in areas.values() for m in modules for f in m.functions if f.name == bug.function)
    assert isinstance(function, Function)
    return {bug.function: load("\n".join(function.with_line(bug.place, bug.wrong)))[bug.function]}


def _figures(areas: Areas, right: Scope, buggy: Scope) -> tuple[dict[str, str], set[str]]:
    """Return what each figure gives for the fixture's values, and the figures that the bug makes wrong."""
    names = [module.functions[0].name for modules in areas.values() for module in modules]
    values = {name: value_of(right, name, (FIGURE_VALUES,)) for name in names}
    return values, {name for name in names if value_of(buggy, name, (FIGURE_VALUES,)) != values[name]}


def _cases(rng: Random, function: Function | Caller, right: Scope, buggy: Scope, bug: Bug) -> list[Case]:
    is_target = function.name == bug.function
    found = draw_cases(rng, function.name, function.kinds, right, buggy, NUM_TRIES if is_target else NUM_CASES)
    if not is_target:
        return found
    assert isinstance(function, Function)
    wrong = [text for _, place, text in function.bugs() if place == bug.place]
    told = telling_cases(found, [load("\n".join(function.with_line(bug.place, text))) for text in wrong])
    passing = [case for case in found if not case.fails and case not in told][:2]
    return [*passing, *told]


def _area_suite(module: Module, cases: dict[str, list[Case]]) -> _Suite:
    """The tests of one module: every function with its cases, of which the visible ones pass."""
    path = module.path.replace("depot/", "tests/", 1).replace(f"{module.name}.py", f"test_{module.name}.py")
    numbered = {name: list(enumerate(found, start=1)) for name, found in cases.items()}
    ids = {True: [], False: []}
    for name, found in numbered.items():
        for number, case in found:
            ids[case.fails].append(f"{path}::test_{name}[{number}]")
    shown = {name: [pair for pair in found if not pair[1].fails][:2] for name, found in numbered.items()}
    return _Suite(path, _write(module, shown), _write(module, numbered), tuple(ids[True]), tuple(ids[False]))


def _write(module: Module, cases: dict[str, list[tuple[int, Case]]]) -> str:
    names = [name for name, found in cases.items() if found]
    lines = ["import pytest", "", f"from {module.dotted.rpartition('.')[0]} import {', '.join(names)}"]
    for name in names:
        params = [f'pytest.param({case.arguments!r}, {case.right}, id="{number}")' for number, case in cases[name]]
        lines += ["", "", *_parametrize('("arguments", "expected")', params)]
        lines += [f"def test_{name}(arguments, expected):", f"    assert {name}(*arguments) == expected"]
    return "\n".join(lines) + "\n"


def _pipeline_suite(values: dict[str, str], failing: set[str]) -> _Suite:
    """The tests that run figures through registry, pipeline and store; the visible ones know every second figure."""
    shown = {name: value for name, value in list(values.items())[::2] if name not in failing}
    ids = {name: f"{PIPELINE_TEST}::test_a_figure_is_stored[{name}]" for name in values}
    refused = f"{PIPELINE_TEST}::test_an_unknown_figure_is_refused"
    passing = [ids[name] for name in values if name not in failing]
    wrong = tuple(ids[name] for name in values if name in failing)
    return _Suite(PIPELINE_TEST, _write_pipeline(shown), _write_pipeline(values), wrong, (*passing, refused))


def _write_pipeline(values: dict[str, str]) -> str:
    params = [f'pytest.param("{name}", {value}, id="{name}")' for name, value in values.items()]
    return (
        "\n".join(
            [
                "import pytest",
                "",
                "from depot.core import Figure, UnknownFigure",
                "from depot.core.pipeline import run",
                "",
                "",
                *_parametrize('("name", "expected")', params),
                "def test_a_figure_is_stored(store, values, name, expected):",
                "    assert run([name], values, store) == [Figure(name, expected)]",
                "    assert store.read()[name].value == expected",
                "",
                "",
                "def test_an_unknown_figure_is_refused(store, values):",
                '    with pytest.raises(UnknownFigure, match="no figure nothing"):',
                '        run(["nothing"], values, store)',
            ]
        )
        + "\n"
    )


def _parametrize(names: str, params: list[str]) -> list[str]:
    return [
        "@pytest.mark.parametrize(",
        f"    {names},",
        "    [",
        *(f"        {one}," for one in params),
        "    ],",
        ")",
    ]


def _issue(bug: Bug, is_stored: bool) -> str:
    if is_stored:
        return f"The pipeline stores a wrong value for {bug.function}: its number is not what its docstring says."
    return f"Somebody in {bug.path.split('/')[1]} says that {bug.function} does not do what its docstring says."
