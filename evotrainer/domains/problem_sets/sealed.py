"""The sealed test split: read once, by the certify stage, after the last version of a campaign.

Two checks protect it. import-linter (pyproject.toml) lets `tasks.certify` alone import this module, beside the
co-evolution benchmark, which trains nothing on what it reads. At run time an existing certificate refuses a second
reading, and `load_problems` refuses the split by name.
"""

from pathlib import Path

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.loading import read_split
from evotrainer.domains.problem_sets.splits import SEALED_SPLIT
from evotrainer.errors import DataError
from evotrainer.records import Problem


def load_sealed(root: Path, domain: DomainConfig, certificate: Path) -> list[Problem]:
    """Return the problems of the test split; raises DataError where the file `certificate` exists."""
    if certificate.exists():
        raise DataError(
            f"the {SEALED_SPLIT} split was read before, for {certificate}: show that certificate with "
            "`evotrainer certificate NAME`, or start a new campaign"
        )
    return read_split(root, domain, SEALED_SPLIT)
