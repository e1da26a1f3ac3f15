"""The local server of `evotrainer ui`: bound to 127.0.0.1, with a token in the address that it prints."""

import secrets
import socket
import webbrowser

import uvicorn

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import LineageError
from evotrainer.report.live.app import Check, create_app

HOST = "127.0.0.1"


def serve(files: CampaignFiles, port: int, show: bool, check: Check) -> None:
    """Serve until interrupted; raises LineageError where the port is taken. `check`: see create_app."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        raise LineageError(f"port {port} cannot be used ({error.strerror}): choose another with --port") from None
    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{listener.getsockname()[1]}/?token={token}"
    print(f"{files.root.name}: {address}  (Ctrl-C ends it)", flush=True)
    if show:
        webbrowser.open(address)
    config = uvicorn.Config(create_app(files, token, check), log_level="warning", server_header=False)
    uvicorn.Server(config).run(sockets=[listener])
