"""Claims of a model about rows from elsewhere: borne by rows that two SELECTs give, counted here, or refused."""

import random
import re
from functools import partial

import pytest

from evotrainer.agents.claude.claims import Claims
from evotrainer.agents.claude.inquiry import row_tools
from evotrainer.agents.claude.rows_text import MAX_COLUMNS, MAX_STEPS, rows_text
from evotrainer.agents.claude.tools import MAX_REFUSALS
from evotrainer.evidence.query import query_directory
from evotrainer.evidence.store import write_rows
from evotrainer.records import Finding
from tests.reader_rows import ALL, ROWS, WRONG, claim, row

pytestmark = pytest.mark.parts  # each query runs in a process of its own


@pytest.fixture(scope="module")
def query(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("rows")
    write_rows(folder, 0, ROWS)
    return partial(query_directory, folder)


def test_a_claim_is_a_finding_with_numbers_that_are_counted_here(query) -> None:
    claims = Claims(query, "run")
    result = claims.tool().call({"claims": [claim()]})
    [found] = claims.findings
    assert result.is_final and not result.is_error
    assert (found.mode, found.severity, found.diagnostic, found.version) == ("reward_bias", "critical", "reader", "run")
    others = [one for one in ROWS if one.extra["worker"] != "w2"]
    assert found.numbers["affected"] == 25 and found.numbers["ground"] == 100
    assert found.numbers["affected_reward"] == 0
    assert found.numbers["others_reward"] == pytest.approx(sum(one.reward or 0 for one in others) / 75, abs=1e-6)
    assert "25 of 100 attempts" in found.message and found.trajectory_ids[:2] == ["t002", "t006"]


def test_a_sound_run_has_no_claims(query) -> None:
    claims = Claims(query, "run")
    assert claims.tool().call({"claims": []}).is_final and claims.findings == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"affected": f"{ALL} WHERE trajectory_id = 'nobody'"}, "0 rows of 0 problems show it"),
        (
            {"affected": f"{ALL} WHERE trajectory_id < 't004'"},
            "4 rows of 1 problems show it: critical needs at least 5",
        ),
        ({"ground": f"{ALL} WHERE step = 0"}, "20 of the affected rows are not in ground, like t022"),
        ({"affected": "SELECT problem_id FROM all_trajectories"}, "affected gives no column trajectory_id"),
        ({"affected": "SELECT 'x' AS trajectory_id"}, "affected gives 'x', which is no trajectory_id"),
        ({"ground": "DELETE FROM all_trajectories"}, "SELECT"),
        ({"ground": "SELECT * FROM read_csv('/etc/passwd')"}, "reward_bias: "),
        ({"mode": "Reward Bias"}, "claims.0.mode"),
        ({"severity": "invalid"}, "claims.0.severity"),
        ({"numbers": {"affected": 3}}, "claims.0.numbers"),
    ],
)
def test_a_claim_that_its_rows_do_not_bear_goes_back_with_the_reason(query, changes: dict, reason: str) -> None:
    claims = Claims(query, "run")
    result = claims.tool().call({"claims": [claim(**changes)]})
    assert result.is_error and not result.is_final and reason in result.text
    assert claims.findings == []
    assert claims.tool().call({"claims": [claim()]}).is_final and len(claims.findings) == 1


def test_after_some_refusals_what_stands_is_kept(query) -> None:
    claims = Claims(query, "run")
    listed = {"claims": [claim(), claim(mode="no_rows", affected=f"{ALL} WHERE false")]}
    ended = [claims.tool().call(listed).is_final for _ in range(MAX_REFUSALS + 1)]
    assert ended == [False] * MAX_REFUSALS + [True]
    assert [found.mode for found in claims.findings] == ["reward_bias"] and len(claims.refused) == MAX_REFUSALS + 1


def test_the_tools_read_rows_of_every_split_and_no_campaign(query) -> None:
    ask, show = row_tools(query)
    assert "t099" in show.call({"ids": ["t099"]}).text and "What is 99 + 1?" in show.call({"ids": ["t099"]}).text
    assert "100" in ask.call({"sql": "SELECT count(*) FROM features"}).text
    for sql in ("SELECT * FROM versions", "SELECT * FROM findings", "SELECT * FROM tokens"):
        assert ask.call({"sql": sql}).is_error
    assert show.call({"ids": ["t1'); DROP TABLE features; --"]}).is_error


def test_the_text_of_rows_says_what_columns_hold_and_grows_no_further() -> None:
    text = rows_text(ROWS)
    assert "100 attempts at 25 problems, 5 steps." in text
    assert "extra.worker: 100; w0 (25), w1 (25), w2 (25), w3 (25)" in text
    assert "extra.host.rack: 100; 0 (50), 1 (50)" in text and "extra.host.none" not in text
    assert "num_tokens: 100; 10 to 109, mean 59.5, 100 distinct" in text
    rng = random.Random(0)
    wide = [
        row(n, step=n, extra={f"column{rng.random()}": "x" * 5000 for _ in range(40)}, trajectory_id=f"{n}" * 200)
        for n in range(1, 100)
    ]
    long = rows_text(wide)
    assert len(long) < 30_000 and re.search(r"\(\d{4} more columns: query extra\)", long)
    assert sum(line.startswith("extra.column") for line in long.splitlines()) < MAX_COLUMNS
    assert sum(line.count(" | ") == 6 for line in long.splitlines()) <= MAX_STEPS + 1


def test_marks_and_escapes_in_ids_and_columns_are_shown_inert() -> None:
    text = rows_text([row(1, trajectory_id="a\x1b[2J<|im_start|>b", extra={"c\x1b]0;x\x07": "</data-1>"})])
    assert "\x1b" not in text and "<|im_start|>" not in text and "</data-" not in text


def ruled(mode: str, severity: str, *names: str) -> Finding:
    given = {"mode": mode, "severity": severity, "trajectory_ids": list(names)}
    return Finding.model_validate(given | {"diagnostic": "rule", "version": "run", "message": "m"})


def doubt(**changes: str) -> dict[str, str]:
    explained = {"mode": "reward_bias", "reason": "worker w2 runs the hard problems alone", "rows": WRONG}
    return explained | changes


def test_a_doubt_lowers_a_critical_finding_and_hides_none(query) -> None:
    rules = [
        ruled("reward_bias", "critical", "t002"),
        ruled("reward_bias", "warning"),
        ruled("dead_groups", "critical"),
    ]
    claims = Claims(query, "run", rules)
    assert claims.tool().call({"claims": [], "doubts": [doubt()]}).is_final
    found = claims.doubted()
    assert [one.mode for one in found] == [one.mode for one in rules]
    assert [one.severity for one in found] == ["warning", "warning", "critical"]
    assert found[0].doubt == "worker w2 runs the hard problems alone (25 attempts, like t002)"
    assert [one.doubt for one in found[1:]] == ["", ""]


@pytest.mark.parametrize(("named", "is_enough"), [(("t002", "t003"), True), (("t002", "t003", "t004"), False)])
def test_a_doubt_explains_half_of_the_rows_that_the_finding_names(query, named: tuple[str, ...], is_enough) -> None:
    claims = Claims(query, "run", [ruled("reward_bias", "critical", *named)])
    result = claims.tool().call({"claims": [], "doubts": [doubt()]})
    assert result.is_final == is_enough and bool(claims.doubted()[0].doubt) == is_enough
    assert is_enough or "leaves 2 of 3 rows that the finding names unexplained, like t003" in result.text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"mode": "contamination"}, "no critical finding of the rules has this name"),
        ({"mode": "test_tampering"}, "no critical finding of the rules has this name"),
        ({"rows": f"{ALL} LIMIT 1"}, "1 rows show it: a doubt needs at least 2"),
        ({"reason": "no"}, "doubts.0.reason"),
    ],
)
def test_a_doubt_without_rows_or_of_what_is_proven_goes_back(query, changes: dict[str, str], reason: str) -> None:
    claims = Claims(query, "run", [ruled("reward_bias", "critical"), ruled("test_tampering", "invalid")])
    result = claims.tool().call({"claims": [], "doubts": [doubt(**changes)]})
    assert result.is_error and reason in result.text and not any(one.doubt for one in claims.doubted())
