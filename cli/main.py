"""`evotrainer`: every command, and how errors look: one line, exit status 1; the traceback only with --debug.

Modules of commands import typer alone, so that `--help` answers at once; torch, Prefect and DVC are imported inside
of the commands that need them.
"""

import errno
import os
import sys
from typing import Annotated, Any

import typer

from benchmarks import commands as bench
from cli import audit, campaign, data, diagnose, doctor, memory, reading, reproduce, serve, stage
from evotrainer.errors import EvoTrainerError

DEBUG_VARIABLE = "EVOTRAINER_DEBUG"
INTERRUPTED_STATUS = 130


class Program(typer.Typer):
    """A Typer that turns errors into lines."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; exits the process."""
        try:
            return super().__call__(*args, **kwargs)
        except KeyboardInterrupt:
            _leave("interrupted: the same command goes on where it stood", INTERRUPTED_STATUS)
        except EvoTrainerError as error:
            _leave(f"error: {one_line(error)}")
        except MemoryError:
            _leave("error: there is not enough memory for this: ask for less")
        except OSError as error:
            is_full = error.errno == errno.ENOSPC
            text = "the disk is full: free some space and repeat the command" if is_full else str(error)
            _leave(f"error: {text}")
        except Exception as error:  # a fault of ours is still one line to the person; --debug shows the rest
            _leave(f"error: {type(error).__name__}: {one_line(error)} (a fault of the program: repeat with --debug)")


app = Program(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Autonomous RL post-training: a policy and the harness that diagnoses its training evolve together.",
)


@app.callback()
def options(debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False) -> None:
    """Read the options that all commands share."""
    if debug:
        os.environ[DEBUG_VARIABLE] = "1"


def one_line(error: BaseException) -> str:
    """Return an error's text without line breaks."""
    return " ".join(str(error).split())


def _leave(text: str, status: int = 1) -> None:
    if os.environ.get(DEBUG_VARIABLE):
        import traceback

        traceback.print_exc()
    print(text, file=sys.stderr, flush=True)
    sys.exit(status)


app.add_typer(campaign.app, name="campaign")
app.add_typer(data.app, name="data")
app.add_typer(bench.app, name="bench")
app.add_typer(memory.app, name="memory")
for module in (reading, diagnose, audit, reproduce, serve, stage, doctor):
    module.add_commands(app)

if __name__ == "__main__":
    app()
