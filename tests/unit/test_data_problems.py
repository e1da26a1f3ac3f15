import json

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.loading import load_problems, read_rows, read_split, split_rows
from evotrainer.errors import DataError

OWN = DomainConfig(data_path="own.jsonl")
STORIES = ["sells apples at the market", "walks along the river", "reads a long novel", "paints an old fence"]


def own_rows(count=80):
    return [
        {
            "id": f"q{index}",
            "problem": f"Worker {index} {STORIES[index % 4]} for {index * 7} hours and rests "
            f"{index + 3} minutes on day {index * 13}: how many pieces does crew {index * 3} count?",
            "answer": index,
        }
        for index in range(count)
    ]


def write(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n")


def test_a_persons_own_file_is_split_by_hash_into_four(tmp_path):
    write(tmp_path / "own.jsonl", own_rows())
    splits = {
        name: {problem.problem_id for problem in read_split(tmp_path, OWN, name)}
        for name in ("train", "probe", "validation", "test")
    }
    assert sum(map(len, splits.values())) == len(set.union(*splits.values())) == 80
    assert len(splits["train"]) > len(splits["validation"]) > 0


def test_the_split_of_a_row_ignores_its_id_and_its_place(tmp_path):
    rows = own_rows()
    rows += [{**row, "id": f"copy-{row['id']}", "problem": f"{row['problem']} Say!"} for row in rows[:20]]
    write(tmp_path / "own.jsonl", rows)
    before = {problem.prompt for problem in read_split(tmp_path, OWN, "test")}
    write(tmp_path / "own.jsonl", [{**row, "id": f"new{row['id']}"} for row in reversed(rows)])
    assert {problem.prompt for problem in read_split(tmp_path, OWN, "test")} == before


def test_variants_in_a_persons_file_share_a_split(tmp_path):
    rows = own_rows()
    copies = [{**row, "id": f"copy-{row['id']}", "problem": row["problem"].upper()} for row in rows]
    write(tmp_path / "own.jsonl", rows + copies)
    for split in split_rows(tmp_path / "own.jsonl", "math").values():
        names = {row.row_id for row in split}
        copied = {name for name in names if name.startswith("copy-")}
        assert copied == {f"copy-{name}" for name in names - copied}


def test_fields_of_a_row_reach_the_problem(tmp_path):
    (tmp_path / "set").mkdir()
    write(
        tmp_path / "set" / "train.jsonl",
        [{"id": 7, "problem": " 1+1? ", "answer": 2, "family": "sums", "difficulty": 0.5, "source": "me"}],
    )
    (problem,) = load_problems(tmp_path, DomainConfig(data_path="set"), "train")
    assert (problem.problem_id, problem.domain, problem.split) == ("7", "math", "train")
    assert (problem.prompt, problem.answer, problem.data) == ("1+1?", "2", {"source": "me"})
    assert (problem.family, problem.difficulty) == ("sums", 0.5)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{broken", r"rows.jsonl:3: the row is not JSON \(Expecting property name"),
        (r'{"id": "b", "problem": "\ud800", "answer": "1"}', "rows.jsonl:3: the row cannot be used .*surrogates"),
        ('{"id": "b", "problem": "p", "answer": ' + "9" * 5000 + "}", "rows.jsonl:3: .* digits"),
        ('{"id": "b", "notes": ' + "[" * 100_000 + "]" * 100_000 + "}", "rows.jsonl:3: .* recursion"),
        ("[1, 2]", "rows.jsonl:3: expected an object with id, problem and answer, found list"),
        ('{"id": "b", "answer": "1"}', "rows.jsonl:3: the row has the keys id, answer: wanted are problem and answer"),
        ('{"id": "b", "problem": "p"}', "rows.jsonl:3: 'answer' is missing"),
        ('{"id": "b", "problem": "p", "answer": true}', "rows.jsonl:3: 'answer' must be text or a number, found true"),
        ('{"id": "b", "problem": "p", "answer": "1", "difficulty": 3}', "rows.jsonl:3: 'difficulty' must"),
        ('{"id": "a", "problem": "p", "answer": "1"}', "rows.jsonl:3: id 'a' was used in line 1"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path, line, message):
    path = tmp_path / "rows.jsonl"
    path.write_text(f'{{"id": "a", "problem": "p", "answer": "1"}}\n\n{line}\n')
    with pytest.raises(DataError, match=message):
        read_rows(path, "math")


def test_a_whole_pair_and_a_mark_at_the_start_are_read(tmp_path):
    row = '{"id": "a", "problem": "\\ud83d\\ude00", "answer": "1"}'
    (tmp_path / "rows.jsonl").write_bytes(b"\xef\xbb\xbf" + row.encode())
    assert read_rows(tmp_path / "rows.jsonl", "math")[0].problem == "\U0001f600"


def test_bytes_that_are_no_text_are_named_by_line(tmp_path):
    (tmp_path / "own.jsonl").write_bytes(b'{"id": "a", "problem": "p", "answer": "1"}\n\xff\xfe\n')
    with pytest.raises(DataError, match="own.jsonl:2: not UTF-8"):
        load_problems(tmp_path, OWN, "train")


def test_a_line_separator_inside_a_text_does_not_shift_the_line_numbers(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"id": "a", "problem": "p\u2028q", "answer": "1"}\nbad\n')
    with pytest.raises(DataError, match="rows.jsonl:2"):
        read_rows(tmp_path / "rows.jsonl", "math")


@pytest.mark.parametrize(
    ("text", "split", "message"),
    [
        ("\n", "train", "is empty: give one JSON object a line"),
        ('{"id": "a", "problem": "p", "answer": "1"}', "holdout", "a single file is split into train, probe"),
    ],
)
def test_what_is_not_there_is_said_with_advice(tmp_path, text, split, message):
    (tmp_path / "own.jsonl").write_text(text)
    with pytest.raises(DataError, match=message):
        load_problems(tmp_path, OWN, split)


def test_a_file_too_small_to_split_says_so(tmp_path):
    write(tmp_path / "own.jsonl", own_rows(1))
    empty = next(name for name, rows in split_rows(tmp_path / "own.jsonl", "math").items() if not rows)
    with pytest.raises(DataError, match="too small to split"):
        load_problems(tmp_path, OWN, empty)


def test_missing_data_names_the_command_that_builds_it(tmp_path):
    with pytest.raises(DataError, match="run `evotrainer data build`"):
        load_problems(tmp_path, DomainConfig(), "train")
    (tmp_path / "data" / "math").mkdir(parents=True)
    with pytest.raises(DataError, match="add train.jsonl"):
        load_problems(tmp_path, DomainConfig(), "train")
