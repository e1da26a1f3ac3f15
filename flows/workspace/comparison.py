"""What `dvc metrics diff` and `dvc plots diff` compare: the numbers of the version that a tag names, at one path.

    dvc metrics diff version/NAME/v002 version/NAME/v003

DVC compares files of equal paths, and a version's own path holds its name. Each version's commit therefore carries its
metrics and its training curve under compared/ too, as they are in its folder. Versions that train side by side are
committed in the order in which they end; the certificate's commit closes the branch with those of the certified one.
"""

import yaml

from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.layout import CampaignFiles

FOLDER = "compared"
CURVES = ("reward", "entropy", "kl", "loss")


def write_comparison(files: CampaignFiles, version: str) -> str:
    """Write compared/ for a version that is about to be committed; return the folder's path in the repository."""
    own, out = files.version(version), files.root / FOLDER
    write_atomic(out / "metrics.json", own.metrics.read_text(encoding="utf-8"))
    curve = own.curve.read_text(encoding="utf-8") if own.curve.is_file() else "[]\n"
    write_atomic(out / "curve.json", curve)
    plots = [{name: {"x": "step", "y": {"curve.json": name}}} for name in CURVES]
    write_atomic(out / "dvc.yaml", yaml.safe_dump({"metrics": ["metrics.json"], "plots": plots}, sort_keys=False))
    return FOLDER
