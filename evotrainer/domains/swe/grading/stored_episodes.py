"""The graded swe episodes that a campaign's versions left, each with its problem and the domain it was played under."""

from collections.abc import Iterator
from dataclasses import dataclass

from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.leak_response import in_force, under
from evotrainer.campaign.repository import StoredVersion
from evotrainer.config import Config, DomainConfig, load_config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.errors import LineageError
from evotrainer.evidence.digests import DIGESTS
from evotrainer.evidence.store import read_rows
from evotrainer.records import Problem, Trajectory


@dataclass(frozen=True)
class StoredEpisode:
    """A graded row, and what is needed to play it again."""

    row: Trajectory
    problem: Problem
    domain: DomainConfig


def stored_episodes(files: CampaignFiles, version: str) -> Iterator[StoredEpisode]:
    """Yield the graded episodes of a version: rollout, training, evaluations. Rows without a grade are left out.

    Raises LineageError for a campaign of another domain.
    """
    campaign = load_config(files.config)
    if campaign.domain.name != "swe":
        raise LineageError(
            f"the campaign's domain is {campaign.domain.name}: only swe episodes have a checkout to audit"
        )
    version_files = files.version(version)
    spec = StoredVersion(version_files).spec.read()
    problems: dict[str, dict[str, Problem]] = {}
    for folder in sorted(path.parent for path in version_files.root.rglob(DIGESTS)):
        domain = (
            _rescored(campaign, version_files)
            if version_files.leak_response in folder.parents
            else in_force(campaign, spec)
        ).domain
        for row in read_rows(folder):
            if row.correct is None:
                continue
            if row.split not in problems:
                loaded = load_problems(files.root, domain, row.split)
                problems[row.split] = {problem.problem_id: problem for problem in loaded}
            yield StoredEpisode(row, problems[row.split][row.problem_id], domain)


def _rescored(campaign: Config, version_files: VersionFiles) -> Config:
    """Return the configuration under which a version scored policies again."""
    access = StoredVersion(version_files).verdict.read().rescored_under
    if access is None:
        raise LineageError(
            f"{version_files.leak_response} holds rows, but {version_files.verdict} names no access policy for them"
        )
    return under(campaign, access)
