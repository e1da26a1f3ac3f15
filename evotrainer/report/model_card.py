"""The model card of an exported policy: what it is, how it was trained, what is known of it, how to make it again."""

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import best_chain, find
from evotrainer.campaign.repository import read_records, stored_certificate
from evotrainer.config import load_config
from evotrainer.records import Certificate, Finding, VersionRecord
from evotrainer.report.change import change_text
from evotrainer.report.decision import MEANINGS


def model_card(files: CampaignFiles, version: str) -> str:
    """Return the Markdown text of a version's model card."""
    records, config = read_records(files), load_config(files.config)
    record = find(records, version)
    name = record.spec.campaign
    chain = [find(records, one) for one in best_chain(records)] if version in best_chain(records) else [record]
    base = config.policy.path or f"the embedded policy {config.policy.name}"
    lines = [
        f"# {name} {version}",
        "",
        f"A policy that EvoTrainer post-trained from {base} in the domain {config.domain.name}.",
        f"Verdict: {record.verdict.outcome}, {MEANINGS[record.verdict.outcome]}.",
        "",
        "## Scores",
        "",
        *_scores(record, files),
        "",
        "## How it was trained",
        "",
        *[f"- {one.spec.version}: {change_text(one)}" for one in chain],
        "",
        "## What is wrong with it",
        "",
        *([f"- {found.severity} {found.mode}: {found.message}" for found in _loud(record)] or ["No finding."]),
        "",
        "## Make it again",
        "",
        f"    evotrainer reproduce {name} {version}",
        "",
    ]
    return "\n".join(lines)


def _scores(record: VersionRecord, files: CampaignFiles) -> list[str]:
    score, verdict = record.honest_score, record.verdict
    certificate = stored_certificate(files).find()
    sealed = _sealed(record.spec.version, certificate) if certificate is not None else []
    if score is None:
        return sealed or ["It was not evaluated."]
    between = "" if verdict.score_low is None else f" [{verdict.score_low:.4f}, {verdict.score_high:.4f}]"
    return [f"- validation, used for screening: {score:.4f}{between}", *sealed]


def _sealed(version: str, certificate: Certificate) -> list[str]:
    lines = [
        f"- sealed test split, {certificate.num_problems} problems x {certificate.attempts} attempts: "
        f"{one.score:.4f} [{one.low:.4f}, {one.high:.4f}]"
        for one in certificate.scores
        if one.version == version
    ]
    if version != certificate.incumbent:
        return lines
    return lines + [
        f"- against {found.against} there: {found.difference:+.4f} [{found.low:+.4f}, {found.high:+.4f}]"
        for found in certificate.comparisons
    ]


def _loud(record: VersionRecord) -> list[Finding]:
    return [found for found in record.findings if found.severity in ("warning", "critical", "invalid")]
