"""The model card of an exported policy: what it is, how it was trained, what is known of it, how to make it again."""

import yaml

from evotrainer.campaign.documents import split_card
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import best_chain, find
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, load_config
from evotrainer.records import Certificate, VersionRecord
from evotrainer.report.decision import MEANINGS
from evotrainer.report.words import change_text, sealed_gains, sealed_score, sharpness


def model_card(files: CampaignFiles, version: str) -> str:
    """Return the Markdown text of a version's model card."""
    records, config = read_records(files), load_config(files.config)
    record = find(records, version)
    name = record.spec.campaign
    chain = [find(records, one) for one in best_chain(records)] if version in best_chain(records) else [record]
    base = config.policy.path or f"the embedded policy {config.policy.name}"
    lines = [
        *front_matter(files, config),
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
        *([f"- {found.words}" for found in record.findings if found.severity != "info"] or ["No finding."]),
        "",
        "## Make it again",
        "",
        f"    evotrainer reproduce {name} {version}",
        "",
    ]
    return "\n".join(lines)


def front_matter(files: CampaignFiles, config: Config) -> list[str]:
    """Return what model hubs read: the licence is the base policy's, `other` where its card names none."""
    own = config.policy.path
    header, _ = split_card(files.root / own / "README.md") if own else ("", "")
    try:
        found = yaml.safe_load(header.strip("-\n"))
    except yaml.YAMLError:
        found = None
    stated = found if isinstance(found, dict) else {}
    fields = {
        "license": stated.get("license", "other") if own else "apache-2.0",
        "base_model": stated.get("base_model", own) if own else f"evotrainer/{config.policy.name}",
        "library_name": "transformers",
        "pipeline_tag": "text-generation",
        "tags": ["evotrainer", "reinforcement-learning", config.domain.name],
    }
    return ["---", yaml.safe_dump(fields, sort_keys=False).rstrip(), "---", ""]


def _scores(record: VersionRecord, files: CampaignFiles) -> list[str]:
    score, verdict = record.honest_score, record.verdict
    certificate = files.certified.find()
    sealed = _sealed(record.spec.version, certificate) if certificate is not None else []
    if score is None:
        return sealed or ["It was not evaluated."]
    between = "" if verdict.score_low is None else f" [{verdict.score_low:.4f}, {verdict.score_high:.4f}]"
    greedy = "" if verdict.greedy_score is None else f", greedy {verdict.greedy_score:.4f}"
    best = record.metrics.get("validation_pass_at_k")
    passed = "" if best is None else f", pass@k {best:.4f}"
    return [f"- validation, used for screening, mean: {score:.4f}{between}{greedy}{passed}", *sealed]


def _sealed(version: str, certificate: Certificate) -> list[str]:
    score = sealed_score(certificate, version)
    where = f"sealed test split, {certificate.num_problems} problems x {certificate.attempts} attempts"
    lines = [f"- {where}: {score}"] if score else []
    if version == certificate.incumbent:
        warning = sharpness(certificate)
        lines += [*([f"- {warning}"] if warning else []), *(f"- there: {gain}" for gain in sealed_gains(certificate))]
    return lines
