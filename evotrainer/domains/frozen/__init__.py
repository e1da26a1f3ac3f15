"""The built-in problem sets and base policies, as compressed files beside this module: the same on every machine.

    frozen/math/train.jsonl.xz         ─► data/math/train.jsonl                    code, swe
    frozen/words/train.jsonl.xz        ─► where `evotrainer data export` puts it   functions
    frozen/policies/tiny_math/...      ─► policies/tiny_math/...

A base policy was trained on demonstrations; `.demonstrated.txt` names the problems that they solved.
"""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evotrainer.campaign.documents import write_atomic
from evotrainer.errors import ConfigError

FROZEN = Path(__file__).parent
POLICIES = FROZEN / "policies"
SPLITS = ("train", "probe", "validation", "test", "holdout")


def unpack_problems(domain: str, out: Path) -> None:
    """Write the built-in problems of a domain, one file a split."""
    _unpack(FROZEN / domain, out)


def unpack_policy(name: str, out: Path) -> None:
    """Write an embedded base policy; raises ConfigError for a name that is not embedded."""
    if name not in policy_names():
        raise ConfigError(f"'{name}' is no embedded policy: choose one of {', '.join(policy_names())}")
    _unpack(POLICIES / name, out)


def policy_names() -> list[str]:
    """Return the names of the embedded base policies."""
    return sorted(path.name for path in POLICIES.iterdir())


def problem_rows(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of every problem of a built-in set."""
    for split in SPLITS:
        if (path := FROZEN / name / f"{split}.jsonl.xz").is_file():
            for line in lzma.decompress(path.read_bytes()).splitlines():
                yield split, json.loads(line)


def _unpack(source: Path, out: Path) -> None:
    """Files are replaced, not written into: a cached file may be linked from other folders."""
    for path in sorted(source.iterdir()):
        content = path.read_bytes()
        if path.suffix == ".xz":
            write_atomic(out / path.stem, lzma.decompress(content))
        else:
            write_atomic(out / path.name, content)
