"""The sealed test split: read once, by the certify stage, after the last version of a campaign.

Two checks protect it. import-linter (pyproject.toml) lets `tasks.certify` alone import this module, beside the
co-evolution benchmark, which trains nothing on what it reads. At run time a certificate refuses a second reading, one
that was removed too while the history of the checkout's branch holds it, and `load_problems` refuses the split by name.
"""

import subprocess
from pathlib import Path

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.loading import SEALED_SPLIT, read_split
from evotrainer.errors import DataError
from evotrainer.records import Problem


def load_sealed(root: Path, domain: DomainConfig, certificate: Path) -> list[Problem]:
    """Return the problems of the test split; raises DataError where `certificate` exists, or did in the history."""
    if certificate.exists() or _is_in_history(certificate):
        raise DataError(
            f"the {SEALED_SPLIT} split was read before, for {certificate}: show that certificate with "
            "`evotrainer certificate NAME`, or start a new campaign"
        )
    return read_split(root, domain, SEALED_SPLIT)


def _is_in_history(path: Path) -> bool:
    """Tell whether a commit that the checkout's branch stands on held this file; False outside of a repository."""
    place = next(folder for folder in path.absolute().parents if folder.is_dir())
    command = ["git", "log", "-1", "--format=%H", "--", str(path.absolute())]
    try:
        done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    except FileNotFoundError:  # no git: no history
        return False
    return done.returncode == 0 and bool(done.stdout.strip())
