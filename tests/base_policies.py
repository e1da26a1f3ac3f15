"""Where a campaign of the tests finds its embedded base policy."""

from pathlib import Path

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config


def link_base_policy(files: CampaignFiles, policy: Path) -> None:
    """Put an embedded policy where the warm start would have built the campaign's."""
    place = files.policy(Config().policy.name)
    place.parent.mkdir(parents=True)
    place.symlink_to(policy)
