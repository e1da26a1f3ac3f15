"""What must hold of every generated repository: the fix fixes, the bug breaks what it is said to break, no more."""

import os
import re
import subprocess
import sys
from random import Random

import pytest

from evotrainer.domains.problem_sets.splits import SHARES, split_of
from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.grading.hidden_tests import gold_snapshot, run_hidden
from evotrainer.domains.swe.problems import FAMILIES
from evotrainer.domains.swe.problems.cases import draw_cases
from evotrainer.domains.swe.problems.execution import load
from evotrainer.domains.swe.problems.functions import SHAPES, Function, draw_function
from evotrainer.domains.swe.problems.generator import draw_problem
from evotrainer.domains.swe.problems.issues import KINDS, VAGUE_KINDS
from evotrainer.domains.swe.problems.rows import parse_row, tree_of
from evotrainer.domains.swe.problems.sets import row_of
from evotrainer.domains.swe.problems.vocabulary import PIECES
from evotrainer.domains.swe.runners import run_tests
from evotrainer.records import Problem
from tests.large_repository.core import CORE_BUGS
from tests.large_repository.problem import draw_large_problem


@pytest.fixture(scope="module")
def draws():
    rng = Random(11)
    return {split: [draw_problem(rng, split, family) for family in FAMILIES for _ in range(3)] for split in SHARES}


@pytest.fixture(scope="module")
def all_draws(draws):
    return [draw for found in draws.values() for draw in found]


def as_problem(draw):
    row = parse_row(row_of(draw), "generated:1")
    return Problem(
        problem_id=row.row_id,
        domain="swe",
        family=row.family,
        split="train",
        prompt=row.problem,
        answer=row.answer,
        data=row.data,
    )


def test_the_bug_fails_exactly_what_is_said_and_the_fix_passes_all(draws):
    for draw in draws["train"]:
        problem = as_problem(draw)
        repository = open_repository(problem, sanitize=True)
        buggy = run_hidden(problem, Snapshot(repository, {})).results
        assert [name for name, result in buggy.items() if result.status != "passed"] == problem.data["fail_to_pass"]
        fixed = run_hidden(problem, gold_snapshot(problem, repository))
        assert fixed.passed(list(buggy)) == len(buggy)


def test_visible_tests_fail_where_the_draw_says_so(draws):
    seen = set()
    for draw in draws["validation"]:
        snapshot = Snapshot(open_repository(as_problem(draw), sanitize=True), {})
        results = run_tests("light", snapshot, [*draw.visible.failing, *draw.visible.passing]).results
        assert {name for name, result in results.items() if result.status != "passed"} == set(draw.visible.failing)
        seen.add(bool(draw.visible.failing))
    assert seen == {True, False}


def test_no_other_wrong_text_of_the_line_passes_the_hidden_tests(all_draws):
    """Wrong texts that fresh calls tell from the right one; what no call tells apart is no wrong text."""
    told = passing = 0
    rng = Random(5)
    for draw in all_draws:
        function = draw.repository.function(draw.bug.function)
        right = load("\n".join(function.lines))
        suite = draw.hidden.files[f"tests/test_{draw.bug.path.split('/')[-1]}"]
        checks = re.findall(rf"assert ({function.name}\(.*) == (.*)", suite)
        for _, place, text in function.bugs():
            wrong = load("\n".join(function.with_line(place, text)))
            if place == draw.bug.place and any(
                case.fails for case in draw_cases(rng, function.name, function.kinds, right, wrong, 30)
            ):
                told += 1
                passing += all(gives(wrong, call, value) for call, value in checks)
    assert told > 500
    assert passing / told < 0.01


def gives(scope, call, value):
    try:
        return eval(call, scope) == eval(value)
    except Exception:
        return False


def test_no_constant_passes_the_hidden_tests(all_draws):
    for draw in all_draws:
        suite = draw.hidden.files[f"tests/test_{draw.bug.path.split('/')[-1]}"]
        values = re.findall(rf"assert {draw.bug.function}\(.*\) == (.*)", suite)
        assert len(values) >= 3
        assert len(set(values)) > 1, draw.patch


def test_the_same_seed_gives_the_same_problem(draws):
    again = Random(11)
    assert [draw_problem(again, split, family).data() for split in SHARES for family in FAMILIES for _ in range(3)] == [
        draw.data() for found in draws.values() for draw in found
    ]


def test_one_line_of_one_file_is_wrong(all_draws):
    for draw in all_draws:
        fixed = draw.repository.files()[draw.bug.path].split("\n")
        buggy = draw.files[draw.bug.path].split("\n")
        places = [number for number, pair in enumerate(zip(fixed, buggy, strict=True), start=1) if pair[0] != pair[1]]
        assert places == [draw.bug.line]
        assert (buggy[draw.bug.line - 1], fixed[draw.bug.line - 1]) == (draw.bug.wrong, draw.bug.right)
        changed = [line for line in draw.patch.splitlines() if re.match(r"[-+](?![-+]{2} )", line)]
        assert changed == [f"-{draw.bug.wrong}", f"+{draw.bug.right}"]


def test_history_leads_to_the_files_and_the_future_to_the_fix_with_its_tests(all_draws):
    for draw in all_draws:
        data = draw.data()
        assert len(data["history"]) >= 2
        assert tree_of(data["history"]) == data["files"]
        upstream = tree_of([*data["history"], *data["future"]])
        assert upstream[draw.bug.path] == draw.repository.files()[draw.bug.path]
        test = f"tests/test_{draw.bug.path.split('/')[-1]}"
        assert upstream[test] == data["hidden_tests"][test] != data["files"][test]


def test_functions_of_a_split_have_forms_of_that_split(draws):
    forms = {
        split: {
            function.sketch.canonical()
            for draw in found
            for module in draw.repository.modules
            for function in module.functions
            if isinstance(function, Function)
        }
        for split, found in draws.items()
    }
    for split, own in forms.items():
        assert len(own) > 40
        assert {split_of(form, SHARES) for form in own} == {split}


def test_issues_say_as_much_as_their_kind(all_draws):
    kinds = {draw.issue_kind for draw in all_draws}
    assert kinds == set(KINDS)
    for draw in all_draws:
        function = draw.repository.function(draw.bug.function)
        assert (function.promise in draw.issue) == (draw.issue_kind == "precise")
        assert (re.search(rf"\b{draw.bug.function}\b", draw.issue) is None) == (draw.issue_kind in VAGUE_KINDS)
        if draw.issue_kind == "tests":
            assert draw.visible.failing


def test_texts_are_short_in_pieces_and_most_pieces_have_a_use():
    rng = Random(3)
    draws = [draw_problem(rng, "train", rng.choice(FAMILIES)) for _ in range(200)]
    pattern = re.compile("|".join(map(re.escape, sorted(PIECES, key=len, reverse=True))) + "|.", re.DOTALL)
    files = [pattern.findall(text) for draw in draws for text in draw.files.values() if text]
    issues = [pattern.findall(draw.issue) for draw in draws]
    lines = [pattern.findall(line) for draw in draws[:60] for line in every_line(draw)]
    messages = [pattern.findall(message) for draw in draws for message, _ in (*draw.history, *draw.future)]
    notes = [pattern.findall("\n".join([*change, *map(str, change.values())])) for d in draws for _, change in d.future]
    assert 200 < len(PIECES) < 400
    assert sum(map(len, files)) / len(files) < 75
    assert max(map(len, files)) < 180
    assert sum(map(len, issues)) / len(issues) < 12
    assert max(map(len, lines)) < 40
    longer = [draw_function(rng, "get_price", "train", (shape,)) for shape in SHAPES for _ in range(60)]
    others = [pattern.findall("\n".join(one.with_line(place, text))) for one in longer for _, place, text in one.bugs()]
    texts = (files, issues, lines, messages, notes, others)
    used = {piece for found in texts for text in found for piece in text}
    assert len(set(PIECES) - used) < 0.2 * len(PIECES)  # the rest are words that longer functions are tested with
    letters = [piece for text in files for piece in text if len(piece) == 1 and piece.isalpha()]
    assert len(letters) / sum(map(len, files)) < 0.08


def every_line(draw):
    """The right line, and every way in which a function of the repository could be wrong."""
    functions = [function for module in draw.repository.modules for function in module.functions]
    return [draw.bug.right, *(text for f in functions if isinstance(f, Function) for _, _, text in f.bugs())]


def run_pytest(folder, files, below):
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    own = f"--basetemp={folder}.temporary"  # else pytest tidies up what earlier runs left, for minutes
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", own, *below]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    out = subprocess.run(command, cwd=folder, env=alone, capture_output=True, text=True, check=False).stdout
    ended = re.findall(r"^(PASSED|FAILED|ERROR) (\S+)", out, re.MULTILINE)
    return {name for status, name in ended if status == "PASSED"}, {
        name for status, name in ended if status != "PASSED"
    }


def check_with_pytest(tmp_path, files, bug, fixed, data, below=("tests",)):
    """Compare every hidden test in these folders with what the record says of it, with the bug and without."""
    hidden = {**files, **data["hidden_tests"]}
    failing, passing = (
        {name for name in data[key] if name.startswith(below)} for key in ("fail_to_pass", "pass_to_pass")
    )
    assert failing
    assert run_pytest(tmp_path / "buggy", hidden, below) == (passing, failing)
    assert run_pytest(tmp_path / "gold", {**hidden, bug.path: fixed}, below) == (passing | failing, set())


def test_real_pytest_agrees_on_small_repositories(draws, tmp_path):
    for number, draw in enumerate(draws["test"][::15]):
        fixed = draw.repository.files()[draw.bug.path]
        check_with_pytest(tmp_path / str(number), draw.files, draw.bug, fixed, draw.data())


def test_real_pytest_agrees_on_a_large_repository(tmp_path):
    found = draw_large_problem(2)
    data, bug = found.problem.data, found.bug
    lines = data["files"][bug.path].split("\n")
    assert lines[bug.line - 1] == bug.wrong
    lines[bug.line - 1] = bug.right
    area = f"tests/{bug.path.split('/')[1]}"
    check_with_pytest(tmp_path, data["files"], bug, "\n".join(lines), data, below=(area, "tests/core"))


def test_large_repositories_are_large_and_repeat():
    problems = [draw_large_problem(seed) for seed in range(30)]
    for found in problems:
        data = found.problem.data
        assert len(data["files"]) > 50
        assert len(data["history"]) > 15
        assert tree_of(data["history"]) == data["files"]
        assert data["future"][0]["changes"][found.bug.path] == tree_of(data["future"])[found.bug.path]
        assert not found.bug.function or found.bug.function in found.problem.prompt
    assert {found.bug.path for found in problems} >= {core.path for core in CORE_BUGS}
    assert draw_large_problem(3) == problems[3]
