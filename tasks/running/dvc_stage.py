"""One DVC stage brought up to date so that a kill costs at most the run of a stage, never what a run had finished.

    note of the start ─► the stage runs ─► note of its end ─► dvc.lock ─► cache ─► no note
            │                                    │               │
            └ killed: it runs again              └ recorded      └ put into the cache, or taken from it

DVC itself fills its cache first and writes dvc.lock last, and runs a stage again that is in one of the two alone. Its
run cache would not help: it holds no stage with an output that git keeps. finished_stages.py has the notes.
"""

from pathlib import Path
from typing import Any

from dvc.repo import Repo
from dvc.repo.reproduce import reproduce
from dvc.stage import Stage
from dvc.stage.exceptions import StageCmdFailedError

from evotrainer.errors import BUDGET_STATUS
from tasks.running.dvc_shortcuts import write_lock
from tasks.running.finished_stages import has_ended, is_as_noted, note_start


def bring_up_to_date(repo: Repo, target: str, note: Path, force: bool) -> list[str]:
    """Run a stage if it has to; return its address if it was run, or restored from the run cache."""

    def reproduced(stage: Stage, force: bool, **options: Any) -> Stage | None:
        if not force and has_ended(note) and _take_over(stage, note):
            return None
        note_start(note, str(stage.cmd), _inputs(stage), [out.def_path for out in stage.outs])
        done = _reproduce(stage, force=force, no_commit=True, **options)
        if done is not None:
            _record(stage)
        note.unlink(missing_ok=True)
        return done

    stages = reproduce(repo, target, single_item=True, force=force, repro_fn=reproduced)
    return [stage.addressing for stage in stages]


def _reproduce(stage: Stage, **options: Any) -> Stage | None:
    """Run a stage; one that the budget stopped leaves no half of an output, but the answers that were paid for."""
    try:
        return stage.reproduce(**options)
    except StageCmdFailedError as error:
        if str(error).endswith(f"exited with {BUDGET_STATUS}"):
            stage.remove_outs()  # those of which DVC keeps the last state stay
        raise


def _take_over(stage: Stage, note: Path) -> bool:
    """Record what a killed run had finished; tell whether the stage is up to date then."""
    if not stage.changed_stage() and not stage.changed_deps() and all(out.hash_info for out in stage.outs):
        for out in stage.outs:
            if out.use_cache and not out.changed_cache():  # killed between taking it away and linking it back
                out.checkout(force=True)
        if not stage.changed(allow_missing=True):
            stage.commit()
    elif is_as_noted(note, Path(stage.wdir), str(stage.cmd), _inputs(stage)):
        stage.save(run_cache=False)
        _record(stage)
    if stage.changed():
        return False
    note.unlink()
    return True


def _record(stage: Stage) -> None:
    """Write dvc.lock, then fill the cache: the run after a kill in between completes what is recorded."""
    write_lock(stage)
    if all(out.use_cache for out in stage.outs):
        stage.repo.stage_cache.save(stage)
    stage.commit()


def _inputs(stage: Stage) -> dict[str, str]:
    """Return the hash of each dependency as it lies there now; that of an unchanged file is not computed again."""
    return {dep.def_path: str(dep.get_hash().value) if dep.exists else "" for dep in stage.deps}
