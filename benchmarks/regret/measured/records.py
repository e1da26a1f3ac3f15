"""What a finished campaign of the bench left: its pools with every candidate trained and scored."""

from pydantic import Field

from evotrainer.records import Backtest, Case, Intervention
from evotrainer.records.base import Record


class TrainedCandidate(Record):
    """One candidate of a pool: what replay said of it, and what its policy scores."""

    intervention: Intervention
    backtest: Backtest
    policy_hash: str = Field(description="empty where training gave no policy")
    scores: list[float] = Field(description="by attempt: mean over the holdout problems; empty without a policy")


class TrainedPool(Record):
    """All candidates of one pool, in the agent's order, and the incumbent that they change; draws are common."""

    domain: str
    seed: int
    version: str = Field(description="the first slot of the generation that had this pool")
    generation: int
    incumbent: str
    incumbent_scores: list[float]
    candidates: list[TrainedCandidate]
    chosen: list[str] = Field(description="by slot: intervention_id")


class MeasuredCampaign(Record):
    """One campaign: its pools, and what it would leave to the memory of later ones."""

    domain: str
    seed: int
    pools: list[TrainedPool]
    cases: list[Case]
