"""The map from a configuration to OpenRLHF 0.11.2: one row a group of keys. docs/openrlhf.md shows it as a table.

A row says where a key takes effect: on the command line, in the agent function (which plays our own episodes), in the
file of prompts, or in the watch over the job. What OpenRLHF cannot express is refused with what to choose instead,
before anything starts. What it expresses a little differently is named, so that two engines are compared with open
eyes. A key of the recipe without a row is refused once it leaves its default.
"""

from typing import Any

from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import RECIPE_GROUPS
from evotrainer.training.openrlhf.options.hardware import HARDWARE
from evotrainer.training.openrlhf.options.option import Note, Option
from evotrainer.training.openrlhf.options.recipe import RECIPE

OPTIONS: tuple[Option, ...] = (*RECIPE, *HARDWARE)


def flags_of(config: Config) -> dict[str, tuple[Any, ...]]:
    """Return {flag: its values} of all rows; a switch has no values."""
    return {name: values for option in OPTIONS for name, values in _flags(option, config).items()}


def mapping(config: Config) -> list[tuple[str, str]]:
    """Return the keys of each row with the flags that they become, or with where they take effect."""
    rows = []
    for option in OPTIONS:
        flags = [" ".join([name, *map(str, values)]) for name, values in _flags(option, config).items()]
        rows.append((", ".join(option.keys), " ".join(flags) or f"{option.place}: {option.how}"))
    return rows


def _flags(option: Option, config: Config) -> dict[str, tuple[Any, ...]]:
    found = {flag.name: flag.values(config) for flag in option.flags}
    return {name: values for name, values in found.items() if values is not None}


def refusals(config: Config) -> list[str]:
    """Return one sentence for each setting that OpenRLHF cannot express: its name, and what to choose instead."""
    named = [f"{note.what}: {note.text}" for option in OPTIONS for note in option.refused if note.holds(config)]
    return [*named, *(f"{key}: OpenRLHF has no counterpart: leave it at its default" for key in _unmapped(config))]


def differences(config: Config) -> list[str]:
    """Return one sentence for each setting that OpenRLHF expresses a little differently from engine.train=torch."""
    return [f"{note.what}: {note.text}" for option in OPTIONS for note in option.differs if note.holds(config)]


def _unmapped(config: Config) -> list[str]:
    """Return the recipe's keys without a row whose values are not the default."""
    mapped = {key for option in OPTIONS for key in option.keys}
    plain, default = config_to_dict(config), config_to_dict(Config())
    values, defaults = (flatten({group: tree[group] for group in RECIPE_GROUPS}) for tree in (plain, default))
    return [
        key
        for key, value in values.items()
        if not any(key == known or key.startswith(f"{known}.") for known in mapped) and value != defaults.get(key)
    ]


def markdown_table() -> str:
    """Return the map as the table of docs/openrlhf.md."""
    lines = ["| keys | where | flags | how |", "|---|---|---|---|"]
    for option in OPTIONS:
        keys = ", ".join(f"`{key}`" for key in option.keys)
        names = ", ".join(f"`{flag.name}`" for flag in option.flags)
        lines.append(f"| {keys} | {option.place} | {names} | {option.how} |")
    return "\n".join(lines)


def markdown_notes(kind: str) -> str:
    """Return the table of what is `refused` or what `differs`."""
    notes: list[Note] = [note for option in OPTIONS for note in getattr(option, kind)]
    head = {"refused": ("refused", "instead"), "differs": ("where", "what differs")}[kind]
    rows = [f"| {note.what} | {note.text} |" for note in notes]
    return "\n".join([f"| {head[0]} | {head[1]} |", "|---|---|", *rows])
