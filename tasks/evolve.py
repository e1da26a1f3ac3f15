"""Revise the harness after a generation: gaps to cards, and the retrospective gate.

    audits, findings (gaps) ─► cards ─► gate on all stored versions ─► plugins/  revision.json
              trainer agent ─────┘

After several failed versions in a row the evaluator itself is questioned first: rows of those versions and of the last
good one are graded again. Where grades change beyond the limit, nothing more may be judged by it, and the stage fails.
"""

from collections.abc import Sequence

from evotrainer.agents import DiagnosticAuthor, RevisionContext, make_author, record_of
from evotrainer.agents.base import agent_view
from evotrainer.campaign.documents import emptied, write_atomic
from evotrainer.campaign.layout import CampaignFiles, RevisionFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.lineage import find
from evotrainer.campaign.repository import load_records, open_gaps
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, load_config
from evotrainer.diagnosis.conditions import columns_of
from evotrainer.diagnosis.evaluator_audit import finding_of
from evotrainer.diagnosis.evolved.candidates import Stored, load_stored, text_of
from evotrainer.diagnosis.evolved.cards import Card, load_cards, save_card, visible
from evotrainer.diagnosis.evolved.gate import level_of
from evotrainer.diagnosis.evolved.revision import Author, Reviser
from evotrainer.diagnosis.harness import Harness, read_context
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.domains.regrading import Regrading, choose_rows, regrade
from evotrainer.errors import GraderError
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.query import run_query
from evotrainer.records import DiagnosticDraft, Gap, Problem, Revision, VersionRecord
from evotrainer.rollouts.evaluation import SAMPLED_STEP, read_evaluation
from evotrainer.search.base import Escalation, escalation

REGRADED_ROWS = 128
"""Rows of each version that are graded again when the evaluator is questioned."""


def run(files: CampaignFiles, revision: str) -> None:
    """Write plugins/ and revision.json of the revision."""
    own = files.revision(revision)
    config, records = load_config(files.config), load_records(own.lineage)
    escalated = escalation(records, config)
    questioned = _question_evaluator(files, config, records, escalated) if escalated else Regrading(0, (), 0)
    with record_of(files, own, "evolve", config) as record:
        reviser = _reviser(files, config, records, revision)
        reviser.author = _author(files, config, records, reviser, make_author(config, record))
        reviser.revise(open_gaps(files, [closed.spec.version for closed in records]))
    _write_cards(own, reviser.cards)
    made = Revision(
        revision=revision,
        harness_version=Harness(reviser.root, config.harness, reviser.cards).version,
        labels={one.version: one.label for one in reviser.stored if one.label},
        decisions=reviser.decisions,
        failed_in_a_row=list(escalated.failed) if escalated else [],
        questioned_rows=questioned.num_rows,
        changed_rows=len(questioned.changed),
    )
    own.revision.write(made)
    for decision in made.decisions:
        print(f"{decision.outcome}: {decision.plugin or decision.gap}: {decision.reason}", flush=True)


def _reviser(files: CampaignFiles, config: Config, records: Sequence[VersionRecord], revision: str) -> Reviser:
    """Return what revises the harness: labels are dealt alike after each generation, lest asking again decide."""
    spec, stored = records[-1].spec, load_stored(files, records)
    return Reviser(
        root=files.root / "harness_plugins",
        config=config.harness,
        stored=stored,
        before_of=lambda version: _before(files, find(records, version), stored),
        date=f"campaign {spec.campaign}, revision {revision}",
        seed=derive_seed(spec.campaign_seed, "evolve"),
        level=level_of(config.num_versions),
        before=load_cards(files.revision(revision).plugins_before),
    )


def _author(
    files: CampaignFiles,
    config: Config,
    records: Sequence[VersionRecord],
    reviser: Reviser,
    agent: DiagnosticAuthor | None,
) -> Author | None:
    """Return what asks the trainer agent for diagnostics and makes cards of its drafts; None where it writes none."""
    if agent is None:
        return None
    names = [record.spec.version for record in records]

    def write(gaps: Sequence[Gap], taken: Sequence[str]) -> list[Card]:
        columns = set.intersection(*({str(name) for name in one.rows} for one in reviser.stored))
        context = RevisionContext(
            config=config,
            gaps=gaps,
            columns=sorted(columns),
            columns_of=columns_of,
            taken=taken,
            records=agent_view(records),
            query=lambda sql: run_query(files, sql, for_agent=True, versions=names),
        )
        return [_card(draft, gaps[draft.gap - 1], config.trainer.name, reviser.date) for draft in agent.draft(context)]

    return write


def _card(draft: DiagnosticDraft, gap: Gap, author: str, date: str) -> Card:
    return Card(
        name=draft.name,
        status="provisional",
        gap=text_of(gap),
        formula=draft.formula,
        shows=draft.shows,
        among=draft.among,
        limit=draft.limit,
        author=author,
        date=date,
    )


def _before(files: CampaignFiles, record: VersionRecord, stored: Sequence[Stored]) -> Frame | None:
    """Return the visible rows of a version's incumbent: those it was trained on, else the rollout sampled from it."""
    if record.spec.kind == "base":
        return None
    trained = next((one.rows for one in stored if one.version == record.spec.incumbent), None)
    if trained is not None:
        return trained
    return visible(read_context(record.spec.version, rows=files.version(record.spec.version).rollout).rows)


def _question_evaluator(
    files: CampaignFiles, config: Config, records: Sequence[VersionRecord], escalated: Escalation
) -> Regrading:
    """Grade rows of the failed versions and of the last good one again.

    Raises:
        GraderError: so many grades changed that the failures may be the evaluator's.

    """
    problems = load_problems(files.root, config.domain, "validation")
    named = [find(records, version) for version in [*escalated.failed, escalated.last_good]]
    asked = [record for record in named if record.verdict.score is not None]
    outcomes = [_graded_again(files, config, record, problems) for record in asked]
    for record, outcome in zip(asked, outcomes, strict=True):
        found = finding_of(outcome, record.spec.version)
        if found is not None and found.severity == "critical":
            raise GraderError(
                f"{found.message} ({record.spec.version}), after {len(escalated.failed)} failed versions in a row: "
                f"repair the grader before anything more is judged by it (first row: {outcome.changed[0]})"
            )
    changed = tuple(row for outcome in outcomes for row in outcome.changed)
    return Regrading(sum(one.num_rows for one in outcomes), changed, sum(one.num_lost for one in outcomes))


def _graded_again(
    files: CampaignFiles, config: Config, record: VersionRecord, problems: Sequence[Problem]
) -> Regrading:
    rows = [row for row in read_evaluation(files.version(record.spec.version).validation) if row.step == SAMPLED_STEP]
    domain = in_force(config, record.spec).domain
    return regrade(choose_rows(rows, REGRADED_ROWS, config.seed), problems, domain)


def _write_cards(revision_files: RevisionFiles, cards: Sequence[Card]) -> None:
    folder = emptied(revision_files.plugins)
    # A folder without files is none to git.
    write_atomic(folder / "README.md", "Evolved diagnostics in force after this revision; see docs/levers.md.\n")
    for card in cards:
        save_card(folder, card)
