"""One execution from the parent's side: feed it, read what it writes up to the limit, watch the clock, name its end."""

import contextlib
import fcntl
import json
import os
import select
import signal
import time
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from evotrainer.errors import SandboxError
from evotrainer.sandbox.program import Execution, Limits, Outcome, Program
from evotrainer.sandbox.values import parse_result
from evotrainer.sandbox.zygote_process import ZygoteProcess

KILL_SECONDS = 10.0
"""How long a killed execution may take to end before the sandbox counts as failed."""

_ALL_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_SURE_SHARE = 0.5
"""The kernel enforces the limit by a coarser clock than it reports: a SIGKILL after this part of it is the limit's."""

_CHUNK_BYTES = 65536
_RESULT_HEAD_BYTES = 256


@dataclass
class _Pipes:
    """What the parent has read so far, by the descriptor it reads from, with the limit of each."""

    data: dict[int, bytearray]
    limits: dict[int, int]
    open: set[int] = field(default_factory=set)

    def read(self, descriptor: int) -> bool:
        """Read what is there; returns whether the limit is passed."""
        chunk = os.read(descriptor, _CHUNK_BYTES)
        if not chunk:
            self.open.discard(descriptor)
        self.data[descriptor] += chunk
        return len(self.data[descriptor]) > self.limits[descriptor]


def run_program(zygote: ZygoteProcess, program: Program, limits: Limits) -> Execution:
    """Run one program in a zygote; raises SandboxError, and ends the zygote, when the sandbox itself failed."""
    try:
        with contextlib.ExitStack() as stack:
            execution = _run(stack, zygote, program, limits)
        zygote.wait_until_clean()
    except BaseException:  # an interrupt too: an execution may still run in this zygote
        zygote.stop()
        raise
    return execution


def _run(stack: contextlib.ExitStack, zygote: ZygoteProcess, program: Program, limits: Limits) -> Execution:
    ends = [_pipe(stack) for _ in range(3)]
    reading = [end[0] for end in ends]
    bounds = [limits.output_bytes, limits.output_bytes, limits.output_bytes + _RESULT_HEAD_BYTES]
    pipes = _Pipes({end: bytearray() for end in reading}, dict(zip(reading, bounds, strict=True)), set(reading))
    with contextlib.ExitStack() as theirs:
        stdin = _memory_file(theirs, program.stdin.encode("utf-8", "surrogateescape"))
        request = _memory_file(theirs, _request(program))
        for _, end in ends:
            theirs.callback(os.close, end)
        start = time.monotonic()
        zygote.start_execution(limits, [stdin, *(end for _, end in ends), request])
    cut, answer = _follow(zygote, pipes, start + limits.wall_seconds)
    seconds = time.monotonic() - start
    stdout, stderr, result = (bytes(pipes.data[end]) for end in reading)
    calls = _calls(program)
    is_ready, said = parse_result(result, len(calls) + 1)
    if not is_ready:
        raise SandboxError(f"an execution could not be set up ({said[0].get('failed', 'no reason given')}); rerun")
    outcome = _outcome(cut, answer, said, len(calls), limits)
    code = os.waitstatus_to_exitcode(answer["status"])
    return Execution(
        outcome=outcome,
        stdout=_text(stdout, limits),
        stderr=_text(stderr, limits),
        exit_status=code if code >= 0 else None,
        values=tuple(line["value"] for line in takewhile(lambda line: "value" in line, said[: len(calls)])),
        ran_to_end=said[len(calls) :] == [{"end": True}],
        signal=-code if code < 0 else None,
        seconds=seconds,
        cpu_seconds=answer["cpu_seconds"],
    )


def _follow(zygote: ZygoteProcess, pipes: _Pipes, deadline: float) -> tuple[Outcome | None, dict[str, Any]]:
    """Read until the zygote reports the end; returns why the parent cut it short, if it did, and the report."""
    cut: Outcome | None = None
    control = zygote.control.fileno()
    while control not in (ready := _wait({control, *pipes.open}, deadline)):
        is_over = max((pipes.read(descriptor) for descriptor in ready), default=False)
        if cut is not None and not ready:
            raise SandboxError(f"an execution did not end within {KILL_SECONDS:g} s of being killed; rerun")
        if cut is None and (is_over or not ready):
            cut, deadline = ("output_limit" if is_over else "timeout"), time.monotonic() + KILL_SECONDS
            zygote.kill_execution()
        pipes.open = {end for end in pipes.open if len(pipes.data[end]) <= pipes.limits[end]}
    answer = zygote.receive()
    if "status" not in answer:
        raise SandboxError("the sandbox's process ended during an execution, for lack of memory perhaps; rerun")
    is_over = max((_drain(pipes, descriptor) for descriptor in list(pipes.open)), default=False)
    return cut or ("output_limit" if is_over else None), answer


def _wait(descriptors: set[int], deadline: float) -> set[int]:
    """Return the descriptors that are readable or closed; none when the deadline passes."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    milliseconds = max(0.0, deadline - time.monotonic()) * 1000
    return {descriptor for descriptor, _ in poll.poll(milliseconds)}


def _drain(pipes: _Pipes, descriptor: int) -> bool:
    """Read what the ended execution left in a pipe; returns whether the limit is passed."""
    while descriptor in pipes.open:
        if pipes.read(descriptor):
            return True
    return False


def _outcome(
    cut: Outcome | None, answer: dict[str, Any], said: list[dict[str, Any]], num_calls: int, limits: Limits
) -> Outcome:
    code = os.waitstatus_to_exitcode(answer["status"])
    if cut is not None:
        return cut
    is_killed_for_time = -code == signal.SIGKILL and answer["cpu_seconds"] >= limits.cpu_seconds * _SURE_SHARE
    if is_killed_for_time or -code == signal.SIGXCPU or answer["cpu_seconds"] >= limits.cpu_seconds:
        return "timeout"
    if code < 0:
        return "killed"
    if code > 0:
        kinds: dict[Any, Outcome] = {"compile": "compile_error", "memory": "memory", "denied": "denied"}
        kind = next((line["error"] for line in said if "error" in line), None)
        return kinds.get(kind, "nonzero_exit") if isinstance(kind, str) else "nonzero_exit"
    answers = said[:num_calls]
    if any("not_json" in line for line in answers):
        return "not_json"
    return "ok" if sum("value" in line for line in answers) == num_calls else "no_result"


def _pipe(stack: contextlib.ExitStack) -> tuple[int, int]:
    """Return a pipe whose reading end closes with the stack."""
    ours, theirs = os.pipe()
    stack.callback(os.close, ours)
    return ours, theirs


def _memory_file(stack: contextlib.ExitStack, data: bytes) -> int:
    """Return a descriptor of an unnamed file in memory that holds the data and can no longer be changed."""
    descriptor = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, descriptor)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)
    return descriptor


def _calls(program: Program) -> tuple[tuple[Any, ...], ...]:
    """Return the arguments of each call of the function; none for a program that reads and prints."""
    if program.function is None:
        return ()
    return program.calls or (program.arguments,)


def _request(program: Program) -> bytes:
    """Return what the execution reads: never what it is expected to answer."""
    return json.dumps(
        {
            "prelude": program.prelude,
            "source": program.source,
            "function": program.function,
            "calls": _calls(program),
            "files": program.files,
            "seed": program.seed,
            "can_execute": program.can_execute,
        }
    ).encode()


def _text(data: bytes, limits: Limits) -> str:
    return data[: limits.output_bytes].decode("utf-8", "replace")
