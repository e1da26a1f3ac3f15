"""A policy on disk, named by its content: a whole Hugging Face directory, or an adapter on one. Without torch.

    whole model   config.json, weights, tokenizer, chat template
    adapter       adapter_config.json and adapter_model.safetensors as peft writes them, and base.json:
                  {"policy_hash": hash of the base's directory, "dtype": what the base was trained and runs in}

An adapter names its base by hash and not by place, so that equal training gives equal bytes everywhere. The place is
what `policy.path` names, since all versions of a campaign stand on its base policy; the hash is compared on each load.
This module alone knows the two forms. A reader asks `open_checkpoint` and takes configuration and tokenizer from
`base`, and the adapter, where there is one, from `adapter`.
"""

import hashlib
import importlib
import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.campaign.documents import emptied, write_json_atomic
from evotrainer.errors import PolicyError

WEIGHT_SUFFIXES = (".safetensors", ".bin", ".safetensors.index.json", ".bin.index.json")
_TIMES_TELL_NS = 50_000_000
"""Two changes that lie closer together may leave the same times: a kernel counts them in ticks."""
_Signature = tuple[tuple[str, int, int, int, int], ...]
_HASHES: dict[Path, tuple[_Signature, str]] = {}
ADAPTER_CONFIG, ADAPTER_WEIGHTS, BASE_RECORD = "adapter_config.json", "adapter_model.safetensors", "base.json"


@dataclass(frozen=True)
class Checkpoint:
    """Where the parts of a policy lie."""

    path: Path
    """The policy's own directory, whose content is its hash."""
    base: Path
    """The whole model that it stands on: `path` itself where it is one."""
    dtype: str = ""
    """What the base of an adapter runs in, like bfloat16; empty for a whole model, whose config.json says it."""

    @property
    def adapter(self) -> Path | None:
        """The directory of the adapter; None for a whole model."""
        return None if self.path == self.base else self.path


def is_adapter(path: Path) -> bool:
    """Return whether the directory holds an adapter and no whole model."""
    return (path / ADAPTER_CONFIG).is_file()


def open_checkpoint(path: Path, base: str | Path = "") -> Checkpoint:
    """Return the parts of the policy in `path`; raises PolicyError where an adapter's base is absent or another one.

    `base` is what policy.path names, used for adapters alone: absolute, or relative to a folder above `path`.
    """
    if not is_adapter(path):
        return Checkpoint(path, path)
    record = _read_base_record(path)
    place = _find_base(path, base)
    if (found := policy_hash(place)) != record["policy_hash"]:
        raise PolicyError(
            f"{path} is an adapter on the model {record['policy_hash']}, but policy.path={base} holds {found}: "
            "restore the model that the adapter was trained on"
        )
    return Checkpoint(path, place, record["dtype"])


def write_base_record(out: Path, base: Path, dtype: str) -> None:
    """Write which model the adapter in `out` stands on, and the dtype that it was trained in."""
    record = {"dtype": dtype, "policy_hash": policy_hash(base)}
    write_json_atomic(out / BASE_RECORD, record, indent=2)


def _find_base(path: Path, base: str | Path) -> Path:
    places = [folder / base for folder in path.absolute().parents] if base else []
    for place in places:
        if (place / "config.json").is_file() and not is_adapter(place):
            return place
    raise PolicyError(
        f"{path} is an adapter and policy.path={str(base)!r} names no whole model: set it to the model that the "
        "adapter was trained on, or merge both with `evotrainer export`"
    )


def _read_base_record(path: Path) -> dict[str, str]:
    try:
        record = json.loads((path / BASE_RECORD).read_text())
        return {"policy_hash": str(record["policy_hash"]), "dtype": str(record["dtype"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PolicyError(
            f"{path / BASE_RECORD} does not say which model this adapter stands on ({error}): restore it, or merge the "
            "adapter into its model and use the result"
        ) from None


def policy_hash(path: Path) -> str:
    """Return the SHA-256 over names and bytes of the directory's files (first 16 hex digits).

    A process reads a directory once. It is read again where a file's size, number or times differ, or were too young
    at the last reading for a later change to show in them.
    """
    before = _signature(path)
    known = _HASHES.get(path.absolute())
    if known is not None and known[0] == before:
        return known[1]
    digest = hashlib.sha256()
    for file in _files(path):
        digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
    found = digest.hexdigest()[:16]
    if before == _signature(path) and all(time.time_ns() - changed > _TIMES_TELL_NS for *_, changed in before):
        _HASHES[path.absolute()] = (before, found)
    return found


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))


def _signature(path: Path) -> _Signature:
    """Return name, size, number, and times of content and of the entry of each file."""
    found = [(file.name, file.stat()) for file in _files(path)]
    return tuple((name, about.st_size, about.st_ino, about.st_mtime_ns, about.st_ctime_ns) for name, about in found)


def read_model_config(path: Path) -> dict[str, Any]:
    """Return the directory's config.json; raises PolicyError where there is none, or it is no object."""
    if not (path / "config.json").is_file():
        raise PolicyError(f"{path} is no policy: it has no config.json; give a Hugging Face model directory")
    return read_settings(path / "config.json")


def read_settings(file: Path) -> dict[str, Any]:
    """Return the JSON object that a file of a policy's directory holds; raises PolicyError where it holds none."""
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"{file} is not JSON ({error}): restore the directory") from None
    if not isinstance(values, dict):
        raise PolicyError(f"{file} is {str(values)[:40]!r} and no JSON object: restore the directory")
    return values


def copy_without_weights(source: Path, out: Path) -> None:
    """Make `out` a new directory with tokenizer, chat template and settings of `source`, byte for byte."""
    emptied(out)
    for file in sorted(source.iterdir()):
        if file.is_file() and not file.name.startswith(".") and not file.name.endswith(WEIGHT_SUFFIXES):
            shutil.copyfile(file, out / file.name)


def export_policy(path: Path, base: str, out: Path) -> str:
    """Write the policy in `path` to the new folder `out`; return its hash. An adapter is merged into `base`.

    Files get the modes of new ones: those of a campaign are read-only, and safetensors writes for the owner alone.
    Raises PolicyError where there is no policy, `out` exists, or `base` is not what the adapter was trained on.
    """
    if out.exists():
        raise PolicyError(f"{out} exists: name a new folder")
    if not path.is_dir():
        raise PolicyError(f"{path} holds no policy: the version did not train, or its model was not pulled")
    if is_adapter(path):
        policy = importlib.import_module("evotrainer.engines.hf").TransformersPolicy.load(path, base=base)
        policy.merge()
        policy.save(out)
    else:
        shutil.copytree(path, out)
    _give_usual_modes(out)
    return policy_hash(out)


def _give_usual_modes(folder: Path) -> None:
    umask = os.umask(0)
    os.umask(umask)
    for path in (folder, *folder.rglob("*")):
        path.chmod((0o777 if path.is_dir() else 0o666) & ~umask)
