"""How the columns of a problem file are read where they are not called as a domain expects.

`columns` maps a wanted name to the name in the file, which may lead into an object: reward_model.ground_truth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evotrainer.config import DomainConfig
from evotrainer.errors import ConfigError, DataError

REPOSITORIES = "repositories"
"""Key under which a row is told where the clones of repositories lie."""


@dataclass(frozen=True)
class Reading:
    """What a person says about the columns of a file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    repositories: str = ""
    """Absolute path of a folder of clones, for rows of repositories."""

    def apply(self, values: dict[str, Any], place: str) -> dict[str, Any]:
        """Return a row's values with wanted names; raises DataError for a column that the row lacks."""
        named = {wanted: _found(values, found, place) for wanted, found in self.columns.items()}
        taken = {found for found in self.columns.values() if "." not in found} - self.columns.keys()
        rest = {key: value for key, value in values.items() if key not in taken}
        own = {REPOSITORIES: self.repositories} if self.repositories else {}
        return own | rest | named


def reading_of(domain: DomainConfig, repositories: str = "") -> Reading:
    """Return the reading that a configuration asks for; `repositories` is absolute."""
    return Reading(dict(domain.columns), repositories)


def parse_columns(text: str) -> dict[str, str]:
    """Return {wanted: found} of `question=q,answer=a`; raises ConfigError for another form."""
    pairs = [part.split("=") for part in text.split(",") if part.strip()]
    if not pairs or any(len(pair) != 2 or not all(name.strip() for name in pair) for pair in pairs):
        raise ConfigError(f"--map {text!r} maps no columns: write --map WANTED=FOUND,WANTED=FOUND")
    return {wanted.strip(): found.strip() for wanted, found in pairs}


class UnknownColumnsError(DataError):
    """A row in no known form: what is wrong with it is wrong with the file."""


def unknown_columns(values: Mapping[str, Any], wanted: str, example: str, place: str) -> UnknownColumnsError:
    """Return the error for a row in no known form, with the keys found and those wanted."""
    found = ", ".join(map(str, values)) or "none"
    return UnknownColumnsError(
        f"{place}: the row has the keys {found[:300]}: wanted are {wanted}; name the columns with --map {example} "
        "(in a campaign: domain.columns={...})"
    )


def _found(values: dict[str, Any], name: str, place: str) -> Any:
    value: Any = values
    for part in [name] if name in values else name.split("."):
        if not isinstance(value, dict) or part not in value:
            raise UnknownColumnsError(
                f"{place}: --map names the column '{name}', the row has {', '.join(values) or 'none'}"
            )
        value = value[part]
    return value
