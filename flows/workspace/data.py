"""The built-in problem sets in a checkout: unpacked from the files of the code, compared with the hash in data.dvc.

data.dvc and the objects in the cache are those that `dvc add data` writes. They are written here in the same format,
because all hashes are known without DVC, and set-up stays quick.
"""

import hashlib
import json
import shutil
from pathlib import Path

import yaml

from evotrainer.campaign.documents import new_folder, write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config.yaml_files import load_yaml
from evotrainer.domains.frozen import policy_names, unpack_policy
from evotrainer.domains.problem_sets.check import build, directory_hash, directory_listing, file_hashes
from evotrainer.errors import DataError

_MAX_NAMED = 3
OBJECT_MODE = 0o444
"""DVC protects its objects, since files in a checkout may be links to them."""
_CAUSES = (
    "either stored objects were altered (delete them in the DVC cache and in the remote: they are then stored anew), "
    "or the files that come with the code were edited (run `evotrainer data build` and commit data.dvc)"
)


def build_data(main: Path, cache: Path) -> str:
    """Build data/ unless it is as recorded, and store in the DVC cache what that lacks of it.

    A hash that is new is recorded in data.dvc. Returns what happened, in one line.
    """
    files = CampaignFiles(main)
    record = main / "data.dvc"
    if record.is_file() and is_as_recorded(files):
        num_stored = store_objects(files.data, cache)
        stored = f"as recorded; {num_stored} objects that the cache {cache} lacked are stored in it"
        return f"{files.data} is {stored if num_stored else 'up to date'}"
    shutil.rmtree(files.data, ignore_errors=True)
    found = build(files.data)
    store_objects(files.data, cache)
    if record.is_file() and found == recorded_hash(files):
        return f"{files.data} is built as recorded"
    write_atomic(record, yaml.safe_dump({"outs": [_describe(files.data, found)]}, sort_keys=False))
    return f"{files.data} is built; its new hash {found} stands in {record}: commit it"


def build_policies(main: Path) -> str:
    """Unpack the embedded base policies; return what happened, in one line."""
    files = CampaignFiles(main)
    for name in policy_names():
        unpack_policy(name, files.policy(name))
    return f"{files.policy('')} holds {', '.join(policy_names())}"


def store_objects(data: Path, cache: Path) -> int:
    """Put the problem files and their listing into the DVC cache where it lacks them; return how many it lacked."""
    paths = {object_path(cache, found): data / name for name, found in file_hashes(data).items()}
    missing = {path: source.read_bytes() for path, source in paths.items() if not path.is_file()}
    listing = object_path(cache, directory_hash(data))
    if not listing.is_file():
        missing[listing] = directory_listing(data)
    for path, content in missing.items():
        write_atomic(path, content)
        path.chmod(OBJECT_MODE)
    return len(missing)


def object_path(cache: Path, found: str) -> Path:
    """Return where the DVC cache keeps the object with this hash."""
    return cache / "files" / "md5" / found[:2] / found[2:]


def copy_built(main: Path, files: CampaignFiles) -> bool:
    """Copy data/ of the main checkout if it is what this campaign's data.dvc records; return whether it was."""
    built = CampaignFiles(main).data
    if not built.is_dir() or directory_hash(built) != recorded_hash(files):
        return False
    shutil.rmtree(files.data, ignore_errors=True)
    with new_folder(files.data) as partial:
        shutil.copytree(built, partial, dirs_exist_ok=True)
    return True


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


def describe_difference(files: CampaignFiles, cache: Path) -> str:
    """Return one line: which problem files are not as data.dvc records them, and what can have made them so.

    Single hashes stand in the listing that DVC stores under the hash of the folder; where the cache has no sound one,
    the line says that.
    """
    recorded = recorded_hash(files)
    listing = object_path(cache, recorded)
    expected = _read_listing(listing, recorded)
    if expected is None:
        return (
            f"the problem sets differ from the hash {recorded} in data.dvc, and {listing}, which would say in which "
            f"files, is missing or altered: {_CAUSES}"
        )
    found = file_hashes(files.data) if files.data.is_dir() else {}
    names = sorted(name for name in expected | found if expected.get(name) != found.get(name))
    changes = ", ".join(
        _change(files.data.name, name, expected.get(name), found.get(name)) for name in names[:_MAX_NAMED]
    )
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return f"problem sets are not as data.dvc records them: {changes}{more}: {_CAUSES}"


def _change(folder: str, name: str, expected: str | None, found: str | None) -> str:
    if expected is None or found is None:
        return f"{folder}/{name} is {'not recorded' if expected is None else 'missing'}"
    return f"{folder}/{name} has hash {found}, not {expected} (object files/md5/{expected[:2]}/{expected[2:]})"


def _read_listing(path: Path, recorded: str) -> dict[str, str] | None:
    """Return {file: MD5} of a folder as DVC stored it; None where the listing is not there or is another one."""
    if not path.is_file():
        return None
    content = path.read_bytes()
    if f"{hashlib.md5(content).hexdigest()}.dir" != recorded:
        return None
    return {entry["relpath"]: entry["md5"] for entry in json.loads(content)}


def _describe(data: Path, found: str) -> dict[str, object]:
    paths = [path for path in data.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in paths)
    return {"md5": found, "size": size, "nfiles": len(paths), "hash": "md5", "path": data.name}
