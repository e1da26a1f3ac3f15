"""A command line whose errors are one line with exit status 1; the traceback is shown only with --debug."""

import errno
import os
import sys
from typing import Annotated, Any

import typer

from evotrainer.errors import EvoTrainerError

DEBUG_VARIABLE = "EVOTRAINER_DEBUG"
INTERRUPTED_STATUS = 130


class Program(typer.Typer):
    """A Typer that turns errors into lines."""

    def __init__(self, help: str) -> None:
        super().__init__(
            no_args_is_help=True,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            help=help,
            callback=read_options,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; exits the process."""
        try:
            return super().__call__(*args, **kwargs)
        except SystemExit as left:
            if left.code == INTERRUPTED_STATUS:  # Typer ends a command so on Ctrl-C, without a word
                print("interrupted: the same command goes on where it stood", file=sys.stderr, flush=True)
            raise
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


def show_version(is_asked: bool) -> None:
    """Print the program's version and end."""
    if is_asked:
        from importlib.metadata import version

        print(f"evotrainer {version('evotrainer')}")
        raise typer.Exit


def read_options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Read the options that all commands share."""
    if debug:
        os.environ[DEBUG_VARIABLE] = "1"


def one_line(error: BaseException) -> str:
    """Return an error's text without line breaks."""
    return " ".join(str(error).split())


def _leave(text: str) -> None:
    if os.environ.get(DEBUG_VARIABLE):
        import traceback

        traceback.print_exc()
    print(text, file=sys.stderr, flush=True)
    sys.exit(1)
