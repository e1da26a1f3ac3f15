"""Write the built-in problem sets of all domains, and hash folders as DVC does."""

import hashlib
import json
from pathlib import Path

from evotrainer.domains import DOMAINS
from evotrainer.domains.frozen import unpack_problems


def build(out: Path) -> str:
    """Write out/<domain>/<split>.jsonl and return the hash of `out` (the one that data.dvc records)."""
    for domain in DOMAINS:
        unpack_problems(domain, out / domain)
    return directory_hash(out)


def directory_hash(folder: Path) -> str:
    """Return the hash of a directory's contents as DVC computes it: MD5 over the list of files and their MD5."""
    return hashlib.md5(directory_listing(folder)).hexdigest() + ".dir"


def directory_listing(folder: Path) -> bytes:
    """Return the list of files and their MD5 as DVC stores it for a directory."""
    entries = [{"md5": found, "relpath": name} for name, found in sorted(file_hashes(folder).items())]
    return json.dumps(entries, sort_keys=True).encode()


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the MD5 of each file by its path inside `folder`."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.md5(path.read_bytes()).hexdigest() for path in paths}
