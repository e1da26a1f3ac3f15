"""A process that has imported the large libraries and forks for each stage, which would import them for 2 s each time.

    stage.sh ─► warm_stages.py ROOT STAGE SUBJECT ─► socket ─► a fork of the warm process is the stage
                the client, which DVC waits for                and says its exit status

The warm process imports packages of other authors only, so a stage always runs the campaign's code as it is now. The
client passes its streams, arguments, folder and environment, and ends as the stage ends. Where no warm process answers,
the client becomes the stage. The client's imports are kept few: it starts in milliseconds.
"""

import json
import os
import signal
import socket
import sys
from contextlib import suppress

LIBRARIES = ("duckdb", "pandas", "pyarrow.dataset", "pyarrow.parquet", "pydantic", "scipy.stats", "yaml")
OF_POLICIES = ("torch", "safetensors.torch")
"""Not imported where a GPU's driver is: a process that has touched it must not fork."""
GPU_DRIVER = "/dev/nvidiactl"
OWN = ("cli", "conf", "evotrainer", "flows", "harness_plugins", "tasks")
LOST_STATUS = 75
"""The process that ran the stage is gone: the machine failed, and the stage is worth a retry."""


def run_stage(root: str, arguments: list[str]) -> int:
    """Let the warm process of the tree at `root` run a stage; return the stage's exit status."""
    try:
        server = _connect(root)
        request = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}  # noqa: PTH109
        body = json.dumps(request).encode()
        message = b"%d\n" % len(body) + body
        sent = socket.send_fds(server, [message], [0, 1, 2])
        server.sendall(message[sent:])
    except OSError:
        python = os.environ["EVOTRAINER_PYTHON"]
        os.execv(python, [python, "-m", "tasks", *arguments])
    with server.makefile("rb") as answer:
        status = answer.readline()
    if not status:
        print("error: the process of the stage was killed", file=sys.stderr)
    return int(status or LOST_STATUS)


def _connect(root: str) -> socket.socket:
    """Connect by way of the tree's descriptor, since the path of a socket may have 107 bytes only."""
    folder = os.open(root, os.O_PATH)
    server = socket.socket(socket.AF_UNIX)
    server.connect(f"/proc/self/fd/{folder}/{os.environ['EVOTRAINER_WARM']}")
    os.close(folder)
    return server


def serve(listener: socket.socket) -> None:
    """Fork for each client until the owner of this process is gone."""
    import gc
    import importlib

    from evotrainer.sandbox.processes import WATCH_SECONDS, find_owner, is_alive

    gc.disable()
    for name in LIBRARIES + (() if os.path.exists(GPU_DRIVER) else OF_POLICIES):  # noqa: PTH110
        importlib.import_module(name)
    gc.freeze()  # a collection in a fork would walk all that is imported, and copy the pages that it lies on
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks report to their clients
    owner = find_owner()
    for name in [name for name in sys.modules if name.partition(".")[0] == "evotrainer"]:
        del sys.modules[name]  # a stage imports our own code anew, as it is then
    listener.settimeout(WATCH_SECONDS)
    while is_alive(owner):
        with suppress(TimeoutError):
            client, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _be_stage(client)
            client.close()


def _be_stage(client: socket.socket) -> None:
    """Run `python -m tasks` with a client's arguments, and tell it the exit status; never returns."""
    import gc
    import traceback
    from threading import Thread

    from evotrainer.sandbox import kernel

    status = 1
    try:
        os.setsid()
        kernel.die_with_parent()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        request, streams = _receive(client)
        Thread(target=_end_without, args=[client], daemon=True).start()
        for target, descriptor in enumerate(streams):
            os.dup2(descriptor, target)
            os.close(descriptor)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        for name in [name for name in sys.modules if name.partition(".")[0] in OWN]:
            del sys.modules[name]
        gc.enable()
        from tasks.__main__ import main

        status = main(request["arguments"])
        sys.stdout.flush()
    except BaseException:  # whatever it was: a fork must not go on as the process that it is a copy of
        traceback.print_exc()
    finally:
        with suppress(OSError):
            client.sendall(b"%d\n" % status)
        os._exit(status)


def _end_without(client: socket.socket) -> None:
    """End this stage and what it started when its client, which says nothing more, is gone."""
    with suppress(OSError):
        client.recv(1)
    os.killpg(0, signal.SIGTERM)


def _receive(client: socket.socket) -> tuple[dict, list[int]]:
    """Return a client's request and the three streams that it sent along."""
    first, streams, _, _ = socket.recv_fds(client, 1 << 16, 3)
    head, _, body = first.partition(b"\n")
    while len(body) < int(head):
        body += client.recv(1 << 16)
    return json.loads(body), streams


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(socket.socket(fileno=int(sys.argv[1])))
    else:
        sys.exit(run_stage(sys.argv[1], sys.argv[2:]))
