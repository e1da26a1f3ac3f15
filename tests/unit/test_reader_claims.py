"""Claims of a model about rows of another system: checks whose rows are counted here, or refused."""

from functools import partial
from pathlib import Path

import pytest

from evotrainer.agents.claude.reader import MAX_COLUMNS, MAX_STEPS, Claims, rows_text
from evotrainer.agents.claude.tools import MAX_REFUSALS, row_tools
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.records import Finding, Trajectory
from tasks.diagnose.foreign import read_evidence
from tests.plain_records import plain_finding
from tests.reader_rows import ROWS, WRONG, claim, row


def read(folder: Path, rows: list[Trajectory]) -> Evidence:
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{one.model_dump_json()}\n" for one in rows))
    return read_evidence(path)[1]


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    return read(tmp_path_factory.mktemp("rows"), ROWS)


def test_a_claim_is_a_finding_with_numbers_that_are_counted_here(evidence) -> None:
    claims = Claims(evidence)
    result = claims.tool().call({"claims": [claim()]})
    [found] = claims.findings
    assert result.is_final and not result.is_error
    assert (found.mode, found.severity, found.diagnostic, found.version) == ("reward_bias", "critical", "reader", "run")
    others = [one for one in ROWS if one.extra["worker"] != "w2"]
    assert found.numbers["shows"] == 25 and found.numbers["among"] == 100 and found.numbers["paid"] == 0
    assert found.numbers["others"] == pytest.approx(sum(one.reward or 0 for one in others) / 75, abs=1e-6)
    assert "25 of 100 attempts" in found.message and len(found.trajectory_ids) == 20


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"shows": "trajectory_id = 'nobody'"}, "0 rows of 0 problems show it"),
        ({"shows": "trajectory_id < 't004'"}, "4 rows of 1 problems show it: critical needs at least 8"),
        ({"shows": "no_such_column > 1"}, "not judged for lack of no_such_column"),
        ({"among": "reward IN (SELECT 1)"}, "reads another table"),
        ({"shows": "1) FROM read_csv('/etc/passwd') WHERE (1"}, "more than a condition"),
        ({"mode": "Reward Bias"}, "claims.0.mode"),
        ({"numbers": {"shows": 3}}, "claims.0.numbers"),
    ],
)
def test_a_claim_that_its_rows_do_not_bear_goes_back_with_the_reason(evidence, changes: dict, reason: str) -> None:
    claims = Claims(evidence)
    result = claims.tool().call({"claims": [claim(**changes)]})
    assert result.is_error and not result.is_final and reason in result.text
    assert claims.findings == []
    assert claims.tool().call({"claims": [claim()]}).is_final and len(claims.findings) == 1


def test_after_some_refusals_what_stands_is_kept(evidence) -> None:
    claims = Claims(evidence)
    listed = {"claims": [claim(), claim(mode="no_rows", shows="FALSE")]}
    ended = [claims.tool().call(listed).is_final for _ in range(MAX_REFUSALS + 1)]
    assert ended == [False] * MAX_REFUSALS + [True]
    assert [found.mode for found in claims.findings] == ["reward_bias"] and len(claims.refused) == MAX_REFUSALS + 1


def test_the_tools_read_attempts_and_messages_and_no_file(evidence) -> None:
    ask, show = row_tools(partial(evidence.conditions.select, max_rows=100))
    assert "t099" in show.call({"ids": ["t099"]}).text and "What is 99 + 1?" in show.call({"ids": ["t099"]}).text
    assert "100" in ask.call({"sql": "SELECT count(*) FROM attempts"}).text
    for sql in ("SELECT * FROM versions", "SELECT * FROM read_text('/etc/passwd')", "DROP TABLE attempts"):
        assert ask.call({"sql": sql}).is_error
    assert show.call({"ids": ["t1'); DROP TABLE attempts; --"]}).is_error


def test_the_text_of_rows_says_what_columns_hold_and_grows_no_further(evidence, tmp_path) -> None:
    text = rows_text(evidence)
    assert "100 attempts at 25 problems, 5 steps." in text
    assert "x.worker: 100; w0 (25), w1 (25), w2 (25), w3 (25)" in text
    assert "num_tokens: 100; 10 to 109, mean 59.5, 100 distinct" in text
    wide = [row(n, step=n, extra={f"column{n}_{k}": "x" * 5000 for k in range(40)}) for n in range(1, 40)]
    long = rows_text(read(tmp_path, wide))
    assert len(long) < 40_000
    assert sum(line.startswith("x.column") for line in long.splitlines()) < MAX_COLUMNS
    assert sum(line.count(" | ") == 4 for line in long.splitlines()) <= MAX_STEPS + 1


def test_marks_and_escapes_in_ids_and_columns_are_shown_inert(tmp_path) -> None:
    given = [row(1, trajectory_id="a\x1b[2J<|im_start|>b", extra={"c\x1b]0;x\x07": "</data-1>"})]
    text = rows_text(read(tmp_path, given))
    assert "\x1b" not in text and "<|im_start|>" not in text and "</data-" not in text


def ruled(mode: str, severity: str, *names: str) -> Finding:
    return plain_finding(mode, severity, "run", trajectory_ids=list(names))


def doubt(**changes: str) -> dict[str, str]:
    explained = {"mode": "reward_bias", "reason": "worker w2 runs the hard problems alone", "shows": WRONG}
    return explained | changes


def test_a_doubt_lowers_a_critical_finding_and_hides_none(evidence) -> None:
    rules = [
        ruled("reward_bias", "critical", "t002"),
        ruled("reward_bias", "warning"),
        ruled("dead_groups", "critical"),
    ]
    claims = Claims(evidence, rules)
    assert claims.tool().call({"claims": [], "doubts": [doubt()]}).is_final
    found = claims.doubted()
    assert [one.mode for one in found] == [one.mode for one in rules]
    assert [one.severity for one in found] == ["warning", "warning", "critical"]
    assert found[0].doubt == "worker w2 runs the hard problems alone (25 attempts, like t002)"
    assert [one.doubt for one in found[1:]] == ["", ""]


@pytest.mark.parametrize(("named", "is_enough"), [(("t002", "t003"), True), (("t002", "t003", "t004"), False)])
def test_a_doubt_explains_half_of_the_rows_that_the_finding_names(evidence, named: tuple[str, ...], is_enough) -> None:
    claims = Claims(evidence, [ruled("reward_bias", "critical", *named)])
    result = claims.tool().call({"claims": [], "doubts": [doubt()]})
    assert result.is_final == is_enough and bool(claims.doubted()[0].doubt) == is_enough
    assert is_enough or "leaves 2 of 3 rows that the finding names unexplained, like t003" in result.text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"mode": "contamination"}, "no critical finding of the checks has this name"),
        ({"mode": "test_tampering"}, "no critical finding of the checks has this name"),
        ({"shows": "trajectory_id = 't002'"}, "1 rows show it: a doubt needs at least 2"),
        ({"reason": "no"}, "doubts.0.reason"),
    ],
)
def test_a_doubt_without_rows_or_of_what_is_proven_goes_back(evidence, changes: dict[str, str], reason: str) -> None:
    claims = Claims(evidence, [ruled("reward_bias", "critical"), ruled("test_tampering", "invalid")])
    result = claims.tool().call({"claims": [], "doubts": [doubt(**changes)]})
    assert result.is_error and reason in result.text and not any(one.doubt for one in claims.doubted())
