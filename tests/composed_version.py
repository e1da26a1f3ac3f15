"""A version's recipe as Hydra composes it: the campaign's configuration under a chain of intervention files."""

from conf import compose
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config, config_from_dict
from evotrainer.config.interventions import BLOCK


def compose_version(files: CampaignFiles, version: str) -> Config:
    """Return the recipe; raises ConfigError where the version has no file."""
    values = compose._contained(compose._compose(files.config.parent, "campaign", [f"+{BLOCK}={version}"]))
    return config_from_dict({name: value for name, value in values.items() if name != BLOCK})
