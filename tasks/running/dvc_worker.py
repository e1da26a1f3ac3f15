"""A process that holds one DVC repository open and serves requests over its pipes, one JSON object a line.

    python -m tasks.running.dvc_worker ROOT
    <- {"action": "repro", "target": "versions/v003/dvc.yaml:train", "stage": "train", "force": false,
        "log": "scratch/logs/..."}
    -> {"ok": true, "ran": ["versions/v003/dvc.yaml:train"]}  or  {"ok": false, "error": "...", "is_foreseen": true}

Importing DVC and opening a repository cost about a second; a worker pays that once for all stages of a version.
Candidates that train side by side have one worker each, because a Repo must not be shared by threads. Two workers
share one workspace: the repository lock, which DVC holds before and after a stage but not while it runs, is waited
for, and a path that the other one is just writing is tried again.

What DVC and the stages print goes to the request's log file.
"""

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException, ReproductionError
from dvc.lock import LockError
from dvc.repo import Repo

from evotrainer.errors import BUDGET_STATUS
from evotrainer.sandbox.processes import exit_with_owner
from tasks.running.secrets import withheld_from

MAX_LOCK_SECONDS = 600.0
FIRST_WAIT_SECONDS = 0.1
MAX_WAIT_SECONDS = 2.0


def repro(repo: Repo, request: dict[str, Any]) -> dict[str, Any]:
    """Bring one stage up to date; `ran` names it if it was run or restored from the run cache.

    A stage that the budget stopped leaves no half of an output, but the answers that were paid for.
    """
    target = request["target"]
    with withheld_from(request["stage"]):
        try:
            done = repo.reproduce(target, single_item=True, force=request["force"])
        except ReproductionError as error:
            if str(error.__cause__).endswith(f"exited with {BUDGET_STATUS}"):
                with repo.lock:
                    for stage in repo.stage.collect(target):
                        stage.remove_outs()  # those of which DVC keeps the last state stay
            raise
    return {"ran": [stage.addressing for stage in done]}


def push(repo: Repo, request: dict[str, Any]) -> dict[str, Any]:
    """Copy the outputs of these targets to the remote."""
    return {"pushed": repo.push(targets=request["targets"], remote=request.get("remote"))}


def pull(repo: Repo, request: dict[str, Any]) -> dict[str, Any]:
    """Fetch the outputs of these targets, and of all stages that they stand on, and link them into the workspace.

    Stages of a dvc.yaml that never ran here have no outputs: a campaign makes one base policy of several.
    """
    targets = [stage for target in request["targets"] for stage in _recorded(repo, target)]
    return {"pulled": repo.pull(targets=targets, with_deps=True, force=True) if targets else 0}


def _recorded(repo: Repo, target: str) -> list[str]:
    """Return a target, or of a dvc.yaml the stages whose outputs are recorded."""
    if not target.endswith("dvc.yaml"):
        return [target]
    return [stage.addressing for stage in repo.stage.load_file(target) if any(out.hash_info for out in stage.outs)]


def commit(repo: Repo, request: dict[str, Any]) -> dict[str, Any]:
    """Put what lies in the workspace into the cache, under the hash that it has."""
    repo.commit(request["target"], force=True)
    return {}


def add(repo: Repo, request: dict[str, Any]) -> dict[str, Any]:
    """Put a file or folder under DVC's control."""
    repo.add(request["target"])
    return {}


def altered(repo: Repo, request: dict[str, Any]) -> dict[str, Any]:
    """Name the cached outputs of each target that are not as recorded; DVC trusts files unchanged since it saw them."""
    found: dict[str, list[str]] = {}
    for target in request["targets"]:
        outs = [out for stage in repo.stage.load_file(target) for out in stage.outs if out.use_cache and out.hash_info]
        paths = [str(out) for out in outs if not out.exists or out.changed_checksum()]
        if paths:
            found[target] = paths
    return {"altered": found}


ACTIONS: dict[str, Callable[[Repo, dict[str, Any]], dict[str, Any]]] = {
    "repro": repro,
    "push": push,
    "pull": pull,
    "altered": altered,
    "commit": commit,
    "add": add,
}


def main(root: Path) -> None:
    """Answer requests until the pipe closes."""
    exit_with_owner()
    os.chdir(root)
    answers = os.fdopen(os.dup(1), "w")
    repo = Repo(str(root), _wait_for_lock=True)
    for line in sys.stdin:
        request = json.loads(line)
        _redirect_output(root / request["log"])
        print(json.dumps(_answer(repo, request)), file=answers, flush=True)


def _answer(repo: Repo, request: dict[str, Any]) -> dict[str, Any]:
    waited, wait = 0.0, FIRST_WAIT_SECONDS
    while True:
        try:
            return {"ok": True, **ACTIONS[request["action"]](repo, request)}
        except Exception as error:  # whatever DVC raises, the flow must get an answer
            if not _is_lock_error(error) or waited > MAX_LOCK_SECONDS:
                return {"ok": False, **_told(error)}
        time.sleep(wait)  # DVC raises at once where its lock is held, and tells nobody of its release
        waited, wait = waited + wait, min(2 * wait, MAX_WAIT_SECONDS)


def _is_lock_error(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, LockError):
            return True
        error = error.__cause__
    return False


def _told(error: BaseException) -> dict[str, Any]:
    """Return the first cause in one line, and whether it is one that DVC names itself; else the log has it all."""
    whole = error
    while error.__cause__ is not None:
        error = error.__cause__
    text = " ".join(str(error).split()) or type(error).__name__
    is_foreseen = isinstance(error, DvcException)
    if not is_foreseen:
        traceback.print_exception(whole)
    return {"error": text, "is_foreseen": is_foreseen}


def _redirect_output(log: Path) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
