"""One episode in an environment: the state that it keeps, fed with the policy's messages.

The environment's own loop would ask a model; here the policy's engine is asked by run_episodes, and the environment
only answers. State has the documented keys: prompt, completion, answer, info, task, example_id, trajectory, turn.
"""

import json
from collections.abc import Sequence
from typing import Any

from evotrainer.domains.verifiers.interface import State, ask, num_parameters
from evotrainer.errors import InfrastructureError
from evotrainer.records import Message, Problem, ToolCall


class WrappedEpisode:
    """An episode of one problem."""

    def __init__(self, environment: Any, problem: Problem, system_prompt: str) -> None:
        self._environment = environment
        system = system_prompt or getattr(environment, "system_prompt", None)
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
        if (setup := getattr(environment, "setup_state", None)) is not None:
            self.state = ask("setup_state", setup, self.state) or self.state

    @property
    def opening(self) -> list[Message]:
        """The messages of the prompt."""
        return [to_message(message) for message in self.state["prompt"]]

    def answer(self, message: Message) -> tuple[list[Message], bool]:
        """Return the environment's answer to the policy's message, and whether the episode is over."""
        self.take(message)
        if self._is_over():
            return [], True
        response = ask("env_response", self._environment.env_response, self._messages(), self.state)
        if isinstance(response, tuple):
            response, self.state = response
        values = [{"role": "user", "content": response}] if isinstance(response, str) else list(response)
        self.state["completion"].extend(values)
        is_final = self.state.get("final_env_response") is not None
        return [to_message(value) for value in values], is_final

    def take(self, message: Message) -> None:
        """Take down the policy's message without an answer."""
        said = to_values(message, len(self.state["trajectory"]))
        step = {"prompt": self._messages(), "completion": [said], "response": None, "tokens": None, "extras": {}}
        self.state["completion"].append(said)
        self.state["trajectory"].append({**step, "reward": None, "advantage": None, "is_truncated": False})
        self.state["turn"] += 1

    def _is_over(self) -> bool:
        method = getattr(self._environment, "is_completed", None)
        if method is None:
            return len(self.state["trajectory"]) >= int(getattr(self._environment, "max_turns", 1))
        values = (self._messages(), self.state) if num_parameters(method) > 1 else (self.state,)
        return bool(ask("is_completed", method, *values))

    def _messages(self) -> list[dict[str, Any]]:
        return [*self.state["prompt"], *self.state["completion"]]


def replayed(
    environment: Any, problem: Problem, messages: Sequence[Message], system_prompt: str, *, is_cut: bool
) -> WrappedEpisode:
    """Return an episode after these messages: grading rests on them alone. A last message that was cut has no answer.

    Raises:
        InfrastructureError: the environment answers otherwise than it did, so no grade could be repeated.

    """
    episode = WrappedEpisode(environment, problem, system_prompt)
    rest = list(messages[len(episode.opening) :])
    while rest:
        said = rest.pop(0)
        if is_cut and not rest:
            episode.take(said)
            break
        answers, is_done = episode.answer(said)
        stored = [rest.pop(0) for _ in range(min(len(answers), len(rest)))]
        if [answer.content for answer in answers[: len(stored)]] != [each.content for each in stored]:
            raise InfrastructureError(
                "the environment answers otherwise when an episode is played again: seed its draws"
            )
        if is_done:
            break
    return episode


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


def to_values(message: Message, turn: int) -> dict[str, Any]:
    """Return the policy's message as environments read it, in OpenAI's form; ids of calls name turn and place."""
    values: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        values["tool_calls"] = [
            {
                "id": f"call_{turn}_{place}",
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for place, call in enumerate(message.tool_calls)
        ]
    return values


def _call(call: Any) -> ToolCall:
    values = call if isinstance(call, dict) else call.model_dump()
    function = values.get("function") or values
    arguments = function.get("arguments") or {}
    parsed = json.loads(arguments) if isinstance(arguments, str) else arguments
    return ToolCall(name=function["name"], arguments=parsed)
