"""Put an embedded base policy in place, from the files that come with the code."""

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.domains.frozen import unpack_policy


def run(files: CampaignFiles, policy: str) -> None:
    """Write policies/<policy>; raises ConfigError for a name that is not embedded."""
    unpack_policy(policy, files.policy(policy))
