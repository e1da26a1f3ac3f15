"""A whole campaign in this process: the stages of its pipeline, one after the other, without git, DVC or Prefect.

    [evolve ─►] plan ─► versions/vNNN/dvc.yaml ─► its stages, in their order ─► closed/vNNN ─┐
      ▲                                                                                      │
      └──────────────────────────────────────────────────────────────────────────────────────┘ until nothing is planned

The folder is laid out as a campaign's worktree, so the stages, the search and the reports see no difference. Which
stages a version has is read from the pipeline that planning wrote. A version is done when its mark under closed/
stands; one that was cut short is done again, which costs little where work is shared.
"""

import importlib
import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import yaml

from benchmarks.work_cache.store import WorkStore
from conf.compose import compose_campaign, load_campaign, write_campaign
from evotrainer.campaign.costs import cpu_seconds
from evotrainer.campaign.layout import CampaignFiles, version_name
from evotrainer.campaign.repository import read_records
from evotrainer.diagnosis.evolved.revision_trigger import revision_trigger
from evotrainer.errors import LineageError
from tasks.plan.stage import is_cut_short
from tasks.plan.stage import run as plan

OVERRIDES = "overrides.txt"
OWN_CPU_SECONDS = "own_cpu_seconds"
"""Processor time of a stage outside shared trainings and shared sampling."""
LINKED = ("data", "policies", "traps")


def lay_out(files: CampaignFiles, foundation: Path, overrides: Sequence[str]) -> None:
    """Make the campaign's folder, or check that the one that stands was started with the same settings."""
    used = files.config.parent / OVERRIDES
    text = "".join(f"{override}\n" for override in overrides)
    if used.is_file():
        if used.read_text(encoding="utf-8") != text:
            raise LineageError(f"{files.root} was started with other settings: choose another --out")
        return
    write_campaign(files, compose_campaign(overrides))
    for name in LINKED:
        link = files.root / name
        link.unlink(missing_ok=True)
        link.symlink_to((foundation / name).resolve())
    plugins = files.root / "harness_plugins"
    shutil.rmtree(plugins, ignore_errors=True)
    shutil.copytree(foundation / "harness_plugins", plugins, ignore=shutil.ignore_patterns("__pycache__"))
    used.write_text(text, encoding="utf-8")


def run_campaign(files: CampaignFiles, store: WorkStore) -> None:
    """Run versions until the search plans no more; `store` tells what of their work was shared."""
    while versions := _next_generation(files, store):
        for version in versions:
            _run_stages(files, store, version, files.version(version).root)


def _next_generation(files: CampaignFiles, store: WorkStore) -> list[str]:
    if not _open_versions(files) and not is_cut_short(files):
        _revise_harness(files, store)
    if not _open_versions(files) or is_cut_short(files):
        plan(files, version_name(len(files.version_names())))
    return _open_versions(files)


def _open_versions(files: CampaignFiles) -> list[str]:
    return [version for version in files.version_names() if not _mark(files, version).is_file()]


def _revise_harness(files: CampaignFiles, store: WorkStore) -> None:
    """Make the revision of the harness that the closed versions call for, if there is one and it is not made."""
    revision = revision_trigger(files, load_campaign(files), read_records(files))
    if revision is not None and not _mark(files, revision).is_file():
        plan(files, revision)
        _run_stages(files, store, revision, files.revision(revision).root)


def _run_stages(files: CampaignFiles, store: WorkStore, subject: str, folder: Path) -> None:
    """Run the stages of the pipeline in `folder` and mark its subject, a version or a revision, as closed."""
    pipeline = yaml.safe_load((folder / "dvc.yaml").read_text(encoding="utf-8"))
    for stage in pipeline["stages"]:
        started, before, shared = time.monotonic(), cpu_seconds(), store.done_cpu_seconds()
        importlib.import_module(f"tasks.{stage}.stage").run(files, subject)
        spent = cpu_seconds() - before
        own = max(0.0, spent - (store.done_cpu_seconds() - shared))
        cost = {
            "seconds": round(time.monotonic() - started, 3),
            "cpu_seconds": round(spent, 3),
            OWN_CPU_SECONDS: round(own, 3),
        }
        _note_cost(folder / "costs" / f"{stage}.json", cost)
        print(
            f"{files.root.parent.name} {files.root.name} {subject} {stage} {cost['cpu_seconds']:.1f} CPU s",
            file=sys.stderr,
            flush=True,
        )
    mark = _mark(files, subject)
    mark.parent.mkdir(exist_ok=True)
    mark.touch()


def _note_cost(path: Path, cost: dict[str, float]) -> None:
    """Add what a stage cost here to what it wrote down itself."""
    own = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(own | cost, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _mark(files: CampaignFiles, subject: str) -> Path:
    return files.root / "closed" / subject
