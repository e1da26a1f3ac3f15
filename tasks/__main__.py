"""The light stage runner: `python -m tasks STAGE SUBJECT` runs one stage of the campaign around this file.

It is the `cmd` of every DVC stage, started through stage.sh. It asserts that the code it runs is the campaign's own (a
console script of the main checkout would import the main checkout's edited code), ends when its owner does, prints the
stage's own last error as one line, and notes what the stage cost. It imports neither Prefect nor typer.

Exit status: 0 done, 1 refused or failed, 75 the machine failed (worth a retry), 78 the budget is spent.
"""

import importlib
import importlib.util
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

from evotrainer.campaign.kept_batches import kept_batches
from evotrainer.campaign.layout import CampaignFiles, Subject
from evotrainer.campaign.ledger import cpu_seconds, note_cost
from evotrainer.campaign.untrusted import escape
from evotrainer.engines import end_all
from evotrainer.errors import (
    BUDGET_STATUS,
    RETRY_STATUS,
    BudgetError,
    EvoTrainerError,
    InfrastructureError,
    is_shortage,
)
from evotrainer.sandbox.processes import exit_with_owner
from tasks.running.budget_watch import BudgetWatch

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("tasks", "evotrainer", "conf", "harness_plugins")
STAGES = (
    *("base_policy", "data", "plan", "rollout", "diagnose", "propose", "backtest", "train", "evaluate", "confirm"),
    *("evolve", "certify", "report"),
)
OUT_OF_MEMORY = (
    "out of memory: give the device room and repeat the command; less is needed with lower engine.batch_trajectories "
    "and engine.micro_batch_tokens, or with engine.gradient_checkpointing=true"
)


def main(arguments: list[str]) -> int:
    """Run the named stage; `arguments` are its name and the name of its subject."""
    if len(arguments) != 2 or arguments[0] not in STAGES:
        return _fail(f"usage: python -m tasks STAGE SUBJECT; stages: {', '.join(STAGES)}")
    stage, subject = arguments[0], Subject.parse(arguments[1])
    exit_with_owner()
    # The background job of a shell ignores interrupts, and so would its stages a budget's stop.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    started, files = time.monotonic(), CampaignFiles(ROOT)
    watch = BudgetWatch(files, subject, stage, end_all)
    try:
        assert_code_is_own()
        watch.start()
        kept_batches().folder = ROOT / "scratch" / "attempts" / f"{subject.name}.{stage}"
        importlib.import_module(f"tasks.{stage}").run(files, subject.name)
    except InfrastructureError as error:
        return _fail(str(error), RETRY_STATUS)
    except BudgetError as error:
        return _fail(str(error), BUDGET_STATUS)
    except EvoTrainerError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        if not watch.reason:
            raise
        return _fail(watch.reason, watch.status)
    except Exception as error:  # whatever a stage raised, its last line must be one that a person can read
        traceback.print_exc()
        if is_shortage(error):
            return _fail(OUT_OF_MEMORY, RETRY_STATUS)
        return _fail(str(error) if isinstance(error, OSError) else f"{type(error).__name__}: {error}")
    finally:
        end_all()
    note_cost(files, subject, stage, {**watch.measured(), **_measured(time.monotonic() - started)})
    watch.charged()
    kept_batches().drop()
    return 0


def assert_code_is_own() -> None:
    """Raise when a package that stages import would come from outside this tree."""
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        places = [*(spec.submodule_search_locations or [])] if spec else []
        foreign = [place for place in places if not Path(place).resolve().is_relative_to(ROOT)]
        if foreign:
            raise EvoTrainerError(
                f"'{package}' would be imported from {foreign[0]}, outside {ROOT}: "
                "start stages with: sh tasks/stage.sh STAGE SUBJECT"
            )


def _measured(seconds: float) -> dict[str, float]:
    """Return what this process and those below it cost; the peak of memory is its own."""
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu_seconds(), 3),
        "peak_memory_megabytes": round(peak_bytes / 1e6, 1),
    }


def _fail(message: str, status: int = 1) -> int:
    print(escape(f"error: {' '.join(message.split())}"), file=sys.stderr, flush=True)
    return status


if __name__ == "__main__":
    # Stages leave daemon threads behind (engines, the watch); the exit status must not wait for them.
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
