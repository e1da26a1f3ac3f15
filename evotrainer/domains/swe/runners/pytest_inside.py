"""Runs inside the sandbox: real pytest on some tests, a report of each. Its text is sent there.

Hidden tests run apart from the code that they test, which another process holds (remote_inside.py). Where they cannot,
and for the repository's own tests, both are in this process, hidden ones watched (watch_inside.py): pytest finds empty
files and imports what the watch has. What is then returned may be forged by the code under test: the parent compares
with planted tests.

Whole files are collected and all but the wanted tests left out: a node id that does not exist would end pytest.
"""

import os
import random
import signal
import sys
import traceback
from importlib.machinery import PathFinder
from pathlib import Path

from evotrainer.domains.swe.runners.fresh_inside import REPEAT_SECONDS, complete, out_of_time
from evotrainer.domains.swe.runners.pair_inside import OutOfTime

OPTIONS = (
    "--rootdir=.",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:faulthandler",
    "--capture=no",
    "--assert=plain",
    "--continue-on-collection-errors",
)

OWN = ("program.py", "pytest_inside.py")


def run(wanted, paths, seconds, base, hidden, support, changed, added, is_apart):
    """Run the tests `wanted`, or only name those in `paths` where it is empty; return {node id: [status, detail]} and
    what was reached.

    `base`: a folder of further files, and those of it that are left out. `hidden`: test files that are to be watched,
    `support`: what else is the tests' own, path -> text. `changed`: the attempt's own paths; `added`:
    those of them that the repository has not.
    """
    import unittest.case

    import pytest

    setattr(unittest.case, "_ShouldStop", ())  # noqa: B010 - private; a test that raises it would pass
    if base and not is_apart:
        complete(*base)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HOME": str(Path.cwd()), "TMPDIR": str(Path.cwd())}
    sys.path.insert(0, str(Path.cwd()))
    signal.signal(signal.SIGPROF, out_of_time)
    side = Apart(hidden, support, added) if is_apart else Together(hidden, changed, added)
    report = Report(wanted, seconds, side)
    pytest.main([*OPTIONS, *paths], plugins=[report])
    return [report.results, side.reached()]


class Together:
    """Tests and the code under test in this process."""

    def __init__(self, hidden, changed, added):
        self._watch, self._kept = (_watch(hidden, changed, added), _kept()) if hidden else (None, None)

    def clock(self, seconds):
        """Start the clock of the code under test: it is that of the tests."""

    def reached(self):
        """Return what the code under test was heard to do."""
        if self._watch is None or self._kept is None:
            return []
        return sorted({*self._watch.noted(), *self._kept.replaced()})


class Apart:
    """Tests here, the code under test in the process beside."""

    def __init__(self, hidden, support, added):
        from evotrainer.domains.swe.runners.remote_inside import open_tests

        place = str(Path.cwd())
        codes = {path: _compiled(text, f"{place}/{path}") for path, text in hidden.items()}
        self._tests, _ = open_tests(place, support | hidden, support | codes, added, OWN, is_path_sent=True)
        self.clock = self._tests.clock
        self._tests.peer.ask("noted")  # once it answers, all files are in their places

    def reached(self):
        """Return what the code under test was heard to do; ends this process where that has left."""
        if self._tests.peer.is_gone:
            raise SystemExit
        return self._tests.reached()


def _watch(hidden, changed, added):
    """Take the hidden tests and let them be imported by those who may; return the watch."""
    from evotrainer.domains.swe.runners.hidden_inside import HiddenLoader
    from evotrainer.domains.swe.runners.watch_inside import start

    place = str(Path.cwd())
    sys.meta_path.insert(sys.meta_path.index(PathFinder), _finder(place, hidden, added))
    codes = {path: _compiled(text, f"{place}/{path}") for path, text in hidden.items()}
    watch = start(place, codes, changed, HiddenLoader)
    watch.know()
    return watch


def _kept():
    from evotrainer.domains.swe.runners.kept_inside import Kept

    return Kept()


def _finder(place, hidden, added):
    from evotrainer.domains.swe.runners.hidden_inside import HiddenFinder

    return HiddenFinder((f"{place}/{path}" for path in hidden), (f"{place}/{path}" for path in added), place)


def _compiled(text, path):
    try:
        return compile(text, path, "exec")
    except (SyntaxError, ValueError) as error:
        return error


class Report:
    """A pytest plugin that keeps what became of each wanted test."""

    def __init__(self, wanted, seconds, side):
        self.results = {}
        self._wanted, self._seconds, self._side = set(wanted), seconds, side

    def pytest_collectstart(self, collector):
        """Start the clock of a file, which is imported when it is collected."""
        self._side.clock(self._seconds)
        signal.setitimer(signal.ITIMER_PROF, self._seconds, REPEAT_SECONDS)

    def pytest_collectreport(self, report):
        """Stop the clock, and make errors of the tests of a file that does not import."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        if report.failed:
            text = str(report.longrepr).strip().splitlines()[-1].removeprefix("E").strip()
            for name in self._wanted or (report.nodeid,):
                if name.partition("::")[0] == report.nodeid.partition("::")[0]:
                    self.results[name] = ["error", text[:200]]

    def pytest_collection_modifyitems(self, items):
        """Leave out what is not wanted; where nothing is, only the names are."""
        if not self._wanted:
            self.results |= {item.nodeid: ["missing", ""] for item in items}
        items[:] = [item for item in items if item.nodeid in self._wanted]

    def pytest_runtest_protocol(self, item):
        """Start the clock of a test, and the random module anew."""
        random.seed(0)
        self._side.clock(self._seconds)
        signal.setitimer(signal.ITIMER_PROF, self._seconds, REPEAT_SECONDS)

    def pytest_runtest_logfinish(self, nodeid):
        """Stop the clock."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_makereport(self, item, call):
        """Keep the status of a phase; the first bad one stays."""
        status = _status(item, call)
        if status is not None and self.results.get(item.nodeid, ["passed"])[0] == "passed":
            self.results[item.nodeid] = status


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
    return ["error", _line(error)]


def _failure(error, item):
    """The line of the test where an assertion failed; for other errors the error."""
    if isinstance(error, AssertionError):
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(item.path)]
        if frames and frames[-1].line:
            return frames[-1].line.strip()
    return _line(error)


def _line(error):
    try:
        text = " ".join(str(error).split())
    except Exception:  # the error's __str__ may be the policy's own code: its type alone is shown then
        text = ""
    return (type(error).__name__ + ": " + text if text else type(error).__name__)[:200]
