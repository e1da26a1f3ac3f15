"""Read the sealed test split, once, after the last version: base, baseline and final incumbent, compared per problem.

The rows stay below certificate/test/ and are in no view before certificate.json exists. A certificate that exists, or
that the history of the checkout's branch holds, is never made again: a second request compares the stored one with its
rows and shows it.
"""

from collections.abc import Sequence

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import access_after, under
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, load_config
from evotrainer.domains import access_policy, find_domain
from evotrainer.domains.problem_sets.loading import SEALED_SPLIT
from evotrainer.domains.problem_sets.sealed import load_sealed
from evotrainer.engines import policy_path
from evotrainer.errors import InfrastructureError
from evotrainer.promotion.verdict_text import describe
from evotrainer.records import AccessPolicy, Certificate, Problem, Trajectory, VersionRecord
from evotrainer.rollouts.certification import certificate_of, check_certificate
from evotrainer.rollouts.evaluation import (
    GREEDY_STEP,
    evaluate_policy,
    graded_table,
    open_policy,
    sampled,
    score_table,
    write_evaluation,
)
from evotrainer.search.base import certified_versions


def run(files: CampaignFiles, _subject: str) -> None:
    """Write certificate/test/ and certificate/certificate.json, or show the certificate that there is."""
    document, config = files.certified, load_config(files.config)
    if stored := document.find():
        check_certificate(files)
        print("the sealed split was read before: this is the stored certificate")
        _show(stored, config)
        return
    records = read_records(files)
    access = access_after(access_policy(config.domain), records)
    config, stricter = under(config, access), _stricter_access(config, access)
    judged = [record for record in records if record.spec.version in certified_versions(records, config)]
    scored = [record for record in judged if record.verdict.score is not None]
    problems = load_sealed(files.root, config.domain, document.path)
    rows = {record.spec.version: _score(files, config, record, problems) for record in scored}
    again = {
        record.spec.version: _score(files, under(config, stricter), record, problems) for record in scored if stricter
    }
    honest = {version: score_table(found).score for version, found in again.items()}
    certificate = certificate_of(config, records, rows, honest, stricter)
    for version, found in rows.items():
        write_evaluation(files.certificate / SEALED_SPLIT / version, found, config)
    document.write(certificate)
    write_json_atomic(
        files.certificate / "costs" / "certify.json",
        {"tokens": sum(row.num_tokens for found in (*rows.values(), *again.values()) for row in found)},
    )
    _show(certificate, config)


def _score(
    files: CampaignFiles, config: Config, record: VersionRecord, problems: Sequence[Problem]
) -> list[Trajectory]:
    engine = open_policy(config, policy_path(files, config, record.spec.version), record.policy_hash)
    rows = evaluate_policy(engine, problems, config, record.spec, SEALED_SPLIT)
    graded_table(sampled(rows), config, f"{record.spec.version} on the sealed split")
    if lost := score_table(rows, GREEDY_STEP).ungraded:
        raise InfrastructureError(f"problem '{lost[0]}' lost its greedy attempt: nothing was certified, try again")
    return rows


def _stricter_access(config: Config, ended: AccessPolicy) -> AccessPolicy | None:
    """Return the strictest access policy of the domain; None where the campaign ended under it."""
    strictest = find_domain(config.domain.name).access[-1]
    return strictest if strictest.strictness > ended.strictness else None


def _show(certificate: Certificate, config: Config) -> None:
    print(f"incumbent: {certificate.incumbent}")
    for score in certificate.scores:
        honest = score.leak_free_score
        access = certificate.rescored_under
        note = "" if honest is None or access is None else f", {honest:.4f} {access.wording}"
        note += f", {score.error_share:.1%} of the draws lost" if score.error_share else ""
        print(f"{score.version}: {score.score:.4f} [{score.low:.4f}, {score.high:.4f}]{note}")
    for comparison in certificate.comparisons:
        print(describe(comparison, config.evaluate.confidence))
