"""What can be spent, as one value: five amounts that are added, compared and shown together."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True)
class Amounts:
    """An amount of each resource; in limits infinity is no limit."""

    accelerator_hours: float = 0.0
    dollars: float = 0.0
    tokens: float = 0.0
    trajectories: float = 0.0
    hours: float = 0.0
    """Wall clock."""

    def __add__(self, other: "Amounts") -> "Amounts":
        """Return the sums."""
        return self._with(other, lambda mine, its: mine + its)

    def minus(self, other: "Amounts") -> "Amounts":
        """Return what is left of these amounts, never below 0."""
        return self._with(other, lambda mine, its: max(0.0, mine - its))

    def or_more(self, other: "Amounts") -> "Amounts":
        """Return the larger of each."""
        return self._with(other, max)

    def times(self, factor: float) -> "Amounts":
        """Return multiples."""
        return Amounts(**{name: value * factor for name, value in asdict(self).items()})

    def beyond(self, limits: "Amounts") -> list[str]:
        """Return the names of the resources of which this is more than `limits`."""
        return [name for name in NAMES if getattr(self, name) > getattr(limits, name)]

    def shown(self) -> str:
        """Return what is not 0, for a person: 12 min, 310,000 tokens."""
        return ", ".join(amount_text(name, getattr(self, name)) for name in NAMES if getattr(self, name)) or "nothing"

    def shown_finite(self) -> str:
        """Return the amounts that are limited, for a person."""
        finite = [name for name in NAMES if math.isfinite(getattr(self, name))]
        return ", ".join(amount_text(name, getattr(self, name)) for name in finite) or "no limit"

    def as_dict(self) -> dict[str, float]:
        """Return the finite amounts by name."""
        return {name: round(value, 6) for name, value in asdict(self).items() if math.isfinite(value)}

    def _with(self, other: "Amounts", combine: Callable[[float, float], float]) -> "Amounts":
        return Amounts(**{name: combine(getattr(self, name), getattr(other, name)) for name in NAMES})


NAMES = tuple(field.name for field in fields(Amounts))


def amount_text(name: str, value: float) -> str:
    """Return one amount with its unit."""
    if math.isinf(value):
        return f"any {name.replace('_', ' ')}"
    match name:
        case "hours":
            return f"{value * 60:.1f} min" if value < 2 else f"{value:.1f} h"
        case "accelerator_hours":
            return f"{value:.2f} accelerator hours"
        case "dollars":
            return f"${value:.2f}"
        case _:
            return f"{value:,.0f} {name}"
