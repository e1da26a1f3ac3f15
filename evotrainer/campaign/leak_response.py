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
from evotrainer.records import Access, AccessPolicy, Finding, VersionRecord, VersionSpec


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
    used = [
        opening,
        *(record.spec.access.policy for record in records),
        *(policy for policy in again if policy is not None),
    ]
    return max(used, key=_strictness)


def is_superseded(record: VersionRecord, records: Sequence[VersionRecord]) -> bool:
    """Tell whether a version was measured under more access than the campaign allows by now."""
    own = record.spec.access.policy
    return access_after(own, records).strictness > own.strictness


def in_force(config: Config, spec: VersionSpec) -> Config:
    """Return the configuration under which a version runs: the campaign's, under the version's access policy."""
    return under(config, spec.access.policy) if spec.access.policy.strictness else config


def under(config: Config, access: AccessPolicy) -> Config:
    """Return the configuration under an access policy."""
    changed = copy.deepcopy(config)
    changed.domain.access = access.name
    return changed


def access_of(
    spec: VersionSpec, opening: AccessPolicy, policies: Sequence[AccessPolicy], records: Sequence[VersionRecord]
) -> Access:
    """Return the access of a version that is planned: a campaign begins with the `opening` one of the `policies`.

    A peer that was itself evaluated under the policy in force needs no other rows. One that was not scored again yet is
    scored by the new version. Under the strictest policy of the domain no further peer is scored again.
    """
    policy = access_after(opening, records)
    if not records:
        return Access(policy=policy)
    by_name = {record.spec.version: record for record in records}
    holders = [record for record in records if record.verdict.rescored_under == policy]
    rows_in: dict[str, str] = {}
    for peer in dict.fromkeys([spec.incumbent, BASE_VERSION]):
        if by_name[peer].spec.access.policy.strictness < policy.strictness:
            held = (holder.spec.version for holder in holders if peer in holder.verdict.rescored)
            rows_in[peer] = next(held, spec.version)
    found = Access(policy=policy, rows_in=rows_in)
    peers = list(dict.fromkeys([BASE_VERSION, spec.incumbent, *spec.parents]))
    return found.model_copy(update={"again": peers if _above(policies, policy) else found.scored_by(spec.version)})


def evaluation_of(files: CampaignFiles, spec: VersionSpec, peer: str) -> Path:
    """Return where the rows of a peer lie that this version is compared with: scored under the same access policy."""
    if peer in spec.access.rows_in:
        return files.version(spec.access.rows_in[peer]).leak_response / peer
    return files.version(peer).validation


def _above(policies: Sequence[AccessPolicy], current: AccessPolicy) -> list[AccessPolicy]:
    return [policy for policy in policies if policy.strictness > current.strictness]


def _strictness(policy: AccessPolicy) -> int:
    return policy.strictness
