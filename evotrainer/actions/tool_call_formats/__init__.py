"""How policies write tool calls, by the names that vLLM gives its parsers (`--tool-call-parser`).

Sources: vllm/entrypoints/openai/tool_parsers/ (hermes, llama, mistral, pythonic, qwen3coder); they read the same texts.
"""

from evotrainer.actions.tool_call_formats.base import Said, ToolCallFormat, ToolSchemas
from evotrainer.actions.tool_call_formats.hermes import TOOL_CALL, parse_hermes
from evotrainer.actions.tool_call_formats.llama3_json import parse_llama3_json
from evotrainer.actions.tool_call_formats.mistral import parse_mistral
from evotrainer.actions.tool_call_formats.pythonic import parse_pythonic
from evotrainer.actions.tool_call_formats.qwen3_coder import parse_qwen3_coder

__all__ = ["DEFAULT_FORMAT", "FORMATS", "TOOL_CALL", "Said", "ToolCallFormat", "ToolSchemas"]

DEFAULT_FORMAT = "hermes"
"""Of a policy whose template writes no calls, as that of the embedded ones."""

FORMATS: dict[str, ToolCallFormat] = {
    "hermes": parse_hermes,
    "qwen3_coder": parse_qwen3_coder,
    "mistral": parse_mistral,
    "llama3_json": parse_llama3_json,
    "pythonic": parse_pythonic,
}
"""Strict before lenient: the order in which a template's format is looked for."""
