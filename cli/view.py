"""`evotrainer view PATH|NAME`: one local page over rollouts of any trainer, or over a campaign."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.opening import campaign_names, read_campaign
from cli.output import Columns, OwnChecks, RowsFormat

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
    from evotrainer.view.live import Live
    from evotrainer.view.server import HOST, bound, run

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
    from cli.output import named_path
    from evotrainer.diagnosis.checks import load_checks
    from evotrainer.errors import EvidenceError
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
