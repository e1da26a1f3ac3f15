"""`evotrainer reproduce | certificate`: the same bytes again, and the scores on the sealed split."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli.opening import checkout, read_campaign
from cli.output import Json, Name, print_json, print_line, print_rows

if TYPE_CHECKING:
    from evotrainer.records import Comparison


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

    result = asyncio.run(reproduce_recorded(checkout(), name, version, force, remote))
    if json:
        print_json(
            {
                "campaign": name,
                "version": result.version,
                "stages_run": result.stages_run,
                "difference": result.difference,
                "is_reproduced": result.is_reproduced,
                "changed": result.changed,
            }
        )
    else:
        print_line(f"{name} {result.version}: {result.words}")
        print_line(f"stages run: {', '.join(result.stages_run) or 'none, nothing had changed'}")
        if result.version != "certificate":
            print_line(result.surroundings)
    raise typer.Exit(0 if result.is_reproduced else 1)


def certificate(name: Name, json: Json = False) -> None:
    """Show the scores of v000, v001 and the incumbent on the sealed test split, read once at the campaign's end."""
    from evotrainer.errors import LineageError

    stored = read_campaign(name).files.certified.find()
    if stored is None:
        raise LineageError(
            f"campaign '{name}' has no certificate yet: it is made once, after the last version; "
            f"go on with it: evotrainer campaign run {name}"
        )
    if json:
        print_json(stored.model_dump(mode="json"))
        return
    from evotrainer.report.words import CERTIFIED_COLUMNS, certified_row, score_meaning, sharpness

    print_line(f"incumbent: {stored.incumbent}; {stored.num_problems} sealed problems")
    print_rows(CERTIFIED_COLUMNS, [certified_row(one) for one in stored.scores])
    print_line(f"score: {score_meaning(stored.attempts)}; pass@{stored.attempts}: problems with any right attempt")
    print_rows(
        ["against", "of", "difference", "low", "high", "noise floor", "Wilcoxon p"],
        [_compared(one) for one in stored.comparisons],
    )
    if warning := sharpness(stored):
        print_line(warning)


def _compared(found: "Comparison") -> list[str]:
    from evotrainer.promotion.measures import WORDS
    from evotrainer.promotion.verdict_text import p_text

    bounds = [f"{value:+.4f}" for value in (found.difference, found.low, found.high)]
    floor = "-" if found.noise_floor is None else f"{found.noise_floor:.4f}"
    return [found.against, WORDS[found.metric], *bounds, floor, p_text(found.wilcoxon_p).removeprefix("= ")]
