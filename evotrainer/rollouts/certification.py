"""The certificate as a function of its rows: made once by the certify stage, made again to check the stored one.

Everything in a certificate follows from the rows below certificate/test/, the lineage and the campaign's settings, but
for scores under stricter access: their rows are not kept, and only scoring again can check them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dictdiffer import diff

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import find, incumbent, learning_start
from evotrainer.campaign.repository import read_records
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, load_config
from evotrainer.domains.problem_sets.loading import SEALED_SPLIT
from evotrainer.errors import EvidenceError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.score_table import lost_share
from evotrainer.promotion.measures import MEASURES
from evotrainer.promotion.statistics import mean_interval
from evotrainer.promotion.verdict import GATE_VERSION
from evotrainer.records import AccessPolicy, Certificate, CertifiedScore, Trajectory, VersionRecord
from evotrainer.rollouts.evaluation import GREEDY_STEP, sampled, score_table

_TOLERANCE = 1e-9
"""Between machines, whose sums may differ in the last bit."""


def certificate_of(
    config: Config,
    records: Sequence[VersionRecord],
    rows: Mapping[str, Sequence[Trajectory]],
    honest: Mapping[str, float],
    stricter: AccessPolicy | None,
) -> Certificate:
    """Return the certificate of the incumbent; `rows` are those of each certified version, in their order."""
    spec, best = find(records, next(iter(rows))).spec, incumbent(records)
    samples, confidence = config.evaluate.bootstrap_samples, config.evaluate.confidence
    seed = derive_seed(spec.campaign_seed, "bootstrap of the certificate")
    tables = {version: score_table(found) for version, found in rows.items()}
    scores = []
    for version, table in tables.items():
        interval = mean_interval(table.means(), samples=samples, confidence=confidence, seed=seed)
        scores.append(
            CertifiedScore(
                version=version,
                policy_hash=rows[version][0].policy_id,
                score=interval.value,
                low=interval.low,
                high=interval.high,
                greedy_score=score_table(rows[version], GREEDY_STEP).score,
                pass_at_k=table.pass_at_k,
                leak_free_score=honest.get(version),
                error_share=lost_share(sampled(rows[version])),
            )
        )
    return Certificate(
        campaign=spec.campaign,
        incumbent=best,
        start=learning_start(records),
        num_problems=len(tables[best].problem_ids),
        attempts=config.evaluate.attempts,
        scores=scores,
        gate_version=GATE_VERSION,
        rescored_under=stricter,
        comparisons=[
            MEASURES[name].compared(
                rows[best], found, against=version, samples=samples, confidence=confidence, seed=seed
            )
            for name in dict.fromkeys(["mean", config.evaluate.measure])
            for version, found in rows.items()
            if version != best
        ],
    )


def check_certificate(files: CampaignFiles) -> bool:
    """Compare the stored certificate with what its stored rows say; return whether the rows are here.

    Raises EvidenceError naming the first field that differs.
    """
    document = files.certified
    stored, rows = document.read(), _stored_rows(files)
    if not rows:
        return False
    records = read_records(files)
    best, found = incumbent(records), sorted(rows)
    if best not in rows:
        raise EvidenceError(f"{document.path}: the incumbent is {best}, and the stored rows are of {', '.join(found)}")
    honest = {one.version: one.leak_free_score for one in stored.scores if one.leak_free_score is not None}
    again = certificate_of(load_config(files.config), records, rows, honest, stored.rescored_under)
    again = again.model_copy(update={"gate_version": stored.gate_version})
    if difference := first_difference(stored.model_dump(mode="json"), again.model_dump(mode="json")):
        raise EvidenceError(
            f"{document.path} is not what its rows in {files.certificate / SEALED_SPLIT} say: {difference}; restore "
            "both as they were committed: `evotrainer campaign run NAME` does that"
        )
    return True


def first_difference(stored: Any, found: Any) -> str | None:
    """Return the first place where two plain values differ, with both; None where they agree."""
    for kind, place, values in diff(stored, found, tolerance=0.0, absolute_tolerance=_TOLERANCE, dot_notation=False):
        told = f"is {values[0]}, and they give {values[1]}" if kind == "change" else f"differs, {kind}: {values}"
        return f"{'.'.join(map(str, place))} {told}"
    return None


def _stored_rows(files: CampaignFiles) -> dict[str, list[Trajectory]]:
    folders = sorted(path for path in (files.certificate / SEALED_SPLIT).glob("v*") if path.is_dir())
    rows = {folder.name: list(Rows.read(folder)) for folder in folders}
    return {version: found for version, found in rows.items() if found}
