"""The system calls that a sandboxed program may make, by group, with their numbers on x86-64 and aarch64.

A list of what is allowed, not of what is forbidden: a call that a later kernel adds is refused until it is reviewed.
Each entry is `name x86_64 aarch64`; `-` where an architecture has no such call. Source: the kernel's
arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.

What is left out on purpose: sockets, ptrace and process_vm_*, mount and namespaces, keyrings, bpf, io_uring,
perf, userfaultfd, memfd and System V memory (which no limit on address space would count), set*id, scheduling, clocks.
"""

import os

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
