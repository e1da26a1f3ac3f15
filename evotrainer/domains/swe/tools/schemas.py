"""The tools of a swe episode as JSON Schemas: what a chat template shows a policy from elsewhere."""

from functools import cache
from typing import Any

from evotrainer.actions.tool_call_formats import ToolSchemas
from evotrainer.domains.swe.tools.calls import GIT, PARAMETERS, SUBMIT

_SAYS = {
    "list_files": "List the paths of all files below a folder of the repository, sorted.",
    "read_file": "Read a file of the repository: numbered lines.",
    "search": "Find the lines that hold a text; answers path:line: text, at most 50.",
    "edit": "Replace a text in a file; it must stand there exactly once.",
    "replace_line": "Replace one line of a file by one line or several.",
    "write_file": "Write a whole file, an old or a new one.",
    "run_tests": "Run the repository's tests: the first failures, then the counts.",
    GIT: "Run a git command in the repository.",
    SUBMIT: "Hand in the files as they are and end the episode.",
}
_PARAMETER_SAYS = {
    "path": "Path from the root of the repository.",
    "start": "First line, from 1.",
    "end": "Last line.",
    "query": "The text to look for, as it stands.",
    "old": "The text to replace.",
    "new": "What takes its place.",
    "line": "Number of the line, from 1.",
    "text": "The new text.",
    "arguments": "The command line after `git`, like: log --oneline -5",
}
_TYPES = {str: "string", int: "integer"}


@cache
def tool_schemas() -> ToolSchemas:
    """Return the schemas, in the order of the tools' documentation."""
    return tuple(_schema(name) for name in PARAMETERS)


def _schema(name: str) -> dict[str, Any]:
    properties = {
        parameter: {"type": _TYPES[kind], "description": _PARAMETER_SAYS[parameter]}
        for parameter, (kind, _) in PARAMETERS[name].items()
    }
    required = [parameter for parameter, (_, is_needed) in PARAMETERS[name].items() if is_needed]
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": _SAYS[name], "parameters": parameters}}
