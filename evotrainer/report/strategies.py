"""What a campaign retained: the settings in which its incumbent differs from its own recipe, and how it behaves.

The behaviour of a version is what the harness measured on the rows it was trained on, beside the baseline's. Campaigns
of several domains stand side by side, so that one sees which settings were kept in one domain alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import baseline, brought_by, incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.config import load_config
from evotrainer.config.factors import changed_keys, effective_recipe, factors_of
from evotrainer.domains import factors_in
from evotrainer.records import VersionRecord

BEHAVIOUR = {
    "mean_tokens": "tokens an attempt",
    "mean_turns": "turns an attempt",
    "tool_calls": "tool calls an attempt",
    "edit_coverage": "attempts that edit",
    "self_test_rate": "attempts that run a test",
    "search_before_edit_rate": "attempts that search before they edit",
    "edit_then_test_rate": "attempts that test after their last edit",
    "git_usage_rate": "attempts that use git",
    "tool_entropy": "choice of tools, bits",
    "circle_rate": "attempts that go in circles",
    "abandonment_rate": "attempts that change nothing",
    "test_write_rate": "attempts that write tests",
    "no_program_rate": "attempts without a program",
    "visible_hidden_gap": "visible tests passed, less hidden ones",
    "program_diversity": "distinct programs in a group",
    "sequence_diversity": "distinct sequences of actions in a group",
    "distinct_responses": "distinct responses in a group",
    "truncation_rate": "attempts cut by a limit",
    "format_failure_rate": "attempts that fail the format gate",
    "entropy": "entropy, nats a token",
    "dead_group_ratio": "groups without variance",
}
"""Metrics of behaviour that the report compares, where they were measured."""

NOTABLE = 0.1
"""Relative change from the baseline to the incumbent from which a behaviour counts as moved."""


@dataclass(frozen=True)
class Kept:
    """One setting that the incumbent has and the campaign's own recipe has not."""

    key: str
    factor: str
    old: Any
    new: Any
    version: str
    """The version that first brought it into the incumbent's line."""
    because: tuple[str, ...]
    """Modes of the findings that led to it; empty for an exploration."""


@dataclass(frozen=True)
class Strategy:
    """What one campaign retained."""

    campaign: str
    domain: str
    incumbent: str
    kept: tuple[Kept, ...]
    behaviour: dict[str, tuple[float | None, float | None]]
    """{metric: (baseline, incumbent)}."""


def retained(files: CampaignFiles) -> Strategy:
    """Return what a campaign retained so far."""
    records = read_records(files)
    config = load_config(files.config)
    best, first = incumbent(records), baseline(records)
    by_name = {record.spec.version: record for record in records}
    recipe = files.version(best).config
    child = load_config(recipe) if recipe.is_file() else config
    counted = {key for key, value in effective_recipe(child).items() if effective_recipe(config).get(key) != value}
    changes = {key: change for key, change in changed_keys(config, child).items() if key in counted}
    table = factors_in(config)
    return Strategy(
        campaign=files.root.name,
        domain=config.domain.name,
        incumbent=best,
        kept=tuple(
            Kept(key, factors_of({key}, table)[0].name, *change, *_bringer(by_name, best, key))
            for key, change in changes.items()
        ),
        behaviour=_behaviour(by_name.get(first or ""), by_name[best]),
    )


def strategies_table(strategies: Sequence[Strategy]) -> tuple[list[str], list[list[str]]]:
    """Return columns and rows: settings that any campaign kept, then behaviour, one column a campaign."""
    columns = ["", *(f"{one.campaign} ({one.domain}, {one.incumbent})" for one in strategies)]
    keys = sorted({kept.key for one in strategies for kept in one.kept})
    rows = [[key, *(_setting(one, key) for one in strategies)] for key in keys]
    for name, meaning in BEHAVIOUR.items():
        cells = [_moved(*one.behaviour.get(name, (None, None))) for one in strategies]
        if any(cells):
            rows.append([meaning, *cells])
    return columns, rows


def differences(strategies: Sequence[Strategy]) -> list[str]:
    """Return sentences: settings that every campaign kept, those that only one did, and behaviour that parted."""
    factors = {one.campaign: {kept.factor for kept in one.kept} for one in strategies}
    shared = sorted(set.intersection(*factors.values())) if factors else []
    lines = [f"all keep a change of {', '.join(shared)}"] if shared and len(strategies) > 1 else []
    for one in strategies:
        others: set[str] = set().union(*(found for name, found in factors.items() if name != one.campaign))
        alone = sorted(factors[one.campaign] - others)
        if alone and len(strategies) > 1:
            lines.append(f"only {one.campaign} ({one.domain}) keeps a change of {', '.join(alone)}")
        if not factors[one.campaign]:
            lines.append(f"{one.campaign} ({one.domain}) keeps nothing beyond its own recipe")
    return [*lines, *_parted(strategies), *_own_behaviour(strategies)]


def _parted(strategies: Sequence[Strategy]) -> list[str]:
    """Return a sentence for each behaviour that rose in one campaign and fell in another."""
    lines = []
    for name, meaning in BEHAVIOUR.items():
        moves = [(one, direction) for one in strategies if (direction := _direction(one, name))]
        if {direction for _, direction in moves} == {"rises", "falls"}:
            parts = [f"{direction} in {one.campaign} ({_moved(*one.behaviour[name])})" for one, direction in moves]
            lines.append(f"{meaning}: {', '.join(parts)}")
    return lines


def _own_behaviour(strategies: Sequence[Strategy]) -> list[str]:
    """Return a sentence for each campaign with behaviour that no other shows and that moved."""
    lines = []
    for one in strategies:
        others = {name for other in strategies if other is not one for name in other.behaviour}
        moved = [name for name in BEHAVIOUR if name not in others and _direction(one, name)]
        if moved and len(strategies) > 1:
            parts = [f"{BEHAVIOUR[name]} {_moved(*one.behaviour[name])}" for name in moved]
            lines.append(f"only {one.campaign} ({one.domain}) shows: {', '.join(parts)}")
    return lines


def _direction(strategy: Strategy, name: str) -> str:
    """Return whether a behaviour rises or falls from the baseline to the incumbent; nothing where it hardly moves."""
    before, after = strategy.behaviour.get(name, (None, None))
    if before is None or after is None or abs(after - before) <= NOTABLE * max(abs(before), abs(after)):
        return ""
    return "rises" if after > before else "falls"


def _bringer(by_name: Mapping[str, VersionRecord], best: str, key: str) -> tuple[str, tuple[str, ...]]:
    """Return the version that brought a setting of the incumbent, and the findings that led to it."""
    name = brought_by(list(by_name.values()), best, key)
    made = by_name[name].intervention if name else None
    return name, tuple(made.evidence) if made else ()


def _behaviour(first: VersionRecord | None, best: VersionRecord) -> dict[str, tuple[float | None, float | None]]:
    before = first.metrics if first else {}
    found = {name: (before.get(name), best.metrics.get(name)) for name in BEHAVIOUR}
    return {name: pair for name, pair in found.items() if any(value is not None for value in pair)}


def _setting(strategy: Strategy, key: str) -> str:
    found = next((kept for kept in strategy.kept if kept.key == key), None)
    return "" if found is None else f"{found.old} → {found.new}"


def _moved(before: float | None, after: float | None) -> str:
    if before is None and after is None:
        return ""
    return f"{'-' if before is None else f'{before:.3g}'} → {'-' if after is None else f'{after:.3g}'}"
