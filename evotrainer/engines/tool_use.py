"""Whether a policy can use tools by its chat template, asked before anything is sampled.

Three things are needed: the format in which calls are read, answers of tools in the prompt, and the tools themselves in
the prompt, shown by the template or described in `domain.system_prompt`.
"""

from dataclasses import dataclass

from evotrainer.actions.tool_call_formats import FORMATS, ToolSchemas
from evotrainer.engines.codec import HfChatCodec
from evotrainer.errors import PolicyError
from evotrainer.records import Message

_ANSWER = "answer-of-a-tool"


@dataclass(frozen=True)
class ToolUse:
    """How a policy calls tools."""

    tool_call_format: str
    source: str
    """Where the format is known from, in a few words."""


def tool_use(codec: HfChatCodec, tools: ToolSchemas, system_prompt: str) -> ToolUse:
    """Return how the policy calls these tools; raises PolicyError that says what its template lacks."""
    if codec.given_format:
        found = ToolUse(codec.given_format, "policy.tool_call_format")
    elif codec.detected_format:
        found = ToolUse(codec.detected_format, "read from the chat template")
    else:
        raise PolicyError(
            "the chat template writes no tool calls in a known format: name the one that the policy was trained on, "
            f"policy.tool_call_format={'|'.join(FORMATS)}, or take a policy with tools"
        )
    name = tools[0]["function"]["name"]
    if _ANSWER not in codec.answered([Message(role="tool", content=_ANSWER, tool_name=name)]):
        raise PolicyError("the chat template leaves out what tools answer: take a policy whose template has tools")
    prompt = codec.shown([Message(role="user", content="What is there to do?")], tools)
    hidden = [tool["function"]["name"] for tool in tools if tool["function"]["name"] not in prompt]
    if hidden and not system_prompt:
        raise PolicyError(
            f"the chat template does not show tools ({', '.join(hidden[:3])}): take a policy whose template has tools, "
            "or describe them in domain.system_prompt"
        )
    return found
