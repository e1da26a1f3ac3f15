"""A command line whose errors are one line with exit status 1, or 78 for a budget; --debug shows the traceback."""

import gc
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TextIO, cast

import typer
from typer.core import TyperCommand, TyperGroup

from evotrainer.campaign.untrusted import escape
from evotrainer.errors import BUDGET_STATUS, BudgetError, EvoTrainerError, is_shortage, with_remedy

DEBUG_VARIABLE = "EVOTRAINER_DEBUG"
INTERRUPTED_STATUS = 130
MAX_USAGE_ERROR = 300
MAX_ERROR, MAX_WORD, MAX_NAMED = 4000, 400, 80
"""Characters of an error, of a word of it, and of one that is longer: what is wrong may quote a whole file."""
_resuming: list[bool] = []
"""Not empty once a command runs that goes on where it stood."""


class EscapedStream:
    """A text stream that spells out what a terminal obeys: names and arguments may hold such; all else is its own.

    Rich styles with such characters and is led past it; cells of tables are escaped before.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        """Where rich writes instead."""

    def write(self, text: str) -> int:
        """Write a text."""
        self.rich_proxied_file.write(escape(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return what the stream itself has."""
        return getattr(self.rich_proxied_file, name)


@contextmanager
def escaped_streams() -> Iterator[None]:
    """Let standard output and error show what they would hide, until the block ends."""
    before = sys.stdout, sys.stderr
    # A stream that was closed before the program began is None.
    sys.stdout, sys.stderr = (stream and cast(TextIO, EscapedStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class Listing(TyperGroup):
    """Lists commands with the whole first line of their help, which Typer would cut, and groups of commands first."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of commands, in the order in which they are shown."""
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: not isinstance(self.get_command(ctx, name), TyperGroup))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, (command.help or "").partition("\n")[0]) for name, command in found if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _show_usage(error: Any, file: Any = None) -> None:
    """Print what is wrong with a command line as one line."""
    place = f": {error.ctx.command_path} --help" if error.ctx else ""
    print(f"error: {one_line(error.format_message())[:MAX_USAGE_ERROR].rstrip('.')}{place}", file=sys.stderr)


UsageError: Any = typer.BadParameter.__mro__[1]
"""A command line that is wrong as a whole: status 2. Typer gives its base no name."""
UsageError.show = _show_usage


class SqlCommand(TyperCommand):
    """A command that takes SQL, which may begin with a comment: `-- why` is no option, since no option has a blank."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; SQL that begins with a dash gets a blank before it."""
        return super().parse_args(ctx, [f" {one}" if one[:1] == "-" and len(one.split()) > 1 else one for one in args])


class Program(typer.Typer):
    """A Typer that turns errors into lines."""

    def __init__(self, help: str) -> None:
        super().__init__(
            cls=Listing,
            no_args_is_help=True,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            help=help,
            callback=read_options,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; exits the process."""
        with escaped_streams():
            return self._run(*args, **kwargs)

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        _resuming.clear()
        gc.set_threshold(50_000, 20, 50)  # libraries are imported and stay: fewer walks over all of them
        try:
            return super().__call__(*args, **kwargs)
        except SystemExit as left:
            _end_progress()
            if left.code == INTERRUPTED_STATUS:  # Typer ends a command so on Ctrl-C, without a word
                more = ": the same command goes on where it stood" if _resuming else ""
                print(f"interrupted{more}", file=sys.stderr, flush=True)
            raise
        except BudgetError as error:
            _leave(f"error: {one_line(error)}", BUDGET_STATUS)
        except EvoTrainerError as error:
            _leave(f"error: {with_remedy(one_line(error))}")
        except OSError as error:
            _leave(f"error: {with_remedy(one_line(error))}")
        except RecursionError:
            _leave("error: what is given is nested too deep")
        except Exception as error:  # a fault of ours is still one line to the person; --debug shows the rest
            if is_shortage(error):
                _leave("error: there is not enough memory for this: ask for less")
            if (told := with_remedy(one_line(error))) != one_line(error):  # a library's own error of a refused write
                _leave(f"error: {told}")
            if str(error).startswith("Symlink loop"):  # pathlib's RuntimeError, until Python 3.13
                _leave(f"error: {one_line(error)}: name another file")
            _leave(f"error: {type(error).__name__}: {one_line(error)} (a fault of the program: repeat with --debug)")
        finally:
            if "_duckdb" not in sys.modules:  # which prints what it finds unfreed at the end
                gc.freeze()  # the interpreter would walk over every library once more before it ends


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


def one_line(error: BaseException | str) -> str:
    """Return an error's text without line breaks; of long words the beginning, of a long text beginning and end."""
    words = (word if len(word) <= MAX_WORD else f"{word[:MAX_NAMED]}..." for word in str(error).split())
    text = " ".join(words)
    return text if len(text) <= MAX_ERROR else f"{text[: MAX_ERROR * 3 // 4]} ... {text[-MAX_ERROR // 4 :]}"


def resumes() -> None:
    """Tell that the command which runs goes on where it stood when it is given again."""
    _resuming.append(True)


def _end_progress() -> None:
    """Take the line of running stages from the terminal, where a command showed one."""
    if running := sys.modules.get("tasks.running.progress"):
        running.progress().close()


def _leave(text: str, status: int = 1) -> None:
    _end_progress()
    import traceback

    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exc()
    error = sys.exception()
    while error is not None:  # DuckDB prints what of it is alive at the end, as the locals of a failed call are
        traceback.clear_frames(error.__traceback__)
        error = error.__context__
    print(text, file=sys.stderr, flush=True)
    sys.exit(status)
