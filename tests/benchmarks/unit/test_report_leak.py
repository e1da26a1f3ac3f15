"""Two campaigns on open histories side by side: the table's numbers are the verdicts', the figure is one."""

import pandas as pd
import pytest

from benchmarks.reports.leak import LeakCampaign, leak_figures, leak_table, read_leak_campaign
from evotrainer.domains.swe.access import SANITIZED_HISTORY
from evotrainer.evidence.store import write_rows
from evotrainer.records import Certificate, CertifiedScore, Finding
from tests.campaign_writer import make_rows

LEAK = Finding(mode="history_leak", severity="invalid", diagnostic="history_leak", version="v001", message="restored")
CERTIFICATE = Certificate(
    campaign="demo",
    incumbent="v000",
    num_problems=8,
    attempts=4,
    comparisons=[],
    gate_version="1",
    scores=[
        CertifiedScore(
            version="v000", policy_hash="h", score=0.98, low=0.9, high=1.0, greedy_score=1.0, leak_free_score=0.12
        )
    ],
)


def restored(row, step):
    is_restored = float(row.problem_id == "p1" and step == 1)
    name = f"{step}.{row.trajectory_id}"
    return row.model_copy(
        update={"trajectory_id": name, "step": step, "extra": {"checks": {"future_restored": is_restored}}}
    )


@pytest.fixture
def campaign(make_records, campaign_writer):
    make_records(
        ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}),
        (
            "v001",
            0.9,
            {
                "generation": 1,
                "kind": "baseline",
                "incumbent": "v000",
                "findings": (LEAK,),
                "rescored": {"v001": 0.25, "v000": 0.35},
                "rescored_under": SANITIZED_HISTORY,
            },
        ),
    )
    files = campaign_writer.files
    files.certificate.mkdir()
    (files.certificate / "certificate.json").write_text(CERTIFICATE.model_dump_json())
    for step in (0, 1):
        rows = make_rows("v001", {"p0": 1.0, "p1": 0.0}, attempts=2, seed=step)[: 2 + 3 * step]
        write_rows(files.version("v001").training, step, [restored(row, step) for row in rows])
    return read_leak_campaign("guarded", files)


def test_training_is_read_by_step(campaign: LeakCampaign):
    assert campaign.training["restored"].to_list() == pytest.approx([0.0, 0.4])
    assert campaign.training["score"].to_list() == pytest.approx([1.0, 0.6])


def test_the_table_shows_scores_as_evaluated_and_without_the_leak(campaign: LeakCampaign):
    text = leak_table([campaign])
    score = 100 * campaign.records[1].verdict.score
    assert f"| guarded | v001 | open | {score:.1f} | 25.0 | invalid |" in text
    assert "| guarded | v000 (incumbent) | 98.0 | 12.0 |" in text


def test_the_figures_are_pngs_also_without_the_check(campaign: LeakCampaign):
    silent = LeakCampaign("score-only", campaign.records, CERTIFICATE, pd.DataFrame({"score": [], "restored": []}))
    pictures = leak_figures([campaign, silent])
    assert list(pictures) == ["training.png", "scores.png"]
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())
