"""Evidence that a clone has not fetched is named: a query over nothing must not look like an answer."""

from pathlib import Path

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.evidence.digests import versions_without_rows

LOCK = "stages:\n  evaluate:\n    outs:\n    - path: validation\n      hash: md5\n"


def test_versions_whose_recorded_rows_are_not_here_are_named(tmp_path: Path) -> None:
    files = CampaignFiles(tmp_path)
    for name, lock in (("v000", LOCK), ("v001", LOCK), ("v002", "stages: {}\n")):
        (files.versions / name).mkdir(parents=True)
        (files.versions / name / "dvc.lock").write_text(lock)
    (files.versions / "v000" / "validation").mkdir()
    assert versions_without_rows(files) == ["v001"]
