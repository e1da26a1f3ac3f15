"""What the next version and the certificate will take, from what earlier stages of the campaign took.

A version is expected to take as much of each resource as the dearest trained version did. Before one was trained
nothing is known, and nothing is estimated. The certificate scores three policies on the sealed split; the evaluation
of the base version scored one policy twice.
"""

from pathlib import Path

from evotrainer.campaign.budget.amounts import Amounts
from evotrainer.campaign.budget.ledger import SECONDS_AN_HOUR, WHOLE, Expense, spent
from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.repository import StoredVersion
from evotrainer.config import Config

MARGIN = 1.25
"""Of the certificate's estimate: it is not measured, and must not be cut short."""
CERTIFIED_POLICIES, EVALUATIONS_OF_BASE = 3, 2


def version_estimate(files: CampaignFiles, expenses: list[Expense]) -> Amounts | None:
    """Return what a trained version takes at most, as measured; None where none was trained yet."""
    found: Amounts | None = None
    for version in files.version_names():
        summary = StoredVersion(files.version(version)).training_summary.find()
        if summary is not None and summary.trained and files.version(version).verdict.is_file():
            took = version_took(files, version, expenses)
            found = took if found is None else found.or_more(took)
    return found


def version_took(files: CampaignFiles, version: str, expenses: list[Expense]) -> Amounts:
    """Return what a version took, its hours by the clock from its start to its end where they were measured."""
    own = spent([one for one in expenses if one.subject == version and one.is_finished])
    whole = read_numbers(files.version(version).costs / f"{WHOLE}.json").get("wall_seconds", 0.0)
    return own.or_more(Amounts(hours=whole / SECONDS_AN_HOUR))


def certificate_estimate(files: CampaignFiles, config: Config, expenses: list[Expense]) -> Amounts:
    """Return what the certificate takes; nothing where it is made, or nothing was measured yet."""
    if (files.certificate / "certificate.json").is_file():
        return Amounts()
    own = [one for one in expenses if one.subject == BASE_VERSION and one.stage == "evaluate"]
    base = spent([one for one in own if one.is_finished] or own[:1])  # what a stop cut short says less
    return held_for_certificate(base, sealed_share(files.root / config.domain.data_path, config.evaluate.max_problems))


def held_for_certificate(base: Amounts, share: float) -> Amounts:
    """Return what is held for the certificate where the base version took `base`."""
    return base.times(MARGIN * CERTIFIED_POLICIES / EVALUATIONS_OF_BASE * share)


def sealed_share(folder: Path, max_problems: int) -> float:
    """Return problems of the sealed split for each that an evaluation attempts, by the sizes of files; 1 at least.

    `folder` is that of the problem set. The sealed file is not read. A person's own file is split evenly.
    """
    screen, sealed = folder / "validation.jsonl", folder / "test.jsonl"
    if not (screen.is_file() and sealed.is_file()):
        return 1.0
    return max(1.0, sealed.stat().st_size / max(1, screen.stat().st_size) * _cut(screen, max_problems))


def _cut(screen: Path, max_problems: int) -> float:
    with screen.open("rb") as lines:
        count = sum(1 for _ in lines)
    return max(1.0, count / max_problems)
