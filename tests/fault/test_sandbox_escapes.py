"""Attacks on the sandbox, each really run, on every backend that this machine's kernel allows."""

import json
import os
import socket
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from evotrainer.errors import SandboxError
from evotrainer.sandbox import BACKENDS, Limits, Program, Sandbox, values_equal

QUICK = Limits(cpu_seconds=10, wall_seconds=0.4)
SMALL = Limits(cpu_seconds=10, wall_seconds=20, memory_bytes=256 * 1024**2, output_bytes=10_000)

TRY = """
import json, os, sys
report = {}
def attempt(name, action):
    try:
        report[name] = repr(action())
    except BaseException as error:
        report[name] = error
def refused(*kinds):
    kept = {name: str(result) for name, result in report.items() if not isinstance(result, kinds or (OSError,))}
    print(json.dumps(kept))
"""
"""Prints what did NOT fail with an error of the given kinds: {} when every attempt was refused."""


@pytest.fixture(scope="module", params=BACKENDS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    try:
        opened = Sandbox(request.param).__enter__()
    except SandboxError as error:
        pytest.skip(str(error))
    yield opened
    opened.__exit__(None, None, None)


@pytest.fixture(autouse=True)
def still_works(sandbox: Sandbox) -> Iterator[None]:
    """After each attack the sandbox runs an honest program, in the same zygote."""
    zygote = sandbox._idle.get()
    sandbox._idle.put(zygote)
    yield
    assert zygote.is_running
    assert sandbox.run(Program("print(sum(range(10)))")).stdout == "45\n"


def survivors(sandbox: Sandbox, attempts: str, kinds: str = "", stdin: str = "") -> dict[str, str]:
    execution = sandbox.run(Program(f"{TRY}\n{attempts}\nrefused({kinds})", stdin=stdin), SMALL)
    assert execution.outcome == "ok", execution.stderr
    return json.loads(execution.stdout)


def test_some_backend_protects_this_machine() -> None:
    with Sandbox() as sandbox:
        assert sandbox.run(Program("print(1)")).outcome == "ok"


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "import time; time.sleep(60)",
        "print(len(str(7 ** 10 ** 9)))",
        "import os, sys\nos.close(0); os.close(1); os.close(2)\nwhile True: pass",
        "import signal as s\nfor n in range(1, 32):\n    if n not in (9, 19): s.signal(n, s.SIG_IGN)\nwhile True: pass",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()",
        "import atexit, time\natexit.register(time.sleep, 60)",
        "try:\n    while True: pass\nfinally:\n    while True: pass",
    ],
)
def test_endless_programs_time_out(sandbox: Sandbox, source: str) -> None:
    assert sandbox.run(Program(source), QUICK).outcome == "timeout"


def test_processor_time_is_limited_apart_from_the_wall(sandbox: Sandbox) -> None:
    deaf = Program("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass")
    execution = sandbox.run(deaf, Limits(cpu_seconds=1, wall_seconds=60))
    assert (execution.outcome, execution.signal) == ("timeout", 9)


def test_no_process_can_be_made(sandbox: Sandbox) -> None:
    attempts = """
import ctypes, subprocess
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*(ctypes.c_long(a) for a in arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")
attempt("fork", os.fork)
attempt("forkpty", os.forkpty)
attempt("spawn", lambda: os.posix_spawn(sys.executable, [sys.executable], {}))
attempt("subprocess", lambda: subprocess.run([sys.executable, "-c", "1"]))
attempt("execv", lambda: os.execv(sys.executable, [sys.executable, "-c", "print(1)"]))
attempt("vfork", lambda: call(58))
attempt("clone", lambda: call(56, 17, 0, 0, 0, 0))
attempt("clone3", lambda: call(435, 0, 0))
"""
    assert survivors(sandbox, attempts) == {}


def test_a_fork_bomb_is_denied(sandbox: Sandbox) -> None:
    assert sandbox.run(Program("import os\nwhile True: os.fork()")).outcome == "denied"


def test_a_thread_bomb_ends(sandbox: Sandbox) -> None:
    source = (
        "import threading, time\nmade = 0\ntry:\n    while made < 5000:\n"
        "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); made += 1\n"
        "except RuntimeError: pass\nprint(made)"
    )
    execution = sandbox.run(Program(source), Limits(cpu_seconds=10, wall_seconds=20, memory_bytes=256 * 1024**2))
    assert execution.outcome == "ok"
    assert 0 < int(execution.stdout) < 70


@pytest.mark.parametrize(
    "source",
    [
        "x = []\nwhile True: x.append(bytearray(10 ** 7))",
        "bytearray(10 ** 10)",
        "x = 'a'\nwhile True: x += x",
        "import mmap\nx = []\nwhile True: x.append(mmap.mmap(-1, 10 ** 8))",
    ],
)
def test_memory_bombs_are_contained(sandbox: Sandbox, source: str) -> None:
    execution = sandbox.run(Program(source), SMALL)
    assert execution.outcome == ("nonzero_exit" if "mmap" in source else "memory"), execution.stderr


def test_no_memory_outside_the_limit(sandbox: Sandbox) -> None:
    attempts = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def shmget():
    if libc.shmget(0, 10 ** 6, 0o1600) < 0:
        raise OSError(ctypes.get_errno(), "refused")
attempt("memfd", lambda: os.memfd_create("x"))
attempt("shmget", shmget)
attempt("large file", lambda: open("large", "wb").write(bytes(10 ** 8)))
"""
    assert survivors(sandbox, attempts) == {}


def test_files_together_are_limited_in_namespaces(sandbox: Sandbox) -> None:
    if sandbox.backend != "namespaces":
        pytest.skip("Landlock limits each file, not their sum")
    source = "n = 0\nwhile True:\n    open(str(n), 'wb').write(bytes(10 ** 6)); n += 1"
    execution = sandbox.run(Program(source), Limits(file_bytes=8 * 1024**2))
    assert execution.outcome == "nonzero_exit"
    assert "No space left" in execution.stderr


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_of_output_is_cut(sandbox: Sandbox, stream: str) -> None:
    source = f"import sys\nfor _ in range(100): sys.{stream}.write('x' * 10 ** 6)"
    execution = sandbox.run(Program(source), SMALL)
    assert execution.outcome == "output_limit"
    assert len(execution.stdout) + len(execution.stderr) == SMALL.output_bytes


def test_a_flood_of_a_value_is_cut(sandbox: Sandbox) -> None:
    program = Program("def f(): return 'x' * 10 ** 8", function="f")
    assert sandbox.run(program, Limits(output_bytes=10_000, memory_bytes=10**9)).outcome == "output_limit"


def test_home_and_files_of_the_person_cannot_be_read(sandbox: Sandbox, public_directory: Path) -> None:
    secret = public_directory / "hidden_tests.json"
    secret.write_text("expected: 42")
    secret.chmod(0o644)
    attempts = f"""
def missing(): raise FileNotFoundError
for path in [{str(secret)!r}, {str(Path(__file__))!r}, "/etc/passwd", "/etc/shadow", "/etc/hostname"]:
    attempt(path, lambda: open(path).read())
for path in [{str(public_directory)!r}, {str(Path.home())!r}, "/home", "/etc", "/proc", "/sys", "/var", "/tmp/.."]:
    attempt(path, lambda: [n for n in os.listdir(path) if n not in {shown_names(sandbox)!r}] or missing())
"""
    assert survivors(sandbox, attempts) == {}


def shown_names(sandbox: Sandbox) -> list[str]:
    """Names on the way to the standard library, which the new root has as empty directories."""
    parts = Path(sysconfig.get_path("stdlib")).parts
    return (
        [*parts, "etc", "ld.so.cache", "localtime", "tmp", "dev", "usr", "lib64", "box"]
        if sandbox.backend == "namespaces"
        else []
    )


def test_the_environment_is_empty(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    source = (
        "import os, ctypes\nlibc = ctypes.CDLL(None); libc.getenv.restype = ctypes.c_char_p\n"
        "print(dict(os.environ), [libc.getenv(n) for n in (b'API_KEY', b'HOME', b'PATH', b'USER')])"
    )
    assert sandbox.run(Program(source)).stdout == "{} [None, None, None, None]\n"


def test_nothing_of_an_earlier_execution_is_left_in_memory(sandbox: Sandbox) -> None:
    marker = "marker" + "-of-another-problem"
    earlier = Program(f"hidden = {marker!r}", stdin=marker, files={"tests.txt": marker})
    assert sandbox.run(earlier).outcome == "ok"
    source = """
import gc, sys, ctypes
wanted = "-".join(["marker", "of", "another", "problem"])
things = [str(o)[:10 ** 6] for o in gc.get_objects() if isinstance(o, (str, dict, list))]
found = [text for text in things if wanted in text and "wanted" not in text]
own = ("wanted", "request", "source", "module", "found", "things")
frame, depth = sys._getframe(), 0
while frame:
    found += [v for k, v in frame.f_locals.items() if k not in own and wanted in str(v)]
    frame, depth = frame.f_back, depth + 1
libc = ctypes.CDLL(None); libc.sbrk.restype = ctypes.c_void_p
end = libc.sbrk(0)
heap = ctypes.string_at(end - 100_000, 100_000)
print(found, depth > 3, (wanted + "!").encode()[:-1] in heap.replace(wanted.encode() + b"\\0", b""))
"""
    assert sandbox.run(Program(source), SMALL).stdout == "[] True False\n"


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
    targets = [
        library,
        f"{library}/json",
        "/",
        "/dev",
        "/usr/lib",
        str(public_directory),
        str(Path.home()),
        "/var/tmp",
        "/dev/shm",
    ]
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


def test_frame_walking_finds_no_answer_and_no_way_out(sandbox: Sandbox) -> None:
    source = """
import gc, os, socket, sys
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if isinstance(value, list) and value and all(isinstance(v, int) for v in value):
            for number in value:
                try: os.write(number, b'{"status": 0, "cpu_seconds": 0}')
                except OSError: pass
    frame = frame.f_back
for thing in gc.get_objects():
    if isinstance(thing, socket.socket):
        try: thing.send(b'{"status": 0, "cpu_seconds": 0}'); print("reached the parent")
        except OSError: pass
sys.exit(3)
"""
    execution = sandbox.run(Program(source))
    assert (execution.outcome, execution.exit_status, execution.stdout) == ("nonzero_exit", 3, "")


@pytest.mark.parametrize(
    "source",
    [
        "class Equal:\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "class Equal(int):\n    def __eq__(self, other): return True\ndef f(): return Equal(41)",
        "class Equal(str):\n    def __eq__(self, other): return True\ndef f(): return Equal('42')",
        "class Equal(list):\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "class Equal(dict):\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "def f(): return 42.0",
        "def f(): return '42'",
        "def f(): return {42}",
        "def f(): return {42: 42}",
        "def f(): print(42)",
        "import json\njson.dumps = lambda *a, **k: '[' * 100000\ndef f(): return 42",
        "import os\ndef f(): os._exit(0)",
        "import sys\ndef f(): sys.exit(0)",
        "import os\nos._exit(0)\ndef f(): return 42",
        "def f():\n    print('\"ready\"'); print('{\"value\": 42}')\n    return 41",
        "import os\ndef f():\n    os.write(1, b'{\"value\": 42}\\n')\n    os._exit(0)",
    ],
)
def test_no_trick_passes_for_the_answer(sandbox: Sandbox, source: str) -> None:
    execution = sandbox.run(Program(source, function="f"))
    assert execution.outcome in ("ok", "no_result", "nonzero_exit"), execution.stderr
    assert not (execution.outcome == "ok" and values_equal(42, execution.value))


@pytest.mark.parametrize(
    "line",
    ['{"failed": "x"}', '"ready"', '{"error": ["memory"]}', "[" * 5000, "\\xff\\x00", '{"value": NaN}', "9" * 9000],
)
def test_a_forged_result_is_an_answer_never_a_failure_of_the_sandbox(sandbox: Sandbox, line: str) -> None:
    source = f"import os\ndef f():\n    os.write(3, {line!r}.encode() + b'\\n')\n    os._exit(1)"
    execution = sandbox.run(Program(source, function="f"))
    assert (execution.outcome, execution.value) == ("nonzero_exit", None)


def test_exit_handlers_run_and_cannot_change_a_given_value(sandbox: Sandbox) -> None:
    source = "import atexit, os\natexit.register(lambda: os.write(3, b'{\"value\": 42}\\n'))\ndef f(): return 41"
    assert sandbox.run(Program(source, function="f")).value == 41


def test_leaving_early_with_status_0_gives_only_what_was_written(sandbox: Sandbox) -> None:
    execution = sandbox.run(Program("import os\nprint('lost')\nos._exit(0)\nprint('42')"))
    assert (execution.outcome, execution.stdout) == ("ok", "")


def test_patched_modules_harm_neither_the_clock_nor_the_next_program(sandbox: Sandbox) -> None:
    source = """
import builtins, json, os, sys, time, threading, atexit
time.time = time.monotonic = time.perf_counter = lambda: 0.0
json.dumps = json.loads = lambda *a, **k: 'null'
os._exit = lambda status: None
sys.exit = sys.stdout.flush = threading._shutdown = atexit._run_exitfuncs = lambda *a: None
builtins.print = builtins.open = builtins.len = None
sys.modules.clear()
while True: pass
"""
    patched = sandbox.run(Program(source), QUICK)
    assert patched.outcome == "timeout"
    assert patched.seconds >= QUICK.wall_seconds
    execution = sandbox.run(Program("import json, time\nprint(json.dumps([1]), time.time() > 1e9, len('ab'))"))
    assert execution.stdout == "[1] True 2\n"


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


def test_proc_cannot_be_read(sandbox: Sandbox) -> None:
    names = ["environ", "mem", "maps", "cmdline", "status", "fd", "root", "cwd", "stat"]
    paths = [f"/proc/{who}/{name}" for who in ("self", "1", os.getpid(), "thread-self") for name in names]
    attempts = f"""
for path in {[*paths, "/proc/cpuinfo", "/proc/mounts", "/proc/kallsyms", "/sys/kernel"]!r}:
    attempt("open " + path, lambda: open(path).read())
    if not path.endswith("cwd"):
        attempt("list " + path, lambda: os.listdir(path))
"""
    assert survivors(sandbox, attempts) == {}


def test_the_input_cannot_be_grown(sandbox: Sandbox) -> None:
    assert survivors(sandbox, "attempt('write', lambda: os.write(0, b'x'))", stdin="1") == {}


def test_a_crash_is_an_outcome(sandbox: Sandbox) -> None:
    execution = sandbox.run(Program("import ctypes\nctypes.string_at(0)"))
    assert (execution.outcome, execution.signal, execution.exit_status) == ("killed", 11, None)
    assert sandbox.run(Program("import os\nos.abort()")).outcome == "killed"
