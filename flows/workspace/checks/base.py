"""What a look at a campaign's settings finds, and what all looks share."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evotrainer.config import Config
from flows.workspace.check import Check
from flows.workspace.own_files import source_of


@dataclass(frozen=True)
class Start:
    """A campaign that is about to start."""

    main: Path
    overrides: tuple[str, ...]
    config: Config
    preset: tuple[str, ...]
    """The overrides that the size of a person's own policy added."""
    trained: Path | None
    """Where the embedded base policy lies, if it was trained already."""

    @property
    def own_policy(self) -> Path | None:
        """The person's own policy; None where an embedded one is the base."""
        return source_of(self.main, self.config.policy.path) if self.config.policy.path else None

    @property
    def own_problems(self) -> Path | None:
        """The person's own problems; None where the built-in sets are meant."""
        given = self.config.domain.data_path
        source = source_of(self.main, given) if given else None
        return None if source is None or source.is_relative_to(self.main / "data") else source


Look = Callable[[Start], list[Check]]
"""Raises an EvoTrainerError where a campaign cannot start so."""
