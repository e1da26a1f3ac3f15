"""Gates in words: what a stage found, what a version asks a person about it, and what the person answered."""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.campaign.allowance import gate_hours
from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.gates import NEEDS_TEXT, read_answers, reads_text, refused_candidates
from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.repository import intervention_of
from evotrainer.campaign.untrusted import escape
from evotrainer.config import Config
from evotrainer.records import Backtest, Finding, GateAnswer, HarnessReport, Intervention, Proposal, Verdict
from evotrainer.report.words import scores_words

FIRST = ("solve_rate", "pass_at_k", "mean_tokens", "tool_calls", "truncation_rate", "entropy", "dead_group_ratio")
"""Metrics that are shown before others, after those that findings name."""
MAX_FINDINGS, MAX_METRICS, MAX_OTHERS, MAX_CHARACTERS = 8, 12, 3, 300


STAGE_BEFORE = {"diagnosis": "diagnose", "proposal": "propose", "backtest": "backtest", "completion": "evaluate"}
EFFECTS = {
    "diagnosis": (
        "the trainer agent proposes",
        "your text goes to the trainer agent before it proposes",
        "the version is closed untrained",
    ),
    "proposal": (
        "the candidate is replayed",
        "the candidate is sent back: the next one is taken, or the agent that reads text proposes anew",
        "the version is closed untrained",
    ),
    "backtest": (
        "the candidate is trained, if its backtest accepts it",
        "the candidate is sent back: the next one is taken, or the agent that reads text proposes anew",
        "the version is closed untrained",
    ),
    "completion": (
        "the version is closed with its verdict",
        "the same, and your text goes to the agent of later versions",
        "the version is rolled back: it is closed as rejected, and nothing stands on it",
    ),
}


def gate_question(files: CampaignFiles, version: str, gate: str, config: Config) -> str:
    """Return the question of a gate; raises LineageError where the stage before it left nothing."""
    approve, revise, abort = EFFECTS[gate]
    if gate in NEEDS_TEXT and not reads_text(config.trainer.name):
        revise = f"not possible here: trainer={config.trainer.name} reads no text"
    return "\n".join(
        [
            f"### {version}: {gate}",
            stage_report(files, version, STAGE_BEFORE[gate]),
            "",
            f"- **APPROVE**: {approve}",
            f"- **REVISE**: {revise}",
            f"- **ABORT**: {abort}",
            "",
            f"Without an answer within {gate_hours(files, config):.3g} h: {config.autonomy.on_timeout.upper()}.",
        ]
    )


def stage_report(files: CampaignFiles, version: str, stage: str) -> str:
    """Return what a stage of a version found, as Markdown; raises LineageError where it left nothing."""
    own = files.version(version)
    match stage:
        case "diagnose":
            lines = _diagnosis(own.findings.read())
        case "propose":
            lines = _proposal(own.proposal.read(), refused_candidates(own))
        case "backtest":
            lines = _backtest(own.proposal.read().choice, own.backtest.read())
        case _:
            lines = _completion(intervention_of(own), own.verdict.read(), read_numbers(own.metrics))
    return "\n".join(lines)


def _diagnosis(report: HarnessReport) -> list[str]:
    named = [name for finding in report.findings for name in finding.numbers]
    names = [name for name in dict.fromkeys((*named, *FIRST, *sorted(report.metrics))) if name in report.metrics]
    metrics = [f"{name} {report.metrics[name]:.4g}" for name in names[:MAX_METRICS]]
    return [*_findings(report.findings), "", f"Metrics: {', '.join(metrics) or 'none'}"]


def _findings(findings: Sequence[Finding]) -> list[str]:
    if not findings:
        return ["No finding."]
    shown = [f"- {one.severity} `{one.mode}`: {_plain(one.message)}" for one in findings[:MAX_FINDINGS]]
    left = len(findings) - MAX_FINDINGS
    return shown + ([f"- and {left} more"] if left > 0 else [])


def _proposal(proposal: Proposal, sent_back: set[str]) -> list[str]:
    returned = [f"- sent back by a person: {candidate_words(one, proposal.pool)}" for one in sorted(sent_back)]
    if proposal.choice is None:
        return ["Nothing is proposed.", *[f"- {_plain(reason)}" for reason in proposal.refused[-1:]], *returned]
    closed = {proposal.chosen, *sent_back}
    others = [one for one in proposal.pool if one.intervention_id not in closed][:MAX_OTHERS]
    open_ones = [f"- also in the pool: {one.change}" for one in others]
    return [*_candidate(proposal.choice), "", *open_ones, *returned]


def _candidate(one: Intervention) -> list[str]:
    return [
        f"**{one.change}** (`{one.intervention_id}`, by {one.author})",
        "",
        _plain(one.hypothesis),
        "",
        f"Predicted: {one.prediction.all_words}",
    ]


def _backtest(choice: Intervention | None, found: Backtest) -> list[str]:
    verdict = "accepted" if found.accepted else "refused"
    return [
        f"**{choice.change if choice else 'no candidate'}**",
        "",
        f"Backtest: {verdict}; {_plain(found.reason)}. Predicted effect {found.predicted_effect:+.4f}, usable groups "
        f"{found.usable_groups_before:.2f} -> {found.usable_groups_after:.2f}",
    ]


def _completion(choice: Intervention | None, verdict: Verdict, metrics: Mapping[str, float]) -> list[str]:
    passed = metrics.get("validation_pass_at_k")
    score = scores_words(verdict.score, verdict.score_low, verdict.score_high, verdict.greedy_score, passed)
    change = [f"**{choice.change}**", ""] if choice else []
    reasons = [f"- {_plain(reason)}" for reason in verdict.reasons[:MAX_FINDINGS]]
    return [*change, f"**{verdict.outcome}**, {score}: {_plain(verdict.claim)}", *([""] if reasons else []), *reasons]


def _plain(text: str) -> str:
    """Return text of one line without signs that Markdown or HTML reads: it may quote what a policy wrote."""
    return " ".join(text.split())[:MAX_CHARACTERS].translate(_INERT)


def for_terminal(question: str) -> str:
    """Return a question without the escapes of Markdown; control characters of what it quotes are written out."""
    return escape(html.unescape(re.sub(r"\\([`*_\[\]|#])", r"\1", question)))


def answers_data(own: VersionFiles) -> list[dict[str, Any]]:
    """Return every answer at the gates of a version in order, as plain values and in words."""
    proposal = own.proposal.find()
    pool = proposal.pool if proposal else []
    return [one.model_dump(mode="json") | {"words": answer_words(one, pool)} for one in read_answers(own.gate_answers)]


def answer_words(answer: GateAnswer, pool: Sequence[Intervention]) -> str:
    """Return who answered what at which gate and when, with text and candidate, in one line."""
    decision = answer.decision.upper()
    if answer.answered_by == "timeout":
        given = f"nobody answered in time, so that {decision} was taken"
    else:
        given = f"a person answered {decision}"
    about = f", of {candidate_words(answer.candidate, pool)}" if answer.candidate else ""
    text = f': "{answer.text}"' if answer.text else ""
    return f"{answer.gate}{f', {answer.at}' if answer.at else ''}: {given}{about}{text}"


def candidate_words(candidate: str, pool: Sequence[Intervention]) -> str:
    """Return the change of a candidate where the pool still holds it, else its name."""
    found = next((one for one in pool if one.intervention_id == candidate), None)
    return f"candidate {candidate}" if found is None else found.change


_INERT = str.maketrans({sign: f"\\{sign}" for sign in "`*_[]|#"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"})
