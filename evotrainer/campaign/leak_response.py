"""The campaign's answer to what an episode should not have read: the same policies, scored again under less access.

A domain orders its access policies from open to strict, and each names the failure modes that it answers. A version
whose audit holds an `invalid` finding of such a mode is scored a second time on the same problems under the stricter
policy, and so are the base policy, its incumbent and its parents, so that the corrected scores compare. From then on
the campaign itself (not the trainer agent) samples, trains and evaluates under that policy: stricter only, never back.
The rows lie under versions/vNNN/leak_response/<version>/ of the version that needed them first.
"""

import copy
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config
from evotrainer.records import AccessPolicy, Finding, VersionRecord, VersionSpec


def stricter_access(
    policies: Sequence[AccessPolicy], current: AccessPolicy, findings: Sequence[Finding]
) -> AccessPolicy | None:
    """Return the policy that answers the `invalid` findings of a report; None where no stricter one answers any.

    Each mode asks for the least strict policy that answers it; the strictest of these is returned.
    """
    ladder = sorted(_above(policies, current), key=_strictness)
    modes = {found.mode for found in findings if found.severity == "invalid"}
    asked = [next((policy for policy in ladder if mode in policy.answers), None) for mode in modes]
    return max((policy for policy in asked if policy is not None), key=_strictness, default=None)


def access_after(opening: AccessPolicy, records: Sequence[VersionRecord]) -> AccessPolicy:
    """Return the policy in force after these versions: the strictest that one ran under or was scored again under."""
    again = [record.verdict.rescored_under for record in records]
    used = [opening, *(record.spec.access for record in records), *(policy for policy in again if policy is not None)]
    return max(used, key=_strictness)


def is_superseded(record: VersionRecord, records: Sequence[VersionRecord]) -> bool:
    """Tell whether a version was measured under more access than the campaign allows by now."""
    return access_after(record.spec.access, records).strictness > record.spec.access.strictness


def in_force(config: Config, spec: VersionSpec) -> Config:
    """Return the configuration under which a version runs: the campaign's, under the version's access policy."""
    return under(config, spec.access) if spec.access.strictness else config


def under(config: Config, access: AccessPolicy) -> Config:
    """Return the configuration under an access policy."""
    changed = copy.deepcopy(config)
    changed.domain.access = access.name
    return changed


def rescored_in(version: str, incumbent: str, access: AccessPolicy, records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {peer: version that holds its rows under `access`} for the peers of a version that runs under it.

    A peer that was itself evaluated under it needs none. One that was not scored again yet is scored by the new
    version.
    """
    by_name = {record.spec.version: record for record in records}
    holders = [record for record in records if record.verdict.rescored_under == access]
    places: dict[str, str] = {}
    for peer in dict.fromkeys([incumbent, BASE_VERSION]):
        if by_name[peer].spec.access.strictness < access.strictness:
            held = (holder.spec.version for holder in holders if peer in holder.verdict.rescored)
            places[peer] = next(held, version)
    return places


def peers(spec: VersionSpec) -> list[str]:
    """Return the versions that are scored again beside this one: base, incumbent and parents."""
    return [name for name in dict.fromkeys([BASE_VERSION, spec.incumbent, *spec.parents]) if name != spec.version]


def held_by(spec: VersionSpec) -> list[str]:
    """Return the peers that this version scores under its own access policy, since no version before it did."""
    return [peer for peer, holder in spec.rescored_in.items() if holder == spec.version]


def to_rescore(policies: Sequence[AccessPolicy], spec: VersionSpec) -> list[str]:
    """Return the versions that this one may have to score again; none under the strictest policy of the domain."""
    if spec.kind == "base":
        return []
    return list(dict.fromkeys([*held_by(spec), *(peers(spec) if _above(policies, spec.access) else [])]))


def evaluation_of(files: CampaignFiles, spec: VersionSpec, peer: str) -> Path:
    """Return where the rows of a peer lie that this version is compared with: scored under the same access policy."""
    if peer in spec.rescored_in:
        return files.version(spec.rescored_in[peer]).leak_response / peer
    return files.version(peer).validation


def _above(policies: Sequence[AccessPolicy], current: AccessPolicy) -> list[AccessPolicy]:
    return [policy for policy in policies if policy.strictness > current.strictness]


def _strictness(policy: AccessPolicy) -> int:
    return policy.strictness
