"""What a shell completes: names of campaigns, their versions, and keys of the configuration."""

import typer


def known_campaigns(incomplete: str) -> list[str]:
    """Return the campaigns of the checkout around the current folder whose names begin so."""
    from flows.workspace.worktree import campaign_names, project_root

    return [name for name in campaign_names(project_root()) if name.startswith(incomplete)]


def known_versions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the versions of the campaign that was typed before."""
    from flows.workspace.worktree import Workspace, project_root

    names = Workspace(project_root(), str(ctx.params.get("name"))).files.version_names()
    return [name for name in names if name.startswith(incomplete)]


def known_keys(incomplete: str) -> list[str]:
    """Return the keys of the configuration that begin so, ready for a value."""
    from evotrainer.config.reference import reference

    return [f"{key.name}=" for key in reference() if key.name.startswith(incomplete)]
