"""Unpack the built-in problem sets of a campaign or a reproduced version, from the files of its own code."""

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.domains.problem_sets.check import build


def run(files: CampaignFiles, _subject: str) -> None:
    """Write data/, whatever was there."""
    print(build(files.data))
