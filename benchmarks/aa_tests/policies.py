"""A/A campaigns of one policy: each version is the policy itself under fresh draws, judged as the product judges.

    pool ─► 8 attempts of the incumbent, 8 again ─► noise floor
         ─► 8 attempts a version: the screen ─► fresh rounds of both arms ─► decide() ─► verdict, lineage, incumbent

Screen, share of the error budget, gates, rounds, verdict and incumbent are the functions that the evaluate stage and
the campaign call; only training, audit and files are left out, which a version that is its own incumbent does not need.
The rules that the gate is measured against judge the same screening attempts, each in a campaign of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from benchmarks.aa_tests.outcomes import AACampaign, AAVersion
from evotrainer.campaign.layout import BASE_VERSION, version_name
from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.evidence.score_table import lost_share, tabulate
from evotrainer.promotion.checkpoint import ROUND_ATTEMPTS
from evotrainer.promotion.evaluation import Evaluation, Screening, why_ungated
from evotrainer.promotion.rounds import Rows, claim_of, open_gates, run_rounds
from evotrainer.promotion.statistics import compare, measure_noise
from evotrainer.promotion.verdict import decide
from evotrainer.records import Comparison, HarnessReport, NoiseFloor, Verdict, VersionRecord, VersionSpec
from evotrainer.search.base import may_be_trained_on, trunk

GATE = "checkpoint gate"
BOOTSTRAP = "per-comparison bootstrap"
RULES = {GATE: "sequential", "greedy": "greedy", BOOTSTRAP: "greedy"}
"""Name of a rule -> evaluate.gate; of the bootstrap a higher score must lie beyond its interval and the floor too."""
AUDITED = HarnessReport(version="", harness_version="null")

Deal = Callable[[int], Rows]
"""Number of attempts -> as many fresh ones at every problem."""


@dataclass(frozen=True)
class Dealt:
    """What all rules of one campaign see: the incumbent's attempts, the noise floor, those of each version."""

    stored: Rows
    floor: NoiseFloor
    versions: Sequence[Rows]


def hold_campaign(deal: Deal, config: Config, number: int) -> list[AACampaign]:
    """Return one campaign under every rule, the gate first; `config.num_versions` versions, none of them better."""
    attempts = config.evaluate.attempts
    stored, again = deal(attempts), deal(attempts)
    floor = measure_noise(tabulate(stored), tabulate(again))
    seen = Dealt(stored, floor, [deal(attempts) for _ in range(config.num_versions)])
    return [_under(rule, seen, deal, config, number) for rule in RULES]


def _under(rule: str, seen: Dealt, deal: Deal, config: Config, number: int) -> AACampaign:
    held = replace(config, evaluate=replace(config.evaluate, gate=RULES[rule]))
    rows = {BASE_VERSION: seen.stored}
    records = [_base(seen, held, number)]
    versions = []
    for index, own in enumerate(seen.versions, start=1):
        best = incumbent(records)
        start = trunk(records, best) if held.init == "parent" else best
        spec = _spec(version_name(index), index, number, best).model_copy(update={"parents": [start]})
        record = _judged(spec, own, rows[spec.incumbent], records, seen.floor, deal, held)
        record = _shown(record, seen.floor) if rule == BOOTSTRAP else record
        rows[spec.version] = own
        records.append(record)
        versions.append(_told(record.verdict))
    return AACampaign(number=number, rule=rule, floor=seen.floor.value, versions=tuple(versions))


def _judged(
    spec: VersionSpec,
    own: Rows,
    stored: Rows,
    records: Sequence[VersionRecord],
    floor: NoiseFloor,
    deal: Deal,
    config: Config,
) -> VersionRecord:
    """Return the record of one version, judged as by the evaluate stage."""
    against = _screened(own, stored, spec, config)
    screening = Screening(lost_share(own), score=against.score, comparisons=(against,))
    evaluation = Evaluation(spec, AUDITED, screening=screening, noise_floor=floor)
    if not why_ungated(evaluation, config.evaluate, may_be_trained_on(spec, records, config)):
        gates = open_gates(spec, records, config, stored)
        rounds = run_rounds(gates, lambda _: (deal(ROUND_ATTEMPTS), deal(ROUND_ATTEMPTS)))
        claim = claim_of(rounds, spec.incumbent, tabulate(own), config.evaluate.confidence)
        evaluation = replace(evaluation, gate=claim)
    return _record(spec, decide(evaluation, config.evaluate))


def _shown(record: VersionRecord, floor: NoiseFloor) -> VersionRecord:
    """Return a greedy verdict as it stands where the interval of one evaluation shows the difference, else as kept."""
    verdict, against = record.verdict, record.verdict.comparisons[0]
    is_better = against.low > 0 and against.difference >= floor.value
    if verdict.outcome not in ("promoted", "rejected") or is_better or against.high < 0:
        return record
    return record.model_copy(update={"verdict": verdict.model_copy(update={"outcome": "kept"})})


def _screened(own: Rows, stored: Rows, spec: VersionSpec, config: Config) -> Comparison:
    """Compare the screening attempts of a version with its incumbent's, as the evaluate stage does."""
    limits = config.evaluate
    return compare(
        tabulate(own),
        tabulate(stored),
        against=spec.incumbent,
        metric="score",
        samples=limits.bootstrap_samples,
        confidence=limits.confidence,
        seed=derive_seed(spec.campaign_seed, "bootstrap"),
    )


def _base(seen: Dealt, config: Config, number: int) -> VersionRecord:
    spec = _spec(BASE_VERSION, 0, number, BASE_VERSION).model_copy(update={"kind": "base", "parents": []})
    screening = Screening(score=tabulate(seen.stored).score)
    evaluation = Evaluation(spec, AUDITED, screening=screening, noise_floor=seen.floor)
    return _record(spec, decide(evaluation, config.evaluate))


def _spec(version: str, generation: int, number: int, against: str) -> VersionSpec:
    return VersionSpec(
        campaign="null",
        version=version,
        generation=generation,
        slot=0,
        kind="candidate",
        parents=[against],
        incumbent=against,
        campaign_seed=number,
    )


def _record(spec: VersionSpec, verdict: Verdict) -> VersionRecord:
    return VersionRecord(
        spec=spec,
        intervention=None,
        backtest=None,
        verdict=verdict,
        findings=[],
        metrics={},
        config_hash="",
        policy_hash=None,
    )


def _told(verdict: Verdict) -> AAVersion:
    attempts = verdict.gate.attempts if verdict.gate else 0
    return AAVersion(outcome=verdict.outcome, difference=verdict.comparisons[0].difference, attempts=attempts)
