"""From findings and lineage to this version's recipe: a ranked pool, its backtests, one choice.

    findings.json, lineage ─► trainer agent ─► laws ─► pool ─► backtests ─► search strategy ─► choice of this slot
                                                                            └─► apply ─► config.yaml, conf/intervention/

baseline     the campaign's own recipe, less what an audit of the first rollout shows that it pays wrongly; a correction
             that a law, a guard or its backtest refuses leaves the recipe as it is, and costs no version
candidate    one of the agent's ranked pool: slots of a generation derive one pool and take different ranks of it; an
             agent that asks a model is asked once a generation
merge        the union of its parents' changes, on what their recipes have in common
continuation the incumbent's recipe, unchanged; at the learning rate before its last raise once a version that trained
             on at the raised one was not promoted

The recipe is the parent's under the diff of the choice; the diff is written as a file of Hydra for people, too. Where
nothing lawful is left to propose, the version is written with its parent's recipe and no choice: the backtest refuses
it, and the campaign goes on to its certificate.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from conf.compose import load_campaign, write_intervention, write_unchanged
from evotrainer.agents import AgentRecord, record_of
from evotrainer.backtests import backtest_pool
from evotrainer.backtests.inputs import all_sources, beside_incumbent, load_inputs
from evotrainer.campaign.gates import given_up, refused_candidates
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.lineage import common_base, find, has_won, recipe_chain, recipe_from, taken_recipes
from evotrainer.campaign.repository import load_records, save_config, texts_of, write_code
from evotrainer.config import Config
from evotrainer.config.factors import changed_keys
from evotrainer.config.interventions import apply, build, check, intervention_id, merge
from evotrainer.domains import factors_in
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import Backtest, Intervention, Prediction, Proposal, VersionRecord
from evotrainer.search import SearchStrategy, make_search
from evotrainer.training import check_trainable, replay_steps
from tasks.inputs import Inputs
from tasks.propose.pool import Pool, agent_pool, has_audit, shared_pool


@dataclass(frozen=True)
class Request(Inputs):
    """A version whose recipe is to be found."""

    record: AgentRecord

    def recipe(self, version: str) -> Config:
        """Return a closed version's recipe; the base policy stands for the campaign's."""
        return recipe_from(self.records, self.campaign, version)

    def backtests(self, parent: Config, pool: Sequence[Intervention]) -> list[Backtest]:
        """Return the backtests of a pool on the version's cached evidence."""
        evidence = load_inputs(self.files, self.spec, self.campaign, pool)
        return backtest_pool(pool, parent, evidence, replay_steps)


@dataclass(frozen=True)
class Choice:
    """What a version takes: one candidate of a pool as a change of `base`, or `base` unchanged."""

    base: str
    """The version whose recipe is changed."""
    pool: Pool = field(default_factory=lambda: Pool([]))
    backtests: Sequence[Backtest] = ()
    chosen: Intervention | None = None
    reason: str = ""
    """Why nothing was chosen where something was asked for."""

    @property
    def base_file(self) -> str | None:
        """The intervention file that the change stands on; None for the campaign alone."""
        return None if self.base == BASE_VERSION else self.base


class NothingToTryError(Exception):
    """No lawful proposal is left for this version; the text says why."""

    def __init__(self, reason: str, pool: Pool | None = None):
        super().__init__(reason)
        self.pool = pool or Pool([])


def run(files: CampaignFiles, version: str) -> None:
    """Write proposal.json, agent.jsonl, the diff in conf/intervention/, config.yaml and code/ of the version."""
    own, campaign = files.version(version), load_campaign(files)
    with record_of(files, own, "propose", campaign) as record:
        asked = Request(files, own.spec.read(), campaign, load_records(own.lineage), record)
        try:
            if reason := given_up(own):
                raise NothingToTryError(reason)
            choice = KINDS[asked.spec.kind](asked)
        except NothingToTryError as none:
            choice = Choice(asked.spec.incumbent, none.pool, reason=str(none))
        _write(asked, choice)


def _write(asked: Request, choice: Choice) -> None:
    files, spec, pool, chosen = asked.files, asked.spec, choice.pool, choice.chosen
    recipe = asked.recipe(choice.base)
    if chosen is None:
        write_unchanged(files, spec.version, choice.base_file, choice.reason or _UNCHANGED[spec.kind])
    else:
        write_intervention(files, spec.version, chosen, choice.base_file)
        recipe = apply(recipe, chosen.diff)
    proposal = Proposal(
        version=spec.version,
        pool=pool.candidates if chosen else [],
        backtests=list(choice.backtests),
        chosen=chosen.intervention_id if chosen else None,
        refused=[*pool.refused, *([choice.reason] if choice.reason else [])],
        agent=asked.campaign.trainer.name,
        diagnosis=pool.diagnosis,
    )
    asked.own.proposal.write(proposal)
    save_config(asked.own.config, in_force(recipe, spec))
    write_code(asked.own.code, recipe, all_sources(asked.records, proposal.pool))


def baseline(asked: Request) -> Choice:
    """Return the campaign's recipe, corrected where its own first rollout shows what."""
    campaign = asked.campaign
    if not has_audit(campaign):
        return Choice(BASE_VERSION)
    pool = agent_pool(asked.files, asked.spec, campaign, campaign, asked.records, asked.record, None)
    backtests = asked.backtests(campaign, pool.candidates)
    if backtests and backtests[0].accepted:
        return Choice(BASE_VERSION, pool, backtests, pool.candidates[0])
    refused = [f"{one.intervention_id}: {one.reason}" for one in backtests]
    return Choice(BASE_VERSION, replace(pool, candidates=[], refused=[*pool.refused, *refused]))


def candidate(asked: Request) -> Choice:
    """Return the slot's candidate; raises NothingToTryError where the agent has none left for it."""
    files, spec, campaign, records = asked.files, asked.spec, asked.campaign, asked.records
    search, parent = make_search(campaign), asked.recipe(spec.incumbent)
    brief = search.brief(spec, records, campaign)
    pool = shared_pool(files, spec) or agent_pool(files, spec, campaign, parent, records, asked.record, brief)
    if brief.rank >= len(pool.candidates):
        left = f"the {campaign.trainer.name} agent has only {len(pool.candidates)} lawful proposals left"
        raise NothingToTryError(left, pool)
    backtests = asked.backtests(parent, pool.candidates)
    index = _select(asked, search, pool, backtests, brief.rank)
    return Choice(spec.incumbent, pool, backtests, pool.candidates[index])


def _select(asked: Request, search: SearchStrategy, pool: Pool, backtests: list[Backtest], rank: int) -> int:
    """Return the slot's candidate: that of its rank, or the next of its own that no person sent back.

    Slots of a generation take every n-th candidate of one order, so that what is sent back in one is in no other.
    """
    refused = refused_candidates(asked.own)
    for place in range(rank, len(pool.candidates), asked.campaign.search.candidates_per_generation):
        index = search.select(pool.candidates, backtests, place, asked.campaign)
        if pool.candidates[index].intervention_id not in refused:
            return index
    raise NothingToTryError(f"a person sent all {len(refused)} candidates of this slot back", pool)


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


RATE = "algorithm.learning_rate"


def rate_before(records: Sequence[VersionRecord], best: str, rate: float) -> float | None:
    """Return the learning rate before the last raise on the way to an incumbent; None while its plateau is not seen.

    Large steps reach far and stay rough: once a version that trained on at the raised rate was not promoted, the recipe
    goes on at the one before.
    """
    made = [find(records, name).intervention for name in recipe_chain(records, best)]
    rates = [one.diff[RATE][0] for one in made if one is not None and RATE in one.diff]
    was_tried = any(one.spec.incumbent == best and one.was_trial for one in records)
    return next((before for before in rates if before < rate), None) if was_tried else None


def continued(asked: Request) -> Choice:
    """Return the incumbent's recipe, at the learning rate before its last raise where that one has seen its plateau."""
    best = asked.spec.incumbent
    recipe = asked.recipe(best)
    before = rate_before(asked.records, best, recipe.algorithm.learning_rate)
    if before is None:
        return Choice(best)
    cooled = build(
        recipe,
        {RATE: before},
        author="search",
        hypothesis=f"if {RATE}={before} then score moves by +0.02 because what trained on from {best} at the raised "
        "rate was not promoted: smaller steps settle what larger ones reached",
        prediction=Prediction(metric="score", direction="up", size=0.02, low=-0.05, high=0.1, probability=0.6),
        success=[],
        limits=[],
        parents=[best],
    )
    reason = "not replayed: one step prefers the larger rate"
    passed = Backtest(intervention_id=cooled.intervention_id, family="algorithm", accepted=True, reason=reason)
    return Choice(best, Pool([cooled]), [passed], cooled)


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


KINDS: dict[str, Callable[[Request], Choice]] = {
    "warm_up": lambda asked: Choice(BASE_VERSION),
    "distillation": lambda asked: Choice(BASE_VERSION),
    "baseline": baseline,
    "continuation": continued,
    "merge": merged,
    "candidate": candidate,
}
"""{kind of a version: what finds its recipe}; supervised ones have the campaign's and do not train it, a continuation
trains its incumbent's recipe on."""
_UNCHANGED = {
    "warm_up": "worked answers teach the asked form",
    "distillation": "its own right attempts teach the policy to be right more often",
    "baseline": "the campaign's recipe, unchanged, beats the base policy",
    "continuation": "the incumbent's recipe, unchanged, gains from more training",
}
"""{kind: what is claimed of a recipe that changes nothing}."""
