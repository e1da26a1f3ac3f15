"""Two receipts of one version, line by line: same, differs, or not comparable.

What the version's bytes follow from must agree, and so must the bytes and the tokens that were paid. Packages are
reported, but other ones that give the same bytes have reproduced the version. Machine, clock and seconds are
another's and are not compared; nor is a cost that one side lacks, because DVC may have restored the stage.
"""

from collections.abc import Sequence

from evotrainer.campaign.repository import REPEATABLE_COSTS
from evotrainer.records import Receipt, ReceiptLine

MUST_AGREE = ("code", "config", "problems", "inputs", "policy", "procedure", "seeds", "outputs", "files")
MAY_DIFFER = ("packages",)
INCOMPARABLE = ("hardware", "clock")
SECTIONS = (*MUST_AGREE, *MAY_DIFFER, "hardware", "costs")


def compare_receipts(recorded: Receipt, found: Receipt) -> list[ReceiptLine]:
    """Return every line of either receipt, in the order of the record's sections."""
    lines = [_line("identity", name, getattr(recorded, name), getattr(found, name)) for name in ("campaign", "version")]
    for section in SECTIONS:
        old, new = getattr(recorded, section), getattr(found, section)
        lines += [_line(section, name, old.get(name), new.get(name)) for name in dict.fromkeys((*old, *new))]
    return [*lines, _line("clock", "closed_at", recorded.closed_at, found.closed_at)]


def summary(lines: Sequence[ReceiptLine]) -> str:
    """Return how many lines agree, differ and cannot be compared, and how many of those that differ must not."""
    counts = {kind: sum(line.agreement == kind for line in lines) for kind in ("same", "differs", "not comparable")}
    broken = sum(line.is_broken for line in lines)
    judged = f"{broken} of them must not" if broken else "none of them must agree"
    differ = f"{counts['differs']} differ" + (f", {judged}" if counts["differs"] else "")
    return f"receipt: {counts['same']} lines are the same, {differ}, {counts['not comparable']} are not comparable"


def text(value: object) -> str:
    """Return a value as it is shown."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _line(section: str, name: str, old: object, new: object) -> ReceiptLine:
    is_unknown = section == "costs" and (not name.endswith(REPEATABLE_COSTS) or old is None or new is None)
    is_compared = section not in INCOMPARABLE and not is_unknown
    return ReceiptLine(
        section=section,
        name=name,
        agreement=("same" if old == new else "differs") if is_compared else "not comparable",
        must_agree=is_compared and section not in MAY_DIFFER,
        recorded=_shown(old),
        found=_shown(new),
    )


def _shown(value: object) -> str | None:
    return None if value is None else text(value)
