"""The built-in problem sets and base policies in a checkout: unpacked from the files of the code.

data.dvc, which `dvc add data` would write the same, records the hash of the problem sets.
"""

import shutil
from pathlib import Path

import yaml

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config.yaml_files import load_yaml
from evotrainer.domains.frozen import policy_names, unpack_policy
from evotrainer.domains.problem_sets.check import build, directory_hash
from evotrainer.errors import DataError


def build_data(main: Path) -> str:
    """Build data/ unless it is as recorded; a hash that is new is recorded. Return what happened, in one line."""
    files, record = CampaignFiles(main), main / "data.dvc"
    if record.is_file() and is_as_recorded(files):
        return f"{files.data} is up to date"
    shutil.rmtree(files.data, ignore_errors=True)
    found = build(files.data)
    if record.is_file() and found == recorded_hash(files):
        return f"{files.data} is built as recorded"
    sizes = [path.stat().st_size for path in files.data.rglob("*") if path.is_file()]
    out = {"md5": found, "size": sum(sizes), "nfiles": len(sizes), "hash": "md5", "path": files.data.name}
    write_atomic(record, yaml.safe_dump({"outs": [out]}, sort_keys=False))
    return f"{files.data} is built; its new hash {found} stands in {record}: commit it"


def build_policies(main: Path) -> str:
    """Unpack the embedded base policies; return what happened, in one line."""
    files = CampaignFiles(main)
    for name in policy_names():
        unpack_policy(name, files.policy(name))
    return f"{files.policy('')} holds {', '.join(policy_names())}"


def is_as_recorded(files: CampaignFiles) -> bool:
    """Tell whether data/ is there, bit for bit as data.dvc records it."""
    return files.data.is_dir() and directory_hash(files.data) == recorded_hash(files)


def recorded_hash(files: CampaignFiles) -> str:
    """Return the hash of the problem sets that data.dvc records."""
    path = files.root / "data.dvc"
    if not path.is_file():
        raise DataError(f"{path} does not exist: run `evotrainer data build` and commit data.dvc")
    try:
        return load_yaml(path.read_text())["outs"][0]["md5"]
    except (yaml.YAMLError, KeyError, IndexError, TypeError):
        raise DataError(f"{path} is damaged: restore it with git, or run `evotrainer data build`") from None
