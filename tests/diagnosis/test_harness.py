from pathlib import Path

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.harness import Harness
from evotrainer.errors import ConfigError
from evotrainer.evidence.rows import Rows
from tests.evidence_rows import healthy_rows
from tests.own_diagnostics import write_diagnostics
from tests.stored_versions import context

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "harness_plugins"
GOOD = "return Diagnosis({'rows': len(context.rows)})"


def _harness(root: Path) -> Harness:
    return Harness(root, HarnessConfig(plugins=["mine"]))


def _context() -> Context:
    rows = Rows.of(healthy_rows(0, num_groups=20)).frame()
    return context(rows, "v001")


def test_a_diagnostic_may_have_a_hundred_findings(tmp_path):
    many = "return Diagnosis(findings=[context.finding('m', 'info', 'x', {})]"
    write_diagnostics(tmp_path, enough=f"{many} * 100)", too_many=f"{many} * 101)")
    report = _harness(tmp_path).run(_context())
    assert [finding.diagnostic for finding in report.findings] == ["too_many"] + ["enough"] * 100


def test_what_a_plugin_writes_into_its_frames_stays_its_own(tmp_path):
    vandal = "context.rows['correct'] = 0.0\ncontext.rows.drop(columns='reward', inplace=True)\nreturn Diagnosis()"
    reader = "means = context.rows[['correct', 'reward']].mean()\n"
    reader += "return Diagnosis({'solved': float(means['correct']), 'paid': float(means['reward'])})"
    given = _context()
    report = _harness(write_diagnostics(tmp_path, a_vandal=vandal, reader=reader)).run(given)
    assert report.metrics["own.solved"] == given.rows["correct"].mean() > 0
    assert not report.findings


def test_findings_come_worst_first_and_causes_before_effects(tmp_path):
    found = [("b", "info"), ("z", "invalid"), ("echo_trap", "warning"), ("tool_failures", "warning"), ("k", "critical")]
    many = f"return Diagnosis(findings=[context.finding(m, s, m, {{}}) for m, s in {found}])"
    report = _harness(write_diagnostics(tmp_path, many=many)).run(_context())
    assert [finding.mode for finding in report.findings] == ["z", "k", "tool_failures", "echo_trap", "b"]


def test_the_harness_version_follows_sources_the_table_of_actions_and_the_package(tmp_path, monkeypatch):
    first = _harness(write_diagnostics(tmp_path, good=GOOD)).version
    assert _harness(tmp_path).version == first
    own_actions = HarnessConfig(plugins=["mine"], actions={"tools": {"my_grep": "search"}})
    assert Harness(tmp_path, own_actions).version != first
    write_diagnostics(tmp_path, good=f"{GOOD}  # another word")
    assert _harness(tmp_path).version != first
    write_diagnostics(tmp_path, good=GOOD)
    monkeypatch.setattr("evotrainer.diagnosis.harness.package_hash", lambda: "of other modules")
    assert _harness(tmp_path).version != first


def test_an_unknown_folder_lists_the_choices():
    with pytest.raises(ConfigError, match="'maths'.*choose from behaviour, evolved"):
        Harness(PLUGINS, HarnessConfig(plugins=["maths"]))


def test_a_module_may_hold_several_diagnostics_and_one_can_be_left_out(tmp_path):
    folder = write_diagnostics(tmp_path, good=GOOD)
    with (tmp_path / "mine" / "good.py").open("a") as file:
        file.write("\n\n@hookimpl\ndef second(context):\n    return Diagnosis({'second': 2.0})\n")
    both = Harness(folder, HarnessConfig(plugins=["mine"]))
    assert both.diagnostics == ["good", "second"] and both.run(_context()).metrics["own.second"] == 2.0
    one = Harness(folder, HarnessConfig(plugins=["mine"], without=["second"]))
    assert one.diagnostics == ["good"] and "own.second" not in one.run(_context()).metrics
    assert one.version != both.version


def test_a_name_taken_twice_is_refused(tmp_path):
    for folder in ("mine", "other"):
        write_diagnostics(tmp_path, folder, good=GOOD)
    with pytest.raises(ConfigError, match="two diagnostics are called 'good'"):
        Harness(tmp_path, HarnessConfig(plugins=["mine", "other"]))


@pytest.mark.parametrize(
    "source, told",
    [
        ("def broken(:\n", "does not import: SyntaxError"),
        ("import sys; sys.exit(3)\n", "does not import: SystemExit: 3"),
    ],
)
def test_a_module_that_is_no_diagnostic_is_named(tmp_path, source, told):
    (write_diagnostics(tmp_path) / "mine" / "bad.py").write_text(source)
    with pytest.raises(ConfigError, match=f"bad.py {told}"):
        _harness(tmp_path)


def test_the_metrics_that_others_refer_to_are_there():
    report = Harness(PLUGINS, HarnessConfig()).run(_context())
    assert report.metrics.keys() >= {
        "solve_rate",
        "dead_group_ratio",
        "reward_spread",
        "truncation_rate",
        "format_failure_rate",
        "mean_logprob",
        "mean_tokens",
        "length_reward_corr",
        "usable_groups",
        "term_correct_mean",
        "term_correct_std",
        "pass_at_k",
    }
    rows = _context().rows
    assert report.metrics["solve_rate"] == pytest.approx(rows["correct"].mean())
    assert report.metrics["usable_groups"] == pytest.approx(1 - report.metrics["dead_group_ratio"])
