"""What the watch in the sandbox (watch_inside.py) is given: hidden tests, which then lie there as empty files only."""

from collections.abc import Mapping, Sequence

from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.runners.sentinels import Sentinels
from evotrainer.domains.swe.runners.test_paths import is_helper, is_protected
from evotrainer.sandbox import Program
from evotrainer.sandbox.inside import calling

PACKAGE = "evotrainer.domains.swe.runners"
MODULES = ("plain", "pair", "fresh", "kept", "watch", "hidden", "code", "claims", "stand_ins", "imports", "remote")
INSIDE = tuple(f"{PACKAGE}.{name}_inside" for name in MODULES)
"""Modules of this folder that sandboxes of both runners have loaded."""


def watched(snapshot: Snapshot, sentinels: Sentinels) -> tuple[dict[str, str], list[str]]:
    """Return the Python files to watch, path -> text, planted tests among them, and the attempt's own paths; nothing
    where the snapshot hides nothing. Hidden data is read by the tests through the code under test, and stays in place.
    """
    if not snapshot.hidden:
        return {}, []
    hidden = {path: snapshot.files[path] for path in sorted(snapshot.hidden) if path in snapshot.files}
    python = {path: text for path, text in hidden.items() if path.endswith(".py")}
    changed = [path for path in snapshot.changes if path not in snapshot.hidden]
    return python | {sentinels.path: sentinels.source}, changed


def support(snapshot: Snapshot) -> dict[str, str]:
    """Return the Python files that tests are made of beside the hidden ones, as the repository has them."""
    files = snapshot.repository.files
    return {
        path: text
        for path, text in files.items()
        if path.endswith(".py") and (is_protected(path) or is_helper(path)) and path not in snapshot.changes
    }


def added(snapshot: Snapshot) -> list[str]:
    """Return the attempt's own Python files at places where the repository has none."""
    changes = {path for path, text in snapshot.changes.items() if text is not None and path.endswith(".py")}
    return sorted(changes - snapshot.hidden - snapshot.repository.files.keys())


def code_program(
    files: Mapping[str, str],
    hidden: Sequence[str],
    changed: Sequence[str],
    is_fresh: bool,
    base: tuple[str, list[str]] | None = None,
) -> Program:
    """Return the program that holds the code under test, beside one that holds the tests (code_inside.py).

    `is_fresh`: modules are made anew for each test. `base`: a folder whose files stand beside `files`, and paths of
    it that do not.
    """
    return Program(
        calling(f"{PACKAGE}.code_inside", "serve"),
        function="serve",
        files=dict(files),
        arguments=(list(hidden), list(changed), is_fresh, base),
    )


def emptied(files: Mapping[str, str | None], hidden: Mapping[str, str]) -> dict[str, str]:
    """Return the files that are there, with empty ones in the place of those to watch."""
    return {path: "" if path in hidden else text for path, text in files.items() if text is not None}
