"""What a version's backtests start from: its own rollout, its frozen lineage, train pool and incumbent's recipe."""

from collections.abc import Sequence

from evotrainer.algorithm.code import RecipeCode
from evotrainer.backtests.base import CachedEvidence
from evotrainer.campaign.code_files import sources_of
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.lineage import run_of_recipe
from evotrainer.campaign.recipes import changes_since, common_base
from evotrainer.campaign.repository import load_records
from evotrainer.config import Config
from evotrainer.config.factors import changed_keys, factors_of, recipe_hash
from evotrainer.config.interventions import MERGE_SIGN, apply, invert
from evotrainer.domains import factors_in
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_tokens
from evotrainer.levers.audit import audit_rows
from evotrainer.records import Intervention, VersionRecord, VersionSpec


def load_evidence(
    files: CampaignFiles, spec: VersionSpec, campaign: Config, pool: Sequence[Intervention]
) -> CachedEvidence:
    """Return the cached evidence for the backtests of a pool; raises EvidenceError for a damaged file.

    Where the campaign has an audit, replays judge by audited attempts and what is true of them.
    """
    own = files.version(spec.version)
    records = load_records(own.lineage)
    run = run_of_recipe(records, spec.incumbent, recipe_hash(campaign))
    rows = Rows.read(own.rollout)
    return CachedEvidence(
        rows=audit_rows(files.root, campaign, rows).corrected or rows,
        tokens=read_tokens(own.rollout),
        policy_path=policy_path(files, campaign, spec.incumbent),
        problems=load_problems(files.root, campaign.domain, "train"),
        records=records,
        base_score=_score(records, BASE_VERSION),
        run_score=run.honest_score if run else None,
        run_kl=run.metrics.get("kl") if run else None,
        is_trained=spec.incumbent != BASE_VERSION,
        code=RecipeCode(all_sources(records, pool)),
    )


def all_sources(records: Sequence[VersionRecord], pool: Sequence[Intervention]) -> dict[str, str]:
    """Return {reference: text} of all code that earlier versions or a pool introduce."""
    return sources_of(records) | {value: text for one in pool for value, text in one.files.items()}


def beside_incumbent(
    intervention: Intervention, child: Config, spec: VersionSpec, records: Sequence[VersionRecord]
) -> tuple[Intervention, Config]:
    """Return the intervention as a change of the incumbent's recipe, and that recipe.

    A merge is a diff of its parents' common incumbent; by the time it is tried, the better parent is usually the
    incumbent itself, and what the merge adds to it is what its verdict will judge.
    """
    parent = apply(child, invert(intervention.diff))
    if spec.kind != "merge" or spec.incumbent == (base := common_base(records, *spec.parents)):
        return intervention, parent
    for step in changes_since(records, base, spec.incumbent):
        parent = apply(parent, step)
    diff = changed_keys(parent, child)
    factor = MERGE_SIGN.join(factor.name for factor in factors_of(set(diff), factors_in(parent)))
    return intervention.model_copy(update={"diff": diff, "factor": factor}), parent


def _score(records: list[VersionRecord], version: str) -> float | None:
    for record in records:
        if record.spec.version == version:
            return record.honest_score
    return None
