"""Stop reasons: share of attempts by stop reason, as stop_<reason>_rate. No findings: truncation has its own."""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of each stop reason."""
    shares = context.rows["stop_reason"].value_counts(normalize=True).sort_index()
    return Diagnosis(known({f"stop_{_word(str(reason))}_rate": share for reason, share in shares.items()}))


def _word(reason: str) -> str:
    """Return the reason as part of a metric's name."""
    return re.sub(r"[^a-z0-9]+", "_", reason.lower()).strip("_") or "empty"
