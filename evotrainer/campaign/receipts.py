"""Two receipts of one version, line by line: same, differs, or not comparable.

What the version's bytes follow from must agree, and so must the bytes and the tokens that were paid. Packages are
reported, but other ones that give the same bytes have reproduced the version. Machine, clock and seconds are
another's and are not compared; nor is a cost that one side lacks, because DVC may have restored the stage.
"""

from collections.abc import Iterator, Sequence

from evotrainer.campaign.repository import REPEATABLE_COSTS
from evotrainer.records import Receipt, ReceiptLine

MUST_AGREE = ("code", "config", "problems", "inputs", "policy", "procedure", "seeds", "outputs", "files")
MAY_DIFFER = ("packages",)
INCOMPARABLE = ("hardware",)
SECTIONS = (*MUST_AGREE, *MAY_DIFFER, *INCOMPARABLE, "costs")


def compare_receipts(recorded: Receipt, found: Receipt) -> list[ReceiptLine]:
    """Return every line of either receipt, in the order of the record's sections."""
    return [*_identity(recorded, found), *_sections(recorded, found), _clock(recorded, found)]


def receipt_rows(receipt: Receipt) -> list[tuple[str, str, str]]:
    """Return a receipt as (section, name, value), in the order of the record."""
    rows = [(section, name, text(value)) for section in SECTIONS for name, value in getattr(receipt, section).items()]
    return [*rows, ("clock", "closed_at", receipt.closed_at)]


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


def _identity(recorded: Receipt, found: Receipt) -> Iterator[ReceiptLine]:
    for name in ("campaign", "version"):
        yield _line("identity", name, getattr(recorded, name), getattr(found, name), must_agree=True)


def _sections(recorded: Receipt, found: Receipt) -> Iterator[ReceiptLine]:
    for section in SECTIONS:
        old, new = getattr(recorded, section), getattr(found, section)
        for name in [*old, *(name for name in new if name not in old)]:
            yield _compared(section, name, old.get(name), new.get(name))


def _compared(section: str, name: str, old: object, new: object) -> ReceiptLine:
    is_cost = section == "costs"
    is_incomparable = is_cost and (not name.endswith(REPEATABLE_COSTS) or old is None or new is None)
    if section in INCOMPARABLE or is_incomparable:
        return _incomparable(section, name, old, new)
    return _line(section, name, old, new, must_agree=section not in MAY_DIFFER)


def _clock(recorded: Receipt, found: Receipt) -> ReceiptLine:
    return _incomparable("clock", "closed_at", recorded.closed_at, found.closed_at)


def _incomparable(section: str, name: str, old: object, new: object) -> ReceiptLine:
    return ReceiptLine(
        section=section,
        name=name,
        agreement="not comparable",
        must_agree=False,
        recorded=_shown(old),
        found=_shown(new),
    )


def _line(section: str, name: str, old: object, new: object, *, must_agree: bool) -> ReceiptLine:
    return ReceiptLine(
        section=section,
        name=name,
        agreement="same" if old == new else "differs",
        recorded=_shown(old),
        found=_shown(new),
        must_agree=must_agree,
    )


def _shown(value: object) -> str | None:
    return None if value is None else text(value)
