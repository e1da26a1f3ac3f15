"""Who a process works for, so that it ends when that one does.

`kill -9` of a flow leaves its children alive, and the kernel's parent-death signal does not pass through the shell
that DVC puts in between. Each child therefore watches its owner, named by pid and start time (a pid alone may have
been given to another process meanwhile). The flow names itself in EVOTRAINER_OWNER; without that, the owner of a
stage is whoever started it, shells of the form `sh -c` left out.
"""

import fcntl
import os
import threading
from collections.abc import Callable

import psutil

OWNER_VARIABLE = "EVOTRAINER_OWNER"
WATCH_SECONDS = 0.5
SHELLS = {"sh", "bash", "dash", "zsh", "fish"}


def owner_token(process: psutil.Process | None = None) -> str:
    """Return `pid:start time` of a process, by default this one."""
    process = process or psutil.Process()
    return f"{process.pid}:{process.create_time():.2f}"


def is_alive(token: str) -> bool:
    """Tell whether the process that a token names still runs; a zombie does not."""
    pid, _, started = token.partition(":")
    try:
        process = psutil.Process(int(pid))
        return process.status() != psutil.STATUS_ZOMBIE and f"{process.create_time():.2f}" == started
    except psutil.NoSuchProcess:
        return False


def find_owner() -> str:
    """Return the token of this process's owner."""
    return os.environ.get(OWNER_VARIABLE) or owner_token(_first_ancestor_that_is_no_shell())


def _first_ancestor_that_is_no_shell() -> psutil.Process:
    ancestors = psutil.Process().parents()
    for process in ancestors:
        command = process.cmdline()
        is_shell_command = process.name() in SHELLS and "-c" in command
        if not is_shell_command:
            return process
    return ancestors[0]


def exit_with_owner(before_exit: Callable[[], None] = lambda: None) -> None:
    """Watch the owner from a thread and end this process, at once, when the owner is gone."""
    owner = find_owner()

    def watch() -> None:
        while is_alive(owner):
            stopped.wait(WATCH_SECONDS)
        before_exit()
        os._exit(1)

    stopped = threading.Event()
    threading.Thread(target=watch, name="owner-watch", daemon=True).start()


def end_with_input() -> None:
    """Let the kernel end this process, by SIGIO, when whoever holds the other end of its standard input is gone.

    It needs no thread, so that forks are safe, and waits for no import that holds the interpreter for seconds.
    """
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
