"""A policy on disk: an ordinary Hugging Face directory, named by its content. Without torch."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from evotrainer.errors import PolicyError

WEIGHT_SUFFIXES = (".safetensors", ".bin", ".safetensors.index.json", ".bin.index.json")


def policy_hash(path: Path) -> str:
    """Return the SHA-256 over names and bytes of the directory's files (first 16 hex digits)."""
    digest = hashlib.sha256()
    for file in sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")):
        digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()[:16]


def read_model_config(path: Path) -> dict[str, Any]:
    """Return the directory's config.json; raises PolicyError where there is none."""
    try:
        return json.loads((path / "config.json").read_text())
    except FileNotFoundError:
        raise PolicyError(f"{path} is no policy: it has no config.json; give a Hugging Face model directory") from None
    except json.JSONDecodeError as error:
        raise PolicyError(f"{path / 'config.json'} is not JSON ({error}): restore the directory") from None


def write_model_config(path: Path, config: dict[str, Any]) -> None:
    """Write config.json in canonical form."""
    (path / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def copy_without_weights(source: Path, out: Path) -> None:
    """Make `out` a new directory with tokenizer, chat template and settings of `source`, byte for byte."""
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    for file in sorted(source.iterdir()):
        if file.is_file() and not file.name.startswith(".") and not file.name.endswith(WEIGHT_SUFFIXES):
            shutil.copyfile(file, out / file.name)
