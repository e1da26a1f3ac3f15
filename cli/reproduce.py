"""`evotrainer reproduce | receipt | certificate`: the same bytes again, what they follow from, the sealed scores."""

import re
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import Json, Name, Version, print_json, print_line, print_rows

if TYPE_CHECKING:
    from evotrainer.records import ReceiptLine

NUM_DIGITS = 16
"""Of a hash that a person compares by eye."""
_HASH = re.compile(r"\b[0-9a-f]{32,}\b")


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(reproduce)
    app.command()(receipt)
    app.command()(certificate)


def reproduce(
    name: Name,
    version: Annotated[str, typer.Argument(help="Like v003; or certificate, the scores on the sealed split.")],
    force: Annotated[bool, typer.Option("--force", help="Recompute every stage, not only what was stored.")] = False,
    remote: Annotated[str | None, typer.Option("--remote", help="Folder or URL of the DVC remote.")] = None,
    json: Json = False,
) -> None:
    """Reproduce a version from its tag, or the certificate, and compare with what was recorded, line by line."""
    import asyncio

    from flows.reproduce import reproduce_recorded
    from flows.workspace.worktree import project_root

    result = asyncio.run(reproduce_recorded(project_root(), name, version, force, remote))
    if json:
        print_json(
            {
                "campaign": name,
                "version": result.version,
                "stages_run": result.stages_run,
                "is_identical": result.difference is None,
                "difference": result.difference,
                "is_reproduced": result.is_reproduced,
                "receipt": result.receipt and [line.model_dump() for line in result.receipt],
            }
        )
    else:
        print(f"{len(result.stages_run)} stages were run: {', '.join(result.stages_run) or 'nothing had changed'}")
        if result.version == "certificate":
            print(f"{name} certificate: {result.difference or _certified_again(result.stages_run)}")
        else:
            _print_lines(result.receipt)
            print(f"{name} {result.version}: {result.difference or _identical(result.stages_run)}")
    raise typer.Exit(0 if result.is_reproduced else 1)


def _certified_again(stages_run: list[str]) -> str:
    how = "scored again" if stages_run else "computed again from its stored rows; --force scores the policies again"
    return f"identical: certificate.json, {how}"


def _identical(stages_run: list[str]) -> str:
    how = "computed again" if stages_run else "as pulled, hashed again; nothing was computed, --force does that"
    return f"identical: dvc.lock and verdict.json, {how}"


def _print_lines(lines: "list[ReceiptLine] | None") -> None:
    """Print what became of each line; the many packages that agree share one."""
    if lines is None:
        print("no receipt was recorded: the version was closed before there were any")
        return
    from evotrainer.campaign.receipts import summary

    equal = sum(line.section == "packages" and line.agreement == "same" for line in lines)
    shown = [line for line in lines if line.section != "packages" or line.agreement != "same"]
    rows = [[line.section, line.name, line.agreement, _change(line)] for line in shown]
    print_rows(["section", "line", "", "value"], [*rows, ["packages", f"{equal} others", "same", ""]])
    print(summary(lines))


def _change(line: "ReceiptLine") -> str:
    if line.recorded == line.found:
        return line.recorded or ""
    return f"{line.recorded or '(no line)'} -> {line.found or '(no line)'}"


def receipt(name: Name, version: Version, json: Json = False) -> None:
    """Show a version's receipt: code, configuration, problems, procedure, seeds, packages, machine and costs."""
    from evotrainer.campaign.layout import parse_version
    from evotrainer.campaign.receipts import receipt_rows
    from flows.workspace.closed_versions import readable_campaign
    from flows.workspace.receipts import read_receipt
    from flows.workspace.worktree import project_root

    found = read_receipt(readable_campaign(project_root(), name), parse_version(version))
    if json:
        print_json(found.model_dump())
        return
    print(f"{found.campaign} {found.version}: of each hash {NUM_DIGITS} digits are shown, --json has all")
    for section, rows in groupby(receipt_rows(found), key=lambda row: row[0]):
        print(f"\n{section}")
        for _, line, value in rows:
            print_line(f"{line}: {_HASH.sub(_shortened, value)}", indent=2)


def _shortened(found: re.Match[str]) -> str:
    return f"{found[0][:NUM_DIGITS]}…"


def certificate(name: Name, json: Json = False) -> None:
    """Show the scores of v000, v001 and the incumbent on the sealed test split, read once at the campaign's end."""
    from evotrainer.campaign.repository import stored_certificate
    from evotrainer.errors import LineageError
    from flows.workspace.closed_versions import readable_campaign
    from flows.workspace.worktree import project_root

    stored = stored_certificate(readable_campaign(project_root(), name).files).find()
    if stored is None:
        raise LineageError(
            f"campaign '{name}' has no certificate yet: it is made once, after the last version; "
            f"go on with it: evotrainer campaign run {name}"
        )
    found = stored.model_dump(mode="json")
    if json:
        print_json(found)
        return
    print(f"incumbent: {found['incumbent']}; {found['num_problems']} sealed problems x {found['attempts']} attempts")
    print_rows(
        ["version", "score", "low", "high", "draws lost"],
        [
            [s["version"], *(f"{s[name]:.4f}" for name in ("score", "low", "high")), f"{s['error_share']:.1%}"]
            for s in found["scores"]
        ],
    )
    print_rows(
        ["against", "difference", "low", "high", "noise floor", "Wilcoxon p"],
        [_compared(comparison) for comparison in found["comparisons"]],
    )


def _compared(comparison: dict[str, Any]) -> list[str]:
    from evotrainer.promotion.verdict_text import p_text

    bounds = [f"{comparison[name]:+.4f}" for name in ("difference", "low", "high")]
    floor = comparison["noise_floor"]
    p = p_text(comparison["wilcoxon_p"]).removeprefix("= ")
    return [comparison["against"], *bounds, "-" if floor is None else f"{floor:.4f}", p]
