"""A Prefect server for the campaigns of all tests: `python -m tests.integration.shared_server MAIN FILE OWNER`.

It writes its URL to FILE and ends with the process that OWNER names: the one that started the workers of the tests.
"""

import sys
import time
from pathlib import Path

from evotrainer.campaign.documents import write_atomic
from evotrainer.sandbox.processes import WATCH_SECONDS, is_alive
from flows.serving.server import free_port, own_server


def main(root: Path, file: Path, owner: str) -> None:
    """Serve until the owner is gone."""
    with own_server(free_port(), file.with_name("prefect")) as url:
        write_atomic(file, url.encode())
        while is_alive(owner):
            time.sleep(WATCH_SECONDS)  # a process that ends announces it to its parent alone


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
