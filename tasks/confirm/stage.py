"""After the verdict: fresh training seeds of a promoted recipe (seeds.py), the parts of a merge.

    verdict ─► recipe gate over seeds ─► claim ─┐
                        └─► predicted metric, negative controls ─► FIRED | NOT_FIRED | CONFOUNDED ─► confirmation.json
    merge   ─► neither, first, second, both on fresh rows ─────────┘

The verdict stays as it is: it is about one checkpoint. What a stage of this kind finds is a claim of its own. The stage
stands in a version's pipeline where evaluate.recipe_seeds asks for seeds, and for every merge.

Which of two merged changes carried the gain, or do they interact? Four policies are evaluated side by side on fresh
rows that share their draws: the recipe without both changes, with the first, with the second, with both, at the
attempts of one evaluation each. They are the checkpoints of four versions, so that nothing is trained. Every merge with
a valid score is asked, a promoted one or not: that two gains do not add is worth knowing too.

    confirm/candidate/  confirm/reference/   rows of the runs, one step a replicate
    confirm/parts/<policy>/                  rows of the four policies around a merge
    confirm/UNCONFIRMED                      why there are none
"""

from evotrainer.actions import action_classifier
from evotrainer.campaign.answers import start_record
from evotrainer.campaign.documents import emptied, write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.ledger import write_tokens
from evotrainer.campaign.lineage import recipe_beneath
from evotrainer.campaign.repository import load_records
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import load_config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.evidence.store import write_rows
from evotrainer.promotion.attribution import attribute
from evotrainer.promotion.evaluation import MIN_PROBLEMS
from evotrainer.records import Confirmation, MergeClaim
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import SAMPLED_STEP, choose_problems, graded_table, open_version, sample_attempts
from tasks.confirm.seeds import Question, confirm_recipe, why_unconfirmed

SPLIT = "validation"
UNCONFIRMED = "UNCONFIRMED"


def run(files: CampaignFiles, version: str) -> None:
    """Write confirm/ and confirmation.json of the version."""
    own = files.version(version)
    spec = own.spec.read()
    config = in_force(load_config(files.config), spec)
    problems = choose_problems(
        load_problems(files.root, config.domain, SPLIT), config.evaluate.max_problems, spec.campaign_seed
    )
    asked = Question(files, spec, config, load_records(own.lineage), own.verdict.read(), problems)
    start_record(config.domain, own.judge / "confirm.jsonl")
    emptied(own.confirm)
    found, tokens = Confirmation(version=version, reasons=[]), 0
    if reason := why_unconfirmed(asked):
        found = found.model_copy(update={"reasons": [reason]})
    else:
        found, tokens = confirm_recipe(asked)
    if not why_unparted(asked):
        merge, part_tokens = evaluate_parts(asked)
        found, tokens = found.model_copy(update={"merge": merge}), tokens + part_tokens
    if not any(own.confirm.iterdir()):
        write_atomic(own.confirm / UNCONFIRMED, "; ".join(found.reasons) + "\n")
    own.confirmation.write(found)
    write_tokens(own, "confirm", tokens)
    print(
        f"recipe: {found.recipe.outcome if found.recipe else 'unproven'}\nattribution: {found.attribution}", flush=True
    )


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
