"""The built-in problem sets in a checkout: built from their generators, compared with the hash in data.dvc.

data.dvc is what `dvc add data` writes. It is written here in the same words, because the hash is known without DVC, and
set-up stays quick; a campaign puts the files themselves into the cache.
"""

import shutil
from pathlib import Path

import yaml

from evotrainer.errors import DataError
from evotrainer.layout import CampaignFiles
from evotrainer.problem_sets.build import build, directory_hash


def build_data(main: Path) -> str:
    """Build data/ unless it is there, record its hash if that is new, and return what happened in one line."""
    files = CampaignFiles(main)
    record = main / "data.dvc"
    if record.is_file() and is_as_recorded(files):
        return f"{files.data} is up to date"
    shutil.rmtree(files.data, ignore_errors=True)
    found = build(files.data)
    if record.is_file() and found == recorded_hash(files):
        return f"{files.data} is built as recorded"
    record.write_text(yaml.safe_dump({"outs": [_describe(files.data, found)]}, sort_keys=False))
    return f"{files.data} is built; its new hash {found} stands in {record}: commit it"


def is_as_recorded(files: CampaignFiles) -> bool:
    """Tell whether data/ is there, bit for bit as data.dvc records it."""
    return files.data.is_dir() and directory_hash(files.data) == recorded_hash(files)


def recorded_hash(files: CampaignFiles) -> str:
    """Return the hash of the problem sets that data.dvc records."""
    path = files.root / "data.dvc"
    if not path.is_file():
        raise DataError(f"{path} does not exist: run `evotrainer data build` and commit data.dvc")
    try:
        return yaml.safe_load(path.read_text())["outs"][0]["md5"]
    except (yaml.YAMLError, KeyError, IndexError, TypeError):
        raise DataError(f"{path} is damaged: restore it with git, or run `evotrainer data build`") from None


def _describe(data: Path, found: str) -> dict[str, object]:
    paths = [path for path in data.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in paths)
    return {"md5": found, "size": size, "nfiles": len(paths), "hash": "md5", "path": data.name}
