"""What the texts of rows from elsewhere show, where no grader measured it: columns beside a context's frames.

A campaign's graders measure checks as attempts are graded. Rows of other trainers have texts and columns of their own
instead. `text_columns` reads them once; the diagnostics of harness_plugins/elsewhere/ judge the columns, none of which
exists for evidence of a campaign.
"""

from evotrainer.diagnosis.texts.columns import EXTRA_PREFIX, corrected, text_columns
from evotrainer.diagnosis.texts.tool_kinds import inferred_tools

__all__ = ["EXTRA_PREFIX", "corrected", "inferred_tools", "text_columns"]
