"""The bench of faults: the writes that it fails, the clock that it sets back, and what it calls well."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.faults import bench, failing_writes
from benchmarks.faults.checkout import Ended

WRITER = """
import pathlib, sys
for name in "abc":
    try:
        pathlib.Path(sys.argv[1], name).write_text(name)
    except OSError as error:
        print(error.errno, end=" ")
"""


def test_the_nth_write_below_a_place_and_all_after_it_fail_until_there_is_room(tmp_path: Path) -> None:
    shutil.copy(failing_writes.__file__, tmp_path / "sitecustomize.py")
    order, places = tmp_path / "order", [tmp_path / "model", tmp_path / "other"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "FAILING_WRITES": str(order)}

    def said(place: Path) -> str:
        place.mkdir(exist_ok=True)
        command = [sys.executable, "-c", WRITER, str(place)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    order.write_text(json.dumps({"part": "/model/", "at": 3, "number": errno.EROFS}))
    assert [said(place) for place in places] == [f"{errno.EROFS} ", ""]
    assert said(places[0]) == f"{errno.EROFS} " * 3
    order.unlink()
    assert said(places[0]) == ""


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ([Ended(0, "")], "went on by itself"),
        ([Ended(-9, ""), Ended(0, "")], "the same command"),
        ([Ended(1, "error: /a/b: No space left\n"), Ended(0, "")], "one line, then the same command"),
        ([Ended(1, "Traceback ...\nerror: /a/b\n"), Ended(0, "")], "failed: 1 of 1 refusals are not one line with"),
        ([Ended(1, "error: it failed\n"), Ended(0, "")], "failed: 1 of 1"),
        ([Ended(-9, ""), Ended(1, "error: /a\n")], "failed: the same command did not end it"),
    ],
)
def test_how_a_run_ended(ended: list[Ended], said: str) -> None:
    assert bench._how(ended).startswith(said)
