"""About forty columns that rows of any system have beside those that were written: answers, texts, tools.

Whole columns are computed, by the database or by Arrow; docs/evidence.md names each. What cannot be known is null.
"""

import numpy as np
import pyarrow as pa

from evotrainer.diagnosis.conditions import Conditions, Evidence
from evotrainer.diagnosis.reading import answers, texts, tools

PAY = {
    "pay": "the reward on a scale from 0, the least anybody gets, to 1",
    "outcome": "`correct`, or else `pay`",
    "gold_pays": "of the paid attempts of all rows three tenths or more give their gold answer: it is what is graded",
}
GOLD_PAYS = 0.3
"""Share of paid attempts with their gold answer from which that is what the grader looks at."""
COLUMNS = PAY | texts.COLUMNS | tools.COLUMNS | answers.COLUMNS
"""Name and meaning of every derived column."""

SOURCES = {
    **dict.fromkeys(texts.COLUMNS, "texts of the policy"),
    **dict.fromkeys(tools.COLUMNS, "calls and answers of tools"),
    **dict.fromkeys(answers.COLUMNS, "gold answers"),
    **dict.fromkeys(("repeats", "paid_both_ways"), "several attempts at a problem, with answers of a form"),
    **dict.fromkeys(("pay", "outcome", "gold_pays"), "rewards"),
}
"""Derived column -> what a person records so that it is known."""
RECORDED = {"gold answers": "gold", "rewards": "reward"}
"""Source -> the column that holds it."""
UNREAD = "texts with an answer that can be read"
"""What is missing where gold answers and rewards are there."""


def derived(attempts: pa.Table, messages: pa.Table) -> pa.Table:
    """Return attempts with the derived columns beside; a column of that name in the file gives way."""
    for columns in (tools.tool_columns, texts.text_columns, answers.answer_columns):
        found = columns(Conditions({"attempts": attempts, "messages": messages}))
        attempts = attempts.drop_columns([name for name in found if name in attempts.column_names])
        for name, values in found.items():
            attempts = attempts.append_column(name, values)
    return _with_pay(attempts)


def _with_pay(attempts: pa.Table) -> pa.Table:
    evidence = Evidence(Conditions({"attempts": attempts}))
    correct = evidence.numbers("correct")
    for name, values in (("pay", evidence.pay), ("outcome", np.where(np.isfinite(correct), correct, evidence.pay))):
        attempts = attempts.append_column(name, pa.array(values, pa.float64(), mask=~np.isfinite(values)))
    relation = attempts["relation"].to_pylist() if "relation" in attempts.column_names else []
    paid = [
        one in ("equal", "form", "ends") for one, pay in zip(relation, evidence.pay, strict=False) if pay > 0.5 and one
    ]
    does = pa.scalar(sum(paid) >= GOLD_PAYS * len(paid) if paid else None, pa.bool_())
    return attempts.append_column("gold_pays", pa.repeat(does, len(attempts)))
