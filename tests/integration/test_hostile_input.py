"""Every command with broken files, names, numbers and settings: one property for all of them.

A refusal has status 1 or 2, at most three lines of errors, no traceback and no control character. It comes before a
server or a model is started, and leaves nothing behind. All commands run in one process. One run tries every value in
some place, and some value in every place.
"""

import gzip
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.conftest import Repository

ROUNDS = int(os.environ.get("ROUNDS", "1"))
"""Times that a place meets its share of the values; 30 try each value in each place."""
TRIED = """
query NAME one | query c SQL | serve --campaigns NUMBER | serve --trainings NUMBER | serve --port NUMBER | gate NAME
gate c NAME | gate c v001 NAME | lineage NAME | why NAME v001 | why c NAME | diff NAME v001 v002 | diff c NAME v002
harness NAME | report NAME | config NAME | diagnose NAME | diagnose c NAME | diagnose --trajectories FILE
diagnose --trajectories GOOD --from NAME | diagnose --trajectories GOOD --map FILE
diagnose --trajectories GOOD --checks FILE | diagnose --trajectories GOOD --set SETTING | view FILE
view GOOD --from NAME | view GOOD --map FILE | view GOOD --checks FILE | view GOOD --tokenizer FILE
view GOOD --port NUMBER | follow GOOD --until-idle NUMBER | follow GOOD --every NUMBER | follow GOOD --from NAME
follow GOOD --map FILE | follow GOOD --checks FILE | follow GOOD --when NAME | compare FILE GOOD | compare GOOD FILE
compare GOOD GOOD --from NAME | compare GOOD GOOD --map FILE | compare GOOD GOOD --plan NUMBER
compare GOOD GOOD --show NUMBER | compare GOOD GOOD --sequential TAKEN | reproduce NAME v001 | reproduce c NAME
reproduce c v001 --remote NAME | certificate NAME | mcp --root TAKEN | mcp --port NUMBER | export NAME out
export c out --version NAME | export-trajectories out NAME v001 | export-trajectories out c NAME
export-trajectories out --trajectories FILE | export-trajectories out --trajectories GOOD --to NAME
export-trajectories out c v001 --stage NAME | export-trajectories out --trajectories GOOD --from NAME | trials FILE
trials GOOD --score NAME | trials GOOD --better NAME | script SETTING | script --folder FILE | script --trials NUMBER
script --seed NUMBER | memory NAME | campaign run NAME | campaign run n SETTING | campaign check NAME
campaign check n SETTING | campaign schedule NAME --cron NIGHTLY | campaign schedule n --cron TIME
campaign schedule n --cron NIGHTLY --until TIME | campaign schedule n --cron NIGHTLY --timezone TIME
campaign status NAME | campaign stop NAME | campaign push NAME | campaign push c --git NAME
campaign gc NAME | campaign delete NAME
data check FILE | data check GOOD --against FILE | data check GOOD --domain NAME | data check GOOD --map NAME
data verify FILE | data check GOOD --repos FILE | data verify GOOD --domain NAME | data verify GOOD --map NAME
data verify GOOD --repos FILE | data export NAME out | policy sft FILE GOOD out | policy sft policies/tiny_math FILE out
policy fetch NAME | policy fetch smollm2-135m out --revision NAME | policy sft policies/tiny_math GOOD out SETTING
policy sft policies/tiny_math GOOD out --rows NUMBER | policy sft policies/tiny_math GOOD out --passes NUMBER
policy sft policies/tiny_math GOOD out --batch NUMBER | policy sft policies/tiny_math GOOD out --rate NUMBER
policy sft policies/tiny_math GOOD out --against FILE | engine check SETTING | intervention check FILE
intervention check GOOD --on NAME | intervention check GOOD --trajectories FILE
"""
"""Places for a broken value: a word in capitals."""
GOOD = {"GOOD": "hostile/good.jsonl", "NIGHTLY": "0 22 * * *", "out": "hostile/out"}
FILES = {
    "empty.jsonl": b"",
    "junk.jsonl": bytes(range(256)) * 40,
    "cut.json": b'{"rows": [{"prompt": "a", ',
    "numbers.jsonl": b"1\n2\n3\n",
    "deep.json": b"[" * 100_000,
    "wide.jsonl": b'{"' + b"x" * 1_000_000 + b'": 1}\n',
    "control.jsonl": b'{"\\u001b[31mred": "\\u001b[2J", "b\\u0007": 1}\n' * 3,
    "untitled.jsonl": b'{"id": 5, "title": 7, "prompt": 1, "completion": 2, "reward": "\\u001b[31m"}\n' * 3,
    "utf16.json": '{"prompt": "a"}'.encode("utf-16"),
    "cut.jsonl.gz": gzip.compress(b'{"prompt": "a"}\n' * 100)[:40],
    "cut.parquet": b"PAR1\x15\x04",
    "cut.yaml": b"a: [1, 2\nb: \t- {",
    "tags.yaml": b"!!python/object/apply:os.system ['true']\n",
    "\x1b[31mred.jsonl": b'{"a": 1}\n',
}
PLACES = ("missing.jsonl", "folder", "pipe", "loop", "x" * 300, "not a\nfile", *FILES)
BROKEN = {
    "NAME": ("../x", "a/b", " ", "x" * 300, "a\x1b[31mred", "two\nlines", "日本", "%s{}", "A=", "\u202egnp", "é" * 90),
    "NUMBER": ("-1", "nan", "1e999", "9" * 30, "three", "", "0x10", "\x1b[31m1"),
    "SETTING": (
        *("num_versions=-1", "num_versions=x", "=", "\x1b[31m=3", "nothing", "domain=@", "a.b.c=1", "~seed", "seed={"),
        *("x=" * 200, "policy.path=../../..", "evaluate.max_problems=nan", "domain.name=\x1b[31m"),
    ),
    "SQL": ("", "DROP TABLE x", "SELECT", "SELECT 1; SELECT 2", "\x1b[31m", "SELECT * FROM read_csv('/etc/passwd')"),
    "TIME": ("* * *", "61 * * * *", "soon", "2020-01-01T00:00:00", "25:00", "Mars/Olympus", "\x1b[31m"),
    "TAKEN": ("hostile/pipe", "hostile/loop", "hostile/cut.json", "hostile/junk.jsonl", "hostile/" + "x" * 300),
    "FILE": (*(f"hostile/{one}" for one in PLACES), "/dev/zero", "/proc/self/mem"),
}
SERVERS = ("prefect.server.api.server", "torch", "transformers")
DRIVER = """
import contextlib, io, json, signal, sys, time
from cli.main import app

class Late(BaseException):
    pass

def late(number, frame):
    raise Late

signal.signal(signal.SIGALRM, late)
for command in json.loads(sys.stdin.read()):
    out, error, start = io.StringIO(), io.StringIO(), time.monotonic()
    known = set(sys.modules)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        signal.alarm(30)
        try:
            app(command)
            status = 0
        except SystemExit as left:
            status = left.code or 0
        except BaseException as failure:
            status = repr(failure)
        signal.alarm(0)
    row = [command, status, out.getvalue()[:9000], error.getvalue()[:9000], time.monotonic() - start]
    print(json.dumps([*row, sorted(set(sys.modules) - known)]), file=sys.__stdout__, flush=True)
"""


def places() -> list[list[str]]:
    return [str(place).split() for line in TRIED.strip().splitlines() for place in line.split(" | ")]


def commands() -> list[list[str]]:
    """Return what is tried: values of a kind are dealt to its places in turn, at least one to each, and each once."""
    found = []
    for kind, values in BROKEN.items():
        meant = [words for words in places() if kind in words]
        share = min(len(values), ROUNDS * math.ceil(len(values) / len(meant)))
        for number, words in enumerate(meant):
            dealt = {values[(number * share + place) % len(values)] for place in range(share)}
            found += [[{**GOOD, kind: value}.get(word, word) for word in words] for value in sorted(dealt)]
    return found


def lay_out(folder: Path) -> None:
    """Write the broken files, and a good one."""
    (folder / "folder").mkdir(parents=True)
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to("loop")
    rows = [{"prompt": f"What is {n} + 1?", "completion": f"{n + 1}", "reward": 1.0} for n in range(4)]
    for name, content in {**FILES, "good.jsonl": "\n".join(map(json.dumps, rows)).encode()}.items():
        (folder / name).write_bytes(content)


def tree(root: Path) -> set[str]:
    """Return all files, but for git's and for locks, which stay."""
    found = (Path(at).relative_to(root) / name for at, _, names in os.walk(root) for name in names)
    return {str(path) for path in found if path.parts[0] != ".git" and path.suffix != ".lock"}


def faults(row: list) -> list[str]:
    """Return what is wrong with an answer."""
    command, status, out, error, _, loaded = row
    said = error.strip() + out
    return [
        *([] if status in (1, 2) else [f"status {status}"]),
        *([] if error.strip().count("\n") < 3 and len(said) < 3000 else ["long"]),
        *(["a traceback"] if "Traceback" in said or "a fault of the program" in said else []),
        *(["control characters"] if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", said) else []),
        *(f"starts {name}" for name in SERVERS if name in loaded and command[0] != "engine"),
    ]


@pytest.mark.slow
def test_every_command_refuses_what_is_broken(repository: Repository) -> None:
    lay_out(repository.root / "hostile")
    before, tried = tree(repository.root), commands()
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps(tried),
        cwd=repository.root,
        env=repository.shell(),
        capture_output=True,
        text=True,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if where := os.environ.get("ROWS"):
        Path(where).write_text(json.dumps([rows, sorted(tree(repository.root) - before), done.stderr[-3000:]]))
    assert len(rows) == len(tried), done.stderr[-2000:]
    assert [(row[0], found) for row in rows if (found := faults(row))] == []
    assert tree(repository.root) - before == set()
