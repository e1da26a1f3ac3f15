"""`evotrainer compare`: what it prints of two files, its interval and p beside scipy and by simulation, bad input."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.evidence.pairing import Side, side
from evotrainer.evidence.rows import Rows
from evotrainer.promotion.side_by_side import Watch, compared, plan, sign_p, watched


def lines(*cells: tuple[str, float | None], **columns: Any) -> list[dict[str, Any]]:
    """Return rows of attempts, (problem, outcome) each; an outcome of None was lost."""
    return [
        {"id": name, "prompt": f"What is {name}?", "response": "so", "correct": value}
        | ({"error": "Timeout"} if value is None else {})
        | columns
        for name, value in cells
    ]


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def typed(*words: str) -> Any:
    return CliRunner().invoke(app, ["compare", *words])


def drawn(values_NK: np.ndarray, first: int = 0) -> Side:
    """Return a side of N problems with K attempts each; problems are named from `first` on."""
    names = [f"p{place + first:03}" for place in range(len(values_NK)) for _ in range(values_NK.shape[1])]
    absent = pa.nulls(len(names), pa.string())
    values = pa.array(values_NK.ravel().astype(float))
    table = pa.table({"problem_id": names, "prompt": names, "gold": absent, "error": absent, "correct": values})
    return side("drawn", Rows(table), "correct")


def coins(rng: np.random.Generator, rates_N: np.ndarray, attempts: int) -> np.ndarray:
    return rng.random((len(rates_N), attempts)) < rates_N[:, None]


def test_it_says_which_is_better_which_problems_changed_and_in_what_the_files_differ(tmp_path: Path) -> None:
    names = [f"q{place}" for place in range(20)]
    worse = lines(*[(name, 0.0) for name in names for _ in range(4)], temperature=1.0)
    better = lines(*[(name, float(name != "q0")) for name in names for _ in range(4)], temperature=0.2)
    better += lines(("alone", 1.0), ("q1", None))
    done = typed(written(tmp_path / "a.jsonl", worse), written(tmp_path / "b.jsonl", better), "--show", "1")
    assert done.exit_code == 0, done.output
    assert "B - A: +95.0 pp" in done.output and "B is better" in done.output
    assert "gained: 19 of 20 problems" in done.output and "lost: 0 of 20" in done.output
    assert "temperature differs: 1.0 and 0.2" in done.output
    assert "0 problems of the first side alone, 1 of the second" in done.output
    assert "--- A: q1" in done.output and "user: What is q1?" in done.output


def test_a_file_and_a_part_of_it_are_told_and_no_power_is_claimed(tmp_path: Path) -> None:
    rows = lines(*[(f"q{place}", float(place % 3 == 0)) for place in range(20) for _ in range(2)])
    whole, part = written(tmp_path / "a.jsonl", rows), written(tmp_path / "b.jsonl", rows[:24])
    for other, num in ((whole, 40), (part, 24)):
        done = typed(whole, other)
        assert (
            f"the sides share {num} attempts word for word" in done.output and "in four comparisons" not in done.output
        )
    assert "no difference of shares" in str(typed(whole, part, "--plan", "5").exception)


def test_greedy_attempts_are_kept_apart(tmp_path: Path) -> None:
    names = ["q1", "q2", "q3"]
    rows = lines(*[(name, 0.0) for name in names for _ in range(2)])
    rows += lines(*[(name, 1.0) for name in names], decoding="greedy")
    file = written(tmp_path / "a.jsonl", rows)
    found = json.loads(typed(file, file, "--json").stdout)
    assert (found["scores"], found["greedy"], found["difference"]) == ([0, 0], [1, 1], 0)


def test_renumbered_problems_are_paired_by_prompt(tmp_path: Path) -> None:
    rows = lines(("a", 1.0), ("b", 0.0), ("c", 1.0))
    moved = [row | {"id": name} for row, name in zip(rows, "bca", strict=True)]
    done = typed(written(tmp_path / "a.jsonl", rows), written(tmp_path / "b.jsonl", moved), "--json")
    found = json.loads(done.stdout)
    assert found["difference"] == 0 and "paired by prompt" in found["notes"][-1]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (lines(("x", 1.0), ("y", 1.0)), "give attempts at the same problems"),
        ([row | {"gold": "5"} for row in lines(("a", 1.0), ("b", 1.0))], "have another gold answer"),
        ([{"id": "a", "prompt": "p", "response": "r"}], "share no measure"),
    ],
)
def test_files_that_cannot_be_compared_get_one_line(tmp_path: Path, other: list[Any], words: str) -> None:
    rows = [row | {"gold": "4"} for row in lines(("a", 1.0), ("b", 0.0))]
    done = typed(written(tmp_path / "a.jsonl", rows), written(tmp_path / "b.jsonl", other))
    assert done.exit_code == 1 and words in str(done.output) + str(done.exception)


@pytest.mark.slow
def test_p_is_that_of_all_signs_and_holds_its_level() -> None:
    differences = np.array([0.5, 0.25, -0.25, 0.75, 0.5, 0.25])
    signs = np.array(list(itertools.product([1, -1], repeat=6)))
    means = (signs * differences).mean(axis=1)
    assert sign_p(differences) == pytest.approx((np.abs(means) >= differences.mean() - 1e-12).mean())
    rng = np.random.default_rng(1)
    rates_N = rng.uniform(0.1, 0.9, 40)
    ps, covered = [], []
    for _ in range(150):
        found, _ = compared(drawn(coins(rng, rates_N, 4)), drawn(coins(rng, rates_N, 4)), "correct")
        ps.append(found.p)
        covered.append(found.low <= 0 <= found.high)
    assert np.mean(np.array(ps) < 0.05) <= 0.1 and np.mean(covered) >= 0.88


@pytest.mark.slow
def test_what_it_plans_shows_the_gain_four_times_of_five() -> None:
    rng = np.random.default_rng(2)
    rates_N = rng.uniform(0.2, 0.7, 60)
    pilot, _ = compared(drawn(coins(rng, rates_N, 4)), drawn(coins(rng, rates_N, 4)), "correct")
    problems, _ = plan(pilot, 0.1)
    shown = []
    for _ in range(60):
        drawn_N = rng.uniform(0.2, 0.7, problems)
        found, _ = compared(drawn(coins(rng, drawn_N, 4)), drawn(coins(rng, drawn_N + 0.1, 4)), "correct")
        shown.append(found.low > 0)
    assert 0.6 <= np.mean(shown) <= 0.95


@pytest.mark.slow
def test_looking_after_every_batch_keeps_the_error_and_sees_a_gain() -> None:
    rng = np.random.default_rng(3)

    def ever(gain: float) -> bool:
        rates_N = rng.uniform(0.2, 0.7, 30)
        watch, seen = Watch(sides=("a", "b"), measure="correct"), [np.zeros((30, 0)), np.zeros((30, 0))]
        for _ in range(8):
            seen = [np.hstack([old, coins(rng, rates_N + more, 2)]) for old, more in zip(seen, (0, gain), strict=True)]
            watch, missing = watched(watch, drawn(seen[0]), drawn(seen[1]))
            assert missing == 0
            if watch.bounds().low > 0 or watch.bounds().high < 0:
                return True
        return False

    assert sum(ever(0.0) for _ in range(40)) <= 5
    assert sum(ever(0.2) for _ in range(20)) >= 16


def test_a_state_counts_each_attempt_once_and_refuses_other_files(tmp_path: Path) -> None:
    rows = lines(*[(name, 1.0) for name in "abc"])
    files = [written(tmp_path / name, rows) for name in ("a.jsonl", "b.jsonl")]
    state = str(tmp_path / "state.json")
    assert "after 1 batch B - A" in typed(*files, "--sequential", state).output
    assert "no batch is counted: 6 times" in typed(*files, "--sequential", state).output
    for file in files:
        written(Path(file), rows + rows)
    assert "after 2 batches" in typed(*files, "--sequential", state).output
    for file in files:
        written(Path(file), rows)
    assert "fewer attempts" in str(typed(*files, "--sequential", state).exception)
    assert "name another file" in str(typed(files[1], files[0], "--sequential", state).exception)


def test_lists_and_rows_without_a_name_or_a_prompt_end_in_no_traceback(tmp_path: Path) -> None:
    rows = [row | {"logprobs": [-0.1, -0.2]} for row in lines(("a", 1.0), ("b", 0.0), ("a", 0.0))]
    rows += [{"id": None, "response": "so", "correct": 1.0}]
    file = written(tmp_path / "a.jsonl", rows)
    assert typed(file, file).exit_code == 0


def test_a_prompt_is_put_to_two_policies_side_by_side(
    digit_policy: Path, sharper_policy: Path, digit_problems: Any
) -> None:
    asked = [str(digit_policy), str(sharper_policy), "--ask", digit_problems[0].prompt]
    shown, found = typed(*asked).output, json.loads(typed(*asked, "--json").output)
    assert all(word in shown for word in ("A: ", "B: ", "greedy", "sampled 3"))
    assert [len(found[side]) for side in "AB"] == [4, 4]
    assert found["A"][0] == found["B"][0], "a steeper head has the same best guesses"


@pytest.mark.parametrize(
    ("name", "told"), [("rows.jsonl", "rows.jsonl holds no policy"), ("nobody:v001", "there is no campaign 'nobody'")]
)
def test_what_is_no_policy_cannot_be_asked(name: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        app(["compare", name, name, "--ask", "why?"])
    assert told in capsys.readouterr().err
