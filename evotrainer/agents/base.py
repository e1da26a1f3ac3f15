"""What a trainer agent must do: read findings and lineage, give ranked interventions.

Of validation it sees what the lineage's verdicts hold, score and interval, never a row. It may propose what it likes:
the laws of interventions.py decide what enters the pool, the search strategy what is tried.

The audit of a version reads validation rows too (was an answer graded twice and differently, do rows fail with the
wall clock, has the policy memorised its problems). Judges need that; an agent that proposes from it would choose on
what it is judged by, so `agent_view` and `agent_report` leave it out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.lineage import run_of_recipe, taken_recipes
from evotrainer.campaign.memory import Memory
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import Factor, recipe_hash
from evotrainer.config.interventions import WrittenIntervention, build, check, holds
from evotrainer.domains import factors_in
from evotrainer.evidence.query import QueryResult
from evotrainer.evidence.visibility import OWN_PREFIX, is_hidden, rests_on_validation
from evotrainer.promotion.verdict_text import describe_limit
from evotrainer.records import (
    Condition,
    Confirmation,
    DiagnosticDraft,
    Gap,
    HarnessReport,
    Intervention,
    Prediction,
    Verdict,
    VersionRecord,
)
from evotrainer.search.base import Brief
from evotrainer.search.specialists import AUTHOR_SIGN, owned

Rises = Sequence[tuple[str, float]]
"""(metric, allowed rise over its present value)."""
SIDE_EFFECTS: Rises = (("truncation_rate", 0.15), ("format_failure_rate", 0.15))
"""Limits of every intervention that does not aim at that metric."""


@dataclass(frozen=True)
class ProposalContext:
    """All that a trainer agent may know when it proposes."""

    config: Config
    """The incumbent's recipe: what each proposal is a diff of."""
    incumbent: str
    generation: int
    report: HarnessReport
    """The harness on the incumbent's evidence; without metrics and findings where search.use_findings is false."""
    records: Sequence[VersionRecord]
    """All closed versions, as `agent_view` shows them to an agent."""
    memory: Memory = field(default_factory=Memory)
    """What earlier campaigns left, as it stood when this one started."""
    brief: Brief = Brief(rank=0)
    """What the search tells the agent of this slot; an agent that reads text finds it in `brief.text`."""
    written: Sequence[WrittenIntervention] = ()
    """What a person wrote (trainer.interventions)."""
    remarks: Sequence[str] = ()
    """What a person who was asked at a gate said; for agents that read text."""
    query: Callable[[str], QueryResult] | None = None
    """Answers one SELECT over closed versions and the own rollout; None where search.use_findings is false."""

    def score(self, version: str) -> float | None:
        """Return a version's validation score: the honest one where a leak made it be scored again."""
        for record in self.records:
            if record.spec.version == version:
                return record.honest_score
        return None

    @property
    def factors(self) -> dict[str, Factor]:
        """What an intervention may change: factors of every recipe and of the domain, those of its surface alone."""
        table, specialist = factors_in(self.config), self.brief.specialist
        names = owned(specialist, table) if specialist else table.keys()
        return {name: factor for name, factor in table.items() if name in names}

    @property
    def taken(self) -> dict[str, str]:
        """{recipe hash: version} of all recipes tried."""
        return taken_recipes(self.records)

    @cached_property
    def reading(self) -> dict[str, float]:
        """One flat namespace of numbers that a rule can test.

        Metrics of the harness by their names, recipe keys by theirs (false is 0), and three of the lineage: `trained`
        (1 where this recipe was trained), `score` of the incumbent and `gain` (score of the recipe's run over v000's),
        where they are known. While the base policy leads, metrics of the recipe's run stand in for what a base policy
        cannot show; not where the report has none, since findings are turned off there.
        """
        numbers = {k: float(v) for k, v in flatten(config_to_dict(self.config)).items() if isinstance(v, int | float)}
        run = run_of_recipe(self.records, self.incumbent, recipe_hash(self.config))
        if run is not None and self.incumbent == BASE_VERSION and self.report.metrics:
            numbers |= run.metrics
        numbers |= self.report.metrics
        numbers["trained"] = float(run is not None or self.incumbent != BASE_VERSION)
        score, base = self.score(self.incumbent), self.score(BASE_VERSION)
        if score is not None:
            numbers["score"] = score
        if run is not None and run.honest_score is not None and base is not None:
            numbers["gain"] = run.honest_score - base
        return numbers

    def change(
        self,
        setting: Mapping[str, Any],
        *,
        author: str,
        hypothesis: str,
        prediction: Prediction,
        still: Rises = (),
        reading: Mapping[str, float] | None = None,
        success: Sequence[Condition] = (),
        limits: Sequence[Condition] = (),
        negative_controls: Sequence[Condition] = (),
        **more: Any,
    ) -> Intervention:
        """Return the intervention that sets `setting` on the incumbent's recipe, with the criteria of every author.

        The score must rise: a better policy has other groups, so harness metrics decide nothing. The usual side effects
        and what evolved diagnostics guard must not be exceeded, metrics of `still` must not rise. Conditions that are
        given stand beside these; `reading` stands in for the measured one. Raises InterventionError where a law breaks.
        """
        reading, metric = self.reading if reading is None else reading, prediction.metric
        higher = [Condition(metric="score", operator=">", value=reading["score"])] if "score" in reading else []
        guards = [guard for guard in self.report.guards if guard.metric != metric and holds(guard, reading)]
        controls = [*negative_controls, *rises(still, metric, reading)]
        return build(
            self.config,
            setting,
            author=author,
            hypothesis=hypothesis,
            prediction=prediction,
            success=[*higher, *success],
            limits=[*rises(SIDE_EFFECTS, metric, reading), *guards, *limits],
            negative_controls=[one for one in controls if one.metric != metric],
            parents=[self.incumbent],
            table=self.factors,
            **more,
        )

    def check(self, intervention: Intervention) -> None:
        """Raise InterventionError where a proposal breaks a law, or repeats a recipe that was tried."""
        check(intervention, self.config, self.taken, table=self.factors)


class Agent(Protocol):
    """Author of interventions."""

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return interventions on the incumbent's recipe, the most promising first; the same for the same context."""
        ...


def propose_under(brief: Brief, agent: Agent, context: ProposalContext) -> list[Intervention]:
    """Return what an agent proposes under a brief; what a specialist proposes names it."""
    proposals = agent.propose(replace(context, brief=brief))
    sign = f"{AUTHOR_SIGN}{brief.specialist}" if brief.specialist else ""
    return [one.model_copy(update={"author": f"{one.author}{sign}"}) for one in proposals]


@dataclass(frozen=True)
class RevisionContext:
    """All that a trainer agent may know when it writes diagnostics for gaps."""

    config: Config
    gaps: Sequence[Gap]
    """Those that no diagnostic in force answers."""
    columns: Sequence[str]
    """Columns of attempts that a diagnostic may read."""
    columns_of: Callable[[str], Sequence[str]]
    """Returns what a condition reads; raises EvidenceError where it is none."""
    taken: Sequence[str]
    """Names that metrics and diagnostics have."""
    records: Sequence[VersionRecord]
    query: Callable[[str], QueryResult]


class DiagnosticAuthor(Protocol):
    """Author of diagnostics, beside the rules of a revision."""

    def draft(self, context: RevisionContext) -> list[DiagnosticDraft]:
        """Return diagnostics for the gaps; the retrospective gate decides on each."""
        ...


def rises(allowed: Rises, metric: str, reading: Mapping[str, float]) -> list[Condition]:
    """Return how far measured metrics, `metric` aside, may rise over a reading."""
    return [
        Condition(metric=name, operator="<=", value=round(reading[name] + rise, 6))
        for name, rise in allowed
        if name != metric and name in reading
    ]


def agent_view(records: Sequence[VersionRecord]) -> list[VersionRecord]:
    """Return the records without what rests on validation rows."""
    return [_visible(record) for record in records]


def agent_report(report: HarnessReport) -> HarnessReport:
    """Return the report on a rollout without what a diagnostic says from stored rows beside it."""
    metrics = {name: value for name, value in report.metrics.items() if not name.startswith(OWN_PREFIX)}
    findings = [found for found in report.findings if not rests_on_validation(found)]
    return report.model_copy(update={"metrics": metrics, "findings": findings})


def _visible(record: VersionRecord) -> VersionRecord:
    metrics = {name: value for name, value in record.metrics.items() if not is_hidden(name)}
    findings = [found for found in record.findings if not rests_on_validation(found)]
    verdict = record.verdict.model_copy(update={"greedy_score": None, **_without_limits(record.verdict)})
    return record.model_copy(
        update={"metrics": metrics, "findings": findings, "verdict": verdict, "confirmation": _confirmed(record)}
    )


def _confirmed(record: VersionRecord) -> Confirmation | None:
    """Return the confirmation without metrics that rest on validation rows, and without the sentences that tell them.

    Other metrics over seeds are read from their training.
    """
    if record.confirmation is None:
        return None
    found = record.confirmation
    shown = found.prediction if found.prediction and not is_hidden(found.prediction.metric) else None
    controls = tuple(each for each in found.controls if not is_hidden(each.metric))
    return found.model_copy(update={"prediction": shown, "controls": controls, "reasons": []})


def _without_limits(verdict: Verdict) -> dict[str, Any]:
    """Return gate and reasons without the rates of fresh validation rows, by which side-effect limits are judged."""
    if verdict.gate is None:
        return {}
    limits = {describe_limit(limit) for limit in verdict.gate.limits}
    return {
        "gate": verdict.gate.model_copy(update={"limits": ()}),
        "reasons": [reason for reason in verdict.reasons if reason not in limits],
    }
