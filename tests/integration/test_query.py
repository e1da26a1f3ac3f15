import json
import re

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError
from evotrainer.evidence.query import QueryLimits, run_query
from evotrainer.evidence.store import write_rows, write_signals
from evotrainer.evidence.views import VIEWS
from evotrainer.records import HarnessReport, Proposal
from tests.evidence_rows import healthy_rows, trained_rows
from tests.evolving_campaign import candidate, record
from tests.plain_records import plain_finding

SCORE = "SELECT version, avg(correct) FROM trajectories GROUP BY 1 ORDER BY 1"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> CampaignFiles:
    """Two versions with every kind of evidence; the second has trained."""
    files = CampaignFiles(tmp_path_factory.mktemp("it's a campaign"))
    for index, version in enumerate(["v000", "v001"]):
        own, made = files.version(version), record(version, "")
        scores = {"outcome": "kept", "score": 0.25 + index / 4, "score_low": 0.2, "score_high": 0.9}
        own.spec.write(made.spec)
        own.verdict.write(made.verdict.model_copy(update=scores))
        own.metrics.write_text(json.dumps({"solve_rate": 0.5, "score": 0.25}))
        write_rows(own.validation, 0, healthy_rows(index, version=version, split="validation", num_groups=6))
        greedy = healthy_rows(9, version=version, split="validation", num_groups=6, group_size=1, decoding="greedy")
        write_rows(own.validation, 1, greedy)
    found = plain_finding("dead_groups", message="half are dead", numbers={"share": 0.5}, trajectory_ids=["a"])
    report = HarnessReport(version="v001", harness_version="h", findings=[found])
    own.findings.write(report)
    own.audit.write(report.model_copy(update={"findings": [found.model_copy(update={"severity": "invalid"})]}))
    pool = [candidate(1), candidate(2)]
    chosen = pool[1].intervention_id
    own.proposal.write(Proposal(version="v001", pool=pool, backtests=[], chosen=chosen, agent="rules"))
    rows, signals = trained_rows(3, num_steps=2, num_groups=4)
    for step in range(2):
        write_rows(own.training, step, [row for row in rows if row.step == step])
    write_signals(own.training, signals)
    write_rows(own.rollout, 0, healthy_rows(4, num_groups=5))
    return files


def test_the_plain_question_gives_the_sampled_score_of_each_version_and_features_join(files):
    expected = []
    num_answers = 0
    for index, version in enumerate(["v000", "v001"]):
        rows = healthy_rows(index, version=version, split="validation", num_groups=6)
        expected.append([version, sum(row.correct for row in rows) / len(rows)])
        num_answers += sum(row.extra["answer"] is not None for row in rows)
    assert run_query(files, SCORE).rows == expected
    sql = "SELECT count(*) FROM trajectories JOIN features USING (trajectory_id) WHERE features.answer IS NOT NULL"
    assert run_query(files, sql).rows == [[num_answers]]


def test_all_rows_are_there_by_stage(files):
    answer = run_query(files, "SELECT stage, count(*) FROM all_trajectories GROUP BY 1 ORDER BY 1")
    assert answer.rows == [["greedy", 12], ["rollout", 40], ["training", 64], ["validation", 96]]
    assert answer.columns == ["stage", "count_star()"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_answers(files, view):
    rows = run_query(files, f"SELECT * FROM {view}").rows
    assert run_query(files, f"SELECT count(*) FROM {view}").rows == [[len(rows)]]


def test_versions_tell_place_change_and_verdict_and_findings_when_they_were_made(files):
    answer = run_query(
        files, "SELECT version, score, low, outcome, factor, prediction_size, metrics['solve_rate'] FROM versions"
    )
    assert answer.rows == [
        ["v000", 0.25, 0.2, "kept", None, None, 0.5],
        ["v001", 0.5, 0.2, "kept", candidate(2).factor, 0.1, 0.5],
    ]
    count = "SELECT count(*) FROM versions"
    assert run_query(files, count, versions=["v001"]).rows == [[1]]

    answer = run_query(files, "SELECT stage, severity, numbers['share'] FROM findings ORDER BY 1")
    assert answer.rows == [["audit", "invalid", 0.5], ["diagnose", "warning", 0.5]]


def test_test_rows_join_with_the_certificate_and_not_before(files):
    rows = healthy_rows(8, version="v001", split="test", num_groups=2)
    write_rows(files.certificate / "test", 0, rows)
    assert run_query(files, "SELECT count(*) FROM all_trajectories WHERE split = 'test'").rows == [[0]]
    (files.certificate / "certificate.json").write_text("{}")
    assert run_query(files, "SELECT count(*) FROM all_trajectories WHERE stage = 'certificate'").rows == [[16]]
    assert run_query(files, "SELECT count(*) FROM trajectories").rows == [[96]]


def test_a_campaign_without_rows_has_empty_views(tmp_path):
    CampaignFiles(tmp_path).version("v000").spec.write(record("v000", "").spec)
    assert run_query(CampaignFiles(tmp_path), SCORE).rows == []
    assert run_query(CampaignFiles(tmp_path), "SELECT stage, family FROM all_trajectories").rows == []
    assert run_query(CampaignFiles(tmp_path), "SELECT version FROM versions").rows == [["v000"]]


@pytest.mark.parametrize(
    "sql, told",
    [
        ("SELECT 1; SELECT 2", "exactly one SELECT statement, this text holds 2"),
        ("", "exactly one SELECT statement, this text holds 0"),
        ("DROP TABLE versions", "this one is DROP"),
        ("COPY versions TO 'stolen.csv'", "this one is COPY"),
        ("SET enable_external_access = true", "this one is SET"),
        ("SELEC 1", "not SQL: Parser Error"),
    ],
)
def test_what_is_not_one_select_is_refused_with_the_reason(files, sql, told):
    with pytest.raises(EvidenceError, match=re.escape(told)) as caught:
        run_query(files, sql)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "sql, told",
    [
        ("WITH x AS (INSERT INTO versions (version) VALUES ('v9') RETURNING 1) SELECT * FROM x", "read-only"),
        ("WITH x AS (COPY versions TO '{root}/stolen.csv') SELECT 1", "Permission Error"),
        ("WITH x AS (COPY versions TO '{rows}') SELECT 1", "failed"),
        ("SELECT * FROM read_text('/etc/hostname')", "Permission Error"),
        ("SELECT * FROM read_text('{root}/versions/v001/spec.json')", "Permission Error"),
        ("SELECT * FROM glob('{root}/*')", "Permission Error"),
        ("SELECT * FROM read_csv('https://example.org/x.csv')", "failed"),
        ("SELECT * FROM request", "does not exist"),
        ("SELECT * FROM nothing", "does not exist"),
        ("SELECT error('what a person asked to hear')", "what a person asked to hear"),
    ],
)
def test_a_select_reaches_nothing_but_the_evidence(files, sql, told):
    rows = files.version("v001").validation / "trajectories/step_00000.parquet"
    before = rows.read_bytes()
    with pytest.raises(EvidenceError, match=told):
        run_query(files, sql.format(root=str(files.root).replace("'", "''"), rows=str(rows).replace("'", "''")))
    assert rows.read_bytes() == before
    assert not (files.root / "stolen.csv").exists()


def test_a_query_that_never_ends_is_stopped(files):
    forever = "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t) SELECT count(*) FROM t"
    with pytest.raises(EvidenceError, match="took more than 2 s"):
        run_query(files, forever, QueryLimits(seconds=2))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT array_agg(r.range) FROM range(300000000) r",
        "SELECT repeat('a', 3000000000)",
        "SELECT list_transform(range(80000000), lambda x: x::VARCHAR)",
    ],
)
def test_a_query_that_eats_memory_is_stopped(files, sql):
    with pytest.raises(EvidenceError, match="(?i)memory"):
        run_query(files, sql, QueryLimits(memory_megabytes=128))


def test_long_answers_are_cut_and_say_so(files):
    answer = run_query(files, "SELECT * FROM range(50)", QueryLimits(max_rows=20))
    assert (len(answer.rows), answer.is_cut) == (20, True)
    assert not run_query(files, "SELECT * FROM range(20)", QueryLimits(max_rows=20)).is_cut


def test_values_of_every_kind_are_plain_from_any_folder(files, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    sql = "SELECT DATE '2026-01-02', 1.5::DECIMAL(4,2), [1, 2], {'a': 1}, MAP {'k': 1}, NULL, 'é', true"
    assert run_query(files, sql).rows == [["2026-01-02", "1.50", [1, 2], {"a": 1}, {"k": 1}, None, "é", True]]


def test_an_agent_reads_rollouts_and_training_and_nothing_of_validation(files):
    stages = "SELECT DISTINCT stage FROM all_trajectories ORDER BY 1"
    assert run_query(files, stages, for_agent=True).rows == [["rollout"], ["training"]]
    for table in ("features", "tokens"):
        found = run_query(files, f"SELECT DISTINCT stage FROM {table}", for_agent=True).rows
        assert {stage for (stage,) in found} <= {"rollout", "training"}
    with pytest.raises(EvidenceError, match="trajectories does not exist"):
        run_query(files, SCORE, for_agent=True)


def test_an_agent_sees_scores_and_no_number_or_finding_that_rests_on_validation_rows(files):
    own = files.version("v001")
    audit, metrics = own.audit.path.read_text(), own.metrics.read_text()
    own.metrics.write_text(json.dumps({"score": 0.25, "greedy_score": 0.5, "visible_hidden_gap": 0.1}))
    findings = json.loads(audit)["findings"]
    hidden = [
        {**findings[0], "trajectory_ids": ["v001.validation.0.p.1"]},
        {**findings[0], "reads_validation": True, "trajectory_ids": ["v001.training.0.p.1"]},
    ]
    own.audit.path.write_text(json.dumps(json.loads(audit) | {"findings": [*findings, *hidden]}))
    try:
        assert run_query(files, "SELECT count(*) FROM findings").rows == [[4]]
        assert run_query(files, "SELECT count(*) FROM findings", for_agent=True).rows == [[2]]
        seen = run_query(files, "SELECT score, greedy_score, map_keys(metrics) FROM versions", for_agent=True).rows
        assert seen[1] == [0.5, None, ["score"]]
    finally:
        own.audit.path.write_text(audit)
        own.metrics.write_text(metrics)
