"""The pipeline of one version as a table: what each stage reads and writes. Code and configuration are left out."""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config.plain_yaml import load_yaml
from evotrainer.errors import LineageError

_LEFT_OUT = ("evotrainer", "tasks", "conf")


@dataclass(frozen=True)
class StageRow:
    """One stage of a version."""

    stage: str
    own: list[str]
    """What it reads of its own version."""
    others: list[str]
    """What it reads of other versions, of data and of policies; paths from the campaign's root."""
    writes: list[str]


def stage_rows(files: CampaignFiles, version: str) -> list[StageRow]:
    """Return the stages in their order; raises LineageError where the version has no pipeline."""
    path = files.version(version).root / "dvc.yaml"
    if not path.is_file():
        raise LineageError(f"{version} has no dvc.yaml: restore it with `git checkout`")
    stages = load_yaml(path.read_text(encoding="utf-8"))["stages"]
    return [_row(files.version(version).root.relative_to(files.root).as_posix(), *item) for item in stages.items()]


def _row(folder: str, name: str, stage: dict[str, Any]) -> StageRow:
    reads = [posixpath.normpath(posixpath.join(folder, dep)) for dep in stage["deps"]]
    own = [path.removeprefix(f"{folder}/") for path in reads if path.startswith(f"{folder}/")]
    others = [path for path in reads if not path.startswith((f"{folder}/", *_LEFT_OUT))]
    return StageRow(name, own, others, _names(stage["outs"]))


def _names(outs: Iterable[str | dict[str, Any]]) -> list[str]:
    names = [out if isinstance(out, str) else next(iter(out)) for out in outs]
    return [name for name in names if not name.startswith("..")]
