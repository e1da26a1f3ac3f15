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
    OutOfTime,
    complete,
    failed_line,
    judgement,
    line_of,
    out_of_time,
    start_judging,
)
from evotrainer.domains.swe.runners.helpers_inside import tell

OPTIONS = ("--rootdir=.", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=no", "--assert=plain")


def run(wanted, paths, seconds, base, *judged):
    """Run the tests `wanted`, or only name those in `paths` where it is empty; return {node id: [status, detail, what
    it sent]} and what was noted.

    `base`: a folder of further files, and those of it that are left out. `judged`: how (start_judging).
    """
    import pytest

    if base:
        complete(*base)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HOME": str(Path.cwd()), "TMPDIR": str(Path.cwd())}
    sys.path.insert(0, str(Path.cwd()))
    signal.signal(signal.SIGPROF, out_of_time)
    start_judging(*judged)
    pytest.main([*OPTIONS, "--continue-on-collection-errors", *paths], plugins=[Report(wanted, seconds)])
    return judgement()


class Report:
    """A pytest plugin that tells what became of each wanted test."""

    def __init__(self, wanted, seconds):
        self._wanted, self._seconds = set(wanted), seconds

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
                    tell("end", (name, "error", text[:200], []))

    def pytest_collection_modifyitems(self, items):
        """Leave out what is not wanted; where nothing is, only the names are."""
        if not self._wanted:
            for item in items:
                tell("end", (item.nodeid, "missing", "", []))
        items[:] = [item for item in items if item.nodeid in self._wanted]

    def pytest_runtest_protocol(self, item):
        """Start the clock of a test, and the random module anew."""
        random.seed(0)
        tell("begin", ())
        signal.setitimer(signal.ITIMER_PROF, self._seconds, REPEAT_SECONDS)

    def pytest_runtest_logfinish(self, nodeid):
        """Stop the clock, and look at what was reached."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        tell("look", ())

    def pytest_runtest_makereport(self, item, call):
        """Tell the status of a phase."""
        if (status := _status(item, call)) is not None:
            tell("end", (item.nodeid, *status))


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
