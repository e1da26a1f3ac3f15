"""Cards: what is loaded, what a card makes of a number, and how it enters the harness version."""

import pytest

from evotrainer.agents.criteria import limits_of
from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.active_plugins import ActivePlugins
from evotrainer.diagnosis.evolved.cards import Plugin, Separation, is_own_metric, load_plugins, save_plugin
from evotrainer.diagnosis.finding_order import DEFAULT_ORDER
from evotrainer.diagnosis.harness import Harness
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.errors import HarnessError
from evotrainer.evidence.frames import empty_signals, frame_of_rows
from evotrainer.records import Condition, HarnessReport
from tests.evidence_rows import change, healthy_rows
from tests.evolved_plugins import MEAN_LENGTH, card, write_plugins
from tests.stored_versions import small_root

LONG = Condition(metric="long", operator=">", value=1.0)


def _rows():
    return healthy_rows(0, num_groups=20)


def _run(root, rows=None, **settings) -> HarnessReport:
    frame = frame_of_rows(_rows() if rows is None else rows)
    harness = Harness(root, HarnessConfig(**{"plugins": ["evolved"]} | settings))
    return harness.run(Context("v001", frame, frame, frame.head(0), empty_signals()))


def _with(root, *cards, source=MEAN_LENGTH):
    for one in cards:
        save_plugin(root / "evolved", Plugin(card=one, source=source if one.kind == "metric" else ""))
    return root


def test_a_metric_is_a_number_of_the_report_and_an_alarm_where_its_condition_holds(tmp_path):
    record = Separation(num_good=6, num_bad=5, area=1.0, caught=0.8, p_value=0.01)
    report = _run(_with(tmp_path, card("long", alarm=LONG, separation=record, formula="mean tokens")))
    expected = sum(row.num_tokens for row in _rows()) / 160
    assert report.metrics["long"] == pytest.approx(expected, rel=1e-8)
    (finding,) = report.findings
    assert (finding.mode, finding.diagnostic, finding.severity) == ("long", "long", "warning")
    assert finding.numbers == {"long": report.metrics["long"]} and finding.thresholds == {"long": 1.0}
    assert "mean tokens is" in finding.message and "80% of 5 known-bad" in finding.message
    assert not _run(_with(tmp_path, card("long"))).findings


def test_an_alarm_is_information_while_its_card_is_provisional_and_none_on_a_few_rows(tmp_path):
    root = _with(tmp_path, card("long", alarm=LONG, status="provisional"))
    (finding,) = _run(root).findings
    assert finding.severity == "info" and finding.message.endswith("(provisional)")
    least = Thresholds().min_rows
    assert [len(_run(root, _rows()[:count]).findings) for count in (least, least - 1)] == [1, 0]


def test_rows_of_validation_and_lost_attempts_are_not_shown(tmp_path):
    rows = _rows()
    half = change(rows[:80], lambda row: {"split": "validation", "num_tokens": 10**6})
    lost = change(
        rows[80:90], lambda row: {"error": "GraderError", "reward": None, "correct": None, "num_tokens": 10**6}
    )
    report = _run(_with(tmp_path, card("long")), [*half, *lost, *rows[90:]])
    assert report.metrics["long"] == pytest.approx(sum(row.num_tokens for row in rows[90:]) / 70, rel=1e-8)


def test_evidence_without_the_columns_or_without_rows_is_silence(tmp_path):
    root = _with(
        tmp_path, card("check", columns=["check_visible_share"]), source="SELECT avg(check_visible_share) FROM rows"
    )
    module = (
        "def analyze(rows, training, signals):\n    return {'metrics': {'found': float(rows['check_judge'].mean())}}\n"
    )
    save_plugin(root / "evolved", Plugin(card=card("found", "analyzer", columns=["check_judge"]), source=module))
    for rows in (_rows(), []):
        report = _run(root, rows)
        assert not report.metrics and not report.findings


def test_an_analyzer_names_rows_that_a_person_can_open(tmp_path):
    module = """
def analyze(rows, training, signals):
    worst = rows.sort_values("num_tokens", ascending=False)
    ids = worst["trajectory_id"].head(3).tolist()
    return {"metrics": {"worst_tokens": worst["num_tokens"].max(), "worst_rows": len(rows)}, "trajectory_ids": ids}
"""
    alarm = Condition(metric="worst_tokens", operator=">", value=1.0)
    save_plugin(tmp_path / "evolved", Plugin(card=card("worst", "analyzer", alarm=alarm), source=module))
    report = _run(tmp_path)
    longest = max(row.num_tokens for row in _rows())
    assert report.metrics == {"worst_rows": 160.0, "worst_tokens": longest}
    by_id = {row.trajectory_id: row.num_tokens for row in _rows()}
    assert [by_id[row] for row in report.findings[0].trajectory_ids] == [longest] * 3


def test_a_threshold_bounds_what_another_diagnostic_reports(tmp_path):
    save_plugin(
        tmp_path / "evolved",
        Plugin(
            card=card("base", alarm=None, columns=["num_tokens"]).model_copy(
                update={"alarm": Condition(metric="base", operator=">", value=1e9)}
            ),
            source=MEAN_LENGTH,
        ),
    )
    bound = card("too_long", "threshold", alarm=Condition(metric="base", operator=">", value=2.0))
    report = _run(_with(tmp_path, bound))
    assert [finding.mode for finding in report.findings] == ["too_long"]


def test_an_accepted_card_moves_a_limit_and_a_provisional_one_does_not(tmp_path):
    moved = card("cut", "threshold", limits={"truncation": 0.001}, mode="truncation")
    assert Harness(_with(tmp_path, moved), HarnessConfig(plugins=["evolved"])).thresholds.truncation == 0.001
    doubtful = moved.model_copy(update={"status": "provisional"})
    assert Harness(_with(tmp_path, doubtful), HarnessConfig(plugins=["evolved"])).thresholds.truncation == 0.2


@pytest.mark.parametrize(("operator", "kept"), [(">", "<="), (">=", "<"), ("<", ">="), ("<=", ">")])
def test_what_an_accepted_card_holds_for_healthy_limits_later_proposals(tmp_path, operator, kept):
    metric, other = (Condition(metric=name, operator=operator, value=25.0) for name in ("long", "doubtful"))
    root = _with(tmp_path, card("long", alarm=metric), card("doubtful", alarm=other, status="provisional"))
    guard = Condition(metric="long", operator=kept, value=25.0)
    assert _run(root).guards == [guard]
    healthy, beyond = ({"long": 24.0}, {"long": 26.0})[:: 1 if ">" in operator else -1]
    assert limits_of("score", healthy, [guard]) == [guard]
    assert limits_of("long", healthy, [guard]) == [] == limits_of("score", beyond, [guard])


def test_an_accepted_order_of_reading_comes_before_a_provisional_one():
    doubtful, sure = (
        Plugin(card=card(name, "order", status=status, order=order))
        for name, status, order in (("a", "provisional", "score-first"), ("b", "accepted", "behaviour-first"))
    )
    orders = [ActivePlugins(plugins, HarnessConfig()).order for plugins in ([], [doubtful], [doubtful, sure])]
    assert orders == [DEFAULT_ORDER, "score-first", "behaviour-first"]


def test_a_metric_that_another_diagnostic_reports_is_a_failure_and_replaces_none(tmp_path):
    root = _with(small_root(tmp_path), card("mean_tokens"), source="SELECT -1.0 FROM rows LIMIT 1")
    report = _run(root, plugins=["score", "evolved"])
    assert report.metrics["mean_tokens"] > 0
    assert [(found.mode, found.diagnostic) for found in report.findings] == [("plugin_failure", "mean_tokens")]


def test_an_expired_card_stays_on_record_and_is_not_loaded(tmp_path):
    gone = card("long", status="expired", expired_because="v007 was good and raised it")
    harness = Harness(_with(tmp_path, gone), HarnessConfig(plugins=["evolved"]))
    assert not harness.evolved.cards
    assert load_plugins(tmp_path / "evolved")[0].card == gone
    assert harness.version == Harness(tmp_path / "evolved", HarnessConfig(plugins=[])).version


def test_the_harness_version_follows_definitions_and_not_records(tmp_path):
    def version(**values) -> str:
        return Harness(_with(tmp_path, card("long", **values)), HarnessConfig(plugins=["evolved"])).version

    record = Separation(num_good=6, num_bad=5, area=1.0, caught=0.8, p_value=0.01)
    assert version() == version(separation=record, gap="another") == version(status="provisional")
    assert version() != version(alarm=LONG)
    before = version()
    (tmp_path / "evolved" / "long.sql").write_text("SELECT max(num_tokens) FROM rows")
    assert Harness(tmp_path, HarnessConfig(plugins=["evolved"])).version != before


def test_the_folder_is_loaded_by_a_harness_that_evolves(tmp_path):
    root = write_plugins(tmp_path, long=MEAN_LENGTH)
    (root / "mine").mkdir()
    assert "long" not in _run(root, plugins=["mine"]).metrics
    assert "long" in _run(root, plugins=["mine"], evolve=True).metrics
    assert "long" in _run(root, plugins=["mine", "evolved"], evolve=True).metrics


COMMON = "status: accepted, gap: g, gap_kind: k, formula: f, author: x, date: d"


def _text(*parts: str) -> str:
    return "{" + ", ".join([*parts, COMMON]) + "}"


def _reads(metric: str) -> str:
    return f"columns: [x], alarm: {{metric: {metric}, operator: '>', value: 1}}"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.sql": "SELECT 1"}, "has no card: write a.yaml"),
        ({"a.yaml": "name: a"}, "is not a card"),
        ({"a.yaml": "[1, 2"}, "is not a card"),
        ({"a.yaml": _text("name: b", "kind: order", "order: score-first")}, "give both the same name"),
        ({"a.yaml": _text("name: a", "kind: metric")}, "needs columns and alarm"),
        ({"a.yaml": _text("name: a", "kind: order")}, "needs order"),
        ({"a.yaml": _text("name: a", "kind: threshold")}, "needs either alarm"),
        ({"a.yaml": _text("name: a", "kind: metric", _reads("b"))}, "not on its own metric"),
        ({"a.yaml": _text("name: a", "kind: metric", _reads("a"))}, "a.sql is missing"),
    ],
)
def test_a_card_that_cannot_be_used_is_told_in_one_line(tmp_path, files, message):
    (tmp_path / "evolved").mkdir()
    for name, text in files.items():
        (tmp_path / "evolved" / name).write_text(text)
    with pytest.raises(HarnessError, match=message) as error:
        Harness(tmp_path, HarnessConfig(plugins=["evolved"]))
    assert "\n" not in str(error.value)


def test_a_name_that_a_diagnostic_has_is_refused(tmp_path):
    root = _with(tmp_path, card("length"))
    (root / "mine").mkdir()
    (root / "mine" / "length.py").write_text("def diagnose(context): ...")
    with pytest.raises(HarnessError, match="called like"):
        Harness(root, HarnessConfig(plugins=["mine", "evolved"]))


def test_a_plugin_is_written_and_read_back_the_same(tmp_path):
    plugin = Plugin(card=card("long", alarm=LONG, gap="v003 fell: 0.31 → 0.22"), source=MEAN_LENGTH)
    save_plugin(tmp_path, plugin)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert load_plugins(tmp_path) == [plugin]
    save_plugin(tmp_path, plugin)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


@pytest.mark.parametrize(
    ("metric", "is_own"),
    [("long", True), ("long_rows", True), ("longer", False), ("along", False), ("long_Rows", False)],
)
def test_a_diagnostic_reports_under_its_own_name_or_that_with_a_suffix(metric, is_own):
    assert is_own_metric("long", metric) is is_own
