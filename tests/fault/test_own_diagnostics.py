"""What a diagnostic of a person's own may do to the harness by mistake: nothing. The others are heard."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.rows import Rows
from evotrainer.records import HarnessReport
from tests.evidence_rows import healthy_rows
from tests.own_diagnostics import write_diagnostics
from tests.stored_versions import context

ROWS = "return Diagnosis({'rows': len(context.rows)})"


def run(root: Path, **bodies: str) -> HarnessReport:
    """Return the report of these bodies of `diagnose`, between two diagnostics that are sound."""
    sound = {"a_good": ROWS, "z_good": "return Diagnosis({'groups': context.rows['group'].nunique()})"}
    write_diagnostics(root, **bodies, **sound)
    limits = HarnessConfig(plugins=["mine"], diagnostic_seconds=1.0, diagnostic_megabytes=256)
    return Harness(root, limits).run(context(Rows.of(healthy_rows(0, num_groups=20)).frame(), "v001"))


FAULTS = {
    "loops_in_c": ("sum(range(10**12))", "took more than"),
    "waits": ("time.sleep(1000)", "took more than 4 s"),
    "eats_memory": ("bytearray(10**10)", "needs more than 256 MB"),
    "says_too_much": ("return Diagnosis({f'number_{i:099d}': 1.0 for i in range(50_000)})", "returned more than 4 MB"),
    "crashes": ("faulthandler.disable(); os.kill(os.getpid(), signal.SIGSEGV)", "ended its process by SIGSEGV"),
    "leaves": ("os._exit(0)", "ended its process"),
    "is_interrupted": ("raise KeyboardInterrupt", "ended its process"),
    "recurses": ("f = lambda g: g(g); f(f)", "RecursionError"),
    "writes": ("Path('written').write_text('x')", "PermissionError"),
    "empties_a_file": ("open(__file__, 'w')", "PermissionError"),
    "removes": ("os.remove(__file__)", "PermissionError"),
    "connects": ("socket.create_connection(('127.0.0.1', PORT), 1)", "PermissionError"),
    "starts_a_process": ("subprocess.run(['true'])", "PermissionError"),
    "forks": ("os.fork()", "PermissionError"),
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
def test_a_faulty_diagnostic_is_a_finding_of_its_own(tmp_path, monkeypatch, name):
    body, reason = FAULTS[name]
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as server:
        report = run(tmp_path, **{name: body.replace("PORT", str(server.getsockname()[1]))})
    assert report.metrics == {"own.groups": 20.0, "own.rows": 160.0}
    (finding,) = report.findings
    assert (finding.mode, finding.severity, finding.diagnostic) == ("plugin_failure", "warning", name)
    assert "\n" not in finding.message and len(finding.message) <= 300
    assert re.search(reason, finding.message), finding.message
    assert not (tmp_path / "written").exists() and "diagnose" in (tmp_path / "mine" / f"{name}.py").read_text()


def test_what_a_diagnostic_prints_stays_out_of_our_output(tmp_path, capfd):
    report = run(tmp_path, prints="print('hello'); os.write(1, b'there'); return Diagnosis()")
    assert not report.findings
    out, error = capfd.readouterr()
    assert out == "" and "there" in error


def test_a_diagnostic_may_read_files_and_work_in_threads(tmp_path):
    body = "seen = []; t = threading.Thread(target=lambda: seen.append(len(Path(__file__).read_text())))"
    report = run(tmp_path, reads=f"{body}; t.start(); t.join(); return Diagnosis({{'length': seen[0]}})")
    assert not report.findings and report.metrics["own.length"] > 100


def test_closer_limits_of_the_machine_hold_and_hurt_nobody(tmp_path):
    write_diagnostics(tmp_path, sound=ROWS)
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (200, 200));"
        "resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30));"
        "from pathlib import Path; from evotrainer.diagnosis.harness import Harness, read_context;"
        "from evotrainer.config import HarnessConfig;"
        f"harness = Harness(Path({str(tmp_path)!r}), HarnessConfig(plugins=['mine']));"
        "print(harness.run(read_context('v001')).metrics)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "{'own.rows': 0.0}\n", done.stderr
