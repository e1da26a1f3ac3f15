"""Records of closed versions for measures of growth: two settings of each factor in turn, with texts of full length.

Every tenth version is promoted, so that the chain to the incumbent grows too. Each hypothesis and each reason is longer
than what is shown of one.
"""

from collections.abc import Iterator
from itertools import cycle

from evotrainer.campaign.layout import BASE_VERSION, version_name
from evotrainer.config import Config
from evotrainer.config.interventions import build
from evotrainer.domains import factors_in
from evotrainer.errors import InterventionError
from evotrainer.records import Comparison, Intervention, Outcome, Prediction, Verdict, VersionRecord, VersionSpec

PROMOTED_EACH = 10
LONG = 8
"""Times that a sentence is said."""


def simulated_versions(count: int, config: Config) -> list[VersionRecord]:
    """Return the records of so many versions of a campaign, the base policy and its baseline among them."""
    records: list[VersionRecord] = []
    incumbent, made = BASE_VERSION, cycle(_interventions(config))
    for number in range(count):
        record = _record(number, incumbent, next(made) if number > 1 else None)
        records.append(record)
        if record.verdict.outcome == "promoted":
            incumbent = record.spec.version
    return records


def _interventions(config: Config) -> list[Intervention]:
    """Return one lawful setting of each factor, then a second one of each that has two."""
    found: dict[str, list[Intervention]] = {name: [] for name in factors_in(config)}
    for name, factor in factors_in(config).items():
        for setting in factor.choices(config):
            try:
                found[name].append(_intervention(config, setting))
            except InterventionError:  # it changes nothing of this recipe
                continue
    return list(_in_turns(list(found.values())))


def _in_turns(lists: list[list[Intervention]]) -> Iterator[Intervention]:
    for place in range(2):
        yield from (members[place] for members in lists if len(members) > place)


def _intervention(config: Config, setting: dict) -> Intervention:
    return build(
        config,
        setting,
        author="speed",
        hypothesis="the groups of easy problems have no signal, and this setting gives it back; " * LONG,
        prediction=Prediction(metric="score", direction="up", size=0.02, low=0.0, high=0.04, probability=0.6),
        success=[],
        limits=[],
        parents=[BASE_VERSION],
    )


def _record(number: int, incumbent: str, made: Intervention | None) -> VersionRecord:
    kind = "candidate" if made else "baseline" if number else "base"
    name, gain = version_name(number), 0.001 * (number % PROMOTED_EACH)
    spec = VersionSpec(
        campaign="speed",
        version=name,
        generation=number,
        slot=0,
        kind=kind,
        parents=[incumbent] if number else [],
        incumbent=incumbent,
        campaign_seed=0,
    )
    return VersionRecord(
        spec=spec,
        intervention=made,
        backtest=None,
        verdict=_verdict(name, incumbent, "promoted" if number % PROMOTED_EACH == 1 else "kept", gain),
        findings=[],
        metrics={},
        config_hash=name,
        policy_hash=name,
    )


def _verdict(name: str, incumbent: str, outcome: Outcome, gain: float) -> Verdict:
    compared = Comparison(
        against=incumbent,
        metric="score",
        num_problems=77,
        attempts=8,
        score=0.5 + gain,
        other_score=0.5,
        difference=gain,
        low=gain - 0.02,
        high=gain + 0.02,
        wilcoxon_p=0.5,
    )
    return Verdict(
        version=name,
        outcome=outcome,
        label="",
        claim="the score rises",
        reasons=["the difference lies within the noise of two evaluations of one policy; " * LONG],
        score=0.5 + gain,
        score_low=0.45,
        score_high=0.55,
        comparisons=[compared],
        prediction_observed=gain,
        prediction_hit=gain > 0,
        gate_version="speed",
        harness_version="speed",
    )
