"""Tool calls as Qwen and others write them: <tool_call>{"name": ..., "arguments": {...}}</tool_call>.

A policy writes the text: the pattern is one of RE2, which reads it in linear time whatever it holds.
"""

import re2

TOOL_CALL = re2.compile(r"(?s)<tool_call>\s*(\{.*?\})\s*</tool_call>")
"""One call; its group is the JSON object, or what stands in its place."""
