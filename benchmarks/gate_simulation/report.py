"""The numbers of a gate bench as tables in Markdown."""

from benchmarks.gate_simulation.simulation import POINTS, RECIPE_CHANGES, CampaignRow, GateBench
from benchmarks.markdown import markdown_table


def gate_tables(bench: GateBench) -> str:
    """Return all tables; shares of campaigns in % with exact 95% limits, attempts a problem and arm."""
    settings = bench.settings
    head = (
        f"{settings.campaigns} campaigns of {settings.num_versions} versions, problems from {bench.model}; error "
        f"budget {100 * settings.alpha:g}%. Attempts are fresh ones a problem, version and arm; the 8 screening "
        "attempts of each version come on top under every rule.\n"
    )
    return "\n".join([head, _nulls(bench), _mixed(bench), _powers(bench), _recipes(bench)])


def _nulls(bench: GateBench) -> str:
    return markdown_table(
        "nothing is better | rule | campaigns with any promotion, % | attempts",
        [[row.versions, row.rule, row.any_false.percent, _attempts(row)] for row in bench.nulls],
    )


def _mixed(bench: GateBench) -> str:
    rows = [
        [
            row.rule,
            row.any_false.percent,
            f"{row.false_promotions:.2f}",
            f"{row.promotions:.2f}",
            f"{row.gain_points:.1f}",
            _attempts(row),
        ]
        for row in bench.mixed
    ]
    columns = "rule | any false promotion, % | false a campaign | promoted a campaign | gain, pp | attempts"
    return markdown_table(columns, rows)


def _powers(bench: GateBench) -> str:
    rows = [
        [
            str(row.problems),
            f"{row.floor_points:.2f}",
            row.rule,
            *map(str, row.at_points),
            str(row.at_twice_the_floor),
            f"{row.attempts:.1f}",
        ]
        for row in bench.powers
    ]
    points = " | ".join(f"{points:g} pp" for points in POINTS)
    return markdown_table(f"problems | floor f, pp | rule | {points} | 2f | attempts at 2f", rows)


def _recipes(bench: GateBench) -> str:
    rows = [
        [row.deviations, row.any_false.percent, *map(str, row.powers), f"{row.runs_at_twice_the_floor:.1f}"]
        for row in bench.recipes
    ]
    powers = " | ".join(f"power at {change:g} fR" for change in RECIPE_CHANGES)
    return markdown_table(f"spread of seeds | null, any promotion, % | {powers} | runs at 2 fR", rows)


def _attempts(row: CampaignRow) -> str:
    return f"{row.attempts:.1f}" if row.attempts else "screening only"
