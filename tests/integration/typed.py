"""Types commands of `evotrainer` one after the other in one process, so that each does not import all again.

Reads from stdin a JSON list of argument lists and writes one of {status, out, seconds}; out holds both streams.
"""

import io
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from cli.main import app


def typed(arguments: Sequence[str]) -> dict[str, object]:
    """Return the exit status of one command and what it printed."""
    started, shown, status = time.process_time(), io.StringIO(), 0
    with patch.dict(os.environ), redirect_stdout(shown), redirect_stderr(shown):
        try:
            app(list(arguments), prog_name="evotrainer")
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else int(left.code is not None)
    return {"status": status, "out": shown.getvalue(), "seconds": time.process_time() - started}


if __name__ == "__main__":
    print(json.dumps([typed(arguments) for arguments in json.load(sys.stdin)]))
