"""Compilation by numba, and where the compiled code lies: once a machine and user, for all checkouts and worktrees.

numba keeps compiled code beside the source and asks the file's time whether it still fits. A campaign's worktree is a
new folder with new times, so here the sources' own content is the key. The folder may be deleted at any time. Where it
cannot be written, each process compiles for itself.

The process that compiles computes in other last digits than those that load what it stored. A child compiles therefore,
and all that sample load.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import InTreeCacheLocator

_IN_ORDER: dict[str, Any] = {"fastmath": {"contract"}, "error_model": "numpy"}
"""The compiler may fuse a product with a sum."""
_ANY_ORDER: dict[str, Any] = _IN_ORDER | {"fastmath": {"contract", "reassoc", "nsz"}}
"""It may choose the order of a sum too: one order for all rows."""


def compile_ahead() -> None:
    """Let a child compile what this machine has not compiled yet."""
    if not list(_folder().glob("*.nbc")):
        program = "import evotrainer.engines.tiny.compiled.decode"  # which compiles
        subprocess.run([sys.executable, "-c", program], check=False)


def compiled(function: Callable[..., Any]) -> Any:
    """Return the function, compiled as a part of what calls it."""
    return numba.njit(function, **_ANY_ORDER)


def compiled_in_order(function: Callable[..., Any]) -> Any:
    """Return the function, compiled as a part of what calls it, each operation where it stands."""
    return numba.njit(function, **_IN_ORDER)


def compiled_entry(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return what compiles a function for these types as it is defined; it runs without Python's lock.

    The first definition on a machine compiles, later ones load. A process that has imported the function hands it to
    its forks.
    """

    def compile_or_load(function: Callable[..., Any]) -> Any:
        entry: Any = numba.njit(function, nogil=True, **_ANY_ORDER)
        with suppress(RuntimeError):  # no folder can be written
            entry.enable_caching()
        entry.compile(signature)
        entry.disable_compile()
        return entry

    return compile_or_load


def _folder() -> Path:
    """Return the folder, which the content of this package names."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return Path(base) / "evotrainer" / "compiled" / hashlib.sha256(sources).hexdigest()[:24]


class Locator(InTreeCacheLocator):
    """What numba asks for the folder."""

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(_folder())


numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"  # type: ignore[attr-defined]
