"""What is asked of an environment object, and one episode in it: its state, fed with the policy's messages.

The interface is the documented one of verifiers (docs: environments, API reference; verifiers/envs/multiturn_env.py,
verifiers/rubrics/rubric.py):

    dataset or get_dataset()           rows with prompt (text or messages) or question, answer, info, task, example_id
    system_prompt                      text or None
    setup_state(state)                 once an episode; may be missing
    is_completed(state)                whether the episode is over
    env_response(messages, state)      the messages that answer the policy's
    rubric.score_rollout(state)        sets state["reward"] and state["metrics"]
    tool_defs                          tools that the policy may call; may be missing

All methods may be coroutines. They run in one thread with one event loop, as such objects may hold to their loop. The
environment's own loop would ask a model; here the policy's engine is asked by run_episodes, and the environment only
answers. State has the documented keys: prompt, completion, answer, info, task, example_id, trajectory, turn.
"""

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from evotrainer.config import DomainConfig
from evotrainer.errors import ConfigError, InfrastructureError
from evotrainer.evidence.export import openai_messages
from evotrainer.records import Message, Problem, ToolCall

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
    return tuple(_schema(tool) for tool in getattr(environment, "tool_defs", None) or [])


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


class WrappedEnvironment:
    """Episodes in an environment, whose own draws are its own affair: the seed is not used."""

    waits_for_sandbox = False

    def __init__(self, environment: Any, domain: DomainConfig) -> None:
        self._environment, self._system_prompt = environment, domain.system_prompt

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the messages of the problem's prompt."""
        system = self._system_prompt or getattr(self._environment, "system_prompt", None)
        prompt = [dict(message) for message in problem.data["messages"]]
        if system and prompt[0]["role"] != "system":
            prompt = [{"role": "system", "content": system}, *prompt]
        self.state: State = {
            "prompt": prompt,
            "completion": [],
            "answer": problem.answer,
            "info": problem.data.get("info") or {},
            "task": problem.data.get("task") or "default",
            "example_id": problem.data.get("example_id", problem.problem_id),
            "trajectory": [],
            "turn": 0,
            "responses": [],
            "timing": {},
            "error": None,
            "is_completed": False,
        }
        self._said: list[Message] = []
        if (setup := getattr(self._environment, "setup_state", None)) is not None:
            self.state = ask("setup_state", setup, self.state) or self.state
        return [to_message(message) for message in self.state["prompt"]]

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Return the environment's answer to the policy's message, and whether the episode is over."""
        self.take(message)
        if self._is_over():
            return [], True
        response = ask("env_response", self._environment.env_response, self._messages(), self.state)
        values = [{"role": "user", "content": response}] if isinstance(response, str) else list(response)
        self.state["completion"].extend(values)
        is_final = self.state.get("final_env_response") is not None
        return [to_message(value) for value in values], is_final

    def take(self, message: Message) -> None:
        """Take down the policy's message without an answer."""
        self._said.append(Message(role=message.role, content=message.content, tool_calls=message.tool_calls))
        said = openai_messages(self._said)[-1]  # after the earlier ones, since ids count their calls
        step = {"prompt": self._messages(), "completion": [said], "response": None, "tokens": None, "extras": {}}
        self.state["completion"].append(said)
        self.state["trajectory"].append({**step, "reward": None, "advantage": None, "is_truncated": False})
        self.state["turn"] += 1

    def _is_over(self) -> bool:
        method = getattr(self._environment, "is_completed", None)
        if method is None:
            return len(self.state["trajectory"]) >= int(getattr(self._environment, "max_turns", 1))
        return bool(ask("is_completed", method, self.state))

    def _messages(self) -> list[dict[str, Any]]:
        return [*self.state["prompt"], *self.state["completion"]]


def replayed(episode: WrappedEnvironment, problem: Problem, messages: Sequence[Message], *, is_cut: bool) -> State:
    """Return the state after these messages: grading rests on them alone. A last message that was cut has no answer.

    Raises:
        InfrastructureError: the environment answers otherwise than it did, so no grade could be repeated.

    """
    rest = list(messages[len(episode.reset(problem, 0)) :])
    while rest:
        said = rest.pop(0)
        if is_cut and not rest:
            episode.take(said)
            break
        answers, is_done = episode.step(said)
        stored = [rest.pop(0) for _ in range(min(len(answers), len(rest)))]
        if [answer.content for answer in answers[: len(stored)]] != [each.content for each in stored]:
            raise InfrastructureError(
                "the environment answers otherwise when an episode is played again: seed its draws"
            )
        if is_done:
            break
    return episode.state


def to_message(said: Any) -> Message:
    """Return a message of an environment, an object or a dictionary, as a record."""
    found = said if isinstance(said, dict) else said.model_dump()
    content = found.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    role = {"developer": "system", "function": "tool"}.get(found["role"], found["role"])
    calls = [_call(call) for call in found.get("tool_calls") or []]
    values = {"role": role, "content": content or "", "tool_calls": calls, "tool_name": found.get("name")}
    try:
        return Message.model_validate(values)
    except ValueError as error:
        raise InfrastructureError(
            f"the environment gave a message that is none: {str(error).splitlines()[0]}"
        ) from None


def _call(call: Any) -> ToolCall:
    values = call if isinstance(call, dict) else call.model_dump()
    function = values.get("function") or values
    arguments = function.get("arguments") or {}
    parsed = json.loads(arguments) if isinstance(arguments, str) else arguments
    return ToolCall(name=function["name"], arguments=parsed)
