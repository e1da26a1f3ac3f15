"""Which versions' rows a checkout lacks, as a clone does: a query over nothing must not look like an answer."""

from evotrainer.campaign.layout import CampaignFiles

_ROWS = "validation"
_RECORDED = f"- path: {_ROWS}\n"
"""How dvc.lock records the rows that a version's score rests on."""


def versions_without_rows(files: CampaignFiles) -> list[str]:
    """Return the versions whose recorded rows are not in this checkout."""
    locks = sorted(files.versions.glob("*/dvc.lock"))
    recorded = [path.parent for path in locks if _RECORDED in path.read_text(encoding="utf-8")]
    return [folder.name for folder in recorded if not (folder / _ROWS).is_dir()]
