"""Backtests by factor family: what replay on cached evidence says of an intervention, before any training.

Every family gives the same record with the same currency, so that candidates of different families can be ranked: the
predicted change of the validation score (forecast.py), behind one gate (gate.py). A merge is the union of its factors:
each is replayed alone for its effect, all together for the gate.
"""

from collections.abc import Sequence
from dataclasses import replace

from evotrainer.backtests import step
from evotrainer.backtests.families import FAMILIES, UNSEEN
from evotrainer.backtests.gate import judge
from evotrainer.backtests.inputs import Probe, RecipeChange, ReplayInputs
from evotrainer.config import Config
from evotrainer.config.factors import Factor, families_of
from evotrainer.config.interventions import MERGE_SIGN, apply
from evotrainer.domains import factors_in
from evotrainer.errors import CodeError
from evotrainer.records import Backtest, Intervention
from evotrainer.training.base import StepReplayer


def backtest(
    intervention: Intervention,
    parent: Config,
    child: Config,
    evidence: ReplayInputs,
    replayer: StepReplayer | None = None,
    probe: Probe | None = None,
) -> Backtest:
    """Return the backtest of `intervention`, which turns `parent` into `child`.

    Args:
        intervention: of a merge each factor is replayed alone.
        parent: the recipe that the diff starts from.
        child: the recipe that it gives.
        evidence: cached rows of the incumbent, and what the lineage knows.
        replayer: takes one optimiser step for algorithm and reward factors; without it they are judged less or not.
        probe: samples a few rollouts where cached rows cannot answer; without it such factors predict nothing.

    """
    table = factors_in(parent)
    factors = [table[name] for name in intervention.factor.split(MERGE_SIGN)]
    changes = [
        RecipeChange(factor, parent, _part(parent, child, factor, intervention), evidence, replayer, probe)
        for factor in factors
    ]
    try:
        parts = [FAMILIES[change.factor.family](change) for change in changes]
        return judge(intervention, parent, child, evidence, parts)
    except CodeError as error:
        return _refused(intervention, factors, str(error))


def _refused(intervention: Intervention, factors: Sequence[Factor], reason: str) -> Backtest:
    """Return the backtest of an intervention whose code cannot be replayed."""
    return Backtest(
        intervention_id=intervention.intervention_id,
        family="+".join(dict.fromkeys(factor.family for factor in factors)),
        accepted=False,
        reason=reason,
    )


def backtest_pool(
    pool: Sequence[Intervention], parent: Config, evidence: ReplayInputs, replayer: StepReplayer
) -> list[Backtest]:
    """Return the backtests of a pool on cached evidence alone; the parent's gradient step is replayed once for all."""
    children = [apply(parent, intervention.diff) for intervention in pool]
    stepped = [child for one, child in zip(pool, children, strict=True) if _takes_a_step(one)]
    if stepped and evidence.tokens:
        evidence = replace(evidence, steps=step.replay_steps([parent, *stepped], evidence, replayer))
    return [backtest(one, parent, child, evidence, replayer) for one, child in zip(pool, children, strict=True)]


def _takes_a_step(intervention: Intervention) -> bool:
    """Return whether an intervention on one factor needs a gradient replay that it may share with others.

    Code is replayed alone, so that text that fails refuses itself and nothing else.
    """
    if intervention.files or MERGE_SIGN in intervention.factor or intervention.factor in UNSEEN:
        return False
    return families_of(intervention.diff) <= {"algorithm", "reward"}


def _part(parent: Config, child: Config, factor: Factor, intervention: Intervention) -> Config:
    """Return the child of one factor alone."""
    if MERGE_SIGN not in intervention.factor:
        return child
    return apply(parent, {key: change for key, change in intervention.diff.items() if key in factor.keys})
