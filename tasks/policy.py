"""What the Prefect tasks of all stages share: when trying again makes sense.

Only a failure of the machine is worth a retry, and a training run then resumes from its scratch state. Everything else
would fail again, and is shown at once.
"""

from typing import Any

from prefect.client.schemas.objects import State

from evotrainer.errors import InfrastructureError

RETRY_DELAY_SECONDS = 2


async def is_machine_failure(_task: Any, _run: Any, state: State[Any]) -> bool:
    """Tell whether a failed task run may be tried again."""
    return isinstance(await state.aresult(raise_on_failure=False), InfrastructureError)
