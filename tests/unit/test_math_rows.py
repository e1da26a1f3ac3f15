"""Rows of public math sets, their files, and what is said of rows that cannot be used."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import Result
from typer.testing import CliRunner

from cli.main import app
from conf.compose import compose_campaign
from evotrainer.config import DomainConfig
from evotrainer.config.yaml_files import read_mapping
from evotrainer.domains import create_environment
from evotrainer.domains.math.rows import parse_row
from evotrainer.domains.problem_sets.loading import BadRowsError, copy_problems, problem_of, read_rows, split_rows
from evotrainer.domains.problem_sets.rows import Reading
from evotrainer.errors import ConfigError, DataError
from flows.workspace.checks import examine

ROOT = Path(__file__).resolve().parents[2]

GSM8K = {
    "question": "Natalia sold 48 clips, then half as many. How many?",
    "answer": "48/2 = <<48/2=24>>24\n#### 1,072",
}
MATH = {
    "problem": "Find $x$ with $2x = 1$.",
    "level": "Level 3",
    "type": "Algebra",
    "solution": r"We get \boxed{2x}, so $x = \boxed{\frac{1}{2}}$.",
}
MATH500 = {**MATH, "answer": r"\frac{1}{2}", "subject": "Algebra", "level": 5, "unique_id": "test/algebra/1.json"}
AIME = {
    "id": 60,
    "problem": "Every morning Aya walks.",
    "solution": "long",
    "answer": "204",
    "url": "u",
    "year": "2024",
}
VERL = {
    "data_source": "openai/gsm8k",
    "prompt": [{"role": "system", "content": "Box it."}, {"role": "user", "content": "What is 6 times 12?"}],
    "ability": "math",
    "reward_model": {"style": "rule", "ground_truth": "72"},
    "extra_info": {"split": "train", "index": 0},
}
COMPLETED = {"prompt": "2+2?", "completion": r"It is \boxed{4}."}
CHAT = {"prompt": [{"role": "user", "content": "2+2?"}], "completion": [{"role": "assistant", "content": "#### 4"}]}


@pytest.mark.parametrize(
    ("values", "problem", "answer", "family", "difficulty"),
    [
        (GSM8K, GSM8K["question"], "1,072", "own", 0.0),
        (MATH, MATH["problem"], r"\frac{1}{2}", "Algebra", 0.5),
        (MATH500, MATH["problem"], r"\frac{1}{2}", "Algebra", 1.0),
        (AIME, AIME["problem"], "204", "own", 0.0),
        (VERL, "What is 6 times 12?", "72", "openai/gsm8k", 0.0),
        (COMPLETED, "2+2?", "4", "own", 0.0),
        (CHAT, "2+2?", "4", "own", 0.0),
        ({"prompt": "2+2?", "label": "4"}, "2+2?", "4", "own", 0.0),
    ],
    ids=["gsm8k", "math", "math500", "aime", "verl", "completion", "chat", "label"],
)
def test_a_public_row_is_recognised(values: dict[str, Any], problem: str, answer: str, family: str, difficulty: float):
    row = parse_row(values, "f:1")
    assert (row.problem, row.answer, row.family, row.difficulty) == (problem, answer, family, difficulty)


def test_what_a_row_has_beside_is_kept_and_a_row_without_id_is_named_by_its_problem():
    assert parse_row(GSM8K, "f:1").data == {"solution": GSM8K["answer"]}
    assert parse_row(AIME, "f:1").row_id == "60"
    assert parse_row(MATH500, "f:1").row_id == "test/algebra/1.json"
    assert parse_row(GSM8K, "f:1").row_id == parse_row({**GSM8K, "answer": "1"}, "f:9").row_id != ""


def test_the_system_message_of_a_row_opens_its_episode_unless_one_is_configured():
    problem = problem_of(parse_row(VERL, "f:1"), "math", "train")
    said = [create_environment(DomainConfig(system_prompt=text)).reset(problem, 0)[0].content for text in ("", "Mine.")]
    assert said == ["Box it.", "Mine."]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"q": "1+1?", "a": "2"}, "has the keys q, a: wanted are problem and answer, .* --map problem=KEY,answer=KEY"),
        ({"problem": "p", "solution": "no box"}, "'solution' has no .boxed"),
        ({**VERL, "reward_model": {"style": "rule"}}, "'reward_model' must hold ground_truth"),
        ({**VERL, "prompt": [*VERL["prompt"], {"role": "assistant", "content": "x"}]}, "one message of the user"),
        ({"prompt": "p", "completion": "words " * 90}, "too long for an answer"),
        ({"problem": "p", "answer": float("nan")}, "'answer' is NaN, which is no finite number"),
        ({"problem": "p", "answer": "$$"}, "the answer holds nothing that can be compared"),
        ({"problem": "p", "answer": "1" * 201}, "the answer has 201 characters: an answer has at most 200"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_in_one_line(values: dict[str, Any], message: str):
    with pytest.raises(DataError, match=f"^f:1: .*{message}") as caught:
        parse_row(values, "f:1")
    assert "\n" not in str(caught.value)


def _write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_columns_are_read_under_the_names_that_a_person_gives(tmp_path: Path):
    path = _write(tmp_path / "own.jsonl", [{"q": "1+1?", "gold": {"value": 2}, "note": "n"}])
    (row,) = read_rows(path, "math", Reading(read_mapping("problem=q, answer=gold.value")))
    assert (row.problem, row.answer) == ("1+1?", "2")
    assert row.data == {"gold": {"value": 2}, "note": "n"}
    with pytest.raises(DataError, match="names the column 'nowhere', the row has q, gold, note"):
        read_rows(path, "math", Reading({"problem": "nowhere"}))
    with pytest.raises(ConfigError, match="maps no columns"):
        read_mapping("problem=")
    (tmp_path / "columns.yaml").write_text("problem: q\nanswer: gold.value\n")
    for written in ("problem=q,answer=gold.value", "{problem: q, answer: gold.value}", tmp_path / "columns.yaml"):
        composed = compose_campaign([f"domain.columns={written}"]).domain.columns
        assert composed == read_mapping(str(tmp_path / "columns.yaml"))


def test_all_bad_rows_are_counted_and_the_first_are_named(tmp_path: Path):
    rows = [{"id": str(number), "problem": f"p{number}", "answer": "" if number % 2 else "1"} for number in range(60)]
    with pytest.raises(BadRowsError, match="30 of 60 rows cannot be used: .*own.jsonl:2: 'answer' is empty") as caught:
        read_rows(_write(tmp_path / "own.jsonl", rows), "math")
    assert str(caught.value).count("is empty") == 1 and str(caught.value).endswith("40, 42 and 9 more)")
    assert caught.value.num_bad == 30 and len(caught.value.reasons) == 1
    del rows[3]["problem"]
    with pytest.raises(BadRowsError, match=r"own.jsonl:4: the row has the keys id, answer: .*columns=problem=KEY"):
        read_rows(_write(tmp_path / "own.jsonl", rows), "math")


def _questions(count: int, start: int = 0) -> list[dict[str, str]]:
    animals = ["owls", "newts", "cranes", "voles", "hares"]
    return [
        {
            "question": f"Crew {number * 17} of {animals[number % 5]} counts {number * 31 + 7} stones on day {number}, "
            f"then {number * 3} shells near {number * 5} posts: how many in all?",
            "answer": f"#### {number}",
        }
        for number in range(start, start + count)
    ]


def test_a_folder_of_a_hubs_shards_is_read_and_its_train_rows_give_what_it_lacks(tmp_path: Path):
    folder = tmp_path / "gsm8k"
    folder.mkdir()
    for number in range(2):
        table = pa.Table.from_pylist(_questions(40, number * 40))
        pq.write_table(table, folder / f"train-0000{number}-of-00002.parquet")
    pq.write_table(pa.Table.from_pylist(_questions(20, 200)), folder / "test-00000-of-00001.parquet")
    splits = {name: {row.row_id for row in rows} for name, rows in split_rows(folder, "math").items()}
    assert {name: len(rows) > 0 for name, rows in splits.items()} == dict.fromkeys(
        ("train", "test", "probe", "validation"), True
    )
    assert sum(map(len, splits.values())) == 100 == len(set.union(*splits.values()))
    assert len(splits["test"]) == 20
    copy_problems(folder, tmp_path / "copy", "math", Reading())
    copied = {name: {row.row_id for row in rows} for name, rows in split_rows(tmp_path / "copy", "math").items()}
    assert copied == splits
    assert sorted(path.suffix for path in (tmp_path / "copy").iterdir()) == [".jsonl"] * 4


def test_what_datasets_saved_is_read(tmp_path: Path):
    datasets = pytest.importorskip("datasets")
    rows = _questions(50)
    datasets.Dataset.from_list(rows).save_to_disk(tmp_path / "one")
    assert sum(len(found) for found in split_rows(tmp_path / "one", "math").values()) == 50
    both = {"train": datasets.Dataset.from_list(rows), "val": datasets.Dataset.from_list(_questions(9, 300))}
    datasets.DatasetDict(both).save_to_disk(tmp_path / "both")
    assert len(split_rows(tmp_path / "both", "math")["validation"]) == 9


def test_a_copy_has_wanted_names_and_gives_the_same_problems(tmp_path: Path):
    own = [{"q": row["question"], "gold": row["answer"]} for row in _questions(50)]
    source, reading = _write(tmp_path / "own.jsonl", own), Reading({"question": "q", "answer": "gold"})
    copy_problems(source, tmp_path / "copy", "math", reading)
    copied, given = split_rows(tmp_path / "copy", "math"), split_rows(source, "math", reading)
    assert [[row.problem for row in copied[split]] for split in given] == [
        [row.problem for row in rows] for rows in given.values()
    ]


def test_a_file_of_another_kind_is_refused(tmp_path: Path):
    (tmp_path / "own.csv").write_bytes(b"a,b\n")
    with pytest.raises(DataError, match="problems come as .jsonl, .parquet"):
        read_rows(tmp_path / "own.csv", "math")


def _check(path: Path, rows: list[dict[str, str]]) -> Result:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return CliRunner().invoke(app, ["data", "check", str(path)])


def _sums(number: int) -> list[dict[str, str]]:
    return [{"id": str(n), "problem": f"{n}+{7 * n}=?", "answer": str(8 * n)} for n in range(number)]


def test_a_statement_with_two_answers_is_a_contradiction_and_with_one_answer_in_two_forms_is_none(
    tmp_path: Path,
) -> None:
    path = tmp_path / "own.jsonl"
    told = _check(path, [*_sums(80), {"id": "a", "problem": "3+21=?", "answer": "24.0"}])
    assert (told.exit_code, "contradicts" in told.output) == (0, False)
    told = _check(path, [*_sums(80), {"id": "a", "problem": "3+21=?", "answer": "25"}])
    assert told.exit_code == 1
    assert f"{path}:81: contradicts {path}:4: the same statement has the answers '24' and '25'" in told.output
    found = examine(ROOT, [f"domain.data_path={path}"], embedded=None)
    assert [check.message for check in found.checks if check.name == "row"] == [told.output.splitlines()[0]]


def test_too_few_problems_are_refused_by_the_check_as_by_a_campaign(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    told = _check(path, _sums(6))
    (error,) = examine(ROOT, [f"domain.data_path={path}"], embedded=None).errors
    assert isinstance(told.exception, DataError) and str(told.exception) == str(error)
    assert "6 problems" in str(error) and "a campaign needs train, probe, validation, test" in str(error)
    assert "power: 3 validation rows: gains under" in told.output
