"""A campaign's report: a table for the terminal, the score trajectory, one self-contained HTML page, plain values."""

from evotrainer.report.data import report_data
from evotrainer.report.page import write_report
from evotrainer.report.table import lineage_table

__all__ = ["lineage_table", "report_data", "write_report"]
