"""A whole campaign in this process: the stages of its pipeline, one after the other, without git, DVC or Prefect.

    [evolve ─►] plan ─► versions/vNNN/dvc.yaml ─► its stages, in their order ─► closed/vNNN ─┐
      ▲                                                                                      │
      └──────────────────────────────────────────────────────────────────────────────────────┘ until nothing is planned

The folder is laid out as a campaign's worktree, so the stages, the search and the reports see no difference. Which
stages a version has is read from the pipeline that planning wrote. A version is done when its mark under closed/
exists; one that was cut short is done again.
"""

import importlib
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from conf.compose import compose_campaign, write_campaign
from evotrainer.campaign.layout import CampaignFiles, Subject
from evotrainer.campaign.ledger import cpu_seconds, note_cost
from evotrainer.errors import LineageError
from tasks.plan.steps import Plan, campaign_steps, stages_of

OVERRIDES = "overrides.txt"
LINKED = ("data", "policies", "traps")


def lay_out(files: CampaignFiles, foundation: Path, overrides: Sequence[str]) -> None:
    """Make the campaign's folder, or check that the one that exists was started with the same settings."""
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


@dataclass(frozen=True)
class Marks:
    """What of a campaign is finished: the marks under closed/."""

    files: CampaignFiles

    def path(self, name: str) -> Path:
        """Return the mark of a subject."""
        return self.files.root / "closed" / name

    def closed_versions(self) -> list[str]:
        """Return the names of all finished versions."""
        return [version for version in self.files.version_names() if self.path(version).is_file()]

    def has_revision(self, revision: str) -> bool:
        """Tell whether a revision of the harness is finished."""
        return self.path(revision).is_file()

    def close(self, subject: Subject) -> None:
        """Mark a subject as finished."""
        mark = self.path(subject.name)
        mark.parent.mkdir(exist_ok=True)
        mark.touch()


def run_campaign(files: CampaignFiles) -> None:
    """Run versions until the search plans no more."""
    marks = Marks(files)
    for step in campaign_steps(files, marks):
        if isinstance(step, Plan):
            _run_stage(files, "plan", step.subject)
            continue
        for subject in step.subjects:
            for stage in stages_of(files, subject):
                _run_stage(files, stage, subject)
            marks.close(subject)


def _run_stage(files: CampaignFiles, stage: str, subject: Subject) -> None:
    started, before = time.monotonic(), cpu_seconds()
    importlib.import_module(f"tasks.{stage}").run(files, subject.name)
    spent = cpu_seconds() - before
    cost = {"seconds": round(time.monotonic() - started, 3), "cpu_seconds": round(spent, 3)}
    note_cost(files, subject, stage, cost)
    print(
        f"{files.root.parent.name} {files.root.name} {subject} {stage} {spent:.1f} CPU s", file=sys.stderr, flush=True
    )
