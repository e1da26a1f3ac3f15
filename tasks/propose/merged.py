"""A merge takes the union of its parents' changes, on what their recipes have in common."""

from evotrainer.backtests.inputs import beside_incumbent
from evotrainer.campaign.code_files import texts_of
from evotrainer.campaign.gates import refused_candidates
from evotrainer.campaign.lineage import find, has_won, taken_recipes
from evotrainer.campaign.recipes import common_base
from evotrainer.config import Config
from evotrainer.config.factors import changed_keys
from evotrainer.config.interventions import check, intervention_id, merge
from evotrainer.domains import factors_in
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import Intervention, VersionRecord
from evotrainer.training import check_trainable
from tasks.propose.pool import Pool
from tasks.propose.request import Choice, NothingToTryError, Request


def merged(asked: Request) -> Choice:
    """Return the union of two versions' changes; raises NothingToTryError where it is refused."""
    records, parents = asked.records, asked.spec.parents
    base_version = common_base(records, *parents)
    base, named = asked.recipe(base_version), " and ".join(parents)
    one, other = (_since(asked, base, base_version, find(records, name)) for name in parents)
    have_won = all(has_won(find(records, name)) for name in parents)
    union = merge(one, other, base, parents=parents, table=factors_in(base), have_won=have_won)
    try:
        child = check(union, base, taken_recipes(records), table=factors_in(base))
        check_trainable(child)
    except ConfigError as error:
        raise NothingToTryError(f"the merge of {named} is refused: {error}") from None
    if union.intervention_id in refused_candidates(asked.own):
        raise NothingToTryError(f"a person sent the merge of {named} back")
    change, parent = beside_incumbent(union, child, asked.spec, records)
    if asked.spec.incumbent in parents:
        added = other if asked.spec.incumbent == parents[0] else one
        union = union.model_copy(update={"prediction": added.prediction})
    return Choice(base_version, Pool([union]), asked.backtests(parent, [change]), union)


def _since(asked: Request, base: Config, base_version: str, record: VersionRecord) -> Intervention:
    """Return what a version changes on an earlier one: its own intervention, or all steps of its branch as one."""
    own = record.intervention
    if own is None:
        raise InterventionError(f"cannot merge {record.spec.version}: it changes nothing")
    if record.spec.incumbent == base_version:
        return own
    diff = changed_keys(base, asked.recipe(record.spec.version))
    files = texts_of((new for _, new in diff.values()), asked.records)
    return own.model_copy(update={"diff": diff, "intervention_id": intervention_id(diff), "files": files})
