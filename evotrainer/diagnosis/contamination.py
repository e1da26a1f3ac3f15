"""Contamination of a campaign's problem files: what is judged on must not have been trained on or demonstrated.

The check reads the files themselves, so it finds what rows cannot show: near-duplicates under other ids, problems that
the warm start solved, texts inside texts. It runs once, with the evaluation of the base policy, and its finding stands
in the audit of every version of the campaign: an `invalid` one keeps all of them from promotion, as any other does.
harness_plugins/integrity/contamination.py finds problem ids that stand in both splits of stored rows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evotrainer.diagnosis.context import significantly_above
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.domains.problem_sets.overlap import DEMONSTRATED, HELD, Overlap, find_overlaps, read_demonstrated
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.records import Finding, Severity, VersionRecord

MODE = "contamination"
DIAGNOSTIC = "problem_files"
MAX_NAMED = 3


@dataclass(frozen=True)
class ProblemCheck:
    """What a comparison of problem files with each other and with demonstrations found."""

    num_problems: dict[str, int]
    """By split."""
    num_demonstrated: int | None
    """Different problems of the demonstrations; None where the base policy does not tell which it met."""
    overlaps: tuple[Overlap, ...]

    @property
    def num_held(self) -> dict[str, int]:
        """Problems by split that is judged on."""
        return {split: count for split, count in self.num_problems.items() if split in HELD}

    @property
    def metrics(self) -> dict[str, float]:
        """The numbers by the names that metrics.json uses."""
        shares = {}
        for name, is_shown in (("trained_problems", False), ("demonstrated_problems", True)):
            known = [each for each in self.overlaps if each.is_same and (each.source == DEMONSTRATED) == is_shown]
            shares[name] = max((count / total for count, total in _by_split(self, known).values()), default=0.0)
        return shares


def check_problems(path: Path, domain: str, policy: Path | None, limits: Thresholds) -> ProblemCheck:
    """Compare the held problems at `path` with those trained on, and with what the demonstrations of `policy` solved.

    Raises:
        DataError: a problem file is missing or malformed.

    """
    return check_rows(split_rows(path, domain), read_demonstrated(policy) if policy else None, limits)


def check_rows(
    rows: Mapping[str, Sequence[Row]], demonstrated: Sequence[str] | None, limits: Thresholds
) -> ProblemCheck:
    """Compare the held splits of `rows` with the others, and with the identities of problems demonstrated."""
    overlaps = find_overlaps(rows, demonstrated or (), limits.text_overlap)
    counts = {split: len(members) for split, members in rows.items() if members}
    return ProblemCheck(counts, None if demonstrated is None else len(demonstrated), tuple(overlaps))


def problem_findings(check: ProblemCheck, version: str, limits: Thresholds) -> list[Finding]:
    """Return a finding for what is trained on, for what was demonstrated, and for texts inside others.

    A held split of which `contaminated_problems` are trained on says nothing: invalid, and fewer are critical. All
    versions start from the same demonstrations, so these move scores and hardly differences: critical where they are
    surely above that share, else a warning. Texts inside others are an info, for a person to judge.
    """
    same = [each for each in check.overlaps if each.is_same]
    trained = [each for each in same if each.source != DEMONSTRATED]
    shown = [each for each in same if each.source == DEMONSTRATED]
    inside = [each for each in check.overlaps if not each.is_same]
    limit, alpha = limits.contaminated_problems, limits.limit_alpha
    is_invalid = any(count >= limit * total for count, total in _by_split(check, trained).values())
    is_critical = any(
        significantly_above(count, total, limit, alpha) for count, total in _by_split(check, shown).values()
    )
    told: list[tuple[list[Overlap], Severity, str]] = [
        (trained, "invalid" if is_invalid else "critical", "are trained on too"),
        (shown, "critical" if is_critical else "warning", "were demonstrated to the base policy"),
        (inside, "info", "stand inside problems that are trained on"),
    ]
    return [_finding(check, overlaps, severity, what, version, limits) for overlaps, severity, what in told if overlaps]


def _by_split(check: ProblemCheck, overlaps: Sequence[Overlap]) -> dict[str, tuple[int, int]]:
    """Return (known, all) problems of each held split that has known ones."""
    counts = Counter(overlap.split for overlap in overlaps)
    return {split: (counts[split], total) for split, total in check.num_held.items() if counts[split]}


def _finding(
    check: ProblemCheck, overlaps: Sequence[Overlap], severity: Severity, what: str, version: str, limits: Thresholds
) -> Finding:
    named = "; ".join(
        f"{each.problem_id} ({each.split}) and {each.other} ({each.source}): {each.kind}"
        for each in overlaps[:MAX_NAMED]
    )
    counts = _by_split(check, overlaps)
    worst = max(counts, key=lambda split: counts[split][0] / counts[split][1])
    known, of_all = counts[worst]
    return Finding(
        mode=MODE,
        severity=severity,
        diagnostic=DIAGNOSTIC,
        version=version,
        message=f"{len(overlaps)} of {sum(check.num_held.values())} problems that are judged on {what} (largest share: "
        f"{known} of {of_all} of {worst}): {named}",
        numbers={"problems": len(overlaps), "share": known / of_all},
        thresholds={
            "contaminated_problems": limits.contaminated_problems,
            "limit_alpha": limits.limit_alpha,
            "text_overlap": limits.text_overlap,
        },
    )


def inherited(records: Sequence[VersionRecord], version: str) -> list[Finding]:
    """Return what the check of the campaign's problem files found, as it stands in the record of the base policy."""
    found = [finding for record in records if record.spec.kind == "base" for finding in record.findings]
    return [finding.model_copy(update={"version": version}) for finding in found if finding.diagnostic == DIAGNOSTIC]
