"""Write the report of a campaign with the code that the campaign froze."""

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.report.page import write_report


def run(files: CampaignFiles, _subject: str) -> None:
    """Write report/ of the campaign as it stands."""
    write_report(files)
