"""The numbers of a gate bench as tables in Markdown."""

from benchmarks.gate_simulation.simulation import POINTS, RECIPE_CHANGES, CampaignRow, GateBench, Share


def gate_tables(bench: GateBench) -> str:
    """Return all tables; shares of campaigns in % with exact 95% limits, attempts a problem and arm."""
    settings = bench.settings
    head = [
        f"{settings.campaigns} campaigns of {settings.num_versions} versions, problems from {bench.model}; error "
        f"budget {100 * settings.alpha:g}%. Attempts are fresh ones a problem, version and arm; the 8 screening "
        "attempts of each version come on top under every rule.",
        "",
    ]
    return "\n".join([*head, *_nulls(bench), *_mixed(bench), *_powers(bench), *_recipes(bench)])


def _nulls(bench: GateBench) -> list[str]:
    lines = [
        "| nothing is better | rule | campaigns with any promotion, % | promotions a campaign | attempts |",
        "|---|---|---|---|---|",
    ]
    for row in sorted(bench.nulls, key=lambda row: row.versions != "same policy") + list(bench.seeds):
        lines.append(
            f"| {row.versions} | {row.rule} | {_shown(row.any_false)} | {row.false_promotions:.2f} | {_attempts(row)} |"
        )
    return [*lines, ""]


def _mixed(bench: GateBench) -> list[str]:
    lines = [
        "| mixed campaigns, rule | any false promotion, % | false a campaign | promoted a campaign | gain, pp | "
        "attempts |",
        "|---|---|---|---|---|---|",
    ]
    for row in bench.mixed:
        lines.append(
            f"| {row.rule} | {_shown(row.any_false)} | {row.false_promotions:.2f} | {row.promotions:.2f} | "
            f"{row.gain_points:.1f} | {_attempts(row)} |"
        )
    return [*lines, ""]


def _powers(bench: GateBench) -> list[str]:
    lines = [
        f"| problems | floor f, pp | rule | {' | '.join(f'{points:g} pp' for points in POINTS)} | 2f | "
        "attempts at 2f |",
        f"|{'---|' * (len(POINTS) + 5)}",
    ]
    for row in bench.powers:
        shares = " | ".join(f"{share.value:.2f}" for share in row.at_points)
        lines.append(
            f"| {row.problems} | {row.floor_points:.2f} | {row.rule} | {shares} | "
            f"{row.at_twice_the_floor.value:.2f} | {row.attempts:.1f} |"
        )
    return [*lines, ""]


def _recipes(bench: GateBench) -> list[str]:
    lines = [
        "| recipe gate, spread of seeds | null, any promotion, % | "
        f"{' | '.join(f'power at {change:g} fR' for change in RECIPE_CHANGES)} | runs at 2 fR |",
        f"|{'---|' * (len(RECIPE_CHANGES) + 3)}",
    ]
    for row in bench.recipes:
        powers = " | ".join(f"{share.value:.2f}" for share in row.powers)
        lines.append(f"| {row.deviations} | {_shown(row.any_false)} | {powers} | {row.runs_at_twice_the_floor:.1f} |")
    return [*lines, ""]


def _shown(share: Share) -> str:
    low, high = share.limits
    return f"{100 * share.value:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _attempts(row: CampaignRow) -> str:
    return f"{row.attempts:.1f}" if row.attempts else "screening only"
