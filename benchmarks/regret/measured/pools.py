"""The pools of a finished campaign, read from its stored proposals: once a generation, since its slots share one."""

from dataclasses import dataclass

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredVersion
from evotrainer.records import Proposal, VersionSpec


@dataclass(frozen=True)
class StoredPool:
    """A pool with the slots that took from it."""

    spec: VersionSpec
    """Of the first slot."""
    proposal: Proposal
    """Of the first slot."""
    chosen: tuple[str, ...]
    """By slot."""


def stored_pools(files: CampaignFiles) -> list[StoredPool]:
    """Return the pools that the agent filled, in their order; merges and slots without a candidate have none."""
    found: dict[tuple[int, str, tuple[str, ...]], StoredPool] = {}
    for name in files.version_names():
        stored = StoredVersion(files.version(name))
        spec = stored.spec.read()
        if spec.kind != "candidate":
            continue
        proposal = stored.proposal.read()
        if proposal.chosen is None:
            continue
        key = (spec.generation, spec.incumbent, tuple(one.intervention_id for one in proposal.pool))
        first = found.setdefault(key, StoredPool(spec, proposal, ()))
        found[key] = StoredPool(first.spec, first.proposal, (*first.chosen, proposal.chosen))
    return list(found.values())
