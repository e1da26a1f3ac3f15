"""The campaign's answer to a leak through a repository's history: the same policies, scored again without it.

A version whose audit holds an `invalid` finding of that mode is scored a second time on the same problems with
sanitised histories, and so are the base policy, its incumbent and its parents, so that the corrected scores compare.
From then on the campaign itself (not the trainer agent) samples, trains and evaluates on sanitised histories: stricter
only, never back. The rows lie under versions/vNNN/leak_response/<version>/ of the version that needed them first.
"""

import copy
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config
from evotrainer.records import Finding, VersionRecord, VersionSpec

HISTORY_LEAK = "history_leak"


def names_leak(findings: Sequence[Finding]) -> bool:
    """Tell whether a harness report holds a leak through history that nothing has resolved."""
    return any(found.mode == HISTORY_LEAK and found.severity == "invalid" for found in findings)


def must_sanitise(records: Sequence[VersionRecord]) -> bool:
    """Tell whether versions planned now run on sanitised histories: a leak was answered in an earlier one."""
    return any(record.spec.is_sanitized or was_answered(record) for record in records)


def was_answered(record: VersionRecord) -> bool:
    """Tell whether a version's leak was heard: it is invalid, or was scored again and lost too much to be judged."""
    is_heard = record.verdict.outcome == "invalid" or record.verdict.leak_free_score is not None
    return is_heard and names_leak(record.findings)


def in_force(config: Config, spec: VersionSpec) -> Config:
    """Return the configuration under which a version runs: the campaign's, on sanitised histories after a leak."""
    return sanitized(config) if spec.is_sanitized else config


def sanitized(config: Config) -> Config:
    """Return the configuration with sanitised histories."""
    stricter = copy.deepcopy(config)
    stricter.domain.sanitize_history = True
    return stricter


def rescored_in(version: str, incumbent: str, records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {peer: version that holds its rows on sanitised histories} for the peers of a sanitised version.

    A peer that was itself evaluated on sanitised histories needs none. One that nobody has scored again yet is scored
    by the new version.
    """
    by_name = {record.spec.version: record for record in records}
    places: dict[str, str] = {}
    for peer in dict.fromkeys([incumbent, BASE_VERSION]):
        if by_name[peer].spec.is_sanitized:
            continue
        holders = [record.spec.version for record in records if peer in record.verdict.rescored]
        places[peer] = holders[0] if holders else version
    return places


def peers(spec: VersionSpec) -> list[str]:
    """Return the versions that are scored again beside a version with a leak: base, incumbent and parents."""
    return [name for name in dict.fromkeys([BASE_VERSION, spec.incumbent, *spec.parents]) if name != spec.version]


def to_rescore(config: Config, spec: VersionSpec) -> list[str]:
    """Return the versions that this one may have to score again beside itself; none where no history is open."""
    if spec.kind == "base" or not leaves_history_open(config):
        return []
    if not spec.is_sanitized:
        return peers(spec)
    return [peer for peer, holder in spec.rescored_in.items() if holder == spec.version]


def leaves_history_open(config: Config) -> bool:
    """Tell whether a campaign started with histories in which the future can be read."""
    return config.domain.name == "swe" and not config.domain.sanitize_history


def evaluation_of(files: CampaignFiles, spec: VersionSpec, peer: str) -> Path:
    """Return where the rows of a peer lie that this version is compared with: scored under the same histories."""
    if peer in spec.rescored_in:
        return files.version(spec.rescored_in[peer]).leak_response / peer
    return files.version(peer).validation
