"""`evotrainer follow | view`: the numbers of a run step by step while it writes, and one local page over rollouts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.common import Columns, OwnChecks, RowsFormat, campaign_names, named_path, read_campaign
from evotrainer.errors import EvidenceError

FOUND_STATUS = 3
"""A critical finding, or the condition came true."""
SHARE = 4
"""Times as long as a look took that the next one waits at least: following takes a fifth of one core at most."""


def follow(
    path: Annotated[Path, typer.Argument(parser=named_path, metavar="PATH", help="A file, a folder or a pattern.")],
    notify: Annotated[
        str, typer.Option("--notify", help="A command that gets JSON on its input, or an address to post it to.")
    ] = "",
    when: Annotated[str, typer.Option("--when", help="A condition over a step's numbers, like 'entropy < 0.1'.")] = "",
    every: Annotated[float, typer.Option("--every", min=0.1, max=86400, help="Seconds between two looks.")] = 30.0,
    until_idle: Annotated[
        float | None,
        typer.Option("--until-idle", min=0, max=8760, help="End after so many hours without new rows; 0: at once."),
    ] = None,
    source: RowsFormat = "",
    columns: Columns = None,
    checks: OwnChecks = None,
) -> None:
    """Print a line a step while a run writes, and send notice of what goes wrong; 3 where something did."""
    import time

    from cli.diagnose import mapping_of
    from evotrainer.diagnosis.checks import load_checks
    from tasks.diagnose.following import Following
    from tasks.running.notify import Event, check_target

    check_target(notify)
    if when and not when.strip():
        raise EvidenceError("--when is blank: give a condition, like 'entropy < 0.1', or leave it out")
    if not path.exists() and not path.parent.exists() and not any(sign in str(path) for sign in "*?["):
        raise EvidenceError(f"{path} is not there, nor is its folder: name where the run writes")
    own = [check for file in checks or [] for check in load_checks(file)]
    following = Following(path, source, mapping_of(columns), own, when)
    unsent: list[Event] = []
    num_events, has_rows, grown = 0, False, time.monotonic()
    while True:
        started = time.monotonic()
        look = following.look(is_last=until_idle == 0)
        has_rows |= look.numbers is not None
        if look.has_grown:
            grown = started
        _print(look)
        num_events += len(look.events)
        unsent = [one for one in [*unsent, *look.events] if not _is_sent(one, notify, following.path)]
        if until_idle is not None and time.monotonic() - grown >= until_idle * 3600:
            break
        time.sleep(max(every, SHARE * (time.monotonic() - started)))  # files of others tell nobody that they grew
    if not has_rows:
        raise EvidenceError(
            f"{path} had no rows that can be read" + (f" in {until_idle:g} hours" if until_idle else "")
        )
    if until_idle:
        _is_sent(Event("idle", "idle", f"no new rows for {until_idle:g} hours", "warning"), notify, following.path)
    if num_events:
        raise SystemExit(FOUND_STATUS)


def _is_sent(event: Any, notify: str, path: Path) -> bool:
    """Send a notice; return False where that failed and the next look tries again."""
    import sys

    from tasks.running.notify import notify as send

    failed = send(notify, str(path), event)
    if failed:
        print(f"note: the notification failed: {failed}", file=sys.stderr, flush=True)
    return not failed


def _print(look: Any) -> None:
    """Print finished steps, numbers that turned red, findings and events."""
    if look.trouble:
        print(f"waits: {look.trouble}", flush=True)
    for place in look.finished:
        print(_step_line(look.numbers, place), flush=True)
    for number, step in look.reddened:
        print(f"red       {number.name} at step {step} ({number.meaning}): {number.advice}", flush=True)
    for row in look.left_out:
        print(f"note: a row cannot be read and is left out: {row}", flush=True)
    from cli.diagnose import print_finding

    for finding in look.findings:
        print_finding(finding, [])
    for event in look.events:
        if event.kind != "finding":
            print(f"{event.severity:<9} {event.cause}: {event.message}", flush=True)


def _step_line(numbers: Any, place: int) -> str:
    """Return the numbers of a step in one line; a red one has a ! behind it."""
    from evotrainer.records.base import count_of

    words = [
        f"{one.name} {_short(numbers.values[one.name][place])}{'!' if numbers.red[one.name][place] else ''}"
        for one in numbers.numbers
        if numbers.values[one.name][place] is not None
    ]
    return f"step {numbers.steps[place]} ({count_of(numbers.attempts[place], 'row')}): {', '.join(words)}"


def _short(value: float) -> str:
    """Return a number with three digits, from 1,000 on as a whole one."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:,.0f}"


PORT = 8321


def view(
    what: Annotated[str, typer.Argument(metavar="PATH|NAME", help="Attempts of any system, or a campaign.")],
    source: RowsFormat = "",
    columns: Columns = None,
    checks: OwnChecks = None,
    tokenizer: Annotated[
        Path | None, typer.Option("--tokenizer", help="A policy's folder, whose tokenizer.json spells token ids.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on this machine.")] = PORT,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """See rollouts: numbers by step, findings with their rows, transcripts, versions; one page on this machine."""
    from evotrainer.records.base import count_of
    from evotrainer.view.server import HOST, Live, bound, run

    live = Live(source_of(what, source, columns, checks or [], tokenizer))
    bound_socket = bound(port)
    num = len(live.seen.rows.table) if live.seen.rows is not None else 0
    url = f"http://{HOST}:{port}/"
    print(f"{what}: {count_of(num, 'row')}; open {url} (Ctrl-C ends it)", flush=True)
    if show:
        import webbrowser

        webbrowser.open(url)
    run(live, bound_socket)


def source_of(
    what: str, source: str = "", columns: str | None = None, checks: Sequence[Path] = (), tokenizer: Path | None = None
) -> Any:
    """Return what the page is over; raises EvidenceError where there is neither such a file nor such a campaign."""
    import glob
    import os
    from functools import partial

    from cli.diagnose import mapping_of
    from evotrainer.diagnosis.checks import load_checks
    from evotrainer.evidence.foreign.reading import read_foreign_rows
    from evotrainer.view.server import read_tokenizer
    from evotrainer.view.sources import CampaignSource, FilesSource
    from tasks.diagnose.foreign import diagnosed, with_derived

    path = named_path(what)
    is_path = os.path.lexists(path) or glob.has_magic(what) or os.sep in what
    if not is_path:
        if what in campaign_names():
            return CampaignSource(read_campaign(what).files, with_derived)
        raise EvidenceError(f"there is no file, folder or campaign '{what}': name one of them")
    if tokenizer is not None and read_tokenizer(str(tokenizer)) is None:
        raise EvidenceError(f"{tokenizer} holds no tokenizer.json: name the folder of a policy")
    own = [check for file in checks for check in load_checks(file)]
    read = partial(read_foreign_rows, path, source, mapping_of(columns))
    return FilesSource(path, read, with_derived, partial(diagnosed, own=own), tokenizer)
