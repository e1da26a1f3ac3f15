"""The PNG of a campaign's scores."""

from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.report.figure import trajectory_png, write_trajectory

pytestmark = pytest.mark.parts


@pytest.mark.slow
def test_the_figure_is_drawn_again_where_records_changed_or_the_file_is_cut(
    written_campaign: CampaignFiles, tmp_path: Path
) -> None:
    records, path = read_records(written_campaign), tmp_path / "trajectory.png"
    write_trajectory(path, records)
    whole, drawn = path.read_bytes(), path.stat().st_ino  # each write makes another file
    write_trajectory(path, records)
    assert path.stat().st_ino == drawn
    path.write_bytes(whole[:-1])
    write_trajectory(path, records)
    assert path.read_bytes() == whole == trajectory_png(records)
    write_trajectory(path, records[:-1])
    assert path.read_bytes() == trajectory_png(records[:-1]) != whole


def test_the_figure_grows_with_the_campaign(written_campaign: CampaignFiles) -> None:
    records = read_records(written_campaign)
    short, long = _png_size(trajectory_png(records[:3])), _png_size(trajectory_png([*records, *records, *records]))
    assert long[0] > 1.5 * short[0]
    assert min(short) > 500


def _png_size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
