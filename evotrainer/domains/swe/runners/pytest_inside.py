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
    Finder,
    HiddenLoader,
    OutOfTime,
    code_of,
    complete,
    failed_line,
    line_of,
    out_of_time,
)
from evotrainer.domains.swe.runners.judge_inside import Judge
from evotrainer.domains.swe.runners.watch_inside import Watch

OPTIONS = ("--rootdir=.", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=no", "--assert=plain")


def run(wanted, paths, seconds, base, judged, changed, added, has_secrets):
    """Run the tests `wanted`, or only name those in `paths` where it is empty; return {node id: [status, detail, what
    it sent]} and what was reached.

    `base`: a folder of further files, and those of it that are left out. `judged`: tests that are hidden, or help
    these, path -> [code, error, whether it is hidden]. `changed`: the attempt's own files; `added`: those of them that
    the repository has not.
    """
    import pytest

    if base:
        complete(*base)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HOME": str(Path.cwd()), "TMPDIR": str(Path.cwd())}
    place = str(Path.cwd())
    sys.path.insert(0, place)
    signal.signal(signal.SIGPROF, out_of_time)
    codes = {f"{place}/{path}": code_of(file, f"{place}/{path}") for path, file in judged.items()}
    watch = Watch(place, [path for path in judged if judged[path][2]], changed, has_secrets) if judged else None
    judge = Judge(watch.is_foreign if watch else str)
    if judged:
        loaders = {path: HiddenLoader(code, judge.names()) for path, code in codes.items()}
        Finder(place, loaders, [f"{place}/{path}" for path in added])
    report = Report(wanted, seconds, judge, watch)
    pytest.main([*OPTIONS, "--continue-on-collection-errors", *paths], plugins=[report])
    return [report.results, sorted(report.reached | judge.notes)]


class Report:
    """A pytest plugin that keeps what became of each wanted test."""

    def __init__(self, wanted, seconds, judge, watch):
        self.results, self.reached = {}, set()
        self._wanted, self._seconds, self._judge, self._watch = set(wanted), seconds, judge, watch

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
        self._judge.sent = []
        signal.setitimer(signal.ITIMER_PROF, self._seconds, REPEAT_SECONDS)

    def pytest_runtest_logfinish(self, nodeid):
        """Stop the clock, and look at what was reached."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self.reached |= self._watch.reached() if self._watch else set()

    def pytest_runtest_makereport(self, item, call):
        """Keep the status of a phase; the first bad one stays."""
        status = _status(item, call)
        if status is not None and self.results.get(item.nodeid, ["passed"])[0] == "passed":
            self.results[item.nodeid] = [*status, self._judge.sent]


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
        return ["skipped", ""] if item.get_closest_marker("xfail") else ["failed", _failure(error, item)]
    return ["error", line_of(error)]


def _failure(error, item):
    try:
        lines = item.path.read_text().splitlines()
    except (OSError, ValueError):
        lines = []
    return failed_line(error, str(item.path), lines)
