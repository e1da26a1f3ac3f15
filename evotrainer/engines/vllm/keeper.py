"""Runs a server in a process group of its own, and ends the group when whoever started this program is gone.

`python keeper.py COMMAND...`: standard input is a pipe that the starter holds open and never writes to. Its end says
that the starter has closed it or is dead, however it died. Standard library only, and no import of the project.
"""

import os
import select
import signal
import subprocess
import sys
import time

POLL_SECONDS = 0.5
GRACE_SECONDS = 10.0


def main(command: list[str]) -> int:
    """Run `command` until it ends or the starter does; return its exit status."""
    starter = os.getppid()
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: end(server))
    while server.poll() is None:
        readable, _, _ = select.select([0], [], [], POLL_SECONDS)
        if os.getppid() != starter or (readable and not os.read(0, 1)):
            end(server)
    end(server)
    return server.returncode


def end(server: "subprocess.Popen[bytes]") -> None:
    """End all processes of the server's group: politely, then at once. What it leaves behind ends with it."""
    for number, seconds in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, GRACE_SECONDS)):
        try:
            os.killpg(server.pid, number)
        except ProcessLookupError:
            break
        until = time.monotonic() + seconds
        while time.monotonic() < until and (server.poll() is None or _has_members(server.pid)):
            time.sleep(0.05)  # members of the group are no children: their end can only be asked for
    server.wait()


def _has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
