"""Load what a version's backtests may read: its own rollout, its frozen lineage, the train pool."""

from evotrainer.backtests.base import CachedEvidence
from evotrainer.config import Config
from evotrainer.engines import policy_path
from evotrainer.evidence import read_rows, read_tokens
from evotrainer.layout import BASE_VERSION, CampaignFiles
from evotrainer.lineage import load_records
from evotrainer.problems import load_problems
from evotrainer.records import VersionRecord, VersionSpec


def load_evidence(files: CampaignFiles, spec: VersionSpec, campaign: Config) -> CachedEvidence:
    """Return the cached evidence of a version; raises EvidenceError for a damaged file."""
    own = files.version(spec.version)
    records = load_records(own.lineage)
    return CachedEvidence(
        rows=read_rows(own.rollout),
        tokens=read_tokens(own.rollout),
        policy_path=policy_path(files, campaign, spec.incumbent),
        problems=load_problems(files.root, campaign.domain, "train"),
        records=records,
        base_score=_score(records, BASE_VERSION),
        incumbent_score=_score(records, spec.incumbent),
    )


def _score(records: list[VersionRecord], version: str) -> float | None:
    for record in records:
        if record.spec.version == version:
            honest = record.verdict.counterfactual_score
            return record.verdict.score if honest is None else honest
    return None
