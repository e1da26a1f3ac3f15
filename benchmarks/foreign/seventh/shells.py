"""Chores in a shell, checked on the state of the files."""

from random import Random

from benchmarks.foreign.seventh.prose import say
from benchmarks.foreign.seventh.rollouts import Reply, Task, call, said, told

_DIRECTORIES = ("reports", "photos", "invoices", "drafts", "backups", "exports", "logs", "notes")
_ENDINGS = ("csv", "txt", "log", "jpg", "md", "json")
_LOOKS = (
    "[|[Let me|I will|First I] [see|look at|check] what [is there|the folder holds|I have to work with]."
    "|Checking [the folder|its contents] [first|].|[A look|One look] [first|before I change anything].]"
)
_RUNS = (
    "[|[Now|Next] the [change|command itself].|This [should|will] do [it|what is asked]."
    "|[One|A single] command is [enough|sufficient]."
    "|[The names are plain|No spaces in the names], so [a glob|a simple pattern] [is safe|works].]"
)
_CLOSINGS = (
    "[Done in {where}.|Finished[.| with {where}.]|The [files|contents of {where}] are [now |]as you asked."
    "|[Task|That] [is|was] done; [nothing else was touched|tell me if you need more].]"
)


def listing(files: list[tuple[str, int]]) -> str:
    """Return what ls -l shows."""
    return "\n".join(f"-rw-r--r-- 1 ops ops {size:>7} {name}" for name, size in files)


def files_of(rng: Random) -> list[tuple[str, int]]:
    """Draw names and sizes of files."""
    names = {
        f"{rng.choice(('q', 'run', 'item', 'scan'))}{rng.randint(1, 99):02d}.{rng.choice(_ENDINGS)}"
        for _ in range(rng.randint(5, 9))
    }
    return [(name, rng.randint(120, 90000)) for name in sorted(names)]


def chore(rng: Random) -> tuple[str, str, str, str, list[tuple[str, int]], str]:
    """Draw a family; return it with the request, the right and the wrong command, the files and their folder."""
    files, where = files_of(rng), f"/data/{rng.choice(_DIRECTORIES)}{rng.randint(1, 60)}"
    old = rng.choice(files)[0].rsplit(".", 1)[1]
    limit = rng.choice((10000, 30000, 50000))
    options = {
        "archive": (
            f"Move all .{old} files of {where} into {where}/archive.",
            f"mkdir -p {where}/archive && mv {where}/*.{old} {where}/archive/",
            f"mkdir -p {where}/archive && cp {where}/*.{old} {where}/archive/",
        ),
        "rename": (
            f"Rename every .{old} file in {where} so that it ends in .bak instead.",
            f'for f in {where}/*.{old}; do mv "$f" "${{f%.{old}}}.bak"; done',
            f'for f in {where}/*.{old}; do mv "$f" "$f.bak"; done',
        ),
        "large": (
            f"Delete the files in {where} larger than {limit} bytes and keep the others.",
            f"find {where} -type f -size +{limit}c -delete",
            f"find {where} -type f -size -{limit}c -delete",
        ),
        "readonly": (
            f"Make the .{old} files in {where} read-only for everyone.",
            f"chmod 444 {where}/*.{old}",
            f"chmod 644 {where}/*.{old}",
        ),
        "manifest": (
            f"Write the sorted names of the files in {where} to {where}.list, one a line.",
            f"ls -1 {where} | sort > {where}.list",
            f"ls -l {where} > {where}.list",
        ),
    }
    family = rng.choice(list(options))
    return family, *options[family], files, where


def worked(rng: Random, command: str, files: list[tuple[str, int]], where: str) -> Reply:
    """Return a reply that looks at the folder and runs the command."""
    messages = [
        call(say(rng, _LOOKS), "shell", command=f"ls -l {where}"),
        told("shell", listing(files)),
        call(say(rng, _RUNS), "shell", command=command),
        told("shell", ""),
    ]
    messages.append(said(say(rng, _CLOSINGS.format(where=where))))
    return Reply(messages, command)


def shell_task(rng: Random, name: str) -> Task:
    """Draw a chore with its right command."""
    family, ask, good, bad, files, where = chore(rng)
    return Task(
        name,
        family,
        "shell",
        ask,
        good,
        lambda r, ok: worked(r, good if ok else bad, files, where),
        "You have one tool: shell(command).",
        rng.gauss(0, 0.8),
        {"workdir": where},
    )
