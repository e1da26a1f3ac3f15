"""Write the report of a campaign with the code that the campaign froze."""

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.report.page import write_report


def run(files: CampaignFiles, _subject: str) -> None:
    """Write report/ of the campaign as it stands; nothing where no version is closed."""
    if read_records(files):
        write_report(files)
