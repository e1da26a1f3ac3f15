"""What a finished campaign of the bench came to: honest scores, promotions, tokens.

Honest means scored without the world's trap, by the campaign's own evaluator otherwise. The final incumbent is scored
on the test split, after the last version; promotions are judged on the holdout split, which is there for benches.
"""

from pydantic import Field

from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.lineage import baseline, find, incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import SEALED_SPLIT, load_problems
from evotrainer.domains.problem_sets.sealed import load_sealed
from evotrainer.engines import policy_path
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.records import Trajectory, VersionRecord
from evotrainer.records.base import Record
from evotrainer.rollouts.evaluation import (
    GREEDY_STEP,
    choose_problems,
    evaluate_policy,
    graded_table,
    open_policy,
    sampled,
    score_table,
)

ENTERED = ("accepted", "provisional")


class Promotion(Record):
    """One promoted version beside the incumbent of its time, both scored with the trap removed on the holdout split."""

    version: str
    incumbent: str
    score: float
    incumbent_score: float
    invalid_modes: list[str] = Field(default=[], description="unresolved findings of severity invalid that it carries")

    @property
    def is_invalid(self) -> bool:
        """Whether the promotion brought nothing, or rests on a finding that forbids it."""
        return self.score <= self.incumbent_score or bool(self.invalid_modes)


class WorldRun(Record):
    """One campaign: world, arm and seed, the honest scores on the test split, promotions and tokens."""

    world: str
    arm: str
    seed: int
    incumbent: str
    num_problems: int
    attempts: int
    score: float = Field(description="of the policy that the arm ends with on the test split, trap removed")
    greedy: float = Field(description="of the same policy's greedy attempts there")
    shown_score: float | None = Field(description="what the campaign itself believes of its incumbent")
    num_trained: int
    promotions: list[Promotion]
    revisions: int = Field(default=0, description="of the harness")
    entered_cards: int = Field(default=0, description="that a revision let in, provisional ones among them")
    trained_tokens: int = Field(description="sampled in the trainings of its versions")
    other_tokens: int = Field(description="sampled beside training: rollouts, backtests, evaluations, gates")

    @property
    def invalid_promotions(self) -> int:
        """How many promotions brought nothing or rest on an invalid finding."""
        return sum(promotion.is_invalid for promotion in self.promotions)


def measure(
    files: CampaignFiles, honest: Config, *, world: str, arm: str, seed: int, is_one_training: bool = False
) -> WorldRun:
    """Return what the campaign came to; `honest` is its configuration with the trap removed.

    Where the arm is one training, its policy counts, promoted or not; v0 where that training failed.
    """
    records = read_records(files)
    trained = {record.spec.version for record in records if record.policy_hash is not None}
    first, best = baseline(records), incumbent(records)
    final = (first if first in trained else BASE_VERSION) if is_one_training else best
    rows = _attempts(files, honest, find(records, final), SEALED_SPLIT)
    table = graded_table(sampled(rows), honest, f"{final} on {SEALED_SPLIT}")
    tried = [record for record in records if record.spec.version != BASE_VERSION]
    promoted = [record for record in tried if record.verdict.outcome == "promoted"]
    trained_tokens = sum(files.version(record.spec.version).training_summary.read().num_tokens for record in tried)
    revisions = [files.revision(name).revision.read() for name in files.revision_names()]
    return WorldRun(
        world=world,
        arm=arm,
        seed=seed,
        incumbent=best,
        num_problems=len(table.problem_ids),
        attempts=table.num_attempts,
        score=table.score,
        greedy=score_table(rows, GREEDY_STEP).score,
        shown_score=find(records, best).honest_score,
        num_trained=len(trained),
        promotions=[_promotion(files, honest, records, record) for record in promoted],
        revisions=len(revisions),
        entered_cards=sum(one.outcome in ENTERED for made in revisions for one in made.decisions),
        trained_tokens=trained_tokens,
        other_tokens=_sampled_tokens(files) - trained_tokens,
    )


def _scores(files: CampaignFiles, honest: Config, record: VersionRecord, split: str) -> ScoreTable:
    """Return what a version scores on a split under the settings `honest`."""
    rows = _attempts(files, honest, record, split)
    return graded_table(sampled(rows), honest, f"{record.spec.version} on {split}")


def _attempts(files: CampaignFiles, honest: Config, record: VersionRecord, split: str) -> list[Trajectory]:
    """Return a version's attempts at a split, sampled and greedy, under the settings `honest`."""
    if split == SEALED_SPLIT:
        found = load_sealed(files.root, honest.domain, files.certified.path)
    else:
        found = load_problems(files.root, honest.domain, split)
    problems = choose_problems(found, honest.evaluate.max_problems, honest.seed)
    engine = open_policy(honest, policy_path(files, honest, record.spec.version), record.policy_hash)
    return evaluate_policy(engine, problems, honest, record.spec, split)


def _promotion(files: CampaignFiles, honest: Config, records: list[VersionRecord], record: VersionRecord) -> Promotion:
    """Return a promotion beside the incumbent of its time, both on the holdout split."""
    before = find(records, record.spec.incumbent)
    return Promotion(
        version=record.spec.version,
        incumbent=before.spec.version,
        score=_scores(files, honest, record, "holdout").score,
        incumbent_score=_scores(files, honest, before, "holdout").score,
        invalid_modes=sorted({found.mode for found in record.findings if found.severity == "invalid"}),
    )


def _sampled_tokens(files: CampaignFiles) -> int:
    """Return what the stages of versions and revisions sampled, by their cost files."""
    costs = [*files.versions.glob("*/costs/*.json"), *files.root.glob("harness/*/costs/*.json")]
    return round(sum(read_numbers(path).get("tokens", 0.0) for path in costs))
