"""Runs inside the sandbox: real pytest on some tests, a report of each. Its text is sent there.

Of hidden tests pytest finds empty files, and imports them from memory. What is returned may be forged by the code under
test: the parent evaluates what hidden tests send, and plants tests. Whole files are collected and all but the wanted
tests left out: a node id that does not exist would end pytest.
"""

import os
import random
import signal
import sys
from pathlib import Path

from evotrainer.domains.swe.runners.fresh_inside import (
    REPEAT_SECONDS,
    Judging,
    OutOfTime,
    complete,
    failed_line,
    line_of,
    out_of_time,
)

OPTIONS = ("--rootdir=.", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=no", "--assert=plain")


def run(wanted, paths, seconds, base, *judged):
    """Run the tests `wanted`, or only name those in `paths` where it is empty; return {node id: [status, detail, what
    it sent]} and what was noted.

    `base`: a folder of further files, and those of it that are left out. `judged`: how (Judging).
    """
    import pytest

    if base:
        complete(*base)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HOME": str(Path.cwd()), "TMPDIR": str(Path.cwd())}
    sys.path.insert(0, str(Path.cwd()))
    signal.signal(signal.SIGPROF, out_of_time)
    judging = Judging(*judged)
    report = Report(wanted, seconds, judging)
    pytest.main([*OPTIONS, "--continue-on-collection-errors", *paths], plugins=[report])
    return [report.results, judging.notes()]


class Report:
    """A pytest plugin that keeps what became of each wanted test."""

    def __init__(self, wanted, seconds, judging):
        self.results, self._sent = {}, []
        self._wanted, self._seconds, self._judging = set(wanted), seconds, judging

    def pytest_collectstart(self, collector):
        """Start the clock of a file, which is imported when it is collected."""
        signal.setitimer(signal.ITIMER_PROF, self._seconds, REPEAT_SECONDS)

    def pytest_collectreport(self, report):
        """Stop the clock, and make errors of the tests of a file that does not import."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        if report.failed:
            text = str(report.longrepr).strip().splitlines()[-1].removeprefix("E").strip()
            for name in self._wanted or (report.nodeid,):
                if name.partition("::")[0] == report.nodeid.partition("::")[0]:
                    self.results[name] = ["error", text[:200], []]

    def pytest_collection_modifyitems(self, items):
        """Leave out what is not wanted; where nothing is, only the names are."""
        if not self._wanted:
            self.results |= {item.nodeid: ["missing", "", []] for item in items}
        items[:] = [item for item in items if item.nodeid in self._wanted]

    def pytest_runtest_protocol(self, item):
        """Start the clock of a test, and the random module anew."""
        random.seed(0)
        self._sent = self._judging.begin()
        signal.setitimer(signal.ITIMER_PROF, self._seconds, REPEAT_SECONDS)

    def pytest_runtest_logfinish(self, nodeid):
        """Stop the clock, and look at what was reached."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._judging.look()

    def pytest_runtest_makereport(self, item, call):
        """Keep the status of a phase; the first bad one stays."""
        status = _status(item, call)
        if status is not None and self.results.get(item.nodeid, ["passed"])[0] == "passed":
            self.results[item.nodeid] = [*status, self._sent]


def _status(item, call):
    error = call.excinfo.value if call.excinfo else None
    if error is None:
        return ["passed", ""] if call.when == "call" else None
    if isinstance(error, OutOfTime):
        return ["timeout", "timeout"]
    import pytest

    if isinstance(error, pytest.skip.Exception | pytest.xfail.Exception):
        return ["skipped", ""]
    if call.when == "call":
        return ["skipped", ""] if item.get_closest_marker("xfail") else ["failed", failed_line(error, str(item.path))]
    return ["error", line_of(error)]
