"""What a diagnostic of a person's own may do by mistake: it is a finding of its own, and the others are heard."""

import re

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.rows import Rows
from tests.evidence_rows import healthy_rows
from tests.own_diagnostics import write_diagnostics
from tests.stored_versions import context

FAULTS = {
    "recurses": ("f = lambda g: g(g); f(f)", "RecursionError"),
    "half_a_pair": ("raise ValueError('\\udc80')", "ValueError"),
    "says_two_lines": ("raise RuntimeError('two\\nlines')", "RuntimeError"),
    "says_a_lot": ("raise ValueError('y' * 10**7)", "ValueError"),
    "ends": ("raise SystemExit('bye')", "SystemExit"),
    "returns_nothing": ("return None", ""),
    "has_no_number": ("return Diagnosis({'a': float('nan')})", ""),
    "has_a_number_for_a_name": ("return Diagnosis({1: 1.0})", ""),
    "has_another_severity": ("return Diagnosis(findings=[context.finding('m', 'awful', 'x', {})])", ""),
    "has_other_findings": ("return Diagnosis(findings=[types.SimpleNamespace(numbers={})])", ""),
    "finds_too_much": ("return Diagnosis(findings=[context.finding('m', 'info', 'x', {})] * 10**6)", "at most 100"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_diagnostic_is_a_finding_of_its_own(tmp_path, capfd, name):
    body, reason = FAULTS[name]
    sound = "print('hello'); return Diagnosis({'rows': len(context.rows)})"
    write_diagnostics(tmp_path, **{name: body}, a_good=sound, z_good=sound.replace("'rows'", "'again'"))
    frame = Rows.of(healthy_rows(0, num_groups=20)).frame()
    report = Harness(tmp_path, HarnessConfig(plugins=["mine"])).run(context(frame, "v001"))
    assert report.metrics == {"own.again": 160.0, "own.rows": 160.0}
    (finding,) = report.findings
    assert (finding.mode, finding.severity, finding.diagnostic) == ("plugin_failure", "warning", name)
    assert "\n" not in finding.message and len(finding.message) <= 300 and finding.message.encode()
    assert re.search(reason, finding.message), finding.message
    assert set(report.seconds) == {"a_good", name, "z_good"} and capfd.readouterr().out == ""
