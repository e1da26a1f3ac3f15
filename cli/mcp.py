"""`evotrainer mcp`: campaigns and rollouts for a person's own coding agent, by the Model Context Protocol.

The SDK of the protocol is imported here alone.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer


def mcp(
    root: Annotated[Path, typer.Option("--root", help="The folder whose files may be read.")] = Path(),
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, help="Serve HTTP on this machine; else standard input and output."),
    ] = None,
) -> None:
    """Let a coding agent read campaigns and rollouts: a server of the Model Context Protocol, on this machine alone."""
    from evotrainer.errors import ConfigError

    if not root.is_dir():
        raise ConfigError(f"--root {root} is no folder: name one that holds your files")
    from mcp.server.mcpserver import MCPServer
    from mcp_types import ToolAnnotations

    from cli.mcp_tools import INSTRUCTIONS, Tools

    server = MCPServer("evotrainer", instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in Tools(root).all:
        server.add_tool(_answering(tool), annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    if port is None:
        server.run("stdio")
        return
    import socket

    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError as error:
            raise ConfigError(f"port {port} cannot be used ({error.strerror}): choose another with --port") from None
    print(f"http://127.0.0.1:{port}/mcp (Ctrl-C ends it)", flush=True)
    server.run("streamable-http", port=port)


def _answering(tool: Callable[..., str]) -> Callable[..., str]:
    """Return a tool whose errors are one line that the agent reads, and whose prints are no answers."""
    import contextlib
    import sys

    from mcp.server.mcpserver.exceptions import ToolError

    from evotrainer.campaign.untrusted import one_line
    from evotrainer.errors import EvoTrainerError

    @functools.wraps(tool)
    def answer(**arguments: object) -> str:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                return tool(**arguments)
        except (EvoTrainerError, OSError) as error:
            raise ToolError(one_line(str(error), 500)) from None

    return answer
