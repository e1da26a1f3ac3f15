"""The parts of a merge: which of two merged changes carried the gain, or do they interact?

Four policies are evaluated side by side on fresh rows that share their draws: the recipe without both changes, with
the first, with the second, with both, at the attempts of one evaluation each. They are the checkpoints of four
versions, so that nothing is trained here. Every merge with a valid score is asked, a promoted one or not: that two
gains do not add is worth knowing too.
"""

from evotrainer.actions import action_classifier
from evotrainer.campaign.recipes import recipe_beneath
from evotrainer.campaign.seeds import derive_seed
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.evidence.store import write_rows
from evotrainer.promotion.attribution import attribute
from evotrainer.promotion.evaluation import MIN_PROBLEMS
from evotrainer.records import MergeClaim
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import SAMPLED_STEP, graded_table, open_version, sample_attempts
from tasks.confirm.seeds import Question


def why_unparted(asked: Question) -> str:
    """Return why a version is not taken apart, or nothing where it is."""
    if asked.spec.kind != "merge":
        return "it merges nothing"
    is_lost = asked.verdict.outcome in ("invalid", "inconclusive", "failed") and not asked.verdict.is_undecided
    if asked.verdict.score is None or is_lost:
        return f"{asked.verdict.outcome}: it has no score to attribute"
    return "" if len(asked.problems) >= MIN_PROBLEMS else f"{len(asked.problems)} problems carry no attribution"


def evaluate_parts(asked: Question) -> tuple[MergeClaim, int]:
    """Write confirm/parts/; return which change carried the gain, and the number of sampled tokens."""
    first, second = asked.spec.parents
    neither = recipe_beneath(asked.records, first, second)
    tables: list[ScoreTable] = []
    tokens = 0
    for version in (neither, first, second, asked.spec.version):
        table, spent = _evaluate(asked, version)
        tables.append(table)
        tokens += spent
    limits = asked.config.evaluate
    claim = attribute(
        *tables,
        samples=limits.bootstrap_samples,
        confidence=limits.confidence,
        seed=derive_seed(asked.spec.campaign_seed, "bootstrap"),
    )
    return claim.model_copy(update={"neither": neither, "parents": (first, second)}), tokens


def _evaluate(asked: Question, version: str) -> tuple[ScoreTable, int]:
    """Store and tabulate fresh attempts of one of the four policies."""
    spec, config = asked.spec, asked.config
    engine = open_version(asked.files, config, version)
    identity = EpisodeIdentity(spec.campaign, version, f"parts-{spec.version}", spec.campaign_seed, SAMPLED_STEP)
    rows = sample_attempts(engine, asked.problems, config.evaluate.attempts, config, identity)
    table = graded_table(rows, config, version)
    folder = asked.files.version(spec.version).confirm / "parts" / version
    write_rows(folder, SAMPLED_STEP, rows, classifier=action_classifier(config.harness.actions))
    return table, sum(row.num_tokens for row in rows)
