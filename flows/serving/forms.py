"""Parameters of flows as the Prefect UI shows them: choices, bounds and defaults. Help stands in each flow's docstring.

A choice that is left `as configured` takes what conf/ says, or what the campaign that goes on was started with.
"""

from typing import Annotated, Any

from pydantic import Field

from conf.compose import groups
from evotrainer.agents import AGENTS
from evotrainer.domains import DOMAINS
from evotrainer.search import SEARCHES

AS_CONFIGURED = "as configured"
"""What the form shows for a setting that is left to conf/, or to the campaign that goes on."""


def _choice(*names: str) -> Any:
    return Field(json_schema_extra={"enum": [AS_CONFIGURED, *names]})


_GROUPS = groups()

Domain = Annotated[str, _choice(*DOMAINS)]
Policy = Annotated[str, _choice(*_GROUPS["policy"])]
Search = Annotated[str, _choice(*SEARCHES)]
Trainer = Annotated[str, _choice(*AGENTS)]
Compute = Annotated[str, _choice(*_GROUPS["budget"])]
Autonomy = Annotated[str, _choice(*_GROUPS["autonomy"])]
NumVersions = Annotated[int, Field(ge=0, le=999)]
Limit = Annotated[float, Field(ge=0, le=1_000_000_000)]
Count = Annotated[int, Field(ge=0)]
Until = Annotated[str, Field(pattern=r"^(|\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?)$")]
CampaignName = Annotated[str, Field(pattern=r"^[a-z0-9%][A-Za-z0-9%_-]{0,63}$")]
VersionName = Annotated[str, Field(pattern=r"^v\d{3}$")]
RecordedName = Annotated[str, Field(pattern=r"^(v\d{3}|certificate)$")]


def settings_of(chosen: dict[str, Any]) -> list[str]:
    """Return {key: value} of a form as overrides, without what was left as configured, empty or 0."""
    return [f"{key}={_quoted(value)}" for key, value in chosen.items() if value not in (AS_CONFIGURED, "", 0)]


def _quoted(value: Any) -> str:
    """Return a value as Hydra reads it: text that holds its signs in quotes."""
    return "'" + value.replace("'", "\\'") + "'" if isinstance(value, str) and not value.isidentifier() else str(value)
