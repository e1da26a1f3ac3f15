"""Evidence that was damaged is named and never used."""

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError
from evotrainer.evidence.query import run_query
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals, write_rows, write_signals
from tests.evidence_rows import healthy_rows, trained_rows

FILE = "trajectories/step_00000.parquet"


@pytest.fixture
def evidence(tmp_path):
    rows, signals = trained_rows(0, num_steps=1, num_groups=4)
    write_rows(tmp_path / "versions/v001/training", 0, rows)
    write_signals(tmp_path / "versions/v001/training", signals)
    (tmp_path / "versions/v001/spec.json").write_text("{}")
    return tmp_path / "versions/v001/training"


def _flip_a_bit(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    "damage",
    [_flip_a_bit, lambda path: path.write_bytes(path.read_bytes()[:-100]), lambda path: path.unlink()],
    ids=["bit flipped", "cut", "lost"],
)
def test_a_damaged_file_is_named_and_not_used(evidence, damage):
    damage(evidence / FILE)
    files = CampaignFiles(evidence.parents[2])
    for read in (Rows.read, lambda _: run_query(files, "FROM all_trajectories")):
        with pytest.raises(EvidenceError, match="step_00000.parquet is (corrupt|missing).*dvc checkout"):
            read(evidence)


@pytest.mark.parametrize("content", ["{", "[]", "1"])
def test_a_damaged_list_of_hashes_is_named(evidence, content):
    (evidence / "digests.json").write_text(content)
    with pytest.raises(EvidenceError, match="digests.json is (corrupt|missing)"):
        Rows.read(evidence)


def test_damaged_signals_are_named_and_a_file_that_nobody_recorded_is_no_evidence(evidence):
    _flip_a_bit(evidence / "signals.parquet")
    with pytest.raises(EvidenceError, match="signals.parquet is corrupt"):
        read_signals(evidence)
    (evidence / "trajectories/step_00001.parquet").write_bytes(b"put here by hand")
    assert len(Rows.read(evidence)) == 32
    (evidence / "digests.json").unlink()
    with pytest.raises(EvidenceError, match="digests.json is missing"):
        Rows.read(evidence)


def test_a_write_that_fails_leaves_what_was_there(evidence, monkeypatch):
    before = list(Rows.read(evidence))
    rows = healthy_rows(1, num_groups=1)
    (evidence / f"{FILE}.partial").mkdir()
    with pytest.raises(OSError):
        write_rows(evidence, 0, rows)
    assert list(Rows.read(evidence)) == before
