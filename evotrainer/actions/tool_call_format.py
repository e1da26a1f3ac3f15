"""The Hermes format of tool calls: <tool_call>{"name": ..., "arguments": {...}}</tool_call>.

A policy writes the text, so the pattern is one of RE2, which reads any text in linear time.
"""

import re2

TOOL_CALL = re2.compile(r"(?s)<tool_call>\s*(\{.*?\})\s*</tool_call>")
"""One call; its group is the text between the tags."""
