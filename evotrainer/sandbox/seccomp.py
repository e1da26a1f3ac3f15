"""The filter on system calls, assembled by hand as a classic BPF program.

The filter is the last thing set before hostile code runs, inherited by its threads, and cannot be removed. Unknown
calls fail with EPERM, so that a program gets a PermissionError and is not killed; clone3 fails with
ENOSYS, since its flags lie behind a pointer that a filter cannot follow, and the C library then uses clone.
Source: Documentation/userspace-api/seccomp_filter.rst of the kernel.

The tables hold the calls that a program may make, by group, with their numbers on x86-64 and aarch64: `name x86_64
aarch64`, `-` where an architecture has no such call. A list of what is allowed, not of what is forbidden: a call that a
later kernel adds is refused until it is reviewed. Source: arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h of the kernel. What is left out on purpose: sockets, ptrace and process_vm_*, mount
and namespaces, keyrings, bpf, io_uring, perf, userfaultfd, memfd and System V memory (which no limit on address space
would count), set*id, scheduling, clocks.
"""

import ctypes
import errno
import os
import struct

from evotrainer.sandbox import kernel

Table = dict[str, tuple[int | None, int | None]]
"""Name -> numbers, in the order of ARCHITECTURES."""


def _table(text: str) -> Table:
    rows = [entry.split() for entry in text.split(";")]
    return {name: (_number(x86), _number(arm)) for name, x86, arm in rows}


def _number(word: str) -> int | None:
    return None if word == "-" else int(word)


FILES = _table("""
    read 0 63 ; write 1 64 ; close 3 57 ; fstat 5 80 ; lseek 8 62 ; pread64 17 67 ; pwrite64 18 68 ;
    readv 19 65 ; writev 20 66 ; dup 32 23 ; dup3 292 24 ; dup2 33 - ; pipe2 293 59 ; pipe 22 - ;
    flock 73 32 ; fsync 74 82 ; fdatasync 75 83 ; ftruncate 77 46 ; fallocate 285 47 ; sendfile 40 71 ;
    copy_file_range 326 285 ; preadv 295 69 ; pwritev 296 70 ; preadv2 327 286 ; pwritev2 328 287 ;
    getdents64 217 61 ; getcwd 79 17 ; chdir 80 49 ; fchdir 81 50 ; umask 95 166 ; close_range 436 436 ;
    openat 257 56 ; open 2 - ; creat 85 - ; mkdirat 258 34 ; mkdir 83 - ; rmdir 84 - ; unlinkat 263 35 ;
    unlink 87 - ; linkat 265 37 ; link 86 - ; symlinkat 266 36 ; symlink 88 - ; readlinkat 267 78 ;
    readlink 89 - ; renameat 264 38 ; renameat2 316 276 ; rename 82 - ; newfstatat 262 79 ; stat 4 - ;
    lstat 6 - ; statx 332 291 ; statfs 137 43 ; fstatfs 138 44 ; faccessat 269 48 ; faccessat2 439 439 ;
    access 21 -
""")
METADATA = _table("""
    truncate 76 45 ; chmod 90 - ; fchmod 91 52 ; fchmodat 268 53 ; utimensat 280 88 ; utime 132 - ;
    utimes 235 - ; futimesat 261 -
""")
MEMORY = _table("""
    mmap 9 222 ; mprotect 10 226 ; munmap 11 215 ; brk 12 214 ; mremap 25 216 ; msync 26 227 ; madvise 28 233
""")
WAITING = _table("""
    poll 7 - ; ppoll 271 73 ; select 23 - ; pselect6 270 72 ; epoll_create 213 - ; epoll_create1 291 20 ;
    epoll_ctl 233 21 ; epoll_wait 232 - ; epoll_pwait 281 22 ; eventfd 284 - ; eventfd2 290 19 ; futex 202 98 ;
    nanosleep 35 101 ; clock_nanosleep 230 115 ; sched_yield 24 124 ; pause 34 - ; wait4 61 260 ; waitid 247 95
""")
SIGNALS = _table("""
    rt_sigaction 13 134 ; rt_sigprocmask 14 135 ; rt_sigreturn 15 139 ; rt_sigpending 127 136 ;
    rt_sigtimedwait 128 137 ; rt_sigsuspend 130 133 ; sigaltstack 131 132 ; getitimer 36 102 ; setitimer 38 103 ;
    alarm 37 -
""")
SELF = _table("""
    exit 60 93 ; exit_group 231 94 ; getpid 39 172 ; gettid 186 178 ; getppid 110 173 ; getpgrp 111 - ;
    getpgid 121 155 ; getsid 124 156 ; getuid 102 174 ; geteuid 107 175 ; getgid 104 176 ; getegid 108 177 ;
    getgroups 115 158 ; getresuid 118 148 ; getresgid 120 150 ; getrlimit 97 163 ; setrlimit 160 164 ;
    getrusage 98 165 ; times 100 153 ; getpriority 140 141 ; sched_getparam 143 121 ;
    sched_getscheduler 145 120 ; sched_get_priority_max 146 125 ; sched_get_priority_min 147 126 ;
    sched_getaffinity 204 123 ; getcpu 309 168 ; set_tid_address 218 96 ; set_robust_list 273 99 ;
    get_robust_list 274 100 ; rseq 334 293 ; membarrier 324 283 ; arch_prctl 158 - ; uname 63 160 ;
    clock_gettime 228 113 ; clock_getres 229 114 ; gettimeofday 96 169 ; time 201 - ; getrandom 318 278
""")
CHECKED = _table("""
    kill 62 129 ; tgkill 234 131 ; clone 56 220 ; clone3 435 435 ; prctl 157 167 ; prlimit64 302 261 ;
    ioctl 16 29 ; fcntl 72 25
""")

PROCESSES = _table("""
    execve 59 221 ; vfork 58 - ; fork 57 -
""")

ALWAYS = {**FILES, **MEMORY, **WAITING, **SIGNALS, **SELF}
"""Allowed with any argument. METADATA is allowed where mounts are read-only; CHECKED by argument (seccomp.py);
PROCESSES to an execution that may start other programs."""

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""Machine name -> AUDIT_ARCH value; the order is that of the columns above."""


def machine() -> str:
    """Return this machine's name; raises OSError where no numbers are known for it."""
    name = os.uname().machine
    if name not in ARCHITECTURES:
        raise OSError(f"the sandbox knows no system call numbers for {name}, only for {', '.join(ARCHITECTURES)}")
    return name


def numbers(table: Table) -> dict[str, int]:
    """Return name -> number of the calls of a table that this machine has."""
    column = list(ARCHITECTURES).index(machine())
    return {name: number for name, columns in table.items() if (number := columns[column]) is not None}


_LOAD, _JUMP_EQUAL, _JUMP_SET, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_OFFSET_NUMBER, _OFFSET_ARCHITECTURE, _OFFSET_ARGUMENTS = 0, 4, 16
_X32_BIT = 0x40000000

_CLONE_THREAD = 0x10000
_CLONE_NAMESPACES = 0x7E020080
_SECCOMP_MODE_FILTER = 2

# duplicate, flags, locks; not the owner or signal of a descriptor, by which any process of this user could be signalled
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
# terminal attributes and window size, FIONREAD, FIONBIO, close-on-exec
_IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# the name of a thread, read and written
_PRCTL_OPTIONS = (15, 16)


def install_filter(is_metadata_allowed: bool, can_execute: bool = False) -> None:
    """Restrict this process irrevocably; `is_metadata_allowed` where read-only mounts guard modes and times of files.

    `can_execute`: it may start other programs, which inherit the filter.
    """
    program = filter_program(os.getpid(), is_metadata_allowed, can_execute)
    code = ctypes.create_string_buffer(program, len(program))
    record = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    pointer = ctypes.cast(ctypes.create_string_buffer(record, len(record)), ctypes.c_void_p)
    kernel.prctl(kernel.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, pointer)


def filter_program(pid: int, is_metadata_allowed: bool, can_execute: bool = False) -> bytes:
    """Return the BPF program for a process, 8 bytes an instruction; signals are allowed to the process itself only."""
    plain = _PLAIN[is_metadata_allowed] + (_allow(PROCESSES) if can_execute else b"")
    return _head() + plain + _checked_calls(pid, can_execute) + _return_error(errno.EPERM)


def _head() -> bytes:
    """Another architecture kills; on x86-64 the x32 calls, numbered from bit 30 on, are refused."""
    return b"".join(
        [
            _instruction(_LOAD, _OFFSET_ARCHITECTURE),
            _instruction(_JUMP_EQUAL, ARCHITECTURES[machine()], if_true=1),
            _instruction(_RETURN, _KILL),
            _instruction(_LOAD, _OFFSET_NUMBER),
            _instruction(_JUMP_AT_LEAST, _X32_BIT, if_false=1),
            _return_error(errno.EPERM),
        ]
    )


def _plain_calls(is_metadata_allowed: bool) -> bytes:
    return _allow({**ALWAYS, **METADATA} if is_metadata_allowed else ALWAYS)


def _allow(calls: Table) -> bytes:
    return b"".join(_when(number, _instruction(_RETURN, _ALLOW)) for number in numbers(calls).values())


def _checked_calls(pid: int, can_execute: bool) -> bytes:
    call = numbers(CHECKED)
    blocks = [
        _when(call["kill"], _allow_values(0, (pid,))),
        _when(call["tgkill"], _allow_values(0, (pid,))),
        _when(call["prlimit64"], _allow_values(0, (0, pid))),
        _when(call["prctl"], _allow_values(0, _PRCTL_OPTIONS)),
        _when(call["fcntl"], _allow_values(1, _FCNTL_COMMANDS)),
        _when(call["ioctl"], _allow_values(1, _IOCTL_REQUESTS)),
        _when(call["clone"], _allow_clone(can_execute)),
        _when(call["clone3"], _return_error(errno.ENOSYS)),
    ]
    return b"".join(blocks)


def _allow_values(argument: int, values: tuple[int, ...]) -> bytes:
    """Allow the call when the low 32 bits of an argument, all that the kernel reads of these, are one of the values."""
    tests = [_instruction(_JUMP_EQUAL, value, if_false=1) + _instruction(_RETURN, _ALLOW) for value in values]
    return _load_argument(argument) + b"".join(tests) + _return_error(errno.EPERM)


def _allow_clone(can_execute: bool) -> bytes:
    """Allow clone for a thread, and for a process where programs may be started; never into a namespace."""
    return b"".join(
        [
            _load_argument(0),
            _instruction(_JUMP_SET, _CLONE_NAMESPACES, if_true=2),
            _instruction(_JUMP_SET, _CLONE_THREAD, if_false=0 if can_execute else 1),
            _instruction(_RETURN, _ALLOW),
            _return_error(errno.EPERM),
        ]
    )


def _when(number: int, block: bytes) -> bytes:
    """Run a block that ends in a return when the call (in the accumulator) has this number, else skip it."""
    return _instruction(_JUMP_EQUAL, number, if_false=len(block) // 8) + block


def _load_argument(index: int) -> bytes:
    return _instruction(_LOAD, _OFFSET_ARGUMENTS + 8 * index)


def _return_error(number: int) -> bytes:
    return _instruction(_RETURN, _ERRNO | number)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


_PLAIN = {allowed: _plain_calls(allowed) for allowed in (False, True)} if os.uname().machine in ARCHITECTURES else {}
