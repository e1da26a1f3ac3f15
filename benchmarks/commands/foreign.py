"""`foreign`: what the harness finds, and whom it accuses, on evidence that other systems could have made."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.options import output_folder


def foreign(
    kinds: Annotated[list[str] | None, typer.Argument(help="Kinds of bodies; all of them where none is named.")] = None,
    parts: Annotated[list[str] | None, typer.Option(help="Parts of the bank; all of them where none is named.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Bodies of each kind.")] = 2,
    out: Annotated[Path, typer.Option(help="Folder of the table and the findings.")] = Path(
        "scratch/benchmarks/foreign"
    ),
) -> None:
    """Recall, loud false alarms and invalid findings on foreign evidence, the blind part apart."""
    import json
    from dataclasses import asdict

    from benchmarks.foreign.bank import chosen_parts
    from benchmarks.foreign.bench import measure
    from benchmarks.reports.foreign import foreign_table

    output_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    bodies = measure(chosen_parts(kinds or [], parts or []), seeds, lambda line: print(line, flush=True))
    rows = (f"{json.dumps(asdict(body), ensure_ascii=False)}\n" for body in bodies)
    (out / "bodies.jsonl").write_text("".join(rows), encoding="utf-8")
    (out / "table.md").write_text(foreign_table(bodies), encoding="utf-8")
    print(foreign_table(bodies))
    print(f"written to {out}")
