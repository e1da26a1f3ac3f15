"""Memory on disk round-trips to the byte, and a damaged file is named."""

import re

import pytest

from evotrainer.campaign.memory import Memory, load_memory, save_memory
from evotrainer.errors import LineageError
from tests.memory_records import case, skill, trial


def test_what_was_stored_without_a_seed_still_loads(tmp_path):
    stored = Memory(cases=[case("swe", ["dead_groups"])], skills=[skill(trial("swe"))])
    save_memory(tmp_path, stored)
    for path in (tmp_path / "cases.jsonl", *tmp_path.glob("skills/*/SKILL.md")):
        text = path.read_text()
        older = re.sub(r'"campaign_seed":0,|"change":"",|  campaign_seed: 0\n', "", text)
        assert older != text
        path.write_text(older)
    assert load_memory(tmp_path) == stored


def test_files_round_trip_to_the_byte(tmp_path):
    memory = Memory(cases=[case("swe", ["dead_groups"])], skills=[skill(trial("swe"), trial("code"))])
    save_memory(tmp_path / "one", memory)
    again = load_memory(tmp_path / "one")
    assert again == memory
    save_memory(tmp_path / "two", again)
    one, two = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two and len(one) == 4
    text = (tmp_path / "one" / "skills" / "learning-rate-learning-rate-up" / "SKILL.md").read_text()
    assert "Standing: general; successes 2, failures 0." in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cases.jsonl", '{"campaign": 3}\n'),
        ("skills/x/SKILL.md", "# no front matter\n"),
        ("skills/x/SKILL.md", "---\nname: x\n---\n"),
    ],
)
def test_a_damaged_memory_names_its_file(tmp_path, name, text):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    with pytest.raises(LineageError, match=path.name):
        load_memory(tmp_path)
