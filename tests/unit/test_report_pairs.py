"""The table of all pairs: what `lineage --pairs` prints."""

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.report.tables import PAIR_COLUMNS, all_pairs, pair_rows


def test_every_pair_of_scored_versions_stands_once(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    scores = {record.spec.version: record.verdict.score for record in records if record.verdict.score is not None}
    pairs = all_pairs(written_campaign, records)
    assert len(pairs) == len(scores) * (len(scores) - 1) / 2
    for pair in pairs:
        assert pair["version"] > pair["against"]
        assert pair["difference"] == pytest.approx(scores[pair["version"]] - scores[pair["against"]], abs=1e-6)
        assert pair["low"] <= pair["difference"] <= pair["high"]
    assert all(len(row) == len(PAIR_COLUMNS) for row in pair_rows(pairs))


def test_a_pair_agrees_with_the_verdicts_comparison(written_campaign: CampaignFiles) -> None:
    records = {record.spec.version: record for record in read_records(written_campaign)}
    pairs = {(pair["version"], pair["against"]): pair for pair in all_pairs(written_campaign, list(records.values()))}
    against = records["v001"].verdict.comparisons[0]
    found = pairs["v001", against.against]
    assert found["low"] == pytest.approx(against.low, abs=0.02)
    assert found["high"] == pytest.approx(against.high, abs=0.02)
