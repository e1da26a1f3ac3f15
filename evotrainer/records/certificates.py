"""What a campaign leaves for others to check: scores on the sealed test split."""

from pydantic import Field

from evotrainer.records.base import AccessPolicy, Record
from evotrainer.records.versions import Comparison


class CertifiedScore(Record):
    """The score of one version on the sealed test split, with its interval over problems."""

    version: str
    policy_hash: str
    score: float
    low: float
    high: float
    greedy_score: float
    pass_at_k: float | None = Field(default=None, description="share of problems with a right attempt")
    leak_free_score: float | None = Field(default=None, description="under `rescored_under` of the certificate")
    error_share: float = Field(default=0.0, description="of all sampled draws, those that infrastructure lost")


class Certificate(Record):
    """Scores on the sealed test split, read once after the last version: base, baseline and final incumbent."""

    campaign: str
    incumbent: str
    start: str = Field(
        default="v000", description="the version that reinforcement learning starts from: v000, or a supervised stage"
    )
    num_problems: int
    attempts: int
    scores: list[CertifiedScore]
    comparisons: list[Comparison] = Field(description="the incumbent against v000 and v001, where it is not itself one")
    gate_version: str
    rescored_under: AccessPolicy | None = Field(
        default=None, description="the strictest access policy; null where the campaign ended under it"
    )
