"""Hands a stage to the process of warm_stages.py and ends as the stage ends; runs it by itself where that fails.

    python -I -S warm_client.py ROOT STAGE SUBJECT

It is the process that DVC waits for, and starts in milliseconds: it imports little and nothing of the campaign.
"""

import json
import os
import signal
import socket
import sys

LOST_STATUS = 75
"""The process that ran the stage is gone: the machine failed, and the stage is worth a retry."""


def connect(root: str) -> socket.socket:
    """Connect by way of the tree's descriptor, since the path of a socket may have 107 bytes only."""
    folder = os.open(root, os.O_PATH)
    server = socket.socket(socket.AF_UNIX)
    server.connect(f"/proc/self/fd/{folder}/{os.environ['EVOTRAINER_WARM']}")
    os.close(folder)
    return server


def hand_over(server: socket.socket, arguments: list[str]) -> int | None:
    """Return how the stage ended, as subprocess counts it; None where it was not started."""
    folder = os.getcwd()  # noqa: PTH109 - pathlib takes longer to import than all of this file
    request = {"arguments": arguments, "folder": folder, "environment": dict(os.environ)}
    body = json.dumps(request).encode()
    message = b"%d\n" % len(body) + body
    sent = socket.send_fds(server, [message], [0, 1, 2])
    server.sendall(message[sent:])
    with server.makefile("rb") as answers:
        if answers.readline() != b"started\n":
            return None
        return int(answers.readline() or LOST_STATUS)


def run(root: str, arguments: list[str]) -> int:
    """Return the exit status of the stage."""
    try:
        status = hand_over(connect(root), arguments)
    except OSError:
        status = None
    if status is None:
        python = os.environ["EVOTRAINER_PYTHON"]
        os.execv(python, [python, "-m", "tasks", *arguments])
    if status < 0:  # a signal ended the stage, so let it end this process
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
