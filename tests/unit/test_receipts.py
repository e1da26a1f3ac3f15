"""Two receipts beside each other: what must agree, what is told only, what cannot be compared."""

import pytest

from evotrainer.records import Receipt, ReceiptLine
from flows.workspace.receipts import SECTIONS, compare_receipts, summary

RECORDED = Receipt(
    campaign="c",
    version="v002",
    code={"commit": "abc", "evotrainer": "t1"},
    config={"recipe": "r"},
    problems={"data/math/train.jsonl": "p"},
    inputs={"../../data": "d"},
    policy={"chat_template": "h"},
    procedure={"harness": "static-1"},
    seeds={"campaign": 0},
    outputs={"model": "m"},
    files={"dvc.lock": "l"},
    packages={"python": "3.12", "numpy": "2.4"},
    hardware={"cores": "2"},
    costs={"train_tokens": 1234567.0, "train_seconds": 3.0},
    closed_at="2026-11-21T15:00:00+00:00",
)


def lines(**changes: object) -> dict[tuple[str, str], ReceiptLine]:
    found = compare_receipts(RECORDED, RECORDED.model_copy(update=changes))
    return {(line.section, line.name): line for line in found}


def test_a_receipt_agrees_with_itself_in_every_line() -> None:
    found = lines()
    assert {key for key, line in found.items() if line.agreement == "not comparable"} == {
        ("hardware", "cores"),
        ("costs", "train_seconds"),
        ("clock", "closed_at"),
    }
    assert not any(line.is_broken or line.agreement == "differs" for line in found.values())
    assert {section for section, _ in found} == {"identity", *SECTIONS, "clock"}


@pytest.mark.parametrize(
    "section", ["code", "config", "problems", "inputs", "policy", "procedure", "seeds", "outputs", "files"]
)
def test_a_line_that_must_agree_breaks_the_receipt_changed_gone_or_new(section: str) -> None:
    old = getattr(RECORDED, section)
    name = next(iter(old))
    for values in ({**old, name: 9 if section == "seeds" else "other"}, {}, {**old, "new": 1}):
        broken = [line for line in lines(**{section: values}).values() if line.is_broken]
        assert {line.section for line in broken} == {section}


def test_another_package_is_told_and_breaks_nothing() -> None:
    found = lines(packages={"python": "3.12", "numpy": "2.5"})
    line = found["packages", "numpy"]
    assert (line.agreement, line.recorded, line.found, line.is_broken) == ("differs", "2.4", "2.5", False)
    assert summary(list(found.values())).endswith("1 differ, none of them must agree, 3 are not comparable")


def test_tokens_must_agree_where_both_sides_paid_them() -> None:
    assert lines(costs={"train_tokens": 101.0, "train_seconds": 3.0})["costs", "train_tokens"].is_broken
    assert lines(costs={"train_seconds": 9.0})["costs", "train_tokens"].agreement == "not comparable"


def test_the_receipt_of_another_version_is_broken() -> None:
    found = lines(version="v003")
    assert found["identity", "version"].is_broken
    assert "1 differ, 1 of them must not" in summary(list(found.values()))
