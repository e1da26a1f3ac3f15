"""Attacks on what lies outside: files, network, processes, the next execution; on every backend."""

import os
import socket
import sysconfig
from pathlib import Path

import pytest

from evotrainer.sandbox import Program, Sandbox
from tests.sandbox_attacks import QUICK, SMALL, survivors


def shown_names(sandbox: Sandbox) -> list[str]:
    """Names on the way to the standard library, which the new root has as empty directories."""
    parts = Path(sysconfig.get_path("stdlib")).parts
    return (
        [*parts, "etc", "ld.so.cache", "localtime", "tmp", "dev", "usr", "lib64", "box"]
        if sandbox.backend == "namespaces"
        else []
    )


def test_home_and_files_of_the_person_cannot_be_read(sandbox: Sandbox, public_directory: Path) -> None:
    secret = public_directory / "hidden_tests.json"
    secret.write_text("expected: 42")
    secret.chmod(0o644)
    names = ["environ", "mem", "maps", "cmdline", "status", "fd", "root", "cwd", "stat"]
    inside_proc = [f"/proc/{who}/{name}" for who in ("self", "1", os.getpid(), "thread-self") for name in names]
    attempts = f"""
def missing(): raise FileNotFoundError
for path in [{str(secret)!r}, {str(Path(__file__))!r}, "/etc/passwd", "/etc/shadow", "/etc/hostname"]:
    attempt(path, lambda: open(path).read())
for path in [{str(public_directory)!r}, {str(Path.home())!r}, "/home", "/etc", "/proc", "/sys", "/var", "/tmp/.."]:
    attempt(path, lambda: [n for n in os.listdir(path) if n not in {shown_names(sandbox)!r}] or missing())
for path in {[*inside_proc, "/proc/cpuinfo", "/proc/mounts", "/proc/kallsyms", "/sys/kernel"]!r}:
    attempt("open " + path, lambda: open(path).read())
    if not path.endswith("cwd"):
        attempt("list " + path, lambda: os.listdir(path))
"""
    assert survivors(sandbox, attempts) == {}


def test_the_environment_is_empty(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    source = (
        "import os, ctypes\nlibc = ctypes.CDLL(None); libc.getenv.restype = ctypes.c_char_p\n"
        "print(dict(os.environ), [libc.getenv(n) for n in (b'API_KEY', b'HOME', b'PATH', b'USER')])"
    )
    assert sandbox.run(Program(source)).stdout == "{} [None, None, None, None]\n"


LOOKS_FOR_A_MARKER = """
import ctypes, gc, re, sys
libc = ctypes.CDLL(None); libc.sbrk.restype = ctypes.c_void_p
heap = ctypes.string_at(libc.sbrk(0) - 300_000, 300_000)
marker = re.compile("marker-of-[0-9]{12}-problem")
in_objects = any(marker.search(str(o)) for o in gc.get_objects() if isinstance(o, (str, dict, list)))
in_frames, frame, depth = False, sys._getframe().f_back, 0
while frame:
    in_frames = in_frames or any(marker.search(str(value)) for value in frame.f_locals.values())
    frame, depth = frame.f_back, depth + 1
print(in_objects, in_frames, marker.search(heap.decode("latin-1")) is not None, depth > 2)
"""
"""Its own text does not match."""


def test_nothing_of_an_earlier_execution_is_left_in_memory(sandbox: Sandbox) -> None:
    marker = f"marker-of-{123456789012}-problem" * 100
    earlier = Program(f"hidden = {marker!r}", stdin=marker, files={"tests.txt": marker})
    assert sandbox.run(earlier).outcome == "ok"
    assert sandbox.run(Program(LOOKS_FOR_A_MARKER), SMALL).stdout == "False False False True\n"
    own = 'kept = ["marker-of-%012d-problem" % n * 100 for n in range(500)]\n'  # more than earlier holes of the heap
    assert sandbox.run(Program(own + LOOKS_FOR_A_MARKER), SMALL).stdout == "True False True True\n"


def test_no_network_and_no_sockets(sandbox: Sandbox, public_directory: Path) -> None:
    path = str(public_directory / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.create_server(("127.0.0.1", 0)) as tcp:
        server.bind(path)
        server.listen()
        attempts = f"""
import socket, urllib.request
attempt("tcp", lambda: socket.create_connection(("127.0.0.1", {tcp.getsockname()[1]}), 1))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 53)))
attempt("tcp6", lambda: socket.socket(socket.AF_INET6))
attempt("unix", lambda: socket.socket(socket.AF_UNIX).connect({path!r}))
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0x"))
attempt("pair", socket.socketpair)
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt("vsock", lambda: socket.socket(socket.AF_VSOCK))
attempt("dns", lambda: socket.getaddrinfo("example.org", 80))
attempt("http", lambda: urllib.request.urlopen("http://127.0.0.1:{tcp.getsockname()[1]}", timeout=1))
"""
        assert survivors(sandbox, attempts) == {}


def test_nothing_outside_can_be_written(sandbox: Sandbox, public_directory: Path) -> None:
    library = sysconfig.get_path("stdlib")
    targets = [library, "/", "/dev", "/usr/lib", str(public_directory), str(Path.home()), "/var/tmp", "/dev/shm"]
    attempts = f"""
for target in {targets!r}:
    attempt("write " + target, lambda: open(target + "/planted.py", "w"))
    attempt("mkdir " + target, lambda: os.mkdir(target + "/planted"))
    attempt("link " + target, lambda: os.symlink("/", target + "/planted-link"))
import json as j
for path in [j.__file__, {__file__!r}]:
    attempt("append " + path, lambda: open(path, "a"))
    attempt("chmod " + path, lambda: os.chmod(path, 0o777))
    attempt("utime " + path, lambda: os.utime(path))
    attempt("truncate " + path, lambda: os.truncate(path, 0))
    attempt("unlink " + path, lambda: os.unlink(path))
    attempt("rename " + path, lambda: os.rename(path, "mine.py"))
    attempt("xattr " + path, lambda: os.setxattr(path, "user.x", b"x"))
    attempt("chown " + path, lambda: os.chown(path, os.getuid(), -1))
"""
    assert survivors(sandbox, attempts) == {}
    assert list(public_directory.iterdir()) == []


def test_no_other_process_can_be_signalled_or_traced(sandbox: Sandbox) -> None:
    zygote = sandbox._idle.get()
    sandbox._idle.put(zygote)
    pids = [1, -1, 0, os.getpid(), os.getppid(), zygote._process.pid]
    attempts = f"""
import ctypes, fcntl, signal
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*(ctypes.c_long(a) for a in arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")
def missing(): raise OSError
read, write = os.pipe()
for pid in {pids!r} + [os.getppid()]:
    for name in ("SIGKILL", "SIGINT", "SIGSTOP", "SIGTERM"):
        attempt(f"{{name}} {{pid}}", lambda: os.kill(pid, getattr(signal, name)))
    attempt(f"killpg {{pid}}", lambda: os.killpg(pid, 9))
    attempt(f"tgkill {{pid}}", lambda: call(234, pid, pid, 9))
    attempt(f"tkill {{pid}}", lambda: call(200, pid, 9))
    attempt(f"sigqueue {{pid}}", lambda: call(129, pid, 9, 0))
    attempt(f"attach {{pid}}", lambda: call(101, 16, pid, 0, 0))
    attempt(f"seize {{pid}}", lambda: call(101, 0x4206, pid, 0, 0))
    attempt(f"read memory {{pid}}", lambda: call(310, pid, 0, 0, 0, 0, 0))
    attempt(f"write memory {{pid}}", lambda: call(311, pid, 0, 0, 0, 0, 0))
    attempt(f"pidfd {{pid}}", lambda: os.pidfd_open(pid))
    attempt(f"owner {{pid}}", lambda: fcntl.fcntl(read, fcntl.F_SETOWN, pid))
    attempt(f"limits {{pid}}", lambda: __import__("resource").prlimit(pid, 0) if pid else missing())
    attempt(f"priority {{pid}}", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
"""
    assert survivors(sandbox, attempts) == {}


def test_privileged_and_dangerous_calls_are_refused(sandbox: Sandbox) -> None:
    attempts = """
import ctypes, resource
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*(ctypes.c_long(a) for a in arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")
numbers = dict(
    unshare=272, setns=308, mount=165, umount=166, pivot_root=155, chroot=161, keyctl=250, add_key=248, bpf=321,
    io_uring_setup=425, perf=298, userfaultfd=323, ptrace=101, setuid=105, setgid=106, setresuid=117,
    setsid=112, capset=126, personality=135, reboot=169, swapon=167, init_module=175, kexec=246, mknod=133,
    open_by_handle=304, name_to_handle=303, fanotify=300, inotify=253, quotactl=179, syslog=103,
    sethostname=170, settimeofday=164, clock_settime=227, seccomp=317, landlock=444, fsopen=430, open_tree=428,
    move_mount=429, mount_setattr=442, process_madvise=440, msgget=68, semget=64, mq_open=240, shmget=29,
    memfd_secret=447, iopl=172, modify_ldt=154, setpriority=141, sched_setaffinity=203, kcmp=312,
    pidfd_getfd=438, x32_read=0x40000000)
for name, number in numbers.items():
    attempt(name, lambda: call(number, 0, 0, 0, 0, 0, 0))
attempt("unshare user", lambda: call(272, 0x10000000))
attempt("prctl dumpable", lambda: call(157, 4, 1, 0, 0, 0))
attempt("prctl pdeathsig", lambda: call(157, 1, 0, 0, 0, 0))
attempt("prctl seccomp off", lambda: call(157, 22, 0, 0, 0, 0))
attempt("tiocsti", lambda: __import__("fcntl").ioctl(0, 0x5412, b"x"))
attempt("raise memory", lambda: resource.setrlimit(resource.RLIMIT_AS, (2 ** 40, 2 ** 40)))
attempt("raise time", lambda: resource.setrlimit(resource.RLIMIT_CPU, (-1, -1)))
attempt("nice", lambda: os.nice(-5))
"""
    assert survivors(sandbox, attempts, "OSError, ValueError") == {}


def test_32_bit_calls_kill(sandbox: Sandbox) -> None:
    source = """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b814000000cd80c3"))
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print(function())
"""
    assert sandbox.run(Program(source)).outcome == "killed"


def test_planted_start_files_are_gone_and_never_read(sandbox: Sandbox) -> None:
    names = ["sitecustomize.py", "usercustomize.py", "json.py", "evil.pth", "conftest.py", "pyvenv.cfg"]
    source = f"for name in {names!r}: open(name, 'w').write('raise SystemExit(9)')\nprint(1)"
    assert sandbox.run(Program(source)).stdout == "1\n"
    check = f"import os, json\nprint([n for n in {names!r} if os.path.exists(n)], json.__name__)\nimport sitecustomize"
    execution = sandbox.run(Program(check))
    assert execution.stdout == "[] json\n"
    assert "ModuleNotFoundError" in execution.stderr


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", ".", "..", "a\0b"])
def test_files_stay_in_the_working_directory(name: str) -> None:
    with pytest.raises(ValueError, match="must be a relative path"):
        Program("", files={name: ""})


def test_links_and_dots_lead_nowhere(sandbox: Sandbox, public_directory: Path) -> None:
    kept = public_directory / "kept.txt"
    kept.write_text("secret")
    kept.chmod(0o666)
    attempts = f"""
os.symlink({str(public_directory)!r}, "way")
os.symlink("/", "root")
for path in ["way/kept.txt", "root" + {str(kept)!r}, "../" * 30 + {str(kept)[1:]!r}, "/dev/../" + {str(kept)[1:]!r}]:
    attempt("read " + path, lambda: open(path).read())
    attempt("write " + path, lambda: open(path, "w"))
attempt("hard link", lambda: os.link({str(kept)!r}, "mine"))
"""
    assert survivors(sandbox, attempts) == {}
    assert kept.read_text() == "secret"


def test_nothing_is_left_between_executions(sandbox: Sandbox) -> None:
    source = """
import os
os.makedirs("a/b/c"); open("a/b/file", "w").write("x"); open(".hidden", "w").write("x")
for _ in range(1500):
    os.mkdir("deep"); os.chdir("deep")
    open("f", "w").close()
"""
    assert sandbox.run(Program(source), SMALL).outcome == "ok"
    closed = Program("import os\nos.mkdir('closed', 0o000)\nopen('.hidden', 'w').close()\nos.symlink('/dev', 'link')")
    assert sandbox.run(closed).outcome == "ok"
    assert (
        sandbox.run(Program("import os\nprint(os.listdir('.'), sorted(os.listdir(os.getcwd())))")).stdout == "[] []\n"
    )


def test_a_closed_stdout_is_no_way_to_hide(sandbox: Sandbox) -> None:
    execution = sandbox.run(Program("import os\nprint(42)\nos.close(1)"))
    assert (execution.outcome, execution.stdout) == ("nonzero_exit", "")
    assert sandbox.run(Program("import os, time\nos.close(1)\ntime.sleep(60)"), QUICK).outcome == "timeout"


def test_no_descriptor_is_inherited(sandbox: Sandbox, public_directory: Path) -> None:
    secret = public_directory / "secret"
    secret.write_text("42")
    source = """
import os
def is_open(n):
    try: os.fstat(n)
    except OSError: return False
    return True
print([n for n in range(20000) if is_open(n)])
"""
    with secret.open() as file:
        os.set_inheritable(file.fileno(), True)
        assert sandbox.run(Program(source)).stdout == "[0, 1, 2, 3]\n"


def test_the_input_cannot_be_grown(sandbox: Sandbox) -> None:
    assert survivors(sandbox, "attempt('write', lambda: os.write(0, b'x'))", stdin="1") == {}
