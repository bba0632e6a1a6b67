"""Options that several commands share."""

from typing import Annotated

import typer

from spillway.client import SpillwayClient
from spillway.locations import find_connection

Url = Annotated[
    str | None, typer.Option("--url", help="The server's address; else SPILLWAY_URL, else the one on this machine.")
]
Token = Annotated[
    str | None, typer.Option("--token", help="An API token; else SPILLWAY_TOKEN, else this machine's own.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")]


def connect(url: str | None, token: str | None) -> SpillwayClient:
    connection = find_connection(url, token)
    return SpillwayClient(connection.url, connection.token)
