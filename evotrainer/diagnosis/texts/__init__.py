"""What the texts of rows from elsewhere show, where no grader measured it: columns beside a context's frames.

A campaign's graders measure checks as attempts are graded. Rows of other trainers have texts and columns of their own
instead. `read_foreign` reads them once; the diagnostics of harness_plugins/elsewhere/ judge the columns, none of which
exists for evidence of a campaign.
"""

from evotrainer.diagnosis.texts.named import (
    EXTRA_PREFIX,
    ends_of,
    environment_columns,
    is_measure,
    measured,
    outside_columns,
    policy_columns,
)
from evotrainer.diagnosis.texts.reading import read_foreign

__all__ = [
    "EXTRA_PREFIX",
    "ends_of",
    "environment_columns",
    "is_measure",
    "measured",
    "outside_columns",
    "policy_columns",
    "read_foreign",
]
