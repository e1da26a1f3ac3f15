"""Checkpoints of a job: which are whole, which are kept, and how one becomes the version's policy.

OpenRLHF writes a Hugging Face directory a checkpoint beside DeepSpeed's state, and rotates only the latter. The last
file that it writes of one is the tokenizer's configuration, which tells a whole directory from one under way.
"""

import re
import shutil
from pathlib import Path

from evotrainer.engines.checkpoint import WEIGHT_SUFFIXES, copy_without_weights, policy_hash
from evotrainer.errors import TrainingError

_NAME = re.compile(r"global_step(\d+)_hf")
_LAST_FILE = "tokenizer_config.json"
_STATE = "_actor"


def whole_checkpoints(folder: Path) -> dict[int, Path]:
    """Return {number of steps: Hugging Face directory} of those that are whole."""
    found = {}
    for path in folder.glob("global_step*_hf"):
        match = _NAME.fullmatch(path.name)
        if match and is_whole(path):
            found[int(match.group(1))] = path
    return dict(sorted(found.items()))


def is_whole(path: Path) -> bool:
    """Tell whether a Hugging Face directory has all its files, and weights that nobody took home."""
    return (path / _LAST_FILE).is_file() and bool(_weights(path))


def keep_last(folder: Path) -> None:
    """Remove all whole Hugging Face directories but the last."""
    for path in list(whole_checkpoints(folder).values())[:-1]:
        shutil.rmtree(path)


def resumed_step(folder: Path) -> int:
    """Return the number of steps that DeepSpeed's last state has taken, from which a job goes on; 0 without one."""
    latest = folder / _STATE / "latest"
    match = re.fullmatch(r"global_step(\d+)", latest.read_text().strip()) if latest.is_file() else None
    return int(match.group(1)) if match else 0


def take_model(source: Path, init_path: Path, out: Path) -> str:
    """Move the weights at `source` into `out`, all else taken from `init_path`; return the policy's hash.

    The tokenizer and the chat template stay what they were, byte for byte; weights are moved, never copied.

    Raises:
        TrainingError: there are no weights.

    """
    weights = _weights(source)
    if not weights:
        raise TrainingError(f"OpenRLHF ended, but {source} holds no weights: look into its log beside that folder")
    copy_without_weights(init_path, out)
    for path in weights:
        shutil.move(path, out / path.name)
    return policy_hash(out)


def _weights(path: Path) -> list[Path]:
    return [file for file in sorted(path.glob("*")) if file.name.endswith(WEIGHT_SUFFIXES)]
