"""The table of audits by world and size: how often a correction is found, and how reward and truth agree after it."""

from collections.abc import Sequence
from statistics import fmean

from benchmarks.lopo.audits import AuditFound
from benchmarks.reports.markdown import markdown_table


def audits_report(found: Sequence[AuditFound]) -> str:
    """Return the Markdown: a summary by world and size, and every audit."""
    keys = list(dict.fromkeys((one.world, one.audited) for one in found))
    summary = []
    for world, size in keys:
        own = [one for one in found if (one.world, one.audited) == (world, size)]
        summary.append([
            world, str(size), f"{sum(one.is_found for one in own)} of {len(own)}",
            f"{fmean(one.false_passes for one in own):.0f}", f"{fmean(one.before for one in own):.2f}",
            f"{fmean(one.after for one in own):.2f}",
        ])  # fmt: skip
    single = [
        [one.world, str(one.seed), str(one.audited), str(one.false_passes), f"{one.before:.2f}", f"{one.after:.2f}",
         ", ".join(one.columns[:3]) or one.reason.partition(";")[0]]
        for one in found
    ]  # fmt: skip
    head = "world | audited | corrected | false passes | agreement before | after"
    return "\n".join([
        markdown_table(head, summary),
        markdown_table("world | seed | audited | false passes | before | after | first columns, or why none", single),
    ])  # fmt: skip
