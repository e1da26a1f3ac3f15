"""What arguments name: the checkout around the current folder, a campaign of it, a version of that."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evotrainer.campaign.layout import CampaignFiles, VersionFiles
    from flows.workspace.worktree import Workspace


def checkout() -> Path:
    """Return the main checkout that a command works on."""
    from flows.workspace.worktree import project_root

    return project_root()


def campaign_names() -> list[str]:
    """Return the names of all campaigns of the checkout."""
    from flows.workspace import worktree

    return worktree.campaign_names(checkout())


def read_campaign(name: str) -> "Workspace":
    """Return a campaign to read from; raises LineageError naming a result that is not as it was recorded."""
    from flows.workspace.closed_versions import readable_campaign

    return readable_campaign(checkout(), name)


def version_of(name: str, text: str) -> "tuple[CampaignFiles, VersionFiles]":
    """Return the files of a campaign, and those of its version that a person typed; raises as `read_campaign` does."""
    from evotrainer.campaign.layout import parse_version
    from flows.workspace.worktree import find_version

    workspace = read_campaign(name)
    return workspace.files, workspace.files.version(find_version(workspace, parse_version(text)))
