"""Whether a person's own policy lies in files that can be read, and whose sizes are those of one network."""

from pathlib import Path

from evotrainer.engines.checkpoint import read_model_config, read_settings
from evotrainer.engines.model_files import check_sizes
from evotrainer.errors import EvoTrainerError, PolicyError
from flows.workspace.check import Check
from flows.workspace.own_files import refuse_links

_WITH_CODE = ("config.json", "tokenizer_config.json")


def check_folder(own: Path) -> None:
    """Refuse a folder that nothing else need look at.

    Raises:
        ConfigError: it holds links, or what is no plain file.
        PolicyError: config.json or the weights are missing or damaged, or the sizes in both differ.

    """
    refuse_links(own)
    if not read_model_config(own).get("model_type"):
        raise PolicyError(f"{own / 'config.json'} names no model_type: restore the directory")
    check_sizes(own)


def is_sound(own: Path) -> bool:
    """Whether `check_folder` refuses nothing: the look at the policy says what it does refuse."""
    try:
        check_folder(own)
    except EvoTrainerError:
        return False
    return True


def code_in(own: Path) -> list[Check]:
    """Return a warning for each file that names code in the folder."""
    named = [own / name for name in _WITH_CODE if (own / name).is_file() and "auto_map" in read_settings(own / name)]
    return [Check("policy", "warning", f"{file} names code of its own (auto_map): it is never run") for file in named]
