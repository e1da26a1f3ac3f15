"""What is asked of an environment object, and how its answers are waited for.

The interface is the documented one of verifiers (docs: environments, API reference; verifiers/envs/multiturn_env.py,
verifiers/rubrics/rubric.py):

    dataset or get_dataset()           rows with prompt (text or messages) or question, answer, info, task, example_id
    system_prompt                      text or None
    setup_state(state)                 once an episode; may be missing
    is_completed(state)                whether the episode is over; older ones take (messages, state)
    env_response(messages, state)      the answer to the policy's message: messages, or (messages, state)
    rubric.score_rollout(state)        sets state["reward"] and state["metrics"]; older ones take (prompt, completion,
                                       answer, state) and return an object with reward and metrics
    tool_defs or oai_tools             tools that the policy may call; may be missing

All methods may be coroutines. They run in one thread with one event loop, as such objects may hold to their loop.
"""

import asyncio
import inspect
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from evotrainer.errors import ConfigError, InfrastructureError

WAIT_SECONDS = 600.0
"""Longest wait for one answer of an environment."""

State = dict[str, Any]


def ask(what: str, method: Callable[..., Any], *values: Any) -> Any:
    """Return what a method answers, waited for; raises InfrastructureError where it fails or takes too long."""
    future = asyncio.run_coroutine_threadsafe(_awaited(method, values), _loop())
    try:
        return future.result(WAIT_SECONDS)
    except TimeoutError:
        future.cancel()
        raise InfrastructureError(f"{what} took over {WAIT_SECONDS:g} s") from None
    except Exception as error:  # a person's own code: whatever it raises, the row is masked and the method named
        raise InfrastructureError(f"{what} raised {type(error).__name__}: {error}") from error


def num_parameters(method: Callable[..., Any]) -> int:
    """Return how many values a method takes by position."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in kinds for parameter in inspect.signature(method).parameters.values())


def dataset_rows(environment: Any) -> list[dict[str, Any]]:
    """Return the rows of an environment's dataset; raises ConfigError where it has none."""
    found = getattr(environment, "dataset", None)
    if found is None and hasattr(environment, "get_dataset"):
        found = environment.get_dataset()
    if found is None:
        raise ConfigError("the environment has no dataset: give it one, or set domain.data_path to a file of its rows")
    return [dict(row) for row in found]


def tool_schemas(environment: Any) -> Sequence[dict[str, Any]]:
    """Return the tools that an environment offers, as JSON Schemas in OpenAI's form."""
    found = getattr(environment, "tool_defs", None) or getattr(environment, "oai_tools", None) or []
    return tuple(_schema(tool) for tool in found)


def _schema(tool: Any) -> dict[str, Any]:
    values = tool if isinstance(tool, dict) else tool.model_dump() if hasattr(tool, "model_dump") else vars(tool)
    function = values.get("function") or values
    names = ("name", "description", "parameters")
    return {"type": "function", "function": {name: function.get(name) or {} for name in names}}


async def _awaited(method: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    found = method(*values)
    return await found if inspect.isawaitable(found) else found


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="environments", daemon=True).start()
    return loop
